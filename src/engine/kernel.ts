/**
 * The bot's local state as a synchronous state machine. `step` is its only entry: an event comes in, state changes, strategies are called,
 * commands go out. It never waits and reads no clock, because every event has its time. @hot
 * size: one case for each kind of event
 */
import { assert, AssertionError } from '../base/failure/assert.ts';
import type { NextDeadline } from '../base/time/next-deadline.ts';
import type { Command } from '../domain/orders/command.ts';
import type { TimerQueue } from '../base/time/timer-queue.ts';
import { assemble, type Parts } from './assembly.ts';
import { barsWanted, type BarsWanted } from './strategy/bars/bar-feed.ts';
import { rowNeedsOf, type RowNeed } from './strategy/row-needs.ts';
import type { Subscribers } from './strategy/runner/subscribers.ts';
import type { KernelState } from './state/kernel-state.ts';
import type { Delivery } from './strategy/delivery.ts';
import type { Dispatch } from './strategy/dispatch.ts';
import { ClockHalt } from './risk/clock-halt.ts';
import { DueTimers } from './due-timers.ts';
import * as events from './event.ts';
import * as said from '../ports/venue-event.ts';
import type { Executor } from './orders/executor.ts';
import { VenueEvents } from './venue-events.ts';
import type { PendingWork } from './state/records/pending-work.ts';
import * as exits from './orders/open-exits.ts';
import { heldExits, type LegExits } from './trades/held-exits.ts';
import type { Quotes } from './strategy/context/quotes.ts';
import { Lifecycle } from './lifecycle.ts';
import { KernelInbox, type EventTaker } from './inbox.ts';
import { failedCommand } from './operator/command.ts';
import { namedLegsOf } from './operator/named-legs.ts';
import type { NamedLeg } from '../domain/messages/watchdog.ts';
import { Operator } from './operator/operator.ts';
import type { KernelOptions } from './options.ts';
import { BugHalt, FAILURES_MOST } from './recovery/bug-halt.ts';
import { checkSnapshot } from './recovery/check-snapshot.ts';
import type { KernelSnapshot } from './recovery/registry.ts';
import type { Bracket } from './state/records/brackets.ts';
import type { Leg } from './state/records/leg.ts';
import type { SavedOrder } from './state/records/saved.ts';
import type { KernelPhase } from './state/trading-state.ts';
import type { SavedHalt } from '../domain/messages/saved-halt.ts';
import { RowTaker, type QuietBand } from './strategy/rows.ts';
import { type QuoteRows, type RowClock, type TradeRows } from './strategy/context/row-columns.ts';
import type { PollPlan } from './polling/schedule.ts';
import { TradesOnBars } from './trades/on-bars.ts';
import { statusOf, type KernelStatus } from './status.ts';
import { Why } from './ladders.ts';
import type { EndedBars } from './market/bar.ts';
import type { Market } from './intents/market-types.ts';

const { BARS, INSIDE_BAR, PATH, QUIET_BARS, QUOTED } = events;
const { CANCEL_AGAIN, CLOCK_SKEW, HISTORY, JOURNAL_AWAY, OPERATE, QUOTE, RECORDED, ROTATE_EPOCH, START, STOP, TIMERS, TRADE } = events;
const { ACCEPTED, ANSWERED, FAILED, PUSHED_END, PUSHED_FILL, PUSHED_OWN_FILL, REJECTED, UNKNOWN, UNSENT } = said;

export class Kernel implements EventTaker {
  /** The methods that pass events in. */
  readonly inbox: KernelInbox;
  /** Says why nothing is traded. */
  readonly why: Why;
  /** What managed trades do inside a bar. */
  readonly tradesOnBars: TradesOnBars;
  declare private readonly parts: Parts;
  declare private readonly core: KernelState;
  declare private readonly executor: Executor;
  declare private readonly dispatch: Dispatch;
  declare private readonly delivery: Delivery;
  declare private readonly pendingWork: PendingWork;
  declare private readonly timerQueue: TimerQueue;
  /** Its start and stop, and own orders by number. */
  declare readonly lifecycle: Lifecycle;
  declare private readonly venueEvents: VenueEvents;
  declare private readonly queue: events.EventQueue;
  declare private readonly quotes: Quotes;
  declare private readonly operator: Operator;
  declare private readonly clock: ClockHalt;
  private isBusy = false;
  declare private readonly bugHalt: BugHalt;
  declare private readonly dueTimers: DueTimers;

