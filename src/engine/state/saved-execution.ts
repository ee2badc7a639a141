/** What is saved of an execution: a parent order that the bot works off by child orders, one at the venue at a time. Plain JSON. */
import type { EffectName, SideName } from '../../domain/codes.ts';

/** Which call made an execution: `ctx.twap`, `ctx.iceberg`, `ctx.peg`, `ctx.oco` or `ctx.grid`. */
export type ExecutionKind = 'twap' | 'iceberg' | 'peg' | 'oco' | 'grid';

/** "ending": nothing new is placed, and what is at the venue is withdrawn. */
export type ExecutionState = 'working' | 'ending' | 'done';

/** A bracket of the child orders: the trigger, and the limit price of its order ("" for a market order). Decimal strings. */
export interface SavedBracket {
  readonly trigger: string;
  readonly limit: string;
}

/** What an order of the execution is, apart from its size and price. */
export interface SavedLine {
  readonly side: SideName;
  readonly effect: EffectName;
  readonly postOnly: boolean;
  readonly stopLoss: SavedBracket | null;
  readonly takeProfit: SavedBracket | null;
}

/** Equal slices over time. */
export interface TwapPlan {
  readonly kind: 'twap';
  readonly startsAt: number;
  readonly endsAt: number;
  readonly slices: number;
  /** Worst price in ticks; 0: market orders. */
  readonly limit: number;
  readonly minLots: number;
  /** Slices below this one had their order. */
  readonly used: number;
}

/** A limit order that shows a part of its size. */
export interface IcebergPlan {
  readonly kind: 'iceberg';
  readonly limit: number;
  readonly show: number;
  readonly minLots: number;
}

/** A limit order that follows the market. Prices in ticks. */
export interface PegPlan {
  readonly kind: 'peg';
  readonly to: 'bid' | 'ask' | 'mid';
  /** Away from the market, for a buy below. May be negative. */
  readonly offset: number;
  /** Worst price, 0 for none. */
  readonly limit: number;
  readonly isBuy: boolean;
  readonly isPostOnly: boolean;
  /** A move of fewer ticks is not followed. */
  readonly step: number;
  readonly everyMs: number;
  readonly movedAt: number;
}

/** One of the two orders of an OCO. Prices in ticks, 0 for none. */
export interface OcoLeg {
  readonly limit: number;
  /** Watched by the bot; the order is placed when the market is there. */
  readonly trigger: number;
  /** True if the trigger lies above the market. */
  readonly isAbove: boolean;
  readonly isBuy: boolean;
}

export interface OcoPlan {
  readonly kind: 'oco';
  readonly legs: readonly [OcoLeg, OcoLeg];
  /** True if both do the same to the same position side: what one fills, the other no longer does. */
  readonly isShared: boolean;
  /** The leg that was decided for; −1 before. */
  readonly chosen: number;
}

/** A ladder of managed trades. */
export interface GridPlan {
  readonly kind: 'grid';
  readonly levels: readonly GridLevel[];
  /** Lots of each level. */
  readonly lots: number;
  /** Round trips after which a level rests; 0 for no end. */
  readonly rounds: number;
  /** As given. */
  readonly resting?: boolean | undefined;
}

/** Entry and target in ticks, the managed trade that is there now (0: none), and how many there have been. */
export interface GridLevel {
  readonly at: number;
  readonly target: number;
  readonly trade: number;
  readonly rounds: number;
}

export type ExecutionPlan = TwapPlan | IcebergPlan | PegPlan | OcoPlan | GridPlan;

/** The order that is at the venue, or was sent there. */
export interface SavedChild {
  readonly order: number;
  /** What of the plan it is: slice or leg. */
  readonly part: number;
  readonly price: number;
  readonly lots: number;
  filled: number;
}

export interface SavedExecution {
  readonly id: number;
  readonly symbol: string;
  readonly reason: string;
  readonly startedAt: number;
  /** 0 for never. */
  readonly expiresAt: number;
  /** Most lots that all orders together may fill; of a grid: most lots that it may hold. */
  readonly lots: number;
  /** By leg of an OCO; one for all others. */
  readonly lines: readonly SavedLine[];
  plan: ExecutionPlan;
  state: ExecutionState;
  why: string;
  child: SavedChild | null;
  filled: number;
  /** Sum of lots × price of fills whose price is known, and those lots. */
  value: number;
  priced: number;
  /** Opening orders with a bracket, newest last. */
  bracketed: number[];
  /** Orders refused or rejected in a row, and when the next may be tried. */
  refusals: number;
  retryAt: number;
}
