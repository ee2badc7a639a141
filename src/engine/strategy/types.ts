/**
 * What a strategy author sees: handlers, views and the context. Prices and sizes here are ordinary numbers for signals, with the
 * exact ticks and lots beside them; an intent takes a decimal string or a number and is moved to the grid by a documented rule.
 * size: all that a strategy author sees, in one place
 */
import type { DirectionName, EffectName, MarginModeName, OrderTypeName, SideName, TriggerByName } from '../../domain/codes.ts';
import type { ExternalAction, ExternalKind } from '../../domain/external.ts';
import type { OrderState } from '../../domain/order.ts';
import type { LogFields } from '../../ports/log.ts';
import type { Bar } from '../market/bars.ts';

/**
 * A price or size as a strategy states it: exact as a decimal string ("59123.4"), or a number that is moved to the grid. A size may also
 * be "100 USDT", a value in the quote coin, or "2%" of the equity; it then becomes the lots that are worth no more than that.
 */
export type Amount = string | number;
/** The bot's number of an order. 0 means that no order came to be: the intent was refused. */
export type OrderNumber = number;

/** One instrument as the bot believes it, up to date inside a handler; the same object all day. */
export interface Market {
  readonly symbol: string;
  readonly product: 'futures' | 'spot';
  /** Dense number of the instrument in this program. */
  readonly index: number;
  /** Best bid and ask; NaN before the first quote. */
  readonly bid: number;
  readonly bidSize: number;
  readonly ask: number;
  readonly askSize: number;
  /** Middle of bid and ask; NaN before the first quote. */
  readonly mid: number;
  /** Price of the newest trade (or of the 24h ticker, whichever is newer); NaN before the first. */
  readonly last: number;
  /** 24h figures of the ticker, NaN when they are not polled. */
  readonly open24h: number;
  readonly high24h: number;
  readonly low24h: number;
  readonly volume24h: number;
  /** The venue's time of the quote, and how many milliseconds ago it reached the bot (Infinity before the first). */
  readonly time: number;
  readonly ageMs: number;
  readonly hasQuote: boolean;
  /** The same, exact: whole ticks and lots. 0 before the first quote. */
  readonly bidTicks: number;
  readonly bidLots: number;
  readonly askTicks: number;
  readonly askLots: number;
  readonly lastTicks: number;
  /** The grid as numbers: smallest price step and size step. */
  readonly tick: number;
  readonly lot: number;
  readonly minSize: number;
  /** The two legs. */
  readonly long: Position;
  readonly short: Position;
  /** Own live orders here, oldest first. The views are valid inside the handler. */
  readonly orders: readonly OrderView[];
  /** True while opens are refused, on one leg at least: an order's fate is unknown, or a halt waits for the operator. */
  readonly isHalted: boolean;
}

/** One leg of one instrument, as believed. */
export interface Position {
  readonly side: SideName;
  /** Size in base coin; 0 when flat. */
  readonly size: number;
  readonly lots: number;
  /** Average entry price; NaN when flat or not yet known. */
  readonly entryPrice: number;
  /** Unrealised profit in quote coin at the current mid (the mark price when there is no quote). */
  readonly unrealised: number;
  /** Position value in quote coin at the same price. */
  readonly value: number;
  /** Remaining size of live orders that open or close this leg. */
  readonly opening: number;
  readonly closing: number;
  /** Size that no live order closes yet. */
  readonly free: number;
  /** Isolated margin in quote coin as last read. */
  readonly margin: number;
  readonly liquidationPrice: number;
}

/** The newest trade (a print of the market, not ours). */
export interface Trade {
  readonly price: number;
  readonly size: number;
  readonly ticks: number;
  readonly lots: number;
  /** Who crossed the spread. */
  readonly aggressor: 'BUY' | 'SELL';
  readonly time: number;
}

/** One own order as believed; valid inside the handler. */
export interface OrderView {
  readonly number: OrderNumber;
  readonly kind: 'order' | 'plan' | 'spot';
  readonly market: Market;
  readonly side: SideName;
  readonly effect: EffectName;
  readonly direction: 'BUY' | 'SELL';
  readonly type: OrderTypeName;
  /** Limit price; NaN for a market order. */
  readonly price: number;
  readonly ticks: number;
  readonly size: number;
  readonly lots: number;
  /** Size that is proven to have filled. The venue does not report it: it may be more until `filledIsFinal`. */
  readonly filled: number;
  readonly filledIsFinal: boolean;
  readonly remaining: number;
  readonly state: OrderState;
  readonly isAlive: boolean;
  readonly isPostOnly: boolean;
  readonly createdAt: number;
  readonly clientId: string;
  /** "" until the venue named it. */
  readonly venueId: string;
}