  /** @throws StrategyError, ParamError, PollPlanError, ScaleError if the options are invalid */
  constructor(options: KernelOptions) {
    const parts = assemble(options);
    this.parts = parts;
    this.core = parts.core;
    this.pendingWork = parts.core.pendingWork;
    this.timerQueue = parts.core.timerQueue;
    this.queue = new events.EventQueue();
    this.dueTimers = new DueTimers(this.timerQueue, this.pendingWork, () => this.drain());
    this.executor = parts.executor;
    this.dispatch = parts.dispatch;
    this.delivery = parts.delivery;
    this.lifecycle = new Lifecycle(parts);
    this.bugHalt = new BugHalt(parts.core);
    this.timerQueue.survive = (error) => this.#survive(error);
    this.quotes = parts.quotes;
    this.operator = new Operator({ ...parts, settle: (seq, venueId) => this.lifecycle.settle(seq, venueId) });
    this.clock = new ClockHalt(parts.core);
    this.venueEvents = new VenueEvents(parts);
    this.why = new Why(parts, this.venueEvents.failing);
    this.inbox = new KernelInbox(this, options.clock);
    this.tradesOnBars = new TradesOnBars(parts.dispatch.runners, parts.markets);
  }

  /** Time of the next call of `runTimers`; Infinity if nothing is due. */
  get nextTimer(): number {
    return this.timerQueue.next;
  }

  /** Object that is notified of changes of `nextTimer`. */
  set nextDeadline(nextDeadline: NextDeadline) {
    this.timerQueue.nextDeadline = nextDeadline;
  }

  get phase(): KernelPhase {
    return this.core.tradingState.phase;
  }

  /** True if the venue refused all first reads as unauthorized several times: the kernel will not be armed. */
  get isUnauthorized(): boolean {
    return this.core.tradingState.isUnauthorized;
  }

  /** The poll plan; null if the venue pushes. */
  get plan(): PollPlan | null {
    return this.parts.poller?.plan ?? null;
  }

  /** Bars that strategies wait for before they start. */
  get barsWanted(): readonly BarsWanted[] {
    return barsWanted(this.dispatch.feeds);
  }

  /** What strategies want of the market that bars of a tape may not show: trades, and bars. */
  get rowNeeds(): readonly RowNeed[] {
    return rowNeedsOf(this.dispatch);
  }

  /** Views of all instruments, for a status line. */
  get markets(): readonly Market[] {
    return this.parts.markets;
  }

  /** True while managed trades act inside a bar: what they order now meets the market there. */
  get actsInside(): boolean {
    return this.core.inside.acts;
  }

  /** True if a timer is due at `time`, the end of bars. */
  isTimerDue(time: number): boolean {
    return this.dueTimers.isDue(time);
  }

  /** True if quotes at the end of bars are to be told. */
  get hasQuotesToTell(): boolean {
    return this.dispatch.barEnds.hasQuotes;
  }

  /** True if limits look at the equity along the path of a bar. */
  get limitsLosses(): boolean {
    return this.parts.losses.isOn;
  }

  /** True if no command is in flight and no cancel must be repeated: a stop now loses nothing. */
  get isQuiet(): boolean {
    return this.core.inFlight.count === 0 && this.parts.resolver.cancels.pending === 0;
  }

  /** Orders that may be open at the venue, including those of unknown outcome and of symbols that are not configured. */
  liveOrders(): readonly SavedOrder[] {
    return this.lifecycle.liveOrders();
  }

