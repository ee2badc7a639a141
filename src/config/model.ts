/**
 * Types of the checked and complete configuration, with the contents of its files. settings-schema.ts documents each key, defaults.ts has the
 * defaults.
 */
import type { Severity } from '../base/tables/alert-channels.ts';
import type { AlertRuleName } from '../base/tables/alert-rules.ts';
import type { Credentials } from '../base/secret.ts';
import type { SwitchValues } from '../contract/switches.ts';
import type { AllocationName } from '../domain/allocation.ts';
import type { ExternalPolicy } from '../domain/messages/external.ts';
import type { InstrumentSpec } from '../domain/instrument.ts';
import type { DialectName } from '../venue/names.ts';
import type { FeeModelName } from '../domain/models/fees.ts';
import type { FillModelName } from '../domain/models/fill.ts';
import type { FundingModelName } from '../domain/models/funding.ts';
import type { ImpactModelName } from '../domain/models/impact.ts';
import type { LatencyModelName } from '../domain/models/latency.ts';
import type { UniverseTerms } from '../domain/universe.ts';
import type { LimitValues, StrategyLimits, SymbolLimits } from '../domain/limits.ts';
import type { KeystorePlace } from './files/keystore-place.ts';
import type { Limits } from './files/data-files.ts';

export type LogLevel = 'debug' | 'orders' | 'info' | 'warn' | 'error';
export type StoreKind = 'embedded' | 'redis' | 'memory';

/** One strategy file with its parameters as text. The strategy declares their types. */
export interface StrategyChoice {
  /** Absolute path, or relative to the working directory. */
  readonly file: string;
  /** Name of this entry; its state is stored under it. Default: the name of the strategy, with a number if that is taken. */
  readonly name?: string | undefined;
  readonly params: Readonly<Record<string, string>>;
  /** Symbols it trades; empty means all of the configuration or tape. */
  readonly symbols: readonly string[];
  /** How its symbols are chosen while it runs, in place of `symbols`. */
  readonly universe?: UniverseTerms | undefined;
  /** Limits for this strategy only. */
  readonly risk?: StrategyLimits | undefined;
}

export interface VenueConfig {
  /** What the venue speaks, and with it the paper exchange. */
  readonly dialect: DialectName;
  /** Origin and optional path, without a trailing slash, for example "https://api.example.com"; "" if not set. */
  readonly baseUrl: string;
  /** Path prefix that is included in the signature: "/api/v1", or "" if the venue signs paths without it. */
  readonly signedPrefix: string;
  /** The word sent for cross margin. */
  readonly marginModeWord: 'CROSS' | 'CROSSED';
  readonly timeoutMs: number;
}

/** Milliseconds between two polls of a kind. Periods that exceed the rate limits are refused. */
export interface PollPeriods {
  readonly quotes: number;
  readonly trades: number;
  readonly orders: number;
  readonly positions: number;
  readonly account: number;
  readonly stats: number;
  /** Reads of withdrawals, which detect a theft. */
  readonly withdrawals: number;
}

/** The limits of domain/limits.ts: for all symbols, and by symbol ("BTCUSDT", "spot:BTCUSDT") where they differ. */
export interface RiskConfig extends LimitValues {
  readonly symbols: Readonly<Record<string, SymbolLimits>>;
}

/** Settings of the control interface. */
export interface ControlConfig {
  /** Port on 127.0.0.1 for the control routes, besides the socket; 0 for none. */
  readonly port: number;
}

/** Settings of the monitor, the process that shows the bot. */
export interface MonitorConfig {
  /** When a bot starts a monitor beside it: with `start` alone, with `run` too, or never. */
  readonly enabled: 'start' | 'always' | 'never';
  /** Port of its pages on 127.0.0.1; 0: the system chooses. */
  readonly port: number;
}

export interface StoreConfig {
  readonly kind: StoreKind;
  /** Folder of the embedded store. */
  readonly folder: string;
  /** Address of the redis store. */
  readonly url: string;
  /** True to allow an unencrypted connection to a Redis on another machine. */
  readonly acceptPlaintext: boolean;
  /** True to open without waiting until a replica of Redis has the order's record. */
  readonly acceptReplicaLoss: boolean;
  /** Time that a running bot waits for a lost Redis, in milliseconds. */
  readonly outageMs: number;
  /** Age in days at which records of ended orders are dropped from the archive of the embedded store. */
  readonly keepDays: number;
}

