/** The types that `connect` of 'tickwright/control' takes and returns. */
import type { ActAnswer, OrderAnswer, PositionAnswer, ProfitRow, StatusAnswer, StoryAnswer, WhyAnswer } from '../../../control/answers.ts';
import type { Change, FillRow, LogRow } from '../../../control/changes.ts';
import type { ReadyMade } from '../../../domain/ready-made.ts';
import type { LimitLevel } from '../../../domain/messages/why.ts';

/**
 * What a client may do. `view` only reads. `reduce` also halts, cancels, closes positions and removes symbols: none of it lets an order open
 * that could not open before. `operate` may do all.
 */
export type Role = 'view' | 'reduce' | 'operate';

/** Which bot, and what the program may do with it. */
export interface ConnectOptions {
  /** Its state folder, as `--state` names it. Default: the only bot that was started in this folder. */
  readonly state?: string | undefined;
  /** "http://127.0.0.1:PORT" of a bot with `control.port`, instead of its folder; for another user or container of this machine. */
  readonly url?: string | undefined;
  /** With `url`: the text of `control.token` in the bot's state folder. */
  readonly token?: string | undefined;
  /** What the client may do. Default: view. The socket itself knows no roles: whoever may open it may do all. */
  readonly role?: Role | undefined;
  /** Who acts, for the journal and the log. Default: the user's name and "(program)". */
  readonly by?: string | undefined;
}

/** A moment: milliseconds since 1970, a date, or a text in UTC such as "2026-11-22T08:00". */
export type Time = number | Date | string;

/** A period of time. */
export interface Period {
  /** Its start. Default: the beginning of the journal. */
  readonly from?: Time | undefined;
  /** Its end. Default: now. */
  readonly to?: Time | undefined;
}

/** Which fills. */
export interface FillsOptions extends Period {
  /** A symbol, a position side such as "BTCUSDT:LONG", or a strategy. Default: all. */
  readonly scope?: string | undefined;
  /** How many of the newest. Default: 20. */
  readonly last?: number | undefined;
  /** Only those before the one with this id: `next` of the page before. */
  readonly before?: number | undefined;
}

/** Where a stream of changes begins and ends. */
export interface ChangesOptions {
  /** Id of the last change that was read. Default: begins with the whole state. */
  readonly after?: string | undefined;
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined;
  /** How long a bot that has gone without a stop is waited for, in milliseconds. Default: 30,000. */
  readonly waitMs?: number | undefined;
}

/** What an acting command may be told. */
export interface ActOptions {
  /** A symbol, a position side such as "BTCUSDT:LONG", or a strategy. Default: the whole bot. */
  readonly scope?: string | undefined;
  /** The reason, for the journal and the log. */
  readonly why?: string | undefined;
  /** Milliseconds to wait for the full effect before the answer lists what is still open. */
  readonly wait?: number | undefined;
}

/** A symbol, and the strategy that trades it. */
export interface SymbolOptions {
  /** As the configuration writes it: BTCUSDT, or spot:BTCUSDT. */
  readonly symbol: string;
  /** Default: the only strategy of the bot. */
  readonly strategy?: string | undefined;
  /** The reason, for the journal and the log. */
  readonly why?: string | undefined;
}

/** A ready-made bot that is added. */
export interface AddStrategyOptions {
  /** Futures, as the configuration writes them: BTCUSDT. */
  readonly symbols: readonly string[];
  /** Its parameters; those left out have their defaults. */
  readonly params?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Name of the strategy. Default: that of the bot. */
  readonly name?: string | undefined;
  /** Only check it, and say what it would do. */
  readonly rehearse?: boolean | undefined;
  /** The reason, for the journal and the log. */
  readonly why?: string | undefined;
}

/** Rows of `export`: fills, orders or trades, amounts as decimal strings. */
export type ExportedRow = Readonly<Record<string, string | number>>;