  /** Number of live orders that should be cancelled and are not yet. */
  get cancelsOutstanding(): number {
    return this.executor.cancelsOutstanding();
  }

  /** True if reads of orders and positions are urgent because a close or a cancel is undecided. */
  get hasOpenExit(): boolean {
    return exits.hasOpenExit(this.core);
  }

  status(): KernelStatus {
    return statusOf(this.parts, this.venueEvents.readAt);
  }

  /** What would close the LONG (or SHORT) leg of an instrument. */
  exitsOf(instrument: number, side: number): LegExits {
    return heldExits(this.core, this.dispatch.runners, this.core.portfolio.legs[2 * instrument + side]!);
  }

  /** The LONG (or SHORT) leg of an instrument, to look at. */
  legOf(instrument: number, side: number): Readonly<Leg> {
    return this.core.portfolio.legs[2 * instrument + side]!;
  }

  /** Legs with lots of this bot, or with own orders that may open some. */
  namedLegs(): NamedLeg[] {
    return namedLegsOf(this.core);
  }

  /** The stop-loss and take-profit that an own order carries; undefined for none. */
  bracketOf(order: number): Readonly<Bracket> | undefined {
    return this.core.brackets.ofOrder(order);
  }

  halts(): readonly SavedHalt[] {
    return this.core.halts.all();
  }

  /** Calls `heard` with the scope of each halt that begins and that a resume may end. */
  onHalt(heard: (scope: string) => void): void {
    this.core.halts.tellOfResumable(heard);
  }

  /** The text of the scope that a person typed, as halts have it; null if it names nothing of this bot. */
  scopeOf(word: string): string | null {
    return this.operator.scopeOf(word);
  }

  refusals(): number {
    return this.executor.refusals;
  }

  /** Restores the state of an earlier kernel. Call before `start`. */
  restore(snapshot: KernelSnapshot): void {
    assert(this.phase === 'new', 'a snapshot is restored before the start');
    this.lifecycle.restore(snapshot);
  }

  /** All state that a restart needs; calls `save` of the strategies. */
  snapshot(): KernelSnapshot {
    return this.lifecycle.snapshot();
  }

  /** True if a snapshot may be kept. While opens are halted for a bug, one that fails its check is told, and the one before stays. */
  mayKeep(snapshot: KernelSnapshot): boolean {
    try {
      checkSnapshot(snapshot);
      return true;
    } catch (error) {
      this.#survive(error);
      return false;
    }
  }

  /** Stops all queries and commands. */
  close(): void {
    this.lifecycle.close();
  }

  /** The strategies as they run, with what was changed of them. */
  get setups(): KernelOptions['strategies'] {
    return this.parts.strategyChanger.setups;
  }

  /** Why an approved command that has waited must not be sent any more; null if it may. Asked right before it is sent. */
  vetoOf(command: Command): string | null {
    return this.operator.vetoOf(command);
  }

  /** The market of an instrument and its subscribers. */
  subscribersOf(i: number): Subscribers {
    return this.dispatch.allSubscribers[i]!;
  }

  /**
   * Calls onTrade for rows `from` up to `to` while they stay within the quiet band and no handler acts. Returns the first row not taken.
   * `taker` sets the clock for each row.
   */
  takeTrades(taker: RowTaker, subscribers: Subscribers, rows: TradeRows, from: number, to: number, quietBand: QuietBand): number {
    this.#enter();
    const next = taker.trades(subscribers, rows, from, to, quietBand);
    this.leave();
    return next;
  }

  /** Calls onQuote for rows `from` up to `to`, in the same way. */
  takeQuotes(taker: RowTaker, subscribers: Subscribers, rows: QuoteRows, from: number, to: number, quietBand: QuietBand): number {
    this.#enter();
    const next = taker.quotes(subscribers, rows, from, to, quietBand);
    this.leave();
    return next;
  }