/** What a person is told about the bot. */
export interface AlertsConfig {
  /** Path of the private file of channels; "" for none. Only the process that sends reads it. */
  readonly file: string;
  /** Severities that differ from those of the rules. */
  readonly rules: Readonly<Partial<Record<AlertRuleName, Severity | 'off'>>>;
  /** Cron expressions in UTC in which only critical alerts are told at once; "" for none. */
  readonly quietHours: string;
  /** The same alert within this many milliseconds is one message with a count. */
  readonly collapseMs: number;
  /** A critical alert that nobody acknowledged within this many milliseconds is told to the channels of escalation. */
  readonly escalateAfterMs: number;
  /** Basis points of what was traded in a day by which its backtest may be off before that is told. */
  readonly divergenceBp: number;
}

/** Who outside may say something to strategies. */
export interface WebhooksConfig {
  /** Path of the private file of senders; "" for none. Only the process that listens reads it. */
  readonly file: string;
  /** Who starts that process. */
  readonly start: 'bot' | 'apart';
}

/** Recording of live sessions. */
export interface RecordConfig {
  readonly enabled: boolean;
  /** Bounds for all recordings of the bot together. */
  readonly maxMegabytes: number;
  readonly maxDays: number;
  /** Record the bodies of the venue's answers as well. */
  readonly answers: boolean;
  /** Folder of a tape of what the polls show; "" for none. */
  readonly tape: string;
}

/** The watchdog, which cancels the opening orders of a bot that hangs or is gone, and may close its positions. */
export interface WatchdogConfig {
  /** Who starts it: the bot if its venue is remote (`live`), nobody, the bot, or a process manager (`apart`). */
  readonly start: 'live' | 'off' | 'bot' | 'apart';
  /** It acts if the bot's kernel has not advanced for this many milliseconds. */
  readonly silenceMs: number;
  /** It closes positions if the kernel has not advanced for this many milliseconds, at least `silenceMs`; 0 for never. */
  readonly flattenAfterMs: number;
  /** What ends the halt that it leaves: a person, or the next start of the bot. */
  readonly resume: 'operator' | 'restart';
  /** File of its own credentials; "" for those of the bot. */
  readonly credentials: string;
}

/** Policy for orders found at the start. */
export interface RecoveryConfig {
  /** For live orders with our id prefix that the journal does not contain. */
  readonly unknownOwnOrders: 'adopt' | 'cancel' | 'halt';
}

/** How the equity is shared among the strategies. */
export interface AllocationConfig {
  /** A way by its name, or shares by strategy as decimals. */
  readonly by: AllocationName | Readonly<Record<string, string>>;
  /** A cron expression of five fields, in UTC, or a duration. */
  readonly rebalance: string;
}

/** The simulated venue, in backtests and in `start`. */
export interface SimulationConfig {
  /** Latency in milliseconds from us to the venue (up) and back (down). */
  readonly upMs: number;
  readonly downMs: number;
  /** How the delay of a message varies. For backtests. */
  readonly latency: {
    readonly model: LatencyModelName;
    readonly jitterMs: number;
    /** A share in decimal form. */
    readonly spikeChance: string;
    readonly spikeMs: number;
    /** Path of the measured delays; "" for none. */
    readonly file: string;
  };
  readonly fillModel: FillModelName;
  /** Rates by volume. For backtests. Amounts are whole quote coins, rates signed decimals. */
  readonly fees: {
    readonly model: FeeModelName;
    readonly tiers: readonly { readonly from: string; readonly maker: string; readonly taker: string }[];
    readonly volume: string;
  };
  /** Decimals, or "tape" for what is measured on the tape of a backtest; the turnover in quote coin. */
  readonly impact: {
    readonly model: ImpactModelName;
    readonly coefficient: string;
    readonly volatility: string;
    readonly turnover: string;
  };
  /** Opening balances: coin → decimal string. */
  readonly deposits: Readonly<Record<string, string>>;
  /** Leverage of every leg, and by symbol where it differs; capped by the instrument's own maximum. */
  readonly leverage: number;
  readonly leverages: Readonly<Record<string, { readonly long: number; readonly short: number }>>;
  readonly funding: FundingConfig;
}

