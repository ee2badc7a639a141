/** What a kernel is made of: every port and every number it works with, passed in as plain values. */
import type { ClientIds } from '../domain/client-ids.ts';
import type { Blanks, IdentitySpec } from '../domain/command.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { LimitKey, StrategyLimits } from '../domain/limits.ts';
import type { ExternalPolicy } from '../domain/external.ts';
import type { Bracket } from './belief/brackets.ts';
import type { SavedTrigger } from './belief/lost-triggers.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Venue } from '../ports/venue.ts';
import type { SavedWatch } from './watch/watch.ts';
import type { CommandJournal } from './journal.ts';
import type { SavedGuards } from './limits/guards.ts';
import type { SavedLosses } from './limits/loss-scope.ts';
import type { PollBudget, PollKind } from './schedule.ts';
import type { AnyStrategy } from './strategy/define.ts';

/** One running strategy: its definition, its raw parameters (names to values or strings) and where it trades. */
export interface StrategySetup {
  /** Unique in the bot; owns the saved state. Default: the definition's name. */
  readonly name?: string | undefined;
  readonly strategy: AnyStrategy;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /** What an operator set by hand, put before those. */
  readonly set?: Readonly<Record<string, string>> | undefined;
  /** Dense indexes of its instruments. */
  readonly instruments: readonly number[];
  /** Limits of its own. */
  readonly risk?: StrategyLimits | undefined;
}

/**
 * Limits of the risk rules, the keys of domain/limits.ts. A limit is one value for all, or values by name: a symbol, "spot:SYMBOL" or a
 * strategy, and "*" for all others. A key that is left out has its default of the table.
 */
export type RiskLimits = { readonly [K in LimitKey]?: LimitOption | undefined };
export type LimitOption = string | number | Readonly<Record<string, string | number>>;

/** From these and from the strategies' handlers the kernel makes its poll plan. */
export interface PollSettings {
  /** How often each kind is asked, in ms; 0 leaves out stats or history. Trades only where a strategy needs them. */
  readonly periods: Readonly<Record<PollKind, number>>;
  readonly budget: PollBudget;
  /** Trades a page and pages a round before a gap is accepted. Default 1000 and 6. */
  readonly tradePageSize?: number | undefined;
  readonly tradeMaxPages?: number | undefined;
}

export interface KernelTimings {
  /** A command without an outcome for this long is unknown. Default 30,000. */
  readonly commandTimeoutMs?: number | undefined;
  /** How long a command may wait before it is sent: market orders, limit orders, closes. Cancels never expire. */
  readonly marketValidMs?: number | undefined; // 5,000
  readonly limitValidMs?: number | undefined; // 30,000
  readonly closeValidMs?: number | undefined; // 60,000
  /** No list of the venue is later than this: what a read shows so long after a fill holds that fill. Default 12,000; never more than the horizon. */
  readonly settleMs?: number | undefined;
  /** An order nobody has seen is presumed not landed this long after it was sent. Default 60,000. */
  readonly horizonMs?: number | undefined;
  /** How long a presumed order is watched for. Default 86,400,000. */
  readonly watchMs?: number | undefined;
  /** How long after its end by venue time a bar without a later trade is closed. Default 1,000. */
  readonly barGraceMs?: number | undefined;
}

/** A strategy that throws this often within the window is disabled. Default 10 in 60,000 ms. */
export interface FaultLimit {
  readonly count: number;
  readonly windowMs: number;
}

/**
 * adopt: they stay and count as ours, owned by no strategy. cancel: they are cancelled when the bot is armed. halt: they stay, and nothing is
 * opened until a person resumes.
 */
export type UnknownOwnOrders = 'adopt' | 'cancel' | 'halt';

/** What becomes of the orders and positions of a strategy that is stopped for its errors. Exits at the venue stay in every case. */
export type OnStrategyStop = 'keep' | 'cancel' | 'flatten';

export interface KernelOptions {
  readonly instruments: readonly Instrument[];
  /** Usually an OrderLane in front of the real one. */
  readonly venue: Venue;
  /** A venue that keeps commands may lend its records to make them in. Default: one record for all. */
  readonly blanks?: Blanks | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly journal: CommandJournal;
  readonly identity: IdentitySpec;
  /** The ids of a journal that goes on, or of one that outside parts share. Default: those of a journal that begins with `identity`. */
  readonly ids?: ClientIds | undefined;
  /** When the last record of a journal that goes on was written. Default: the journal begins. */
  readonly journalEnd?: number | undefined;
  /** How often the order history is looked through for orders with our name that are not ours. Default: never. */
  readonly idWatchMs?: number | undefined;
  /** What is done about live orders with our name that this journal never knew. Default 'cancel'. */
  readonly unknownOwnOrders?: UnknownOwnOrders | undefined;
  readonly strategies: readonly StrategySetup[];
  readonly risk: RiskLimits;
  /** How to ask; null when the venue pushes everything by itself (then positions come from fills and nothing is reconciled). */
  readonly polls: PollSettings | null;
  /** The account of a venue that pushes: limits and sizes are judged by it. Default: it is read. */
  readonly pushed?: PushedAccount | undefined;
  /** Seed of the strategies' `ctx.random()`. */
  readonly seed: number;
  /** Margin mode of orders that name none. Default 'CROSS'. */
  readonly marginMode?: 'CROSS' | 'ISOLATED' | undefined;
  readonly timings?: KernelTimings | undefined;
  /** What is done about events that the bot did not cause, where it differs from the defaults of domain/external.ts. */
  readonly external?: Partial<ExternalPolicy> | undefined;
  /** Share of the equity whose loss within a day is an event. Default 0.5. */
  readonly equityDropShare?: number | undefined;
  readonly faults?: FaultLimit | undefined;
  /** Default 'cancel': its orders are cancelled, its positions stay. */
  readonly onStrategyStop?: OnStrategyStop | undefined;
}

