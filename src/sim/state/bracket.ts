/** A bracket: take-profit and stop-loss that the venue holds for filled lots of an order. */
import type { Leg } from './account.ts';

/** An active bracket: closes `size` lots of a leg at whichever of its two triggers comes first. */
export interface Bracket {
  /** Number and tag of the OPEN order that it belongs to. */
  readonly orderNo: number;
  readonly tag: number;
  readonly leg: Leg;
  size: number;
  /** Trigger prices in ticks, 0 for none; a limit of 0 means a market order. */
  readonly takeProfit: number;
  readonly takeProfitLimit: number;
  readonly stopLoss: number;
  readonly stopLossLimit: number;
}
