/** The saved form of a managed trade, and how its average price follows from its fills. */
import { assert } from '../../base/failure/assert.ts';
import type { SideName } from '../../domain/codes.ts';
import type { BracketPrice } from '../intents/market-types.ts';

/** A stop that follows the best price. Give `distance` or `percent`. */
export interface Trailing {
  /** In quote coin. */
  readonly distance?: number | undefined;
  /** Of the best price. */
  readonly percent?: number | undefined;
  /** It begins once the profit has reached this percent of the entry price. Default: at once. */
  readonly after?: number | undefined;
}

/** A price so far from the average price of a trade (`entryPrice`). It follows the average. Give `distance` or `percent`. */
export interface FromAverage {
  /** In quote coin, above 0. */
  readonly distance?: number | undefined;
  /** Of the average price, above 0 and below 100. */
  readonly percent?: number | undefined;
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
  /**
   * "target", "stop-loss", "take-profit", "trailing-stop", "stop", "time", "external", "elsewhere", "liquidation", "leftover", or the reason
   * given to `close` or `reduce`.
   */
  readonly why: string;
}

/** A share of the size that is closed at a price. `order` is 0 while none is placed. */
export interface TargetPlan {
  /** The price; 0 if it is `away` from the average. */
  readonly at: number;
  readonly away: FromAverage | null;
  readonly share: number;
  /** True if a limit order rests at the price, false if the bot closes at the market once it is reached. */
  readonly resting: boolean;
  order: number;
  /** What its orders have filled, and will have once the placed one is filled. */
  filled: number;
  lots: number;
}

/** A part that the strategy asked to close. `order` is 0 until the lots are free of other orders. */
export interface ReducePlan {
  readonly lots: number;
  /** Limit price; 0 for the market. */
  readonly price: number;
  readonly why: string;
  /** Given up at this time if no order could be placed. */
  readonly until: number;
  order: number;
  /** What its order has filled. */
  filled: number;
}

/** The state of a trade. Plain JSON. Prices are numbers in quote coin, 0 for none. */
export interface SavedTrade {
  readonly id: number;
  readonly symbol: string;
  readonly side: SideName;
  readonly reason: string;
  state: TradeState;
  /** Entry, rungs and additions: numbers of opening orders, newest last. */
  opens: number[];
  enteredLots: number;
  exitedLots: number;
  /** Sum of lots × price of the fills whose price is known, and those lots. */
  entryValue: number;
  pricedLots: number;
  /** Value of what was held after the newest entry, and those lots; null while nothing was closed before an entry. */
  held: { readonly value: number; readonly lots: number } | null;
  /** When its entry was placed, by our clock; 0 if unknown. */
  readonly placedAt: number;
  entryTime: number;
  best: number;
  worst: number;
  stop: number;
  stopAway: FromAverage | null;
  venueStop: number;
  /** What each opening order carries to the venue. */
  readonly bracket: { readonly stopLoss?: BracketPrice | undefined; readonly takeProfit?: BracketPrice | undefined };
  trailing: Trailing | null;
  breakEven: { readonly after: number; readonly plus: number } | null;
  targets: TargetPlan[];
  reduces: ReducePlan[];
  /** Lots that orders of `reduces` have closed. */
  reducedLots: number;
  /** Times; 0 for none. */
  expiresAt: number;
  maxHoldMs: number;
  /** The order that closes the rest, 0 for none; why. */
  closing: number;
  why: string;
  exits: TradeExit[];
}

/** The numbers of all orders that it has now; 0 for one that is not placed. */
export function ordersOf({ opens, targets, reduces, closing }: SavedTrade): readonly number[] {
  return [...opens, ...[...targets, ...reduces].map(({ order }) => order), closing];
}

/** True if it has the order now. Asked of each trade for each order event, so it makes no list. */
export function hasOrder({ opens, targets, reduces, closing }: SavedTrade, number: number): boolean {
  const isIt = ({ order }: { readonly order: number }): boolean => order === number;
  return closing === number || opens.includes(number) || targets.some(isIt) || reduces.some(isIt);
}

type Averaged = Pick<SavedTrade, 'enteredLots' | 'exitedLots' | 'entryValue' | 'pricedLots' | 'held'>;

/** Average price of what is held: an entry changes it, an exit does not. NaN while no price of an entry is known. */
export function averageOf({ held, entryValue, pricedLots }: Averaged): number {
  assert(held === null || held.lots > 0, 'an average is of lots above zero', held?.lots);
  if (held !== null) return held.value / held.lots;
  return pricedLots > 0 ? entryValue / pricedLots : Number.NaN;
}

/** After an entry of `lots` at `price`; 0 or NaN if it is not known: then it counts as entered at the average. */
export function afterEntry(trade: Averaged, lots: number, price: number): Averaged {
  assert(lots > 0, 'an entry fills lots above zero', lots);
  assert(trade.enteredLots >= 0, 'a trade has entered at least 0 lots', trade.enteredLots);
  const before = averageOf(trade);
  const left = Math.max(0, trade.enteredLots - trade.exitedLots);
  const at = price > 0 ? price : before;
  const value = (before > 0 ? before : at) * left + at * lots;
  const held = trade.exitedLots > 0 && at > 0 ? { value, lots: left + lots } : trade.held;
  return {
    enteredLots: trade.enteredLots + lots,
    exitedLots: trade.exitedLots,
    entryValue: trade.entryValue + (price > 0 ? lots * price : 0),
    pricedLots: trade.pricedLots + (price > 0 ? lots : 0),
    held,
  };
}

/** What a trade of an earlier version lacks. JSON has null for a price that is not known. */
export function savedTradeOf(saved: SavedTrade): SavedTrade {
  const old = saved as Partial<SavedTrade> & Pick<SavedTrade, 'targets' | 'exits' | 'venueStop'>;
  return {
    ...saved,
    opens: [...saved.opens],
    held: old.held ?? null,
    placedAt: old.placedAt ?? 0,
    stopAway: old.stopAway ?? null,
    bracket: old.bracket ?? (saved.venueStop > 0 ? { stopLoss: saved.venueStop } : {}),
    reduces: (old.reduces ?? []).map((reduce) => ({ ...reduce, filled: (reduce.filled as number | undefined) ?? 0 })),
    reducedLots: old.reducedLots ?? 0,
    exits: saved.exits.map((exit) => ({ ...exit, price: (exit.price as number | null) ?? Number.NaN })),
    // Before targets could be held by the bot, all of them rested.
    targets: saved.targets.map((target) => ({
      ...target,
      away: (target.away as FromAverage | null | undefined) ?? null,
      resting: (target.resting as boolean | undefined) ?? true,
    })),
  };
}

export function copyOf(saved: SavedTrade): SavedTrade {
  return {
    ...saved,
    opens: [...saved.opens],
    targets: saved.targets.map((target) => ({ ...target })),
    reduces: saved.reduces.map((reduce) => ({ ...reduce })),
    exits: [...saved.exits],
  };
}