/** What is asked of a venue that pushes instead of being read. */
export interface PushedAccount {
  /** Money. */
  readonly equity: () => number;
  /** The legs of an instrument that are not flat: prices of one base coin in the quote coin, no liquidation price being 0. */
  readonly positions: (
    instrument: number,
  ) => readonly { readonly side: number; readonly markPrice: number; readonly liquidationPrice: number }[];
}

/** new → reconciling → armed (orders are taken) → stopping (cancels only) → stopped. */
export type KernelPhase = 'new' | 'reconciling' | 'armed' | 'stopping' | 'stopped';

/** An order as a snapshot keeps it, alive or with fills that are not final: plain JSON. */
export interface SavedOrder {
  readonly seq: number;
  readonly strategy: string;
  readonly kind: number;
  readonly symbol: string;
  readonly side: number;
  readonly effect: number;
  readonly type: number;
  readonly price: number;
  readonly size: number;
  readonly filled: number;
  readonly postOnly: number;
  readonly marginMode: number;
  readonly state: number;
  readonly venueId: string;
  /** Number of the order this one replaces, 0 for none. */
  readonly replaces: number;
  /** The client id of an order that this journal did not number; others are known by their number. */
  readonly clientId?: string | undefined;
  readonly createdAt: number;
  /** When the last command about it left: no read that began before this is used against it. */
  readonly sentAt: number;
  /** When it ended, where it has. */
  readonly endedAt?: number | undefined;
}

/** A leg as fills prove it. */
export interface SavedLeg {
  readonly symbol: string;
  readonly side: number;
  readonly total: number;
  /** The venue's time of the newest that is known of it, 0 for none. */
  readonly provenAt: number;
}

/** A halt as journal, snapshot and marker file keep it: plain JSON. */
export interface SavedHalt {
  /** "bot", "symbol:BTCUSDT", "symbol:spot:BTCUSDT", "leg:BTCUSDT:LONG" or "strategy:NAME". */
  readonly scope: string;
  /** A row of engine/halt-codes.ts. */
  readonly code: string;
  readonly detail: string;
  readonly since: number;
  /** "bot", or the person or program that asked for it. */
  readonly by: string;
  /** The command that it is about, 0 for none. */
  readonly seq: number;
  /** Time at which it ends by itself. */
  readonly until?: number;
}

/** A margin step whose outcome is not known, with what the position showed before it left. Money and lots. */
export interface SavedMarginStep {
  readonly seq: number;
  readonly symbol: string;
  readonly side: number;
  readonly amount: number;
  readonly margin: number;
  readonly total: number;
  readonly entry: number;
  readonly realised: number;
  readonly fees: number;
  readonly openedAt: number;
}

/** All that a kernel must know again after a restart. Plain JSON. */
export interface KernelSnapshot {
  readonly version: 1;
  readonly nextSeq: number;
  readonly orders: readonly SavedOrder[];
  /** Legs that are known; one that is not listed has to be read. */
  readonly legs?: readonly SavedLeg[] | undefined;
  readonly halts: readonly SavedHalt[];
  readonly marginSteps?: readonly SavedMarginStep[] | undefined;
  /** Preset exits of own orders that live at the venue, or may come to. */
  readonly brackets?: readonly Bracket[] | undefined;
  /** The newest orders of others at the venue that have been told of. */
  readonly toldIds?: readonly string[] | undefined;
  /** Trigger orders of which nobody knows what they became. */
  readonly lostTriggers?: readonly SavedTrigger[] | undefined;
  /** Terms of the symbols, highest equity, withdrawals that were seen. */
  readonly watch?: SavedWatch | undefined;
  /** What the limits of loss count over time. Absent where there are none. */
  readonly losses?: SavedLosses | undefined;
  /** What the limits that count events have counted. Absent where there are none. */
  readonly guards?: SavedGuards | undefined;
  /** What each strategy's `save` gave. */
  readonly strategies: Readonly<Record<string, string>>;
  /** By strategy: parameters that were set while the bot ran. */
  readonly params?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
}

/** Of a kernel that knows nothing yet. */
export const EMPTY_SNAPSHOT: KernelSnapshot = { version: 1, nextSeq: 1, orders: [], halts: [], strategies: {} };