/** Funding, which longs pay to shorts. The rate is a signed decimal string: a share of a leg's value for one interval. */
export interface FundingConfig {
  readonly model: FundingModelName;
  /** Milliseconds between two payments, in whole seconds. Payments are at multiples of it since 1970. */
  readonly everyMs: number;
  /** Rate of instruments without their own. */
  readonly rate: string;
  /** Path of the recorded rates; "" for none. */
  readonly file: string;
}

/** Who may open the exchange's page: callers on this machine, everyone, or nobody. */
export type PageAccess = 'here' | 'everyone' | 'nobody';

/** How the ledger shows reads: one line each, one line of counts a second, or none. */
export type LedgerReads = 'all' | 'counts' | 'none';

/** The paper exchange: its switches and its reference data. */
export interface ExchangeConfig extends SwitchValues {
  /** Path of the file of symbols, coins and withdrawals; "" for none. */
  readonly reference: string;
  readonly page: PageAccess;
  readonly ledgerReads: LedgerReads;
  /** Number of closed ledger segments to keep; 0 for all. */
  readonly ledgerKeep: number;
}

export interface BotConfig {
  /** Prefix of every client order id: 1 to 8 letters or digits. */
  readonly bot: string;
  readonly venue: VenueConfig;
  readonly instruments: readonly InstrumentSpec[];
  readonly limits: Limits;
  readonly strategies: readonly StrategyChoice[];
  readonly allocation: AllocationConfig;
  readonly poll: PollPeriods;
  readonly risk: RiskConfig;
  /** Action for each kind of change that the bot did not cause (domain/messages/external.ts). */
  readonly external: ExternalPolicy & { readonly equityDropShare: string };
  /** A command that is not sent within this many milliseconds is dropped. */
  readonly orderValidityMs: number;
  /** An order of unknown outcome counts as not landed if no complete read has shown it for this many milliseconds after sending. */
  readonly orderHorizonMs: number;
  /** Longest delay of the venue's lists in milliseconds; at most `orderHorizonMs`. */
  readonly listLagMs: number;
  /** Folders of tapes whose past fills the bars that strategies wait for. */
  readonly data: readonly string[];
  /** Pages of past trades per symbol that are read at the start for strategies that wait for bars. */
  readonly historyPages: number;
  /** How many times as fast as real time the market moves: bars by time are so many times shorter. */
  readonly barSpeed: number;
  /** Action on the orders and positions of a strategy that is stopped because of errors. */
  readonly onStrategyStop: 'keep' | 'cancel' | 'flatten';
  /** "on": strategies cannot use the clock, chance, timers, files and network of this process. */
  readonly strategyGuard: 'on' | 'off';
  /** A handler that does not return within this many milliseconds ends the process. Backtests allow five times as much. */
  readonly handlerLimitMs: number;
  readonly store: StoreConfig;
  readonly recovery: RecoveryConfig;
  readonly control: ControlConfig;
  readonly alerts: AlertsConfig;
  readonly webhooks: WebhooksConfig;
  readonly watchdog: WatchdogConfig;
  readonly monitor: MonitorConfig;
  readonly record: RecordConfig;
  readonly simulation: SimulationConfig;
  readonly exchange: ExchangeConfig;
  readonly seed: number;
  readonly logLevel: LogLevel;
  /** Milliseconds between two updates of the status line. */
  readonly statusIntervalMs: number;
  /** Null if not given, or not unlocked yet: then only public data can be read. */
  readonly credentials: Credentials | null;
  /** The keystore that has them; null for none. */
  readonly keystore: KeystorePlace | null;
}

/** Requests per second of a bucket: its own rate, else that of "private". */
export function limitFor(limits: Limits, bucket: string): number {
  return limits[bucket] ?? limits['private'] ?? 1;
}
