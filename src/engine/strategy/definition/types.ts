/**
 * The types of what a strategy defines and is given: handlers, the context, and the events that are not about one order. Prices and sizes
 * are ordinary numbers for signals, with exact ticks and lots beside them.
 */
import type { EffectName, MarginModeName, SideName } from '../../../domain/codes.ts';
import type { ExternalAction, ExternalKind } from '../../../domain/messages/external.ts';
import type { LogFields } from '../../../ports/log.ts';
import type { OrderEvent, PositionEvent } from '../../intents/events.ts';
import type { OrderActions } from '../../intents/intents.ts';
import type { Amount, Market, OrderNumber, Trade } from '../../intents/market-types.ts';
import type { Bar } from '../../market/bar.ts';
import type { Execution, ExecutionActions } from '../../trades/executions/execution-types.ts';
import type { ManagedTrade, TradeActions } from '../../trades/trade-types.ts';
import type { ScheduleRun } from '../durable/schedules.ts';
import type { Tracked } from './tracked.ts';

/** A fill of an own order, or of the bracket of one. The object is reused: valid inside the handler. */
export interface Fill {
  /** Number of the order; of a bracket: the order that it was attached to. */
  readonly order: OrderNumber;
  /** The leg (position side): LONG or SHORT. */
  readonly side: SideName;
  /** OPEN adds to the leg, CLOSE takes from it. */
  readonly effect: EffectName;
  /** BUY or SELL. */
  readonly direction: 'BUY' | 'SELL';
  /** In base coin. */
  readonly size: number;
  /** Average price of this fill; NaN if the venue did not tell. */
  readonly price: number;
  /** Size × price in quote coin. */
  readonly value: number;
  /** Which of them filled: the order itself, or its bracket at the venue. */
  readonly cause: 'order' | 'stop-loss' | 'take-profit';
  /** The managed trade that it belongs to, or null. */
  readonly trade: ManagedTrade | null;
}

/** Opens are halted in a scope, or a halt of it ended. */
export interface HaltEvent {
  /** "bot", "symbol:BTCUSDT", "leg:BTCUSDT:LONG" or "strategy:NAME". */
  readonly scope: string;
  /** Reason code: "daily-loss", "operator", … */
  readonly code: string;
  /** What happened, with figures. */
  readonly message: string;
  /** False: opens are halted from now on. True: this halt has ended. */
  readonly isEnd: boolean;
}

/** The symbols of the strategy were chosen again. `ctx.universe` has all of them. */
export interface UniverseEvent {
  /** The moment of the choice: bars up to it were ranked. Milliseconds. */
  readonly at: number;
  /** Chosen now, and not before. */
  readonly joined: readonly Market[];
  /** Chosen before, and not now: nothing can be opened there any more. */
  readonly left: readonly Market[];
}

/** What a program outside says to the strategy, by `tickwright signal` or a webhook. */
export interface SignalEvent {
  /** Who said it: "webhook NAME", or the user of the command line. */
  readonly from: string;
  /** The text as it was given, at most 4,000 characters; a webhook gives its body. It is not checked: parse it with care. */
  readonly text: string;
}

/** A change of the account that the bot did not make, and the action that was taken (docs/reference/external-events.md). */
export interface ExternalEvent {
  /** What was found. */
  readonly kind: ExternalKind;
  /** The configured action: "halt" stopped opens until the operator resumes, "adopt" took over the new state. */
  readonly action: ExternalAction;
  /** null if it concerns the whole account. */
  readonly market: Market | null;
  /** The leg; null if it concerns the market or the account. */
  readonly side: SideName | null;
  /** What happened, with figures. */
  readonly message: string;
}

/** The futures account as last read, in its margin coin; NaN before the first read. */
export interface Account {
  /** With `allocation.by` the part of this strategy; the other figures are those of the whole account. */
  readonly equity: number;
  /** What is free for new orders. */
  readonly available: number;
  /** Margin that is in use. */
  readonly locked: number;
  /** Unrealised profit of all positions. */
  readonly unrealised: number;
}

