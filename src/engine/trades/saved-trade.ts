/** What is saved of a managed trade. */
import type { SideName } from '../../domain/codes.ts';

/** A stop that follows the best price. Give `distance` or `percent`. */
export interface Trailing {
  /** In quote coin. */
  readonly distance?: number | undefined;
  /** Of the best price. */
  readonly percent?: number | undefined;
  /** It begins once the profit has reached this percent of the entry price. Default: at once. */
  readonly after?: number | undefined;
}

/** "entering" until the first fill, "open", "closing" while its closing order is under way, "closed" when nothing of it is left. */
export type TradeState = 'entering' | 'open' | 'closing' | 'closed';

/** A part of a trade that was closed. */
export interface TradeExit {
  /** Milliseconds. */
  readonly time: number;
  /** In base coin. */
  readonly size: number;
  /** NaN if it is not known. */
  readonly price: number;
  /** "target", "stop-loss", "take-profit", "trailing-stop", "stop", "time", "external", "liquidation", or the reason given to `close`. */
  readonly why: string;
}

/** A share of the size that is closed at a price. `order` is 0 while none is placed. */
export interface TargetPlan {
  readonly at: number;
  readonly share: number;
  /** True if a limit order rests at the price, false if the bot closes at the market once it is reached. */
  readonly resting: boolean;
  order: number;
  /** Lots of the placed order, and what of all its orders has filled. */
  lots: number;
  filled: number;
}

/** The state of a trade. Plain JSON. Prices are numbers in quote coin, 0 for none. */
export interface SavedTrade {
  readonly id: number;
  readonly symbol: string;
  readonly side: SideName;
  readonly reason: string;
  state: TradeState;
  /** Entry and rungs: numbers of opening orders, newest last. */
  opens: number[];
  enteredLots: number;
  exitedLots: number;
  /** Sum of lots × price of the fills whose price is known, and those lots. */
  entryValue: number;
  pricedLots: number;
  entryTime: number;
  best: number;
  worst: number;
  stop: number;
  venueStop: number;
  trailing: Trailing | null;
  breakEven: { readonly after: number; readonly plus: number } | null;
  targets: TargetPlan[];
  /** Times; 0 for none. */
  expiresAt: number;
  maxHoldMs: number;
  /** The order that closes the rest, 0 for none; why. */
  closing: number;
  why: string;
  exits: TradeExit[];
}
