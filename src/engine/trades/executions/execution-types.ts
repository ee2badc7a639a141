/** The fields of an execution that a strategy sets, and what it sees of a running one. */
import type { EffectName, SideName } from '../../../domain/codes.ts';
import type { ExecutionKind, ExecutionState } from './saved-execution.ts';
import type { ManagedTrade } from '../trade-types.ts';
import type { Amount, BracketPrice, Market, OrderNumber } from '../../intents/market-types.ts';

/** What all executions share. */
interface Parent {
  /** The market, one of `ctx.markets`. */
  readonly market: Market;
  /** The leg (position side): LONG or SHORT. */
  readonly side: SideName;
  /** Default: OPEN. */
  readonly effect?: EffectName | undefined;
  /** The most that all its orders together fill. */
  readonly size: Amount;
  /** Attached to each opening order and held by the venue. A stop-loss that fires ends the execution. */
  readonly stopLoss?: BracketPrice | undefined;
  /** Attached to each opening order and held by the venue. A take-profit that fires ends the execution. */
  readonly takeProfit?: BracketPrice | undefined;
  /** It ends after this time, with what has filled by then. Milliseconds. */
  readonly expiresInMs?: number | undefined;
  /** Reason for the journal and the reports. */
  readonly reason?: string | undefined;
}

/** Equal orders over time. What one does not fill is spread over the later ones. */
export interface TwapFields extends Omit<Parent, 'expiresInMs'> {
  /** Time from the first slice to the last. Milliseconds. */
  readonly durationMs: number;
  /** Number of orders. */
  readonly slices: number;
  /** Worst price; without it the slices are market orders. */
  readonly limit?: Amount | undefined;
}

/** A limit order of which only `show` is visible. */
export interface IcebergFields extends Parent {
  /** Limit price. */
  readonly limit: Amount;
  /** Size of the visible part. */
  readonly show: Amount;
  /** The venue refuses the order instead of letting it take liquidity. Default false. */
  readonly postOnly?: boolean | undefined;
}

/** A limit order that follows the book. */
export interface PegFields extends Parent {
  /** The price that it follows. */
  readonly to: 'bid' | 'ask' | 'mid';
  /** Distance in quote coin away from the market: below for a buy, above for a sell. Default 0; negative towards the market. */
  readonly offset?: number | undefined;
  /** Worst price. */
  readonly limit?: Amount | undefined;
  /** Smaller moves, in quote coin, are not followed. Default: one tick. */
  readonly step?: number | undefined;
  /** Least time between two moves. Default 1,000 ms. */
  readonly everyMs?: number | undefined;
  /** The venue refuses the order instead of letting it take liquidity. Default false. */
  readonly postOnly?: boolean | undefined;
}

/** One of the two orders: a `limit` rests at the venue; a `trigger` is watched by the bot, then it is a market order, or that limit. */
export interface OcoOrder {
  /** The leg (position side): LONG or SHORT. */
  readonly side: SideName;
  /** Default: OPEN. */
  readonly effect?: EffectName | undefined;
  /** Limit price; the order rests at the venue. */
  readonly limit?: Amount | undefined;
  /** Price at which the bot sends a market order. */
  readonly trigger?: Amount | undefined;
  /** Trigger price of the stop-loss that the venue holds. */
  readonly stopLoss?: BracketPrice | undefined;
  /** Trigger price of the take-profit that the venue holds. */
  readonly takeProfit?: BracketPrice | undefined;
}

/** Two orders of one size, of which one fills. If both close the same position, what one fills is taken from the other. */
export interface OcoFields {
  /** The market, one of `ctx.markets`. */
  readonly market: Market;
  /** Of each of the two orders. In base coin, in quote coin ("100 USDT") or of the equity ("2%"); rounded down to whole lots. */
  readonly size: Amount;
  /** The two orders. */
  readonly orders: readonly [OcoOrder, OcoOrder];
  /** It is withdrawn after this time. Milliseconds. Default: never. */
  readonly expiresInMs?: number | undefined;
  /** Reason for the journal and the reports. */
  readonly reason?: string | undefined;
}

/** Levels from `from` to `to`, each a managed trade of `size` that is closed one level nearer to the market. */
export interface GridFields {
  /** The market, one of `ctx.markets`. */
  readonly market: Market;
  /** The leg (position side): LONG or SHORT. */
  readonly side: SideName;
  /** The level nearest to the market. */
  readonly from: Amount;
  /** The level farthest from the market. */
  readonly to: Amount;
  /** At least 2. */
  readonly levels: number;
  /** Of each level. */
  readonly size: Amount;
  /** Of each level, held by the venue. If one fires, the grid ends and closes the others. */
  readonly stopLoss?: BracketPrice | undefined;
  /** Whether the closing order of each level rests at the venue, as `resting` of a target. Default: true without stop-loss, false with one. */
  readonly resting?: boolean | undefined;
  /** Round trips of each level. Default: no end. */
  readonly rounds?: number | undefined;
  /** It is withdrawn after this time. Milliseconds. Default: never. */
  readonly expiresInMs?: number | undefined;
  /** Reason for the journal and the reports. */
  readonly reason?: string | undefined;
}

/** A parent order that the bot works off. It outlives a restart of the bot. */
export interface Execution {
  /** Number of the execution; never used twice. */
  readonly id: number;
  /** Which of them it is. */
  readonly kind: ExecutionKind;
  /** The market of the execution. */
  readonly market: Market;
  /** Where it stands. */
  readonly state: ExecutionState;
  /** As given when it was started; "" for none. */
  readonly reason: string;
  /** Why it ends: "filled", "time", "stop-loss", "take-profit", "refused", "nothing to close", or what was given to `cancel`; "" while it works. */
  readonly why: string;
  /** Milliseconds. */
  readonly startedAt: number;
  /** Of a grid: the size that all levels hold together at most, and the size that they hold. */
  readonly size: number;
  /** Size that has filled, in base coin; of a grid: what its trades hold now, so 0 once it has ended. */
  readonly filled: number;
  /** Size that has not filled yet, in base coin. */
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

/** Executions as `ctx` starts and finds them. */
export interface ExecutionActions {
  /**
   * Executions: a parent order that the bot works off by one order at a time, so that all of them together never fill more than its size.
   * null if it was refused. They outlive a restart, and are the same in a backtest and live.
   */
  twap(fields: TwapFields): Execution | null;
  /** A limit order of which only a part is visible. */
  iceberg(fields: IcebergFields): Execution | null;
  /** A limit order that follows the best bid, the best ask or the mid. */
  peg(fields: PegFields): Execution | null;
  /** Two orders of one size, of which one fills. */
  oco(fields: OcoFields): Execution | null;
  /** Levels, each a managed trade that is entered and closed again and again. */
  grid(fields: GridFields): Execution | null;
  /** Executions that have not ended, oldest first; of one market or of all. */
  executions(market?: Market): readonly Execution[];
}