  /**
   * Creates the object that processes whole columns; `clock` must be the one that the kernel reads. `Taker` may be a fresh copy of the
   * class, so that V8 optimises its hot call for this run's strategies only.
   */
  rowTaker(clock: RowClock, Taker: typeof RowTaker = RowTaker): RowTaker {
    return new Taker(this.core, this.dispatch, clock); // hot-ok: once
  }

  /** Processes one event. Events that arrive meanwhile are processed after it, in the same step. */
  step(event: events.EngineEvent): void {
    if (this.isBusy) return this.#later(event);
    this.isBusy = true;
    this.core.now = event.at;
    if (this.survivesBugs) this.#guarded(event);
    else {
      this.take(event);
      if (this.pendingWork.isSome) this.drain();
    }
    this.isBusy = false;
  }

  /** True in a bot that is halted for a bug and has started: what fails again ends its own work alone. */
  private get survivesBugs(): boolean {
    return this.bugHalt.isHalted && this.lifecycle.isUp;
  }

  /** Tells of a check that failed outside of a step. @throws the error, unless opens are halted for a bug */
  #survive(error: unknown): void {
    if (!this.survivesBugs) throw error;
    this.bugHalt.failed(error);
  }

  /** The same as `step` in a bot that is halted for a bug: what fails again ends there, and the rest of the work goes on. */
  #guarded(event: events.EngineEvent): void {
    try {
      this.take(event);
    } catch (error) {
      this.bugHalt.failed(error);
      this.dueTimers.again(this.core.now);
      if (event.kind === OPERATE) event.result = failedCommand(error);
    }
    for (let failures = 0; this.pendingWork.isSome && failures < FAILURES_MOST; failures++) {
      try {
        this.drain();
      } catch (error) {
        this.bugHalt.failed(error);
      }
    }
  }

  /** Dispatches an event by its kind. */
  private take(event: events.EngineEvent): void {
    switch (event.kind) {
      case QUOTE:
        return this.dispatch.pushed(this.subscribersOf(event.instrument), event.price, event.size, event.askPrice, event.askSize);
      case TRADE:
        return this.#trade(this.subscribersOf(event.instrument), event.price, event.size, event.side);
      case PUSHED_FILL:
        return this.venueEvents.pushedFill(event.seq, event.size, event.price);
      case ACCEPTED:
        return this.venueEvents.accepted(event.seq, event.text);
      case TIMERS:
        return this.dueTimers.run(event.at);
      case ANSWERED:
        return this.venueEvents.answered(event.query!, event.answer!, event.sentAt, event.venueTime);
      case PUSHED_END:
        return this.venueEvents.pushedEnd(event.seq, event.effect);
      case REJECTED:
        return this.venueEvents.rejected(event.seq, event.rejection!);
      case UNSENT:
        return this.executor.unsent(event.seq, event.text);
      case UNKNOWN:
        return this.venueEvents.unknown(event.seq, event.text);
      case FAILED:
        return this.venueEvents.failed(event.query!, event.text);
      case PUSHED_OWN_FILL:
        return this.venueEvents.pushedOwnFill(2 * event.instrument + event.side, event.effect, event.size, event.price);
      default:
        return this.#rare(event);
    }
  }

  #rare(event: events.EngineEvent): void {
    const { lifecycle } = this;
    switch (event.kind) {
      case START:
        return lifecycle.start();
      case STOP:
        return lifecycle.stop();
      case OPERATE:
        event.result = this.operator.run(event.command!);
        return;
      case CANCEL_AGAIN:
        return this.executor.cancelAgain();
      case CLOCK_SKEW:
        return this.clock.set(event.text);
      case JOURNAL_AWAY:
        return lifecycle.journalAway(event.size === 1);
      case events.NEW_EPOCH:
        return lifecycle.newEpoch();
      case events.JOURNAL_UNSAFE:
        return lifecycle.journalUnsafe(event.text);
      case events.JOURNAL_BEHIND:
        return void this.core.halts.hold('all', 'journal-rollback', event.text);
      case ROTATE_EPOCH:
        return lifecycle.rotateEpoch();
      case RECORDED:
        return this.parts.historyReads?.recorded(event.instrument, event.text, event.bars!, event.venueTime);
      case HISTORY:
        return this.dispatch.history(event.instrument, event.text, event.bars!, event.venueTime);
      default:
        return this.#ofBars(event);
    }
  }

  /** Bars of a backtest (run/backtest/loop/bar-drive.ts). */
  #ofBars({ kind, instrument, price, askPrice, size, ended }: events.EngineEvent): void {
    const { dispatch, core } = this;
    switch (kind) {
      case QUIET_BARS:
        return this.#quietBars(ended!);
      case INSIDE_BAR:
        core.inside.isOpen = true;
        return;
      case PATH:
        return dispatch.barEnds.path(this.subscribersOf(instrument), price, askPrice, size);
      case BARS:
        return this.#barsEnd(ended!);
      case QUOTED:
        return dispatch.barEnds.quoted();
      default:
        throw new AssertionError(`no kind of event has the number ${kind}`);
    }
  }

  #barsEnd(ended: EndedBars): void {
    const { core, dispatch } = this;
    const { barEnds, runners } = dispatch;
    ended.tell(barEnds);
    core.inside.isOpen = false;
    this.parts.losses.barsEnd(core.now);
    this.dueTimers.note(core.now);
    this.delivery.flush();
    for (let k = 0; k < runners.length; k++) runners[k]!.flushExits();
    barEnds.bars();
  }

  /** The same without what can only follow from a bar that was played. */
  #quietBars(ended: EndedBars): void {
    const { core, pendingWork, dueTimers } = this;
    const { barEnds } = this.dispatch;
    const { losses } = this.parts;
    while (ended.next()) {
      core.readClock();
      if (barEnds.isAlone(ended.only) && !losses.isOn && !dueTimers.isDue(core.now)) ended.tellAlone(barEnds);
      else {
        ended.tell(barEnds);
        losses.barsEnd(core.now);
        dueTimers.note(core.now);
        barEnds.bars();
      }
      if (pendingWork.isSome) this.drain();
      if (dueTimers.isDue(core.now)) dueTimers.run(core.now);
      barEnds.quoted();
      if (pendingWork.isSome) this.drain();
    }
  }

  /** A trade without subscribers is only stored. */
  #trade(subscribers: Subscribers, price: number, size: number, aggressor: number): void {
    const { now } = this.core;
    this.dispatch.priceNotes.saw(subscribers.market.index, price, price, now);
    if (subscribers.wantsTrades) return this.dispatch.print(subscribers, price, size, aggressor, now);
    const marketState = subscribers.marketState;
    if (marketState.filter.trade(price, marketState.reference, marketState.seenAt, now)) marketState.trade(price, now, now);
  }

  /** Outcomes and answers may arrive inside a step; market data and timers may not. */
  #later(event: events.EngineEvent): void {
    if (event.kind <= TRADE || event.kind >= OPERATE) throw insideStep();
    this.queue.push(event);
    this.pendingWork.isSome = true;
  }

  #enter(): void {
    if (this.isBusy) throw insideStep();
    this.isBusy = true;
    this.core.readClock();
  }

  private leave(): void {
    if (this.pendingWork.isSome) this.drain();
    this.isBusy = false;
  }

  /** Calls the strategies' handlers for queued events and processes events that arrived meanwhile, until nothing is left. */
  private drain(): void {
    const { pendingWork, strategyEvents, unwritten } = this.core;
    const { quoteQueue } = this.parts;
    const queue = this.queue;
    this.delivery.beginStep();
    for (;;) {
      if (strategyEvents.count > 0) this.delivery.next();
      else if (!quoteQueue.isEmpty) this.quotes.settle(quoteQueue.shift());
      else if (queue.count > 0) this.take(queue.shift());
      else if (unwritten.count > 0) unwritten.write();
      else break;
    }
    pendingWork.isSome = false;
  }
}

function insideStep(): AssertionError {
  return new AssertionError('one step at a time: market data, timers and commands do not come from inside a step'); // hot-ok: a bug
}
