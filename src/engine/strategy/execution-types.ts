/** What a strategy asks of an execution, and what it sees of one. */
import type { EffectName, SideName } from '../../domain/codes.ts';
import type { ExecutionKind, ExecutionState } from '../state/saved-execution.ts';
import type { ManagedTrade } from './trade-types.ts';
import type { Amount, BracketPrice, Market, OrderNumber } from './types.ts';

/** What all executions share. */
interface Parent {
  readonly market: Market;
  readonly side: SideName;
  /** Default: OPEN. */
  readonly effect?: EffectName | undefined;
  /** The most that all its orders together fill. */
  readonly size: Amount;
  /** Attached to each opening order and held by the venue. A stop-loss that fires ends the execution. */
  readonly stopLoss?: BracketPrice | undefined;
  readonly takeProfit?: BracketPrice | undefined;
  /** It ends after this time, with what has filled by then. Milliseconds. */
  readonly expiresInMs?: number | undefined;
  readonly reason?: string | undefined;
}

/** Equal orders over time. What one does not fill is spread over the later ones. */
export interface TwapFields extends Omit<Parent, 'expiresInMs'> {
  readonly durationMs: number;
  readonly slices: number;
  /** Worst price; without it the slices are market orders. */
  readonly limit?: Amount | undefined;
}

/** A limit order of which only `show` is visible. */
export interface IcebergFields extends Parent {
  readonly limit: Amount;
  readonly show: Amount;
  readonly postOnly?: boolean | undefined;
}

/** A limit order that follows the book. */
export interface PegFields extends Parent {
  readonly to: 'bid' | 'ask' | 'mid';
  /** Distance in quote coin away from the market: below for a buy, above for a sell. Default 0; negative towards the market. */
  readonly offset?: number | undefined;
  /** Worst price. */
  readonly limit?: Amount | undefined;
  /** Smaller moves, in quote coin, are not followed. Default: one tick. */
  readonly step?: number | undefined;
  /** Least time between two moves. Default 1,000 ms. */
  readonly everyMs?: number | undefined;
  readonly postOnly?: boolean | undefined;
}

/** One of the two orders: a `limit` rests at the venue; a `trigger` is watched by the bot, then it is a market order, or that limit. */
export interface OcoOrder {
  readonly side: SideName;
  /** Default: OPEN. */
  readonly effect?: EffectName | undefined;
  readonly limit?: Amount | undefined;
  readonly trigger?: Amount | undefined;
  readonly stopLoss?: BracketPrice | undefined;
  readonly takeProfit?: BracketPrice | undefined;
}

/** Two orders of one size, of which one fills. If both close the same position, what one fills is taken from the other. */
export interface OcoFields {
  readonly market: Market;
  readonly size: Amount;
  readonly orders: readonly [OcoOrder, OcoOrder];
  readonly expiresInMs?: number | undefined;
  readonly reason?: string | undefined;
}

/** Levels from `from` to `to`, each a managed trade of `size` that is closed one level nearer to the market. */
export interface GridFields {
  readonly market: Market;
  readonly side: SideName;
  /** The level nearest to the market, and the farthest. */
  readonly from: Amount;
  readonly to: Amount;
  /** At least 2. */
  readonly levels: number;
  /** Of each level. */
  readonly size: Amount;
  /** Of each level, held by the venue. If one fires, the grid ends and closes the others. */
  readonly stopLoss?: BracketPrice | undefined;
  /** Round trips of each level. Default: no end. */
  readonly rounds?: number | undefined;
  readonly expiresInMs?: number | undefined;
  readonly reason?: string | undefined;
}

/** A parent order that the bot works off. It outlives a restart of the bot. */
export interface Execution {
  readonly id: number;
  readonly kind: ExecutionKind;
  readonly market: Market;
  readonly state: ExecutionState;
  readonly reason: string;
  /** Why it ends: "filled", "time", "stop-loss", "take-profit", "refused", "nothing to close", or what was given to `cancel`; "" while it works. */
  readonly why: string;
  readonly startedAt: number;
  /** Of a grid: the size that all levels hold together at most, and the size that they hold. */
  readonly size: number;
  readonly filled: number;
  readonly left: number;
  /** Average price of the fills; NaN before the first, and of a grid. */
  readonly averagePrice: number;
  /** The order that is at the venue; 0 for none, and of a grid. */
  readonly order: OrderNumber;
  /** Of a grid: its trades that are not closed. */
  readonly trades: readonly ManagedTrade[];
  /** Withdraws what waits. What was filled stays; a grid closes its trades. */
  cancel(reason?: string): void;
}
