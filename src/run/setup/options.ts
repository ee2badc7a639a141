/** Options of the modes of run/ as plain data, filled in by the command line. */
import type { SpreadModel } from '../../tape/bars/bar-reader.ts';
import type { BotConfig, LedgerReads, PageAccess, StrategyChoice } from '../../config/model.ts';
import type { FillModelName } from '../../domain/models/fill.ts';
import type { LogFields } from '../../ports/log.ts';
import type { SwitchValues } from '../../contract/switches.ts';
import type { Detail } from './instruments/detail.ts';

export type { StrategyChoice } from '../../config/model.ts';
export { DATE_FORMS } from '../../tape/import/times/times.ts';
export { ARCHIVE_NAMES } from '../../tape/fetch/sources.ts';

/** A text output: a stream of the process, or a test's buffer. */
export interface Output {
  write(text: string): unknown;
  readonly columns?: number | undefined;
}

/**
 * Contents of the status line. Amounts are decimal strings. Polls, requests and errors count from the start of the process; placed orders,
 * fills and pnl from the start of the journal.
 */
export interface StatusSnapshot {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** "reconciling", then "armed" (normal operation), then "stopping" and "stopped". */
  readonly phase: string;
  readonly symbols: readonly SymbolStatus[];
  /** "" before the first read of the account. */
  readonly equity: string;
  /** Signed; "" while unknown. */
  readonly pnl: string;
  /** Number of live orders. */
  readonly orders: number;
  /** Number of orders that were placed, trigger and spot orders included; absent if it is not counted. */
  readonly placed?: number | undefined;
  readonly fills: number;
  readonly polls: number;
  readonly requests: number;
  readonly errors: number;
  /** Number of commands of unknown outcome. */
  readonly unknown: number;
  /** Halted symbols, or "all". */
  readonly halted: readonly string[];
  /** The command that ends the first halt that only a person can end; absent if there is none. */
  readonly ends?: string | undefined;
  /** Disabled strategies. */
  readonly disabled: readonly string[];
  /** What the first strategy that waits for bars has of them, such as "14 of 60 1h bars"; absent if none waits. */
  readonly warmingUp?: string | undefined;
}

export interface SymbolStatus {
  readonly symbol: string;
  /** "" while unknown. */
  readonly bid: string;
  readonly ask: string;
  readonly last: string;
  /** Sizes of the two legs; "0" if flat. */
  readonly long: string;
  readonly short: string;
}

/** The status line of a terminal. Without a terminal, `update` and `end` do nothing and `write` just writes. */
export interface LiveLine {
  /** Rewrites the line; about once a second. */
  update(snapshot: StatusSnapshot): void;
  /** Writes log lines above it. */
  write(lines: string): void;
  /** Ends the line: later output starts below it. */
  end(): void;
}

/** The streams of the process. Data goes to stdout, the status line to stderr. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  /** True if stderr is a terminal: then there is a status line, otherwise JSON logs. */
  readonly isTty: boolean;
  readonly live: LiveLine;
  /** What a person has to see before a question, with `--quiet` too; absent for stderr. */
  readonly asks?: Output;
}

/** What a reading of a bracket assumes instead of the configuration. */
export interface ReadingTerms {
  readonly fillModel: FillModelName;
  /** Milliseconds that each message takes longer; negative if it is faster. */
  readonly moreMs: number;
  /** The spread as a multiple of the recorded one, at least 1. */
  readonly spreadFactor: number;
  /** On bars: the order of prices inside a bar is the one with the higher equity at its end, instead of the lower one. Default false. */
  readonly isBold?: boolean | undefined;
  readonly words: string;
}

/** Gets a line of a strategy: its virtual time in milliseconds since 1970, and its fields, of which `strategy` and `says` are the first two. */
export type TakeStrategyLine = (time: number, fields: LogFields) => void;

/** What a program outside said to a strategy. */
export interface SignalGiven {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** "" for the only strategy. */
  readonly strategy: string;
  /** What `onSignal` gets. */
  readonly text: string;
}

