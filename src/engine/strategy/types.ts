/**
 * The types that a strategy author uses: handlers, views and the context. Prices and sizes are ordinary numbers for signals, with exact
 * ticks and lots beside them. An intent takes a decimal string or a number, which is rounded to the grid by a documented rule.
 * size: all that a strategy author sees, in one place
 */
import type { DirectionName, EffectName, MarginModeName, SideName, TriggerByName } from '../../domain/codes.ts';
import type { ExternalAction, ExternalKind } from '../../domain/external.ts';
import type { OrderState } from '../../domain/order.ts';
import type { Reason } from '../../domain/outcome.ts';
import type { RefusalReason } from '../../domain/refusals.ts';
import type { LogFields } from '../../ports/log.ts';
import type { Bar } from '../market/bar.ts';
import type { ScheduleRun } from './schedules.ts';
import type { Tracked } from './tracked.ts';
import type { Execution, GridFields, IcebergFields, OcoFields, PegFields, TwapFields } from './execution-types.ts';
import type { EnterFields, ManagedTrade, SizeFields } from './trade-types.ts';
import type { Amount, BracketPrice, Market, OrderNumber, OrderView, Position, Trade } from './market-types.ts';

export type { Amount, BracketPrice, Market, OrderNumber, OrderView, Position, Trade } from './market-types.ts';

interface OrderEventOf<Kind extends string, State extends OrderState, Why extends string> {
  readonly kind: Kind;
  readonly order: OrderView;
  readonly state: State;
  /** Size and average price of the fill in this event; 0 and NaN if there is none or the price is unknown. */
  readonly fillSize: number;
  readonly fillPrice: number;
  /** Why: depends on `kind`. */
  readonly reason: Why;
  /** The same in words, with figures; "" if there is nothing to add. */
  readonly message: string;
}

/** An event of an own order, by `kind`. The object is reused: valid inside the handler. */
export type OrderEvent =
  /** The venue has the order. */
  | OrderEventOf<'accepted', 'working', ''>
  /** A part of the order, or the whole order, filled. */
  | OrderEventOf<'fill', OrderState, ''>
  /** A cancel or modify had no effect: the order rests as before. `reason` is that of the venue, or "unsent". */
  | OrderEventOf<'kept', 'working', string>
  /** The whole order has filled. Its fills came before as "fill". */
  | OrderEventOf<'filled', 'filled', string>
  /** It ended without filling completely: by a cancel (""), or as a read shows ("cancelled", "ended"). */
  | OrderEventOf<'cancelled', 'cancelled', string>
  /** The venue refused it. */
  | OrderEventOf<'rejected', 'rejected', Reason | ''>
  /** A modify replaced it by another order. */
  | OrderEventOf<'replaced', 'replaced', string>
  /** It never reached the venue: a risk rule refused it, the intent is faulty, or it was not sent. */
  | OrderEventOf<'refused', 'refused', RefusalReason>
  /** Whether the venue has it is not known yet; `reason` is the cause. */
  | OrderEventOf<'unknown', 'unknown', string>;

/** What happened to an order. */
export type OrderEventKind = OrderEvent['kind'];

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

/** A leg changed. Valid inside the handler. */
export interface PositionEvent {
  /** The market of the leg. */
  readonly market: Market;
  /** The leg after the change. */
  readonly position: Position;
  /** Signed change in base coin. */
  readonly change: number;
  /** Why: own orders; a bracket of an own order that the venue fired; a liquidation; or another party, a human or another program. */
  readonly cause: 'order' | 'stop-loss' | 'take-profit' | 'liquidation' | 'external';
  /** True if no order of this bot explains the change: `cause` is "liquidation" or "external". */
  readonly external: boolean;
  /** Average price of a bracket, or of the order of another party or a liquidation where a record shows it; NaN otherwise. */
  readonly price: number;
  /** For a bracket: its profit before fees in quote coin, and the number of its order. NaN and 0 otherwise. */
  readonly profit: number;
  /** Number of the order whose bracket fired; 0 otherwise. */
  readonly order: OrderNumber;
}

/** A change of the account that the bot did not make, and the action that was taken (docs/external-events.md). */
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

/** An order: its size, a limit price or none, and the bracket that the venue holds for it. */
export interface OrderFields {
  /** In base coin, in quote coin ("100 USDT") or of the equity ("2%"); rounded down to whole lots. */
  readonly size: Amount;
  /** Limit price; without it the order is a market order. Buys round down to the grid, sells up: never worse than requested. */
  readonly limit?: Amount | undefined;
  /** The venue refuses the order instead of letting it take liquidity. Needs `limit`. */
  readonly postOnly?: boolean | undefined;
  /** The bracket: take-profit and stop-loss orders held by the venue. Their prices round like those of an order in their direction. */
  readonly takeProfit?: BracketPrice | undefined;
  /** The stop-loss that the venue holds: closes at a loss. */
  readonly stopLoss?: BracketPrice | undefined;
  /** Default: the bot's configured mode. A closing order has the mode of its position. */
  readonly marginMode?: MarginModeName | undefined;
  /** Reason for the journal. */
  readonly reason?: string | undefined;
}