/** Something happened to an own order. The object is reused: valid inside the handler. */
export interface OrderEvent {
  readonly order: OrderView;
  readonly state: OrderState;
  /** Size and average price of the fill this event tells of; 0 and NaN when it tells of none or the price is not known. */
  readonly fillSize: number;
  readonly fillPrice: number;
  /** For refused: the rule's name; for rejected: the venue's reason; for unknown: the cause; else "". */
  readonly why: string;
  readonly detail: string;
}

/** Opens are halted in a scope, or a halt of it ended. */
export interface HaltEvent {
  /** "bot", "symbol:BTCUSDT", "leg:BTCUSDT:LONG" or "strategy:NAME". */
  readonly scope: string;
  /** Why, in a word: "daily-loss", "operator", … */
  readonly code: string;
  /** What happened, with its figures. */
  readonly detail: string;
  readonly isEnd: boolean;
}

/** A leg changed. Valid inside the handler. */
export interface PositionEvent {
  readonly market: Market;
  readonly position: Position;
  /** Signed change in base coin. */
  readonly change: number;
  /**
   * Why: own orders; a preset exit of an own order that the venue fired; the venue's liquidation; or somebody else, a human or another
   * program.
   */
  readonly cause: 'order' | 'stop-loss' | 'take-profit' | 'liquidation' | 'external';
  /** True when no order of this bot explains the change: `cause` is "liquidation" or "external". */
  readonly external: boolean;
  /** Of a preset exit: its average price, its profit before fees in quote coin, and the number of the order it came with. NaN, NaN and 0 otherwise. */
  readonly price: number;
  readonly profit: number;
  readonly order: OrderNumber;
}

/** Something happened to the account that the bot did not do, and what was done about it (docs/external-events.md). */
export interface ExternalEvent {
  readonly kind: ExternalKind;
  /** By the configuration: "halt" stopped opens until the operator resumes, "adopt" took the new state as our own. */
  readonly action: ExternalAction;
  /** null when it concerns the whole account. */
  readonly market: Market | null;
  readonly side: SideName | null;
  /** What happened, in words and numbers. */
  readonly text: string;
}

/**
 * A preset exit: the trigger price, or the trigger with the price of the order it places (default: at market). It lies on its own side of
 * the price at which the order would open (its limit, or the opposite quote where that is better; for a plan its trigger): a stop-loss of a LONG
 * below it, a take-profit above. One that lies beyond, or at that very price, would close at once and is refused ("exit-side").
 */
export type Exit = Amount | { readonly trigger: Amount; readonly limit?: Amount | undefined };

export interface OrderFields {
  readonly size: Amount;
  /** Limit price; without it the order is a market order. Buys round down to the grid, sells up: never worse than stated. */
  readonly limit?: Amount | undefined;
  /** Refused by the venue rather than taking liquidity. Needs `limit`. */
  readonly postOnly?: boolean | undefined;
  /** Preset exits that live at the venue. Prices of an exit round like those of an order in its direction. */
  readonly takeProfit?: Exit | undefined;
  readonly stopLoss?: Exit | undefined;
  /** Default: the bot's configured mode. An order that closes has that of its position. */
  readonly marginMode?: MarginModeName | undefined;
  /** For the journal: why the strategy did it. */
  readonly reason?: string | undefined;
}

export interface PlaceIntent extends OrderFields {
  readonly market: Market;
  readonly side: SideName;
  readonly effect: EffectName;
}

export interface PlanIntent {
  readonly market: Market;
  readonly side: SideName;
  readonly size: Amount;
  readonly trigger: Amount;
  readonly triggerBy?: TriggerByName | undefined;
  readonly limit?: Amount | undefined;
  readonly takeProfit?: Exit | undefined;
  readonly stopLoss?: Exit | undefined;
  readonly marginMode?: MarginModeName | undefined;
  readonly reason?: string | undefined;
}

export interface SpotIntent {
  readonly market: Market;
  readonly direction: 'BUY' | 'SELL';
  readonly size: Amount;
  readonly limit?: Amount | undefined;
  readonly reason?: string | undefined;
}

export interface ModifyFields {
  readonly size?: Amount | undefined;
  readonly limit?: Amount | undefined;
  readonly takeProfit?: Amount | undefined;
  readonly stopLoss?: Amount | undefined;
  readonly reason?: string | undefined;
}

/** The account as last read; NaN before the first read. */
export interface Account {
  readonly equity: number;
  readonly available: number;
  readonly locked: number;
  readonly unrealised: number;
}

/**
 * What a strategy can do. Every intent is checked by the risk rules before it becomes a command; an intent that cannot be taken
 * (NaN, zero, off any grid, refused by a rule) gives 0 or false, an `onOrder` with state "refused", and a counted log line.
 */
