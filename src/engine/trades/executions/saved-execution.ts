/** The saved form of an execution: a parent order that the bot works off by child orders, one at the venue at a time. Plain JSON. */
import type { EffectName, SideName } from '../../../domain/codes.ts';
import type { GridPlan } from './executors/grid.ts';
import type { IcebergPlan } from './executors/iceberg.ts';
import type { OcoPlan } from './executors/oco.ts';
import type { PegPlan } from './executors/peg.ts';
import type { TwapPlan } from './executors/twap.ts';

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

/** What is left to do, by kind; each executor has its own. */
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
