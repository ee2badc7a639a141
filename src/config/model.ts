/**
 * The configuration as the program uses it: checked, complete, with files already read. Types only, so that every room may
 * name them at no cost. What each key means and its default stand in schema.ts and defaults.ts.
 */
import type { SwitchValues } from '../contract/switches.ts';
import type { ExternalPolicy } from '../domain/external.ts';
import type { Secret } from '../base/secret.ts';
import type { InstrumentSpec } from '../domain/instrument.ts';
import type { LimitValues, StrategyLimits, SymbolLimits } from '../domain/limits.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type FillModelName = 'touch' | 'through' | 'queue';
export type StoreKind = 'embedded' | 'redis' | 'memory';

/** One strategy file with its parameters as text; the strategy's own declaration gives them types. */
export interface StrategyChoice {
  /** Absolute path, or relative to the working directory. */
  readonly file: string;
  readonly params: Readonly<Record<string, string>>;
  /** Symbols it trades; empty = all of the configuration or tape. */
  readonly symbols: readonly string[];
  /** Limits of its own. */
  readonly risk?: StrategyLimits | undefined;
}

export interface Credentials {
  readonly key: Secret;
  readonly secret: Secret;
  readonly passphrase: Secret;
}

export interface VenueConfig {
  /** Origin and optional mount path, without a trailing slash, for example "https://api.example.com"; "" when none was given. */
  readonly baseUrl: string;
  /** Path prefix that is part of what is signed: "/api/v1", or "" where the venue signs paths without it. */
  readonly signedPrefix: string;
  /** The word sent for cross margin. */
  readonly marginModeWord: 'CROSS' | 'CROSSED';
  readonly timeoutMs: number;
}

/** Milliseconds between two polls of a kind; the schedule refuses what the rate limits cannot carry. */
export interface PollPeriods {
  readonly quotes: number;
  readonly trades: number;
  readonly orders: number;
  readonly positions: number;
  readonly account: number;
  readonly stats: number;
  /** Of withdrawals, the alarm for a theft. */
  readonly withdrawals: number;
}

/** The limits of domain/limits.ts: those of all, and by symbol ("BTCUSDT", "spot:BTCUSDT") what differs there. */
export interface RiskConfig extends LimitValues {
  readonly symbols: Readonly<Record<string, SymbolLimits>>;
}

/** How a running bot is operated. */
export interface ControlConfig {
  /** Port of loopback for the control routes beside the socket; 0 for none. */
  readonly port: number;
}

export interface StoreConfig {
  readonly kind: StoreKind;
  /** Folder of the embedded store. */
  readonly folder: string;
  /** Address of the redis store. */
  readonly url: string;
  /** Whether an unencrypted connection to a Redis on another machine is taken. */
  readonly acceptPlaintext: boolean;
  /** How long the bot waits for a Redis that went away. */
  readonly outageMs: number;
}

/** The recording of every event that the kernel of a live bot is given. */
export interface RecordConfig {
  readonly enabled: boolean;
  /** Bounds of all recordings of the bot together. */
  readonly maxMegabytes: number;
  readonly maxDays: number;
}

/** What a bot does about what it finds at its start. */
export interface RecoveryConfig {
  /** Live orders with our name that the journal never knew. */
  readonly unknownOwnOrders: 'adopt' | 'cancel' | 'halt';
}

/** How the simulated venue behaves, in backtests and behind `start`. */
export interface SimulationConfig {
  /** Milliseconds from us to the venue, and back. */
  readonly upMs: number;
  readonly downMs: number;
  /** Milliseconds a question takes to start in its lane, before its way up. */
  readonly askMs: number;
  readonly fillModel: FillModelName;
  /** Opening balances: coin → decimal string. */
  readonly deposits: Readonly<Record<string, string>>;
  /** Leverage of every leg, and by symbol where it differs; capped by the instrument's own maximum. */
  readonly leverage: number;
  readonly leverages: Readonly<Record<string, { readonly long: number; readonly short: number }>>;
  readonly funding: FundingConfig;
}

/** What longs pay shorts; the rate is a signed decimal string, a share of a leg's value for one interval. */
export interface FundingConfig {
  readonly model: 'off' | 'constant' | 'premium';
  /** Milliseconds between two moments, whole seconds; moments are multiples of it since the epoch. */
  readonly everyMs: number;
  /** Of the instruments that name none of their own. */
  readonly rate: string;
}

/** Who may look at the exchange's page: callers on this machine, everyone who reaches the socket, or nobody. */
export type PageAccess = 'here' | 'everyone' | 'nobody';

/** Reads in the exchange's ledger: one line each, one line of counts a second, or none. */
export type LedgerReads = 'all' | 'counts' | 'none';

/** The paper exchange: its switches, and a file of records of symbols, coins and withdrawals. */
export interface ExchangeConfig extends SwitchValues {
  /** Path of the file, "" for none. */
  readonly reference: string;
  readonly page: PageAccess;
  readonly ledgerReads: LedgerReads;
  /** Closed segments of the ledger that are kept, 0 for all. */
  readonly ledgerKeep: number;
}

/** Requests per second by bucket of the contract; `public` and `private` serve the buckets that are not named. */
export type Limits = Readonly<Record<string, number>>;

export interface BotConfig {
  /** Prefix of every client order id: 1 to 8 letters or digits. */
  readonly bot: string;
  readonly venue: VenueConfig;
  readonly instruments: readonly InstrumentSpec[];
  readonly limits: Limits;
  readonly strategies: readonly StrategyChoice[];
  readonly poll: PollPeriods;
  readonly risk: RiskConfig;
  /** What is done about what the bot did not cause, by kind (domain/external.ts). */
  readonly external: ExternalPolicy & { readonly equityDropShare: string };
  /** A command not sent within this many milliseconds of its intent is dropped. */
  readonly orderValidityMs: number;
  /** An order of unknown fate that no complete read has shown for this many milliseconds since it was sent counts as not landed. */
  readonly orderHorizonMs: number;
  /** No list of the venue is later than this; at most the horizon. */
  readonly listLagMs: number;
  /** What becomes of the orders and positions of a strategy that is stopped for its errors. */
  readonly onStrategyStop: 'keep' | 'cancel' | 'flatten';
  /** Whether strategies are kept from the clock, chance, timers, files and the network of this process. */
  readonly strategyGuard: 'on' | 'off';
  /** A handler that has not returned for so many milliseconds ends the process; a backtest allows five times as much. */
  readonly handlerLimitMs: number;
  readonly store: StoreConfig;
  readonly recovery: RecoveryConfig;
  readonly control: ControlConfig;
  readonly record: RecordConfig;
  readonly simulation: SimulationConfig;
  readonly exchange: ExchangeConfig;
  readonly seed: number;
  readonly logLevel: LogLevel;
  /** Milliseconds between two rewrites of the status line. */
  readonly statusIntervalMs: number;
  /** Null when none were given: then only public data can be read. */
  readonly credentials: Credentials | null;
}

/** Requests per second of a bucket, by its own name or as one of the private ones. */
export function limitFor(limits: Limits, bucket: string): number {
  return limits[bucket] ?? limits['private'] ?? 1;
}
