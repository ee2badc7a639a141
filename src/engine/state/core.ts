/** The state that the parts of the kernel share: ports, belief, and the time of the step that is being taken. */
import { VenueOffset } from '../market/venue-offset.ts';
import { assert } from '../../base/assert.ts';
import { ClientIds } from '../../domain/client-ids.ts';
import { emptyCommand, type FreeCommands, type IdentitySpec } from '../../domain/command.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { OrderReport } from '../../domain/report.ts';
import { LIST_LAG_MS, ORDER_HORIZON_MS } from '../../domain/timings.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Venue } from '../../ports/venue.ts';
import { TimerQueue } from '../../base/timer-queue.ts';
import { Brackets } from './brackets.ts';
import { contextsOf, type InstrumentContext } from './instrument-context.ts';
import { FeeRates } from './fee-rates.ts';
import { LostTriggers, type Resting } from './lost-triggers.ts';
import type { MarketState } from '../market/market-state.ts';
import { Orders, type Order } from './orders.ts';
import { Portfolio } from './portfolio.ts';
import { InFlight } from './in-flight.ts';
import { Halts } from './halts.ts';
import { PendingWork } from './pending-work.ts';
import { StrategyEvents } from './strategy-events.ts';
import { Owner } from './owner.ts';
import { QuoteQueue } from './quote.ts';
import { TradingState } from './trading-state.ts';
import type { CommandJournal } from './journal.ts';
import { Balance } from './balance.ts';
import type { GuardCounter, LossCounter } from './limit-counters.ts';
import { hoursOf, numberOf, statedBy, type LimitOptions } from './limits.ts';
import { TotalValue } from './total-value.ts';
import { EventCounters } from './event-counters.ts';

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

/** What is asked of a venue that pushes instead of being read. */
export interface PushedAccount {
  /** Money. */
  readonly equity: () => number;
  /** The legs of an instrument that are not flat: prices of one base coin in the quote coin, no liquidation price being 0. */
  readonly positions: (
    instrument: number,
  ) => readonly { readonly side: number; readonly markPrice: number; readonly liquidationPrice: number }[];
}

/**
 * adopt: they stay and count as ours, owned by no strategy. cancel: they are cancelled when the bot is armed. halt: they stay, and nothing is
 * opened until a person resumes.
 */
export type UnknownOwnOrders = 'adopt' | 'cancel' | 'halt';

/** What the shared state is made of: ports, instruments, limits and times. */
export interface CoreOptions extends LimitOptions {
  /** Usually an OrderLane in front of the real one. */
  readonly venue: Venue;
  /** A venue that keeps commands may lend its records to make them in. Default: one record for all. */
  readonly freeCommands?: FreeCommands | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly journal: CommandJournal;
  readonly identity: IdentitySpec;
  /** The ids of a journal that goes on, or of one that outside parts share. Default: those of a journal that begins with `identity`. */
  readonly ids?: ClientIds | undefined;
  /** When the last record of a journal that goes on was written. Default: the journal begins. */
  readonly journalEnd?: number | undefined;
  /** What is done about live orders with our name that this journal never knew. Default 'cancel'. */
  readonly unknownOwnOrders?: UnknownOwnOrders | undefined;
  /** null when the venue pushes fills and ends by itself. */
  readonly polls: object | null;
  /** The account of a venue that pushes: limits and sizes are judged by it. Default: it is read. */
  readonly pushed?: PushedAccount | undefined;
  readonly timings?: KernelTimings | undefined;
}

export type Timings = { readonly [K in keyof KernelTimings]-?: number };