export interface BacktestOptions {
  /** Calls of `onSignal`; the strategy sees each when the market has come to its time. Default: none. */
  readonly signals?: readonly SignalGiven[] | undefined;
  /** What this reading of a bracket assumes. Absent: what the configuration says. */
  readonly reading?: ReadingTerms | undefined;
  readonly strategies: readonly StrategyChoice[];
  /** Folder of the tape. */
  readonly tape: string;
  /** The configuration; the built-in defaults without a file. */
  readonly config: BotConfig;
  /** True: the strategy sees every row, more than it would see live. */
  readonly everyTick: boolean;
  /** True if nothing is skipped: every row, poll and check for liquidations is processed alone. Slower, with the same result. Default false. */
  readonly isPlain?: boolean | undefined;
  /** How far bid and ask are apart on a tape of bars. Default: 0.01 % of the price. */
  readonly spread?: SpreadModel | undefined;
  /** True: prices inside bars are drawn by chance, and the run is as on trades and quotes. Default false. */
  readonly insideBars?: boolean | undefined;
  /** A finer tape for the inside of this tape's bars, at speed 1, compared with them. Default: none. */
  readonly detail?: Detail | undefined;
  /** Speed of the tape as a multiple of the recorded time. */
  readonly speed: number;
  /** Milliseconds since 1970: `from` inclusive, `to` exclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Time of the tape's first row in milliseconds since 1970; shifts all other rows. Default: the recorded time. */
  readonly start?: number | undefined;
  /** Start of the bot; the market starts earlier. Default: the first row. */
  readonly botFrom?: number | undefined;
  readonly seed: number;
  /** Called now and then with the rows so far and the share of the tape's time that is over. */
  readonly progress?: ((rows: number, share: number) => void) | undefined;
  /** Gets what strategies write by `ctx.log`. Default: nobody does. */
  readonly strategyLog?: TakeStrategyLine | undefined;
}

/** A demo account of the paper exchange. Its secrets only protect a simulation. */
export interface DemoAccount {
  /** The API key. */
  readonly key: string;
  /** What signs its requests. */
  readonly secret: string;
  /** Goes beside the key. */
  readonly passphrase: string;
  /** Coin → decimal string. */
  readonly deposits: Readonly<Record<string, string>>;
}

/** The demo account number `index`. The keys are fixed, so that a restarted exchange has the same accounts. */
export function demoAccount(index: number, deposits: Readonly<Record<string, string>>): DemoAccount {
  const suffix = index === 0 ? '' : `-${index + 1}`;
  return { key: `demo-key${suffix}`, secret: `demo-secret${suffix}`, passphrase: `demo-pass${suffix}`, deposits };
}

export interface AdminChoice {
  readonly port: number;
  /** Token that every call must send. */
  readonly token: string;
  /** True if the user set it: then it is not printed. */
  readonly isGiven: boolean;
}

/** Most futures of a synthetic market. */
export const SYNTHETIC_MAX = 5000;

/** What happens to orders on a live market whose quotes are old. */
export const STALE_ORDERS = ['refuse', 'fill'] as const;
export type StaleOrders = (typeof STALE_ORDERS)[number];

export interface ExchangeOptions {
  /** Folder of the tape to serve, or null for a synthetic market. */
  readonly tape: string | null;
  readonly host: string;
  /** 0 = the system chooses. */
  readonly port: number;
  /** Speed as a multiple of real time. */
  readonly speed: number;
  /** Start the tape over at its end. */
  readonly loop: boolean;
  /** Duration of one round of the tape in milliseconds; replaces `speed`. */
  readonly stretchMs?: number | undefined;
  /** Synthetic market: number of futures (default: those of the configuration), and whether some hours are busier (default: no). */
  readonly symbols?: number | undefined;
  readonly season?: boolean | undefined;
  /** Synthetic market: how long a past it has, which historical trades (E8) show. Default 0. */
  readonly pastMs?: number | undefined;
  /** URL of a venue whose live market data is served, instead of a tape or synthetic market. */
  readonly marketUrl?: string | undefined;
  /** Whether orders that may fill at once are refused or fill at the last quotes while that venue is away. Default "refuse". */
  readonly staleOrders?: StaleOrders | undefined;
  readonly seed: number;
  /** Folder of the ledger; null for memory only. */
  readonly state: string | null;
  readonly accounts: readonly DemoAccount[];
  /** Choices where the interface is silent. */
  readonly switches: SwitchValues;
  /** File of records of symbols, coins and withdrawals; "" for none. */
  readonly reference: string;
  /** Who may open the page `GET /`: callers on this machine, everyone, or nobody. */
  readonly page: PageAccess;
  /** How the ledger records reads. */
  readonly ledgerReads: LedgerReads;
  /** Number of closed ledger segments to keep; 0 for all. */
  readonly ledgerKeep: number;
  readonly fillModel: FillModelName;
  /** A fault plan as read from its file, not yet checked. Default: none. */
  readonly faults?: { readonly plan: unknown; readonly file: string } | undefined;
  /** Port of the admin interface on 127.0.0.1; 0 = the system chooses. Default: no admin interface. */
  readonly admin?: AdminChoice | undefined;
  /** Instruments and limits come from here. */
  readonly config: BotConfig;
}

/** The paper exchange on loopback and the bot on it, in one command. */
export interface StartOptions {
  readonly exchange: ExchangeOptions;
  /** Base URL and credentials in it are replaced by those of the exchange. */
  readonly config: BotConfig;
  /** True if nobody chose `poll.trades`: trades may be polled more slowly where the limits ask for it. */
  readonly maySlow: boolean;
}