/** `ctx.place`: an order of any kind on either leg. */
export interface PlaceIntent extends OrderFields {
  /** The market, one of `ctx.markets`. */
  readonly market: Market;
  /** The leg (position side): LONG or SHORT. */
  readonly side: SideName;
  /** OPEN adds to the leg, CLOSE takes from it. */
  readonly effect: EffectName;
}

/** `ctx.placeTrigger`: an opening order that the venue places when the price reaches `trigger`. Without `limit` it is a market order. */
export interface TriggerIntent {
  /** The market, one of `ctx.markets`. */
  readonly market: Market;
  /** The leg (position side): LONG or SHORT. */
  readonly side: SideName;
  /** In base coin, in quote coin ("100 USDT") or of the equity ("2%"); rounded down to whole lots. */
  readonly size: Amount;
  /** Price at which the venue places the order. */
  readonly trigger: Amount;
  /** Which price is compared with `trigger`. Default: the last price. */
  readonly triggerBy?: TriggerByName | undefined;
  /** Limit price of the order; without it it is a market order. */
  readonly limit?: Amount | undefined;
  /** Trigger price of the take-profit that the venue holds. */
  readonly takeProfit?: BracketPrice | undefined;
  /** Trigger price of the stop-loss that the venue holds. */
  readonly stopLoss?: BracketPrice | undefined;
  /** Default: the bot's configured mode. */
  readonly marginMode?: MarginModeName | undefined;
  /** Reason for the journal and the reports. */
  readonly reason?: string | undefined;
}

/** `ctx.spot`: buys or sells coins on a spot market. Without `limit` it is a market order. */
export interface SpotIntent {
  /** A spot market. */
  readonly market: Market;
  /** BUY or SELL. */
  readonly direction: 'BUY' | 'SELL';
  /** In base coin, in quote coin ("100 USDT") or of the equity ("2%"); rounded down to whole lots. */
  readonly size: Amount;
  /** Limit price; rounded to the grid, never worse than asked. */
  readonly limit?: Amount | undefined;
  /** Reason for the journal and the reports. */
  readonly reason?: string | undefined;
}

/** `ctx.limit` with names. */
export interface LimitFields {
  /** The market, one of `ctx.markets`. */
  readonly market: Market;
  /** The leg (position side): LONG or SHORT. */
  readonly side: SideName;
  /** OPEN adds to the leg, CLOSE takes from it. */
  readonly effect: EffectName;
  /** Limit price; rounded to the grid, never worse than asked. */
  readonly price: Amount;
  /** In base coin, in quote coin ("100 USDT") or of the equity ("2%"); rounded down to whole lots. */
  readonly size: Amount;
  /** The venue refuses the order instead of letting it take liquidity. Default false. */
  readonly postOnly?: boolean | undefined;
  /** Reason for the journal and the reports. */
  readonly reason?: string | undefined;
}

/** `ctx.quote` with names. */
export interface QuoteFields {
  /** The market, one of `ctx.markets`. */
  readonly market: Market;
  /** BUY or SELL. */
  readonly direction: DirectionName;
  /** Limit price; rounded to the grid, never worse than asked. */
  readonly price: Amount;
  /** In base coin, in quote coin ("100 USDT") or of the equity ("2%"); rounded down to whole lots. 0 removes the order. */
  readonly size: Amount;
  /** The venue refuses the order instead of letting it take liquidity. Default false. */
  readonly postOnly?: boolean | undefined;
  /** Reason for the journal and the reports. */
  readonly reason?: string | undefined;
}

/** `ctx.modify`: what changes of a resting order; what is left out stays. `limit` is its new price. */
export interface ModifyFields {
  /** The new size. An order that has filled in part cannot be modified. */
  readonly size?: Amount | undefined;
  /** The new limit price. */
  readonly limit?: Amount | undefined;
  /** The new trigger price of the take-profit. */
  readonly takeProfit?: Amount | undefined;
  /** The new trigger price of the stop-loss. */
  readonly stopLoss?: Amount | undefined;
  /** Reason for the journal and the reports. */
  readonly reason?: string | undefined;
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
 * refused by a rule) returns 0 or false, calls `onOrder` with state "refused", and is logged and counted.
 */