/**
 * What a strategy can do. Every intent is checked by the risk rules before it becomes a command. A refused intent (NaN, zero, off any grid,
 * refused by a rule) returns 0 or false, calls `onOrder` with state "refused", and is logged and counted. Its parts are `OrderActions`,
 * `TradeActions` and `ExecutionActions`.
 */
export interface StrategyContext<State extends object = object> extends OrderActions, TradeActions, ExecutionActions {
  /** The futures account as last read; the object stays the same. */
  readonly account: Account;
  /**
   * Durable state, declared in `defineStrategy({ state })`. Assign a field to change it; values are frozen. It is written into the journal
   * with the orders of the same step. An assignment of a wrong type throws a StateError.
   */
  readonly state: State;
  /** A pseudo-random number in [0, 1), seeded so that a run can be repeated. */
  random(): number;
  /**
   * The markets in which it may open, the same list for as long as it runs. With `universe` in the configuration: those chosen, best rank
   * first, changed in place right before `onUniverse`. Otherwise `ctx.markets`.
   */
  readonly universe: readonly Market[];
  /** The market of `symbol`. @throws if this strategy does not trade it */
  market(symbol: string): Market;
  /** Sets the margin mode; only possible if the market is flat and has no live order. */
  setMarginMode(market: Market, mode: MarginModeName, reason?: string): boolean;
  /** Moves the isolated margin of a leg to `target` (quote coin), in steps of at most a tenth of it, each after two equal reads. */
  ensureMargin(market: Market, side: SideName, target: Amount, reason?: string): boolean;

  /** LONG less SHORT of a market in base coin. */
  netPosition(market: Market): number;

  /**
   * Calls `onSchedule` at the times of a cron expression in UTC: "0 8 * * *", or six fields with seconds in front. It outlives a restart.
   * The same expression again changes nothing. @throws CronError, or Error if there is no onSchedule
   */
  schedule(cron: string, name: string): void;
  /** Ends the calls of `schedule` under this name. */
  unschedule(name: string): void;
  /** Calls `onTimer(name)` once after `delayMs`; setting it again moves it. */
  setTimer(name: string, delayMs: number): void;
  /** Ends the timer of this name. */
  cancelTimer(name: string): void;
  /**
   * Says in words what the strategy sees or waits for, in at most 200 characters: "spread 3 ticks: waits for 2". It is a line of the log and of
   * `tickwright why`, and a mark on the chart of a backtest; the same text again says nothing new. Default market: the first of the strategy. At most ten a second reach
   * the log.
   */
  note(text: string, market?: Market): void;
  /**
   * Draws a point of the line `name` on the chart of the market, at the present time: `ctx.plot('ema', ema.value)`. At most 20 lines for each
   * market; the log has at most one point a second of each. NaN is a gap. Default market: the first of the strategy.
   */
  plot(name: string, value: number, market?: Market): void;
  /** Writes a line to the bot's log; a backtest writes it on stderr. */
  log(event: string, fields?: LogFields): void;
}

/**
 * What a handler may return: anything but a promise; the value is ignored. So an async handler does not compile, which TypeScript's `void`
 * alone would allow.
 */
export type Done = void | undefined | null | boolean | number | string | readonly unknown[] | { readonly then?: never };

/** The bars of one period from all markets of the strategy. Valid after the handler too. */
export interface BarSlice {
  /** The period, such as "1h". */
  readonly timeframe: string;
  /** Start (inclusive) and end (exclusive) in venue time. */
  readonly start: number;
  /** End (exclusive) in venue time, milliseconds. */
  readonly end: number;
  /** The bar of a market. @throws RangeError if the strategy does not trade it */
  bar(market: Market): Bar;
}

