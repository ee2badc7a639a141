/**
 * The answers of the control routes as JSON types. Prices, sizes and money are decimal strings; times are milliseconds since 1970.
 * size: one type for each answer
 */
import type { Flattened, Flattening, Forecast, ForecastScore } from '../domain/messages/forecast.ts';
import type { Ladder } from '../domain/messages/why.ts';

export interface HaltAnswer {
  readonly scope: string;
  readonly code: string;
  readonly detail: string;
  readonly since: number;
  readonly by: string;
  /** The command that ends the halt, or the event that ends it, in words. */
  readonly ends: string;
}

/** A text that an operator gave a strategy, or that came back. */
export interface ReloadAnswer {
  readonly at: number;
  readonly sha256: string;
  /** Until when the text before comes back by itself if this one fails; 0 if it does not. */
  readonly trialUntil: number;
  /** Why the text before came back; "" if an operator gave this one. */
  readonly returned: string;
  /** What its files on disk have. */
  readonly onDisk: 'same' | 'other' | 'missing';
}

export interface StrategyAnswer {
  readonly name: string;
  readonly symbols: readonly string[];
  /** True if an operator added it while the bot ran: the configuration does not have it. */
  readonly isAdded?: true;
  /** Symbols that an operator "added" or "removed" while the bot ran, against the configuration. Absent in a status of an older version. */
  readonly changed?: Readonly<Record<string, string>>;
  /** Every parameter with its current value, defaults included. */
  readonly params: Readonly<Record<string, string>>;
  /** Names of the parameters that an operator set while the bot ran: they override the configuration. */
  readonly set: readonly string[];
  /** Of these, the values of the configuration. Absent in a status that an older version saved. */
  readonly configured?: Readonly<Record<string, string>>;
  /** Set if it has another text than that of its file when the bot started. */
  readonly reload?: ReloadAnswer;
  readonly errors: number;
  readonly isDisabled: boolean;
  /** "14 of 60 1h bars of BTCUSDT" while it waits for bars; "" once it has started. */
  readonly warmingUp: string;
  /** How it chooses its symbols. Absent if they are configured, and in the files of older versions. */
  readonly universe?: UniverseAnswer;
}

/** Symbols that a strategy chooses by rank. */
export interface UniverseAnswer {
  readonly by: string;
  readonly top: number;
  readonly candidates: number;
  /** Terms of the configuration, as text. */
  readonly terms: string;
  /** Moment of the choice in force, and of the next; 0 while there is none. */
  readonly at: number;
  readonly nextAt: number;
  /** "7 of 24 symbols, 41 %" of whose past was read, while the first choice since the start waits for it; absent otherwise. */
  readonly reading?: string;
  /** Those chosen, best first. `rank` is 0 if it is not known: its newest bars could not be read at the choice. */
  readonly chosen: readonly { readonly symbol: string; readonly rank: number; readonly value: number; readonly since: number }[];
  /** Chosen before, and not flat yet. */
  readonly leaving: readonly string[];
  /** The other candidates, those that rank highest first, and why each is out. */
  readonly out: readonly { readonly symbol: string; readonly why: string }[];
  /** What reading the trades of all candidates costs. */
  readonly requestsPerMinute: number;
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
  /**
   * Present while no read agrees with what this bot knows of the position, as after a start: the size that the newest read since the start
   * shows, "" for no read yet. The other fields are then as the store and the orders have them. If they have no position, `size` is that of the read.
   */
  readonly shown?: string | undefined;
  /** The part of the size that orders of this bot opened. Absent in the files of older versions. */
  readonly own?: string | undefined;
  /** The strategies that trade the symbol; empty if nobody here does. Absent in the files of older versions. */
  readonly strategies?: readonly string[] | undefined;
  /** "" if it is unknown. */
  readonly entryPrice: string;
  readonly price: string;
  readonly value: string;
  readonly unrealised: string;
  readonly liquidationPrice: string;
  /** Present if a read shows the position and the venue names no liquidation price for it. Absent while that is not known. */
  readonly noLiquidation?: true;
  /** Size that open orders may still add to the position. */
  readonly opening: string;
  readonly closing: string;
  /** Stops first, the nearest first; those of the venue before those of the bot. Absent in the files of older versions. */
  readonly exits?: readonly ExitAnswer[];
  /**
   * Size that no stop-loss of this bot at the venue would close: there is none for it, or closing orders that rest lock it. Absent in the files
   * of older versions.
   */
  readonly unprotected?: string;
  /**
   * The part of `unprotected` that a stop-loss of this bot is for and leaves, because closing orders that rest lock it. Absent in the files of
   * older versions.
   */
  readonly locked?: string;
  /**
   * The part of `unprotected` that no order of this bot is known to have opened: whether the venue holds a stop-loss for it is not known.
   * Absent in the files of older versions.
   */
  readonly stopUnknown?: string;
  /**
   * What the position loses from the current price if the venue's stop-losses, or its liquidation without one, are hit; before
   * slippage and fees. The most that it can lose: `stopUnknown` counts as without a stop-loss. "" if it is unknown or has no bound. Absent in
   * the files of older versions.
   */
  readonly worstLoss?: string;
}