export interface StrategyContext {
  /** Milliseconds since the Unix epoch; constant inside a handler. */
  readonly now: number;
  readonly markets: readonly Market[];
  readonly account: Account;
  /** Seeded, so that a run can be repeated: a number in [0, 1). */
  random(): number;
  /** The market of `symbol`. @throws when this strategy does not trade it */
  market(symbol: string): Market;
  /** The live (or just ended) order with this number, or null. */
  order(number: OrderNumber): OrderView | null;

  place(intent: PlaceIntent): OrderNumber;
  /** Opens or adds to a leg. */
  open(market: Market, side: SideName, terms: OrderFields): OrderNumber;
  /** Closes (a part of) a leg. `size` defaults to all that no live order closes yet. */
  close(market: Market, side: SideName, terms?: Partial<OrderFields>): OrderNumber;
  /** The positional form for quoting: no object is made. `price` and `size` are moved to the grid like the others. */
  limit(market: Market, side: SideName, effect: EffectName, price: Amount, size: Amount, postOnly?: boolean, reason?: string): OrderNumber;
  /**
   * Keeps one limit order of this direction in the market at `price` and `size`: places it, moves it (E14, half the requests of a
   * cancel and a new order), or leaves it alone, also partly filled, where it is so already; `size` 0 takes it away. A buy closes
   * what is free of the SHORT leg and otherwise opens LONG, a sell the other way round; a move keeps the leg. One command at a time:
   * what is said while one is on its way waits for its outcome, and the newest word counts. A quote that has filled is gone until
   * the next call, unless a word was waiting. False when a rule refused it now; the order that stands then stays as it is.
   */
  quote(market: Market, direction: DirectionName, price: Amount, size: Amount, postOnly?: boolean, reason?: string): boolean;
  /** Replaces the order by one with these terms; the result is the new order's number. */
  modify(order: OrderNumber, terms: ModifyFields): OrderNumber;
  /** True when a cancel was sent; false when the order is not live or a cancel is already on its way. */
  cancel(order: OrderNumber, reason?: string): boolean;
  /** Cancels the strategy's own live orders, of one market or of all; how many cancels were sent. */
  cancelAll(market?: Market, reason?: string): number;
  /** Places a plan order: it waits at the venue for the trigger and then opens the leg. */
  plan(intent: PlanIntent): OrderNumber;
  /** Places spot orders; one number per order, 0 where one was refused. */
  spot(orders: readonly SpotIntent[]): OrderNumber[];
  /** Asks for the margin mode; only possible when the market is flat and has no live order. */
  setMarginMode(market: Market, mode: MarginModeName, reason?: string): boolean;
  /** Brings the isolated margin of a leg to `target` (quote coin), in steps of at most a tenth of it, each from two equal reads. */
  ensureMargin(market: Market, side: SideName, target: Amount, reason?: string): boolean;

  /** Calls `onTimer(name)` once after `delayMs`; setting it again moves it. */
  setTimer(name: string, delayMs: number): void;
  cancelTimer(name: string): void;
  /** Writes a line of the bot's log. A backtest has no log: there it goes nowhere. */
  log(event: string, fields?: LogFields): void;
}

/**
 * What a handler may return: anything but a promise, and it is not looked at. So an async handler does not compile; TypeScript's
 * `void` alone would let it through.
 */
export type Done = void | undefined | null | boolean | number | string | readonly unknown[] | { readonly then?: never };

/** The handlers a strategy may have. What it needs to be fed is read from which of them exist. All are synchronous. */
export interface StrategyHandlers {
  /** Period of the bars in milliseconds, when there is an `onBar`. Default 60,000. */
  readonly barMs?: number | undefined;
  /** Once, when belief agrees with the venue and opens are allowed. */
  onStart?(ctx: StrategyContext): Done;
  onQuote?(market: Market, ctx: StrategyContext): Done;
  onTrade?(trade: Trade, market: Market, ctx: StrategyContext): Done;
  onBar?(bar: Bar, market: Market, ctx: StrategyContext): Done;
  onOrder?(event: OrderEvent, ctx: StrategyContext): Done;
  onPosition?(event: PositionEvent, ctx: StrategyContext): Done;
  /** The account changed by no doing of the bot. Not called where the policy of the kind is "ignore". */
  onExternal?(event: ExternalEvent, ctx: StrategyContext): Done;
  /** Opens were halted, or may go on: by a limit, an operator, or an order whose outcome is not known. */
  onHalt?(event: HaltEvent, ctx: StrategyContext): Done;
  onTimer?(name: string, ctx: StrategyContext): Done;
  /** Before the bot stops, and the last call but for `onOrder`: cancel or close here what must not stand unattended. */
  onStop?(ctx: StrategyContext): Done;
  /** State that outlives the process, as a string; called often, so keep it small. */
  save?(): string;
  /** Called before `onStart` with what `save` gave last. */
  restore?(state: string): Done;
}
