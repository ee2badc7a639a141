/** What the control routes answer, as JSON. Prices, sizes and money are decimal strings; times are milliseconds since 1970. */

export interface HaltAnswer {
  readonly scope: string;
  readonly code: string;
  readonly detail: string;
  readonly since: number;
  readonly by: string;
  /** The command that ends it, or in words what does. */
  readonly ends: string;
}

export interface StrategyAnswer {
  readonly name: string;
  readonly symbols: readonly string[];
  /** Every parameter with the value that holds, defaults too. */
  readonly params: Readonly<Record<string, string>>;
  /** Names of those that an operator set while the bot ran. */
  readonly set: readonly string[];
  readonly errors: number;
  readonly isDisabled: boolean;
  /** "14 of 60 1h bars of BTCUSDT" while it waits for bars; "" once it has started. */
  readonly warmingUp: string;
}

export interface PositionAnswer {
  readonly symbol: string;
  readonly side: string;
  readonly size: string;
  /** "" where it is not known. */
  readonly entryPrice: string;
  readonly price: string;
  readonly value: string;
  readonly unrealised: string;
  readonly liquidationPrice: string;
  /** Size that live orders may still open and close. */
  readonly opening: string;
  readonly closing: string;
}

export interface OrderAnswer {
  readonly number: number;
  readonly clientId: string;
  /** "" until the venue named it. */
  readonly venueId: string;
  readonly symbol: string;
  readonly strategy: string;
  readonly kind: string;
  readonly side: string;
  readonly effect: string;
  readonly type: string;
  /** "" for a market order. */
  readonly price: string;
  readonly size: string;
  readonly filled: string;
  readonly state: string;
  readonly createdAt: number;
}

export interface StatusAnswer {
  readonly bot: string;
  readonly isRunning: boolean;
  readonly phase: string;
  /** When this was true. */
  readonly time: number;
  readonly startedAt: number;
  readonly pid: number;
  readonly venue: string;
  readonly equity: string;
  /** Change of the equity since the journal began. */
  readonly profit: string;
  readonly orders: number;
  readonly fills: number;
  readonly unknownOutcomes: number;
  readonly halts: readonly HaltAnswer[];
  readonly strategies: readonly StrategyAnswer[];
  readonly positions: readonly PositionAnswer[];
  readonly requests: number;
  readonly errors: number;
  /** Refusals, rejections and failed reads by kind. */
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
  /** "" where it is not known. */
  readonly price: string;
  readonly value: string;
  readonly fee: string;
  readonly profit: string;
  /** Size of the leg afterwards. */
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

/** Answer to every command that acts. */
export interface ActAnswer {
  readonly ok: true;
  readonly command: string;
  /** What was done, a sentence each. */
  readonly did: readonly string[];
  /** What the command has begun and not finished. Empty when it has taken full effect. */
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