export interface OrderAnswer {
  readonly number: number;
  readonly clientId: string;
  /** "" until the venue has assigned one. */
  readonly venueId: string;
  readonly symbol: string;
  readonly strategy: string;
  /**
   * Present if the order has this bot's name in its id and this store did not number it: `watchdog`, it closes a position for a bot that was
   * silent; `unknown`, this store does not know it, as one that was placed after the backup that was restored.
   */
  readonly placedBy?: 'watchdog' | 'unknown';
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

export interface LostLines {
  readonly lines: number;
  /** Error code of the system, such as ENOSPC for a full disk; EAGAIN for a reader that does not read. */
  readonly cause: string;
  /** When the first and the last of them were lost. */
  readonly since: number;
  readonly last: number;
  /** True while lines are being lost. */
  readonly isLosing: boolean;
}

/** What is wrong with requests to the venue now: the last ones of this kind failed. */
export interface VenueTrouble {
  readonly of: 'signed' | 'public';
  /** "unauthorized" (401), "forbidden" (403), "rate-limited" (429), "unavailable" (503), "maintenance", "gateway-page", "timeout" and others. */
  readonly cause: string;
  /** HTTP status; 0 if there was no answer. */
  readonly status: number;
  /** The first words of the answer, or what was found instead of one. */
  readonly says: string;
  readonly since: number;
  /** Failed requests in a row. */
  readonly failures: number;
}

/** When the figures of a status were read; 0 for not yet. */
export interface ReadTimes {
  readonly equity: number;
  readonly orders: number;
  readonly positions: number;
  readonly prices: number;
}

export interface StatusAnswer {
  readonly bot: string;
  /** Of the program that runs it, such as "0.1.0". Absent in the files of older versions. */
  readonly version?: string;
  readonly isRunning: boolean;
  readonly phase: string;
  /** Time of this overview. For a stopped bot: the time of the last one that it wrote. */
  readonly time: number;
  readonly startedAt: number;
  readonly pid: number;
  readonly venue: string;
  /**
   * `paper`: the venue is a paper exchange in the bot's process. `local`: it is on this machine, such as a paper exchange, or a proxy of another
   * venue. `live`: it is elsewhere. Absent in the files of older versions.
   */
  readonly account?: 'paper' | 'local' | 'live';
  /** Tells accounts apart, and is equal for all bots with the same credentials at one venue. Absent in the files of older versions. */
  readonly accountId?: string;
  /** The coin of the equity and of all money below. Absent in the files of older versions. */
  readonly marginCoin?: string;
  /** Time when the venue last answered any request; 0 for never. Absent in the files of older versions. */
  readonly venueAnsweredAt?: number;
  /**
   * Since when no request to the venue has been answered: the begin of the first one after the last answer; 0 if none has begun since. Absent
   * in the files of older versions.
   */
  readonly venueSilentSince?: number;
  /** Empty if the last signed and the last public request were answered well. Absent in the files of older versions. */
  readonly troubles?: readonly VenueTrouble[];
  /** Absent in the files of older versions. */
  readonly readAt?: ReadTimes;
  readonly equity: string;
  /** Change of the equity since the first record of the journal. */
  readonly profit: string;
  /** Since 0:00 UTC; null before the first reading. Absent of older versions. */
  readonly today?: DayAnswer | null;
  /** Orders that are open or may be open. */
  readonly orders: number;
  /** Orders placed since the journal began. Absent in the files of older versions. */
  readonly placed?: number;
  readonly fills: number;
  readonly unknownOutcomes: number;
  readonly halts: readonly HaltAnswer[];
  /** Why nothing opens for a moment although no halt says so; "" for no such reason. Absent in the files of older versions. */
  readonly onHold?: string;
  /** Present while no watchdog listens to the bot although the configuration wants one: nothing cancels its opening orders if it hangs. */
  readonly noWatchdog?: true;
  /** Of a bot that does not run: what its watchdog did since it was last heard, and when. */
  readonly watchdog?: string;
  /** What is being flattened, and the newest flattenings of this process that have ended. Absent in the files of older versions. */
  readonly flattening?: readonly Flattening[];
  readonly flattened?: readonly Flattened[];
  readonly strategies: readonly StrategyAnswer[];
  readonly positions: readonly PositionAnswer[];
  /** The account by strategy; empty until the journal has been read. Absent in the files of older versions. */
  readonly parts?: readonly PartAnswer[];
  readonly requests: number;
  readonly errors: number;
  /** The last of them, with its fields as `name=value`; null for none. Absent in the files of older versions. */
  readonly lastError?: { readonly time: number; readonly event: string; readonly text: string } | null;
  /** Lines of the log that could not be written since the start; null for none. Absent in the files of older versions. */
  readonly lostLines?: LostLines | null;
  /** Memory of the process in megabytes: heap in use, its limit, and all memory. Absent for a stopped bot. */
  readonly memory?: { readonly heapMb: number; readonly limitMb: number; readonly rssMb: number };
  /** Numbers of refusals, rejections and failed reads, by kind. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * What a strategy has made of the account since the journal began, in cents of the quote coin. The rows are the strategies, then `netting` and
 * `external` as in `pnl`, then `all`, to which every column adds up. "" is unknown.
 */
export interface PartAnswer {
  readonly name: string;
  /** Realised profit before fees and funding. */
  readonly profit: string;
  readonly fees: string;
  readonly funding: string;
  /** Of its open lots, at their own average cost. */
  readonly unrealised: string;
  /** `profit` less `fees` plus `funding` and `unrealised`. */
  readonly net: string;
  /** Value of its open lots. Lots that it is short against other strategies count below 0. */
  readonly value: string;
  /** Its share, by lots, in what the positions lose if their stops or liquidation are hit. */
  readonly worstLoss: string;
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

/** Money of one day as decimal strings in the quote coin. */
export interface DayAnswer {
  /** The day in UTC, "2026-11-27". */
  readonly day: string;
  /** Realised profit before fees and funding. */
  readonly profit: string;
  readonly fees: string;
  /** Received; negative if paid. */
  readonly funding: string;
  /** `profit` less `fees` plus `funding`. */
  readonly net: string;
  /** Change of the equity, with open positions and transfers; "" while unknown. */
  readonly equity: string;
  /** Time from which the equity is compared; 0 while unknown. */
  readonly equitySince: number;
}

export interface ProfitRow {
  readonly key: string;
  readonly fills: number;
  readonly closed: number;
  readonly wins: number;
  /** Realised profit before fees and funding. */
  readonly profit: string;
  readonly fees: string;
  /** Received less paid. */
  readonly funding: string;
  /** Profit less fees plus funding. */
  readonly net: string;
  readonly volume: string;
}

/** One step of an order's way. */
export interface StepAnswer {
  readonly time: number;
  /** "event", "handler", "note", "rules", "request", "answer", "modify", "cancel", "read", "fill", "end" or "profit". */
  readonly what: string;
  readonly text: string;
}

/** What became of an order. */
export interface StoryAnswer {
  readonly number: number;
  readonly symbol: string;
  readonly sentence: string;
  /** Oldest first. */
  readonly steps: readonly StepAnswer[];
}

export interface WhyAnswer {
  /** The moment that it is about. */
  readonly time: number;
  /** True if it was computed from the recording of the session. */
  readonly isReplayed: boolean;
  /** Present if it was asked for now, of a bot that does not run: when that was last known. The checks are those of then. */
  readonly stoppedAt?: number;
  /** Those that are stuck longest first. */
  readonly ladders: readonly Ladder[];
  /** Of a replayed minute: lines of the log, notes of strategies included. */
  readonly lines: readonly { readonly time: number; readonly event: string; readonly text: string }[];
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
  /** Scope that is being flattened, as in `status`; absent for commands that close no position. */
  readonly flattens?: string;
  /** Of a command that was rehearsed: what it would do now. */
  readonly forecast?: Forecast;
  /** Of a flatten or kill that has ended, and was rehearsed before. */
  readonly score?: ForecastScore;
  /** Milliseconds from when the command was typed. */
  readonly times?: TimesAnswer;
  /** Present if the halt is recorded for a bot that has not confirmed it. */
  readonly recorded?: true;
  /** The process that gives no answer, and when it was last seen (0: unknown). */
  readonly silent?: SilentAnswer;
}

/** Until the command was in effect, until the last of its orders had ended, and until flat was proven; null for not yet, or not wanted. */
export interface TimesAnswer {
  readonly effectMs: number;
  readonly lastOrderMs: number | null;
  readonly flatMs: number | null;
}

/** A bot that runs and gives no answer. */
export interface SilentAnswer {
  /** 0 if it is unknown. */
  readonly pid: number;
  /** Time when its event loop last ran; 0 if it is unknown. */
  readonly since: number;
}

/** Why a command was not carried out. */
export interface RefusalAnswer {
  readonly ok: false;
  readonly code: string;
  /** Of an error of the command line: its code in docs/reference/failures.md. */
  readonly failure?: string;
  readonly message: string;
  readonly hint: string;
  /** Of a form: what is wrong, by field; "" for all of them together. */
  readonly problems?: readonly { readonly field: string; readonly message: string }[];
  readonly silent?: SilentAnswer;
}
