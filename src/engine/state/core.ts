/** The state that the parts of the kernel share: ports, local state, and the time of the current step. */
import { InsideBar } from './inside-bar.ts';
import { VenueOffset } from '../market/venue-offset.ts';
import { assert } from '../../base/failure/assert.ts';
import { ClientIds } from '../../domain/orders/client-ids.ts';
import type { IdentitySpec } from '../../domain/orders/command.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { LIST_LAG_MS, ORDER_HORIZON_MS } from '../../domain/time/timings.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { TimerQueue } from '../../base/time/timer-queue.ts';
import { Brackets } from './records/brackets.ts';
import { contextsOf, type InstrumentContext } from './records/instrument-context.ts';
import type { FillSource } from './fill-source.ts';
import { FeeRates } from './account/fee-rates.ts';
import { ExplainedOrders } from './records/explained-orders.ts';
import { LostTriggers } from './records/lost-triggers.ts';
import type { MarketState } from '../market/market-state.ts';
import { Orders } from './records/orders.ts';
import { Portfolio } from './account/portfolio.ts';
import { InFlight } from './records/in-flight.ts';
import { Halts } from './halts.ts';
import { KeyGate } from './key-gate.ts';
import { PendingWork } from './records/pending-work.ts';
import { StrategyEvents } from './events/strategy-events.ts';
import { UnwrittenList } from './events/unwritten.ts';
import { Owner } from './records/owner.ts';
import { QuoteQueue } from './records/quote.ts';
import { TradingState } from './trading-state.ts';
import type { CommandJournal } from './events/journal.ts';
import { Balance } from './account/balance.ts';
import { hoursOf, numberOf, statedBy, type LimitOptions } from './limits/limits.ts';
import type { Allocation } from './account/allocation.ts';
import { TotalValue } from './account/total-value.ts';
import { EventCounters } from './events/event-counters.ts';

export interface KernelTimings {
  /** Time without an outcome after which a command counts as unknown. Default 30,000. */
  readonly commandTimeoutMs?: number | undefined;
  /** How long a command may wait before it is sent: market orders, limit orders, closing orders. Cancels never expire. */
  readonly marketValidMs?: number | undefined; // 5,000
  readonly limitValidMs?: number | undefined; // 30,000
  readonly closeValidMs?: number | undefined; // 60,000
  /** Longest lag of any list of the venue: a read this long after a fill shows that fill. Default 12,000; at most the horizon. */
  readonly settleMs?: number | undefined;
  /** Time after sending when an order that no read has shown is presumed not landed. Default 60,000. */
  readonly horizonMs?: number | undefined;
  /** How long a presumed order is still watched for. Default 86,400,000. */
  readonly watchMs?: number | undefined;
  /** Wait after the end of a bar, by venue time, before it is closed without a later trade. Default 1,000. */
  readonly barGraceMs?: number | undefined;
}

/** Figures of a simulated account, read by function call. Nobody but the bot trades on it. */
export interface PushedAccount {
  /** Equities that came one after the other since the last call, where the present one does not tell of them: inside a bar of a backtest. */
  readonly passed?: () => readonly number[];
  /** Money. */
  readonly equity: () => number;
  /** The rest of the account's record, money. */
  readonly account: () => { readonly available: number; readonly locked: number; readonly unrealised: number };
  /** Legs of an instrument that are not flat. */
  readonly positions: (instrument: number) => readonly PushedPosition[];
}

/** Prices are in the quote coin per base coin, a liquidation price of 0 means none; the margin is money. */
export interface PushedPosition {
  readonly side: number;
  readonly markPrice: number;
  readonly liquidationPrice: number;
  readonly margin: number;
}

/**
 * What to do with own orders that the journal does not know. `adopt`: keep and count them, without a strategy. `cancel`: cancel them when
 * the bot is armed. `halt`: keep them and open nothing until an operator resumes.
 */
export type UnknownOwnOrders = 'adopt' | 'cancel' | 'halt';

