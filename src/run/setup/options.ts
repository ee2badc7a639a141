/** What the wiring is asked to do, as plain data: the command line fills these in, run/ carries them out. */
import type { BotConfig, FillModelName, LedgerReads, PageAccess, StrategyChoice } from '../../config/model.ts';
import type { SwitchValues } from '../../contract/switches.ts';

export type { StrategyChoice } from '../../config/model.ts';

/** Somewhere text goes: a stream of the process, or a test's buffer. */
export interface Output {
  write(text: string): unknown;
  readonly columns?: number | undefined;
}

/**
 * What the status line shows. Amounts are decimal strings; polls, requests and errors count from the start of the process, fills and pnl
 * from the beginning of the journal.
 */
export interface StatusSnapshot {
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** "armed" when all is as it should be; "reconciling" before, "stopping" and "stopped" after. */
  readonly phase: string;
  readonly symbols: readonly SymbolStatus[];
  /** "" until the account was read. */
  readonly equity: string;
  /** Signed; "" while there is nothing to compare. */
  readonly pnl: string;
  /** Orders alive now. */
  readonly orders: number;
  readonly fills: number;
  readonly polls: number;
  readonly requests: number;
  readonly errors: number;
  /** Commands whose outcome is not known. */
  readonly unknown: number;
  /** Symbols, or "all", that are halted. */
  readonly halted: readonly string[];
  /** What a person types to end the first halt that only a person can end; absent when there is none. */
  readonly ends?: string | undefined;
  /** Strategies that were disabled; the bot goes on without them. */
  readonly disabled: readonly string[];
}

export interface SymbolStatus {
  readonly symbol: string;
  /** "" while unknown. */
  readonly bid: string;
  readonly ask: string;
  readonly last: string;
  /** Sizes of the two legs; "0" when flat. */
  readonly long: string;
  readonly short: string;
}

/** The live line of a terminal; without one, `update` and `end` do nothing and `write` writes. */
export interface LiveLine {
  /** Rewrites the line; about once a second. */
  update(snapshot: StatusSnapshot): void;
  /** Writes whole lines above it: a log takes this as its sink. */
  write(lines: string): void;
  /** Leaves the line as it stands and goes on below it. */
  end(): void;
}

/** The terminal or its absence. Data goes to stdout, logs and the status line to stderr. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Whether stderr is a terminal: then there is a live line, otherwise JSON logs. */
  readonly isTty: boolean;
  readonly live: LiveLine;
}

export interface BacktestOptions {
  readonly strategies: readonly StrategyChoice[];
  /** Folder of the tape. */
  readonly tape: string;
  /** The built-in defaults when no file was given. */
  readonly config: BotConfig;
  /** The strategy sees every row, which is more than live would show it. */
  readonly everyTick: boolean;
  /** How much faster the tape's time runs than it was recorded; 1 leaves it alone. */
  readonly speed: number;
  /** Milliseconds since the epoch: `from` is included, `to` is not. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** When the tape's first row happens, milliseconds since the epoch; all other times go by it. Default: when it was recorded. */
  readonly start?: number | undefined;
  /** When the bot starts on a market that is open already. Default: with the first row that is seen. */
  readonly botFrom?: number | undefined;
  readonly seed: number;
}

/** One account of the paper exchange. These are not secrets of anything but a simulation. */
export interface DemoAccount {
  readonly key: string;
  readonly secret: string;
  readonly passphrase: string;
  /** Coin → decimal string. */
  readonly deposits: Readonly<Record<string, string>>;
}

/** The same keys every time: they guard a simulation, and a restarted exchange must know its accounts. */
export function demoAccount(index: number, deposits: Readonly<Record<string, string>>): DemoAccount {
  const suffix = index === 0 ? '' : `-${index + 1}`;
  return { key: `demo-key${suffix}`, secret: `demo-secret${suffix}`, passphrase: `demo-pass${suffix}`, deposits };
}

export interface AdminChoice {
  readonly port: number;
  /** What every call must bear. */
  readonly token: string;
  /** Whether whoever starts the exchange knows it: then it is not printed. */
  readonly isGiven: boolean;
}

/** Most futures of a synthetic market. */
export const MADE_UP_MAX = 5000;

export interface ExchangeOptions {
  /** Folder of the tape to serve, or null for a synthetic market. */
  readonly tape: string | null;
  readonly host: string;
  /** 0 = the system chooses. */
  readonly port: number;
  /** Times real time. */
  readonly speed: number;
  /** Start the tape over at its end. */
  readonly loop: boolean;
  /** One round of the tape takes this long, in milliseconds, whatever `speed` says. */
  readonly stretchMs?: number | undefined;
  /** Of the synthetic market: so many futures, and busier and quieter hours of the day. Default: those of the configuration; no. */
  readonly symbols?: number | undefined;
  readonly season?: boolean | undefined;
  /** Base URL of the venue whose public market data is passed through, in place of tape and synthetic market. */
  readonly marketUrl?: string | undefined;
  readonly seed: number;
  /** Folder of the ledger, or null to keep it in memory only. */
  readonly state: string | null;
  readonly accounts: readonly DemoAccount[];
  /** How it reads what the interface leaves open. */
  readonly switches: SwitchValues;
  /** File of what it tells of symbols, coins and withdrawals; "" for none. */
  readonly reference: string;
  /** Who may look at the page of `GET /`: callers on this machine, everyone who reaches the socket, or nobody. */
  readonly page: PageAccess;
  /** What its ledger tells of reads. */
  readonly ledgerReads: LedgerReads;
  /** Closed segments of its ledger that are kept, 0 for all. */
  readonly ledgerKeep: number;
  readonly fillModel: FillModelName;
  /** A fault plan as its file says it, not yet checked. Default: none. */
  readonly faults?: { readonly plan: unknown; readonly file: string } | undefined;
  /** Opens the admin interface on this port of loopback, 0 = the system chooses. Default: none. */
  readonly admin?: AdminChoice | undefined;
  /** Instruments and limits come from here. */
  readonly config: BotConfig;
}

/** The paper exchange on loopback and the bot on it, in one command. */
export interface StartOptions {
  readonly exchange: ExchangeOptions;
  /** Its base URL and credentials are replaced by those of the exchange. */
  readonly config: BotConfig;
}
