/** The plain records of what a session shows of the market and of its fills. Prices are ticks, sizes lots, money 10⁻⁸. */
import { MAKER, TAKER } from '../../../domain/codes.ts';
import type { Command } from '../../../domain/orders/command.ts';
import type { Instrument } from '../../../domain/instrument.ts';
import { mulDivFloor } from '../../../domain/amounts/scale.ts';
import { ONE } from '../../../domain/amounts/units.ts';

/** A quote as a poll showed it; `at` is when the answer arrived. */
export interface SeenQuote {
  readonly at: number;
  readonly venueTime: number;
  readonly instrument: number;
  readonly bid: number;
  readonly bidSize: number;
  readonly ask: number;
  readonly askSize: number;
}

export interface SeenTrade {
  readonly at: number;
  readonly venueTime: number;
  readonly instrument: number;
  readonly id: number;
  readonly price: number;
  readonly size: number;
  /** BUY or SELL. */
  readonly aggressor: number;
}

/** Lots of an order that the bot learned to be filled, at the price that the order's average implies. */
export interface LiveFill {
  /** Time when the bot learned of it. */
  readonly at: number;
  /** Time when it happened, of an order of somebody else; otherwise 0. */
  readonly venueTime: number;
  /** Number of the order; 0 for a bracket that fired, for somebody else's order, and for what was not recorded. */
  readonly seq: number;
  /** Number of the order, or of the one whose bracket fired; else 0. */
  readonly belongsTo: number;
  /** "unrecorded": between two recordings, or without a record: what placed it is not known. */
  readonly what: 'order' | 'stop-loss' | 'take-profit' | 'external' | 'unrecorded';
  readonly instrument: number;
  readonly side: number;
  readonly effect: number;
  readonly price: number;
  readonly lots: number;
  fee: number;
  realised: number;
  /** MAKER or TAKER, whichever rate the fee is nearer to. */
  liquidity: number;
  readonly strategy: string;
}

/** Funding of a leg, negative if it was paid. */
export interface Payment {
  readonly at: number;
  readonly instrument: number;
  readonly side: number;
  readonly amount: number;
}

/** A command, the end of an order or the state of a managed trade, as the bot's journal has it. */
export type LiveStep =
  | { readonly kind: 'command'; readonly at: number; readonly command: Command; readonly strategy: string; readonly reason: string }
  | { readonly kind: 'ended'; readonly at: number; readonly seq: number; readonly how: number }
  | { readonly kind: 'trade'; readonly at: number; readonly data: Readonly<Record<string, unknown>> };

/** Shares an order's fee and profit out among its fills by their lots. What rounding leaves goes to later fills, so the sums are exact. */
export function shareOut(
  fills: readonly LiveFill[],
  before: number,
  { fee: shown, realised }: { readonly fee: number; readonly realised: number },
  { makerFeeRate, takerFeeRate, unitValue }: Instrument,
): void {
  // Venues differ in the sign of fees. If makers are paid a rebate, the sign is kept.
  const fee = makerFeeRate < 0 ? shown : Math.abs(shown);
  const total = fills.reduce((sum, { lots }) => sum + lots, before);
  const value = fills.reduce((sum, { lots, price }) => sum + lots * price * unitValue, 0);
  const paid = Math.abs(fee - Math.trunc((fee * before) / total));
  const isMaker = Math.abs(paid - (value * makerFeeRate) / ONE) < Math.abs(paid - (value * takerFeeRate) / ONE);
  let lots = before;
  for (const fill of fills) {
    const upTo = (amount: number, count: number): number =>
      amount < 0 ? -mulDivFloor(-amount, count, total) : mulDivFloor(amount, count, total);
    fill.fee = upTo(fee, lots + fill.lots) - upTo(fee, lots);
    fill.realised = upTo(realised, lots + fill.lots) - upTo(realised, lots);
    fill.liquidity = isMaker ? MAKER : TAKER;
    lots += fill.lots;
  }
}