export class Core {
  /** The time of the step being taken; −Infinity before the first. */
  now = -Infinity;
  /** The latest time that the venue has put on an answer, as far as it is believed; 0 before the first. */
  venueTime = 0;
  /** When the last record of the journal was written, which may be by a process before this one; Infinity for a new journal. */
  journalEnd = Infinity;
  nextSeq = 1;
  /** Counts what strategies set going, commands and timers: where it moves, the world outside has something to answer. */
  acts = 0;
  declare readonly instruments: readonly Instrument[];
  /** Client order ids, and which of them this journal gave out. */
  declare readonly ids: ClientIds;
  declare readonly unknownOwnOrders: UnknownOwnOrders;
  declare readonly venue: Venue;
  declare private readonly clock: Clock;
  /** Where the next command is made. */
  declare readonly freeCommands: FreeCommands;
  declare readonly journal: CommandJournal;
  declare readonly log: Log;
  readonly timerQueue = new TimerQueue();
  /** By instrument: all that belongs to it, and its market alone. */
  declare readonly contexts: readonly InstrumentContext[];
  declare readonly market: readonly MarketState[];
  declare readonly orders: Orders;
  /** By strategy, and the owner of what is no strategy's. */
  declare readonly owners: readonly Owner[];
  readonly nobody = new Owner(-1, '', Infinity);
  declare readonly portfolio: Portfolio;
  /** The account where the venue pushes and nothing is read. */
  declare readonly pushed: PushedAccount | null;
  /** Limits that count profit and loss, and those that count events. The assembly puts them here. */
  declare losses: LossCounter;
  declare guards: GuardCounter;
  /** What all legs together may be worth. */
  declare readonly total: TotalValue;
  declare readonly tradingState: TradingState;
  /** Where nothing may be opened, and why: the comment in state/halts.ts says how to raise and lift one. */
  readonly halts = new Halts(this);
  declare readonly inFlight: InFlight;
  /** What is left of a step. */
  readonly pendingWork = new PendingWork();
  readonly strategyEvents = new StrategyEvents(this.pendingWork);
  readonly brackets = new Brackets((seq) => {
    const order = this.orders.find(seq);
    return order !== null && (order.isAlive || !order.isSettled);
  });
  /** Trigger orders that have ended, and of which nobody knows what they became. */
  readonly lostTriggers = new LostTriggers(this);
  /** What own trades brought, to be compared with the account's balance; null when the venue pushes. */
  declare readonly balance: Balance | null;
  readonly venueOffset = new VenueOffset();
  readonly quoteQueue = new QuoteQueue(this.pendingWork);
  declare readonly counters: EventCounters;
  /** By instrument. */
  declare readonly feeRates: readonly FeeRates[];
  /** Told of an order that has ended and may have filled more than is known. */
  onUnsettled: (order: Order) => void = () => undefined;
  /** Whether a record without a client id of ours may be what an own trigger order has become. */
  mayBeTriggered: (report: OrderReport) => boolean = () => false;
  /** The order that rests and may be what this trigger order has become, or another one; null for none. */
  restsAs: (order: Order) => Resting | null = () => null;
  /** Whether the order with this venue id has been told of. */
  isTold: (venueId: string) => boolean = () => false;
  /** Told of a record without a client id of ours that is of an own order. */
  onOwnRecord: (venueId: string) => void = () => undefined;
  declare readonly timings: Timings;
  /** True when fills and ends are pushed, so that nothing has to be inferred from reads. */
  declare readonly isPushed: boolean;

  /** `names` are those of the strategies. */
  constructor(options: CoreOptions, names: readonly string[]) {
    this.instruments = options.instruments;
    this.ids = options.ids ?? ClientIds.begin(options.identity);
    this.journalEnd = options.journalEnd ?? Infinity;
    this.unknownOwnOrders = options.unknownOwnOrders ?? 'cancel';
    this.venue = options.venue;
    this.clock = options.clock;
    this.freeCommands = options.freeCommands ?? { free: emptyCommand() };
    this.journal = options.journal;
    this.log = options.log;
    this.portfolio = new Portfolio(options.instruments.length);
    this.contexts = contextsOf(options.instruments, this.portfolio.legs, options.risk, options.polls === null);
    this.market = this.contexts.map((context) => context.market);
    this.orders = new Orders(this.contexts, this.nobody, options.polls !== null);
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
    this.isPushed = options.polls === null;
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
    this.balance = this.isPushed ? null : new Balance(this.timings.settleMs);
    assert(this.timings.settleMs <= this.timings.horizonMs, 'an order is not presumed lost before the lists can show it');
  }

  /**
   * Opens nothing within `scope` ("all", "BTCUSDT", "BTCUSDT LONG", "strategy:NAME") until a person lifts it. False when this code
   * stands there already. The short form of `halts.raise`.
   */
  hold(scope: string, code: string, why: string): boolean {
    return this.halts.raise({ scope: this.halts.parse(scope), code, detail: why, by: 'bot' });
  }

  /** The account's equity in money as far as it is known, else NaN. */
  get equity(): number {
    return this.pushed === null ? this.portfolio.equity : this.pushed.equity();
  }

  /** The venue's time of the answer that is taken, or ours when answers have none. */
  get venueNow(): number {
    return this.venueTime > 0 ? this.venueTime : this.now;
  }

  /** A price of the instrument is held: other evidence of it is read soon. Replaced where there are polls. */
  wantsEvidence: (instrument: number) => void = () => undefined;

  /** A step begins. */
  readClock(): void {
    this.now = this.clock.now();
  }
}
