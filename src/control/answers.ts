/** The answers of the control routes as JSON types. Prices, sizes and money are decimal strings; times are milliseconds since 1970. */

export interface HaltAnswer {
  readonly scope: string;
  readonly code: string;
  readonly detail: string;
  readonly since: number;
  readonly by: string;
  /** The command that ends the halt, or the event that ends it, in words. */
  readonly ends: string;
}

export interface StrategyAnswer {
  readonly name: string;
  readonly symbols: readonly string[];
  /** Every parameter with its current value, defaults included. */
  readonly params: Readonly<Record<string, string>>;
  /** Names of the parameters that an operator changed while the bot ran. */
  readonly set: readonly string[];
  readonly errors: number;
  readonly isDisabled: boolean;
  /** "14 of 60 1h bars of BTCUSDT" while it waits for bars; "" once it has started. */
  readonly warmingUp: string;
}

/** One price at which a position, or a part of it, would be closed. */
export interface ExitAnswer {
  /** `venue`: held by the venue, and works while the bot is off. `bot`: the bot closes when it sees the price. */
  readonly by: 'venue' | 'bot';
  /** `limit`: a closing limit order that rests. `stop`, `trailing-stop` and `target` are watched by the bot. */
  readonly what: 'stop-loss' | 'take-profit' | 'limit' | 'stop' | 'trailing-stop' | 'target';
  readonly size: string;
  /** Trigger price, or the price of a resting order. "" for a trailing stop that has not begun. */
  readonly price: string;
  /** Limit price of the order that the trigger makes; "" for a market order. */
  readonly limit: string;
  /** From the current price to `price` in percent, below zero for a lower price. "" if it is unknown. */
  readonly distance: string;
  /** Number of the own order that is to close, or that carries the bracket; 0 for what the bot watches. */
  readonly order: number;
}

export interface PositionAnswer {
  readonly symbol: string;
  readonly side: string;
  readonly size: string;
  /** "" if it is unknown. */
  readonly entryPrice: string;
  readonly price: string;
  readonly value: string;
  readonly unrealised: string;
  readonly liquidationPrice: string;
  /** Size that open orders may still add to the position. */
  readonly opening: string;
  readonly closing: string;
  /** Stops first, the nearest first; those of the venue before those of the bot. Absent in the files of older versions. */
  readonly exits?: readonly ExitAnswer[];
  /** Size for which the venue holds no stop-loss of this bot. Absent in the files of older versions. */
  readonly unprotected?: string;
}

export interface OrderAnswer {
  readonly number: number;
  readonly clientId: string;
  /** "" until the venue has assigned one. */
  readonly venueId: string;
  readonly symbol: string;
  readonly strategy: string;
  readonly kind: string;
  readonly side: string;
  readonly effect: string;
  readonly type: string;
  /** "" for a market order. */
  readonly price: string;
  /** Of a trigger order: the price that fires it, and whether the LAST or the MARK price is compared with it. "" for other orders. */
  readonly trigger: string;
  readonly triggerBy: string;
  /** Trigger prices of the bracket that it carries; "" for none. They protect what has filled. */
  readonly stopLoss: string;
  readonly takeProfit: string;
  readonly size: string;
  readonly filled: string;
  readonly state: string;
  readonly createdAt: number;
}

export interface StatusAnswer {
  readonly bot: string;
  readonly isRunning: boolean;
  readonly phase: string;
  /** Time of this overview. For a stopped bot: the time of the last one that it wrote. */
  readonly time: number;
  readonly startedAt: number;
  readonly pid: number;
  readonly venue: string;
  readonly equity: string;
  /** Change of the equity since the first record of the journal. */
  readonly profit: string;
  /** Orders that are open or may be open. */
  readonly orders: number;
  /** Orders placed since the journal began. Absent in the files of older versions. */
  readonly placed?: number;
  readonly fills: number;
  readonly unknownOutcomes: number;
  readonly halts: readonly HaltAnswer[];
  readonly strategies: readonly StrategyAnswer[];
  readonly positions: readonly PositionAnswer[];
  readonly requests: number;
  readonly errors: number;
  /** The last of them, with its fields as `name=value`; null for none. Absent in the files of older versions. */
  readonly lastError?: { readonly time: number; readonly event: string; readonly text: string } | null;
  /** Numbers of refusals, rejections and failed reads, by kind. */
  readonly counts: Readonly<Record<string, number>>;
}

export interface FillAnswer {
  readonly time: number;
  readonly number: number;
  readonly symbol: string;
  readonly strategy: string;
  readonly side: string;
  readonly effect: string;
  readonly size: string;
  /** "" if it is unknown. */
  readonly price: string;
  readonly value: string;
  readonly fee: string;
  readonly profit: string;
  /** Size of the position on this side after the fill. */
  readonly positionAfter: string;
  readonly reason: string;
}

export interface ProfitRow {
  readonly key: string;
  readonly fills: number;
  readonly closed: number;
  readonly wins: number;
  readonly profit: string;
  readonly fees: string;
  readonly volume: string;
}

/** Answer to every command that changes something. */
export interface ActAnswer {
  readonly ok: true;
  readonly command: string;
  /** What was done, one sentence per entry. */
  readonly did: readonly string[];
  /** What the command has started but not finished. Empty once it has taken full effect. */
  readonly open: readonly string[];
  readonly isDone: boolean;
}

/** Why a command was not carried out. */
export interface RefusalAnswer {
  readonly ok: false;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}
