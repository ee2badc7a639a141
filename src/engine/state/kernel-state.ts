/** The local state of a kernel: what its parts share, and the time of the current step. Only the wiring and the recovery see all of it. */
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
import { ForeignFillLedger } from './orders/foreign-fill-ledger.ts';
import { LostTriggers } from './orders/lost-triggers.ts';
import { Orders } from './orders/orders.ts';
import { Portfolio } from './account/portfolio.ts';
import { InFlight } from './orders/in-flight.ts';
import { Halts } from './halts.ts';
import { PendingWork } from './records/pending-work.ts';
import { StrategyEvents } from './events/strategy-events.ts';
import { UnwrittenList } from './events/unwritten.ts';
import { Owner } from './records/owner.ts';
import { TradingState } from './trading-state.ts';
import type { CommandJournal } from './events/journal.ts';
import { hoursOf, numberOf, statedBy, type LimitOptions } from './limits/limits.ts';
import { EventCounters } from './events/event-counters.ts';

import type { Core, KernelTimings, Timings } from './core.ts';

/** Ports, instruments, limits and timings for the shared state. */
export interface StateOptions extends LimitOptions {
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
  readonly timings?: KernelTimings | undefined;
}

export class KernelState implements Core {
  /** Time of the current step; −Infinity before the first. */
  now = -Infinity;
  /** Newest venue time seen on an answer and accepted by the filter; 0 before the first. */
  venueTime = 0;
  /** When the last journal record of an earlier process was written; Infinity for a new journal. */
  readonly journalEnd: number;
  /**
   * Until when the journal has what happened at the venue: when the armed bot, or one before it, asked for the newest list of all positions
   * that it took. Infinity for a new journal.
   */
  knownUntil: number;
  /** True while the journal cannot be written. */
  isJournalAway = false;
  /** The first client id with our name that the venue showed and this journal never issued; "" for none. */
  lostId = '';
  nextSeq = 1;
  /** Counts commands and timers started by strategies. A change tells the simulation driver that there is something to answer. */
  acts = 0;
  readonly instruments: readonly Instrument[];
  /** Client order ids, and which of them this journal issued. */
  readonly ids: ClientIds;
  readonly isNewJournal: boolean;
  private readonly clock: Clock;
  readonly journal: CommandJournal;
  readonly log: Log;
  readonly timerQueue = new TimerQueue();
  /** All state of each instrument, by instrument index. */
  readonly contexts: readonly InstrumentContext[];
  readonly orders: Orders;
  /** One owner per strategy; `nobody` owns orders without a strategy. */
  readonly owners: readonly Owner[];
  readonly nobody: Owner;
  readonly portfolio: Portfolio;
  readonly tradingState: TradingState;
  /** Where opens are halted, and why. The header of state/halts.ts shows how to raise and lift a halt. */
  readonly halts = new Halts(this);
  readonly inFlight: InFlight;
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
  readonly foreignFills = new ForeignFillLedger(this);
  /** Trigger orders that ended without a known result. */
  readonly lostTriggers = new LostTriggers(this);
  readonly venueOffset = new VenueOffset();
  readonly counters: EventCounters;
  readonly timings: Timings;
  readonly fills: FillSource;
  readonly inside = new InsideBar();

  /** `names`: names of the strategies. */
  constructor(options: StateOptions, names: readonly string[], fills: FillSource) {
    this.instruments = options.instruments;
    this.ids = options.ids ?? ClientIds.begin(options.identity);
    this.journalEnd = options.journalEnd ?? Infinity;
    // A journal of an earlier version does not say it.
    this.knownUntil = this.journalEnd;
    this.isNewJournal = options.isNewJournal ?? false;
    this.clock = options.clock;
    this.journal = options.journal;
    this.log = options.log;
    this.portfolio = new Portfolio(options.instruments.length);
    this.fills = fills;
    this.contexts = contextsOf(options.instruments, this.portfolio.legs, options.risk, fills.isRealTime);
    this.nobody = new Owner(-1, '', options.instruments.length, Infinity);
    this.orders = new Orders(this.contexts, this.nobody, fills.readsOrders);
    this.inFlight = new InFlight(this.orders);
    this.owners = names.map(
      (name, index) =>
        new Owner(
          index,
          name,
          options.instruments.length,
          numberOf('maxIntentsPerSecond', statedBy(options, index, 'maxIntentsPerSecond')),
          numberOf('maxOrdersPerMinute', statedBy(options, index, 'maxOrdersPerMinute')),
          hoursOf(statedBy(options, index, 'tradingHours')),
        ),
    );
    this.tradingState = new TradingState(this.contexts);
    this.counters = new EventCounters(options.log);
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
      barSpeed: t.barSpeed ?? 1,
    };
    assert(this.timings.settleMs <= this.timings.horizonMs, 'settleMs must not exceed horizonMs');
  }

  /** Venue time of the current answer, or our time if answers carry none. */
  get venueNow(): number {
    return this.venueTime > 0 ? this.venueTime : this.now;
  }

  /** A list of all positions that was asked for at `time` was taken. */
  positionsRead(time: number): void {
    if (this.tradingState.phase === 'armed' && !this.isJournalAway) this.knownUntil = time;
  }

  /** Starts a step: reads the clock. */
  readClock(): void {
    this.now = this.clock.now();
  }
}