/** Ports, instruments, limits and timings for the shared state. */
export interface CoreOptions extends LimitOptions {
  /** Shared with the lanes in front of the venue. Default: one that nobody asks. */
  readonly keyGate?: KeyGate | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly journal: CommandJournal;
  readonly identity: IdentitySpec;
  /** Client ids of a continued journal, or ids shared with outside parts. Default: a new journal with `identity`. */
  readonly ids?: ClientIds | undefined;
  /** When the last record of a continued journal was written. Default: a new journal. */
  readonly journalEnd?: number | undefined;
  /** True if no bot has traded with this journal: what the venue shows of earlier trading is told, and a person confirms it. Default false. */
  readonly isNewJournal?: boolean | undefined;
  /** What to do with live orders that have our name but are not in the journal. Default 'cancel'. */
  readonly unknownOwnOrders?: UnknownOwnOrders | undefined;
  /** Account figures by function call: limits and sizes use them. Default: those of the account's reads. */
  readonly pushed?: PushedAccount | undefined;
  readonly timings?: KernelTimings | undefined;
}

export type Timings = { readonly [K in keyof KernelTimings]-?: number };

export class Core {
  /** Time of the current step; −Infinity before the first. */
  now = -Infinity;
  /** Newest venue time seen on an answer and accepted by the filter; 0 before the first. */
  venueTime = 0;
  /** When the last journal record was written, perhaps by an earlier process; Infinity for a new journal. */
  journalEnd = Infinity;
  /** The first client id with our name that the venue showed and this journal never issued; "" for none. */
  lostId = '';
  nextSeq = 1;
  /** When the last answer of each kind came; 0 before the first. */
  readonly readAt = { account: 0, history: 0, pending: 0, positions: 0, quotes: 0, stats: 0, trades: 0, withdrawals: 0, 'spot-symbols': 0 };
  /** Counts commands and timers started by strategies. A change tells the simulation driver that there is something to answer. */
  acts = 0;
  declare readonly instruments: readonly Instrument[];
  /** Client order ids, and which of them this journal issued. */
  declare readonly ids: ClientIds;
  declare readonly isNewJournal: boolean;
  declare readonly unknownOwnOrders: UnknownOwnOrders;
  declare private readonly clock: Clock;
  declare readonly journal: CommandJournal;
  declare readonly log: Log;
  readonly timerQueue = new TimerQueue();
  /** All state of each instrument, by instrument index; `market` holds only the market parts. */
  declare readonly contexts: readonly InstrumentContext[];
  declare readonly market: readonly MarketState[];
  declare readonly orders: Orders;
  /** One owner per strategy; `nobody` owns orders without a strategy. */
  declare readonly owners: readonly Owner[];
  readonly nobody = new Owner(-1, '', Infinity);
  declare readonly portfolio: Portfolio;
  /** Account of a venue that pushes; null if the account is read. */
  declare readonly pushed: PushedAccount | null;
  /** Shares of the equity by strategy; null if each sees the whole. Set by the assembly. */
  allocation: Allocation | null = null;
  /** Value of all legs together, and its limit. */
  declare readonly total: TotalValue;
  declare readonly tradingState: TradingState;
  /** Where opens are halted, and why. The header of state/halts.ts shows how to raise and lift a halt. */
  readonly halts = new Halts(this);
  declare readonly inFlight: InFlight;
  /** Work left to do at the end of a step. */
  readonly pendingWork = new PendingWork();
  readonly strategyEvents = new StrategyEvents(this.pendingWork);
  /** Durable state that strategies changed in this step. */
  readonly unwritten = new UnwrittenList(this.pendingWork);
  readonly brackets = new Brackets((seq) => {
    const order = this.orders.find(seq);
    return order !== null && (order.isAlive || !order.isSettled);
  });
  /** Orders without a name of ours, by the lots of each that have explained a change of a leg. */
  readonly explained = new ExplainedOrders(this);
  /** Trigger orders that ended without a known result. */
  readonly lostTriggers = new LostTriggers(this);
  /** Compares own trades with the account balance; null if no order is read. */
  declare readonly balance: Balance | null;
  readonly venueOffset = new VenueOffset();
  readonly quoteQueue = new QuoteQueue(this.pendingWork);
  /** When signed requests may leave while the venue refuses the key. The lanes ask it. */
  declare readonly keyGate: KeyGate;
  declare readonly counters: EventCounters;
  /** By instrument. */
  declare readonly feeRates: readonly FeeRates[];
  declare readonly timings: Timings;
  declare readonly fills: FillSource;
  readonly inside = new InsideBar();