export interface StrategyContext<State extends object = object> {
  /** Milliseconds since the Unix epoch; constant inside a handler. */
  readonly now: number;
  /** The markets that the strategy trades, in the configured order. */
  readonly markets: readonly Market[];
  /** The futures account as last read; the object stays the same. */
  readonly account: Account;
  /**
   * Durable state, declared in `defineStrategy({ state })`. Assign a field to change it; values are frozen. It is written into the journal
   * with the orders of the same step. An assignment of a wrong type throws a StateError.
   */
  readonly state: State;
  /** A pseudo-random number in [0, 1), seeded so that a run can be repeated. */
  random(): number;
  /** The market of `symbol`. @throws if this strategy does not trade it */
  market(symbol: string): Market;
  /** The live (or just ended) order with this number, or null. */
  order(number: OrderNumber): OrderView | null;

  /** Places an order of any kind on either leg. Returns its number, 0 if a rule refused it. */
  place(intent: PlaceIntent): OrderNumber;
  /** Opens a leg or adds to it. */
  open(market: Market, side: SideName, fields: OrderFields): OrderNumber;
  /** Closes a leg or a part of it. `size` defaults to all that no live order closes yet. */
  close(market: Market, side: SideName, fields?: Partial<OrderFields>): OrderNumber;
  /** Places a limit order without creating an object, for quoting. `price` and `size` are rounded to the grid as usual. */
  limit(market: Market, side: SideName, effect: EffectName, price: Amount, size: Amount, postOnly?: boolean, reason?: string): OrderNumber;
  limit(fields: LimitFields): OrderNumber;
  /**
   * Keeps one limit order of this direction in the market at `price` and `size`. It places the order, modifies it (modify order, E14: half
   * the requests of cancel and place), or leaves it if it already fits, also when partly filled. `size` 0 removes it. A buy closes what is
   * free of the SHORT leg and otherwise opens LONG; a sell the other way round. A modify keeps the leg. One command at a time: a call while
   * one is in flight waits for its outcome, and the newest call wins. A filled quote is not renewed until the next call, unless one was
   * waiting. False if a rule refused it now; the resting order then stays as it is.
   */
  quote(market: Market, direction: DirectionName, price: Amount, size: Amount, postOnly?: boolean, reason?: string): boolean;
  quote(fields: QuoteFields): boolean;
  /** Replaces the order by one with these fields; returns the new order's number. */
  modify(order: OrderNumber, fields: ModifyFields): OrderNumber;
  /** True if a cancel was sent; false if the order is not live or a cancel is already in flight. */
  cancel(order: OrderNumber, reason?: string): boolean;
  /** Cancels the strategy's own live orders of one market or of all; returns the number of cancels sent. */
  cancelAll(market?: Market, reason?: string): number;
  /** Places a trigger order: it waits at the venue for its trigger price and then opens the leg. */
  placeTrigger(intent: TriggerIntent): OrderNumber;
  /** Places spot orders; returns one number per order, 0 if it was refused. */
  spot(orders: readonly SpotIntent[]): OrderNumber[];
  /** Sets the margin mode; only possible if the market is flat and has no live order. */
  setMarginMode(market: Market, mode: MarginModeName, reason?: string): boolean;
  /** Moves the isolated margin of a leg to `target` (quote coin), in steps of at most a tenth of it, each after two equal reads. */
  ensureMargin(market: Market, side: SideName, target: Amount, reason?: string): boolean;

  /**
   * Enters a managed trade: an opening order with everything that ends it (stop, targets, trailing, time). null if it was refused. It
   * outlives a restart, and is the same in a backtest and live.
   */
  enter(fields: EnterFields): ManagedTrade | null;
  /** Managed trades that are not closed, oldest first; of one market or of all. */
  trades(market?: Market): readonly ManagedTrade[];
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
  /** Size in base coin by `value`, `percent`, `risk`, `kelly` or `volatility`; 0 if it cannot be computed. As in `ctx.enter`. */
  sizeFor(fields: SizeFields): number;

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
  /** Writes a line to the bot's log. A backtest has no log and ignores it. */
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
  /** Indicators made by `track`: the engine feeds them, and the strategy starts when all of them have a value. */
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
  /** A timer of `ctx.setTimer` is due. */
  onTimer?(name: string, ctx: StrategyContext<State>): Done;
  /** Called before the bot stops; only `onOrder` may follow. Cancel or close here what must not stay unattended. */
  onStop?(ctx: StrategyContext<State>): Done;
  /** State that outlives the process, as a string; called often, so keep it small. */
  save?(): string;
  /** Called before `onStart` with the last result of `save`. */
  restore?(state: string): Done;
}