/** A running bot that a program reads. Each call throws Failure if the bot does not answer, or refuses. */
export interface ViewedBot {
  /** Its state folder; "" of a bot that is called by its address. */
  readonly folder: string;
  /** Its version, such as "0.1.0". */
  readonly version: string;
  /** What this client may do. */
  readonly role: Role;
  /** State of the bot: phase, halts, positions, profit. */
  status(): Promise<StatusAnswer>;
  /** Why it does not trade, or what became of the order whose number or client id is `what`. */
  why(what?: string): Promise<WhyAnswer | StoryAnswer>;
  /** Own orders that are open or may be open. */
  orders(scope?: string): Promise<readonly OrderAnswer[]>;
  /** Open positions with their exits. */
  positions(scope?: string): Promise<readonly PositionAnswer[]>;
  /** The newest fills, oldest first. `next` is the `before` of the page before; null if there is none. */
  fills(options?: FillsOptions): Promise<{ readonly fills: readonly FillRow[]; readonly next: number | null }>;
  /** Realised profit less fees and funding; every column adds up to the row `all`. Default: by strategy. */
  pnl(by?: 'strategy' | 'symbol' | 'day' | 'reason', period?: Period): Promise<readonly ProfitRow[]>;
  /** How near each limit is, the nearest first. */
  limits(scope?: string): Promise<readonly LimitLevel[]>;
  /** Fills, orders or closed trades of the journal. */
  export(what: 'fills' | 'orders' | 'trades', period?: Period): Promise<readonly ExportedRow[]>;
  /**
   * Changes as they happen. A lost connection is made again and goes on after the last change; if that is not possible, the next change is a
   * `reset` with the whole state. Ends after the change `end` of a clean stop.
   */
  changes(options?: ChangesOptions): AsyncGenerator<Change, void, undefined>;
  /** Lines of the log from now on, and those since a time or "10m" ago. */
  log(options?: { readonly since?: Time | undefined; readonly signal?: AbortSignal | undefined }): AsyncGenerator<LogRow, void, undefined>;
}

/** A running bot whose risk a program may lower. An answer that `isDone: false` lists in `open` what is not finished. */
export interface ReducingBot extends ViewedBot {
  /** Stops opening positions. Holds also if the bot gives no answer: then `recorded` is true. */
  halt(options?: ActOptions): Promise<ActAnswer>;
  /** Only closing orders; resting opening orders are cancelled. */
  reduceOnly(options?: ActOptions): Promise<ActAnswer>;
  /** Cancels own orders. */
  cancelAll(options?: ActOptions): Promise<ActAnswer>;
  /** Cancels orders and closes positions. With `rehearse` it sends nothing, and `forecast` says what it would do. */
  flatten(options?: ActOptions & { readonly rehearse?: boolean | undefined }): Promise<ActAnswer>;
  /** Halts, cancels and closes everything; nothing opens again until a person resumes it. */
  kill(options?: Omit<ActOptions, 'scope'> & { readonly rehearse?: boolean | undefined }): Promise<ActAnswer>;
  /** Removes a ready-made bot that was added and holds nothing. */
  removeStrategy(strategy: string, options?: Pick<ActOptions, 'why'>): Promise<ActAnswer>;
  /** Lets a strategy trade one symbol less. */
  remove(
    options: SymbolOptions & { readonly position?: 'keep' | 'flatten' | undefined; readonly wait?: number | undefined },
  ): Promise<ActAnswer>;
}

/** A running bot that a program operates. */
export interface OperatedBot extends ReducingBot {
  /** Ends halts. `confirmed` also ends a kill. */
  resume(options?: ActOptions & { readonly confirmed?: boolean | undefined }): Promise<ActAnswer>;
  /** Ends the reduce-only state. */
  endReduceOnly(options?: ActOptions): Promise<ActAnswer>;
  /** Changes a parameter of a running strategy; '' returns to the configured value. */
  set(strategy: string, parameter: string, value: string | number | boolean, options?: Pick<ActOptions, 'why'>): Promise<ActAnswer>;
  /** Gives a strategy its file as it stands on disk now; with `sha256` only that text. */
  reload(strategy?: string, options?: Pick<ActOptions, 'why'> & { readonly sha256?: string | undefined }): Promise<ActAnswer>;
  /** Lets a strategy trade one symbol more. */
  add(options: SymbolOptions): Promise<ActAnswer>;
  /** Adds a ready-made bot: the bot stops cleanly and starts again in place with it. With `rehearse` nothing is added. */
  addStrategy(bot: ReadyMade, options: AddStrategyOptions): Promise<ActAnswer>;
  /** Calls `onSignal` of a strategy with the text, or with a value as JSON. */
  signal(strategy: string, text: string | object): Promise<ActAnswer>;
  /** Enters the outcome of a command that the bot cannot find out: the venue's order id, or null if it did not reach the venue. */
  settle(order: number | string, venueId: string | null, options?: Pick<ActOptions, 'why'>): Promise<ActAnswer>;
  /** Starts new client ids after a store was lost or restored. */
  rotateEpoch(options?: Pick<ActOptions, 'why'>): Promise<ActAnswer>;
}