  /** `names`: names of the strategies. */
  constructor(options: CoreOptions, names: readonly string[], fills: FillSource) {
    this.instruments = options.instruments;
    this.ids = options.ids ?? ClientIds.begin(options.identity);
    this.journalEnd = options.journalEnd ?? Infinity;
    this.isNewJournal = options.isNewJournal ?? false;
    this.unknownOwnOrders = options.unknownOwnOrders ?? 'cancel';
    this.clock = options.clock;
    this.journal = options.journal;
    this.keyGate = options.keyGate ?? new KeyGate();
    this.log = options.log;
    this.portfolio = new Portfolio(options.instruments.length);
    this.fills = fills;
    this.contexts = contextsOf(options.instruments, this.portfolio.legs, options.risk, fills.isRealTime);
    this.market = this.contexts.map((context) => context.market);
    this.orders = new Orders(this.contexts, this.nobody, fills.readsOrders);
    this.inFlight = new InFlight(this.orders);
    this.owners = names.map(
      (name, index) =>
        new Owner(
          index,
          name,
          numberOf('maxIntentsPerSecond', statedBy(options, index, 'maxIntentsPerSecond')),
          numberOf('maxOrdersPerMinute', statedBy(options, index, 'maxOrdersPerMinute')),
          hoursOf(statedBy(options, index, 'tradingHours')),
        ),
    );
    this.pushed = options.pushed ?? null;
    this.total = new TotalValue(this.contexts, options.risk, options.pushed?.equity ?? null);
    this.tradingState = new TradingState(this.contexts);
    this.counters = new EventCounters(options.log);
    this.feeRates = options.instruments.map((instrument) => new FeeRates(instrument));
    const t = options.timings ?? {};
    this.timings = {
      commandTimeoutMs: t.commandTimeoutMs ?? 30_000,
      marketValidMs: t.marketValidMs ?? 5_000,
      limitValidMs: t.limitValidMs ?? 30_000,
      closeValidMs: t.closeValidMs ?? 60_000,
      settleMs: t.settleMs ?? LIST_LAG_MS,
      horizonMs: t.horizonMs ?? ORDER_HORIZON_MS,
      watchMs: t.watchMs ?? 86_400_000,
      barGraceMs: t.barGraceMs ?? 1_000,
    };
    this.balance = fills.readsOrders ? new Balance(this.timings.settleMs) : null;
    assert(this.timings.settleMs <= this.timings.horizonMs, 'settleMs must not exceed horizonMs');
  }

  /**
   * Halts opens in `scope` ("all", "BTCUSDT", "BTCUSDT LONG", "strategy:NAME") until an operator resumes. False if the same halt exists
   * already. Short form of `halts.raise`.
   */
  hold(scope: string, code: string, why: string): boolean {
    return this.halts.raise({ scope: this.halts.parse(scope), code, detail: why, by: 'bot' });
  }

  /** Equity of the account in money; NaN if unknown. */
  get equity(): number {
    return this.pushed === null ? this.portfolio.equity : this.pushed.equity();
  }

  /** The other money of the account; NaN if unknown. */
  get account(): Pick<Portfolio, 'available' | 'locked' | 'unrealised'> {
    return this.pushed === null ? this.portfolio : this.pushed.account();
  }

  /** What a strategy sees of it: its share, or all of it. */
  equityOf(owner: Owner): number {
    return this.allocation === null ? this.equity : this.allocation.equityOf(owner.index);
  }

  /** Venue time of the current answer, or our time if answers carry none. */
  get venueNow(): number {
    return this.venueTime > 0 ? this.venueTime : this.now;
  }

  /** Starts a step: reads the clock. */
  readClock(): void {
    this.now = this.clock.now();
  }
}