/** Market data that a strategy needs. */
export interface StrategyNeeds {
  /**
   * Timeframes of `onBar`, `onBars` and `market.bars`, each with the number of complete bars that must exist before the strategy starts:
   * `{ '1m': 200, '1h': 60 }`. They come from history if there is some; otherwise the strategy waits for them.
   */
  readonly bars?: Readonly<Record<string, number>> | undefined;
  /** Indicators made by `track`: the engine feeds them, and the strategy starts when all of them have a value. Reports draw them. */
  readonly indicators?: readonly Tracked[] | undefined;
  /** A period without a trade has a flat bar ('fill', the default) or none ('skip'). */
  readonly emptyBars?: 'fill' | 'skip' | undefined;
}

/** The handlers that a strategy may define. The data that the bot polls depends on which of them exist. All are synchronous. */
export interface StrategyHandlers<State extends object = object> {
  /** Period of the bars for `onBar` in milliseconds, or several. Default 60,000. Periods without a trade have no bar. Or use `needs`. */
  readonly barMs?: number | readonly number[] | undefined;
  /** Bars, history and indicators; no handler is called before they are there. */
  readonly needs?: StrategyNeeds | undefined;
  /** Calendar: by name a cron expression in UTC, for `onSchedule`. */
  readonly schedule?: Readonly<Record<string, string>> | undefined;
  /** Called once, when local state agrees with the venue and opens are allowed. */
  onStart?(ctx: StrategyContext<State>): Done;
  /** The best bid or ask changed: `market.bid`, `market.ask`. Called for each poll that shows a change. */
  onQuote?(market: Market, ctx: StrategyContext<State>): Done;
  /** A trade of anybody on the market, in order, each once. */
  onTrade?(trade: Trade, market: Market, ctx: StrategyContext<State>): Done;
  /** A bar is complete. Of bars that end together, the longest timeframe comes first. */
  onBar?(bar: Bar, market: Market, ctx: StrategyContext<State>): Done;
  /** All markets of the strategy have their bar of a period. Called after `onBar` of the last of them. */
  onBars?(slice: BarSlice, ctx: StrategyContext<State>): Done;
  /** An own order changed: accepted, filled, cancelled, refused … `event.kind` says what. */
  onOrder?(event: OrderEvent, ctx: StrategyContext<State>): Done;
  /** An own order filled, or its bracket did. Called after `onOrder`. */
  onFill?(fill: Fill, market: Market, ctx: StrategyContext<State>): Done;
  /** A managed trade ended: all of it was closed, or its entry never filled. */
  onExit?(trade: ManagedTrade, ctx: StrategyContext<State>): Done;
  /** An execution ended; `execution.why` says how. */
  onExecution?(execution: Execution, ctx: StrategyContext<State>): Done;
  /** A leg changed its size. */
  onPosition?(event: PositionEvent, ctx: StrategyContext<State>): Done;
  /** The account changed without the bot. Not called if the policy of the kind is "ignore". */
  onExternal?(event: ExternalEvent, ctx: StrategyContext<State>): Done;
  /** Opens were halted or are allowed again: by a limit, an operator, or an order of unknown outcome. */
  onHalt?(event: HaltEvent, ctx: StrategyContext<State>): Done;
  /** A time of the calendar came. Times that passed while the bot was away are one call after the start (`run.missed`, `run.lateMs`). */
  onSchedule?(run: ScheduleRun, ctx: StrategyContext<State>): Done;
  /** A program outside said something; in a backtest: what `--signals` has. */
  onSignal?(event: SignalEvent, ctx: StrategyContext<State>): Done;
  /** The symbols of a universe were chosen again, also if all stay. Not called at a start with a choice of before. */
  onUniverse?(event: UniverseEvent, ctx: StrategyContext<State>): Done;
  /** A timer of `ctx.setTimer` is due. */
  onTimer?(name: string, ctx: StrategyContext<State>): Done;
  /** Called before the bot stops; only `onOrder` may follow. Cancel or close here what must not stay unattended. */
  onStop?(ctx: StrategyContext<State>): Done;
  /** State that outlives the process, as a string; called often, so keep it small. */
  save?(): string;
  /** Called before `onStart` with the last result of `save`. */
  restore?(state: string): Done;
}
