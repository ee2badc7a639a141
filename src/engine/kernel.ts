/**
 * What the bot believes, as one synchronous machine. `step` is its one door: an event comes in, state changes, strategies are asked,
 * commands go out. It reads no clock, for every event has its time, and waits for nothing. @hot
 * size: one case for each kind of event
 */
import { assert, AssertionError } from '../base/assert.ts';
import type { NextDeadline } from '../base/next-deadline.ts';
import type { Command } from '../domain/command.ts';
import type { TimerQueue } from '../base/timer-queue.ts';
import { assemble, type Parts } from './assembly.ts';
import type { Subscribers } from './strategy/subscribers.ts';
import type { Core } from './state/core.ts';
import type { Dispatch } from './strategy/dispatch.ts';
import { ClockHalt } from './risk/clock-halt.ts';
import * as events from './event.ts';
import { EventQueue, type EngineEvent } from './event.ts';
import type { Executor } from './orders/executor.ts';
import { InFlightWatch } from './orders/in-flight-watch.ts';
import { VenueEvents } from './venue-events.ts';
import type { PendingWork } from './state/pending-work.ts';
import * as exits from './orders/open-exits.ts';
import type { Quotes } from './strategy/quotes.ts';
import { Lifecycle } from './lifecycle.ts';
import { KernelInbox, type EventTaker } from './inbox.ts';
import { Operator } from './operator/operator.ts';
import type { KernelOptions } from './options.ts';
import type { KernelSnapshot } from './recovery/kernel-snapshot.ts';
import type { SavedOrder } from './state/saved.ts';
import type { KernelPhase } from './state/trading-state.ts';
import type { SavedHalt } from './state/halt-codes.ts';
import { RowTaker, type QuietBand, type QuoteRows, type RowClock, type TradeRows } from './strategy/rows.ts';
import type { PollPlan } from './polling/schedule.ts';
import { statusOf, type KernelStatus } from './status.ts';
import type { Market } from './strategy/types.ts';

const { ACCEPTED, ANSWERED, CANCEL_AGAIN, CLOCK_SKEW, FAILED, JOURNAL_AWAY, OPERATE, PUSHED_END, PUSHED_FILL, PUSHED_OWN_FILL, QUOTE } =
  events;
const { REJECTED, ROTATE_EPOCH, START, STOP, TIMERS, TRADE, UNKNOWN, UNSENT } = events;

export class Kernel implements EventTaker {
  /** The calls that hand events in. */
  readonly inbox: KernelInbox;
  declare private readonly parts: Parts;
  declare private readonly core: Core;
  declare private readonly executor: Executor;
  declare private readonly dispatch: Dispatch;
  declare private readonly pendingWork: PendingWork;
  declare private readonly timerQueue: TimerQueue;
  declare private readonly lifecycle: Lifecycle;
  declare private readonly venueEvents: VenueEvents;
  declare private readonly queue: EventQueue;
  declare private readonly quotes: Quotes;
  declare private readonly operator: Operator;
  declare private readonly clock: ClockHalt;
  private isBusy = false;

  /** @throws StrategyError, ParamError, PollPlanError, ScaleError when the options cannot be run */
  constructor(options: KernelOptions) {
    const parts = assemble(options);
    this.parts = parts;
    this.core = parts.core;
    this.core.inFlight.watch = new InFlightWatch(parts.core, parts.resolver); // hot-ok: construction
    this.pendingWork = parts.core.pendingWork;
    this.timerQueue = parts.core.timerQueue;
    this.queue = new EventQueue(); // hot-ok: construction
    this.executor = parts.executor;
    this.dispatch = parts.dispatch;
    this.lifecycle = new Lifecycle(parts); // hot-ok: construction
    this.quotes = parts.quotes;
    this.operator = new Operator({ ...parts, settle: (seq, venueId) => this.lifecycle.settle(seq, venueId) }); // hot-ok: construction
    this.clock = new ClockHalt(parts.core); // hot-ok: construction
    this.venueEvents = new VenueEvents(parts); // hot-ok: construction
    this.inbox = new KernelInbox(this, options.clock); // hot-ok: construction
  }

  /** When `runTimers` wants to be called next; Infinity when nothing is due. */
  get nextTimer(): number {
    return this.timerQueue.next;
  }

  /** Where to note what `nextTimer` becomes. */
  set nextDeadline(nextDeadline: NextDeadline) {
    this.timerQueue.nextDeadline = nextDeadline;
  }

  get phase(): KernelPhase {
    return this.core.tradingState.phase;
  }

  /** True once the venue has taken none of the first reads for ours, several times: the kernel will not be armed. */
  get isTurnedAway(): boolean {
    return this.core.tradingState.isTurnedAway;
  }

  /** What is asked and how often; null when the venue pushes. */
  get plan(): PollPlan | null {
    return this.parts.plan;
  }

  /** The views of all instruments, for a status line. */
  get markets(): readonly Market[] {
    return this.parts.markets;
  }

  /** True when no command is on its way and no cancel is to be sent again: nothing is forgotten by stopping now. */
  get isQuiet(): boolean {
    return this.core.inFlight.count === 0 && this.parts.resolver.cancels.pending === 0;
  }

  /** Orders that may be open at the venue, also those of unknown fate and of symbols that are not configured. */
  liveOrders(): readonly SavedOrder[] {
    return this.lifecycle.liveOrders();
  }

  /** How many live orders are to be cancelled and are not cancelled yet. */
  get cancelsOutstanding(): number {
    return this.executor.cancelsOutstanding();
  }

  /** Whether reads of orders and positions decide about a close or a cancel now. */
  get hasOpenExit(): boolean {
    return exits.hasOpenExit(this.core);
  }

  status(): KernelStatus {
    return statusOf(this.parts);
  }

  halts(): readonly SavedHalt[] {
    return this.core.halts.all();
  }

  refusals(): number {
    return this.executor.refusals;
  }

  /** Takes over what a kernel before this one knew. Before `start`. */
  restore(snapshot: KernelSnapshot): void {
    assert(this.phase === 'new', 'belief is restored before the start');
    this.lifecycle.restore(snapshot);
  }

  /** All that has to be known again after a restart; asks the strategies for their state. */
  snapshot(): KernelSnapshot {
    return this.lifecycle.snapshot();
  }

  /** Nothing is asked or sent any more. */
  close(): void {
    this.lifecycle.close();
  }

  /** By strategy: parameters that were set while the bot ran. */
  get paramsSet(): Readonly<Record<string, Readonly<Record<string, string>>>> {
    return this.parts.remaker.given;
  }

  /** Whether the command opens something where opens are halted by now: asked again right before its bytes leave. */
  isHalted(command: Command): boolean {
    return this.operator.isHalted(command);
  }

  /** The record of an instrument's market and of who is told of it. */
  subscribersOf(i: number): Subscribers {
    return this.dispatch.allSubscribers[i]!;
  }

  /**
   * onTrade for rows `from` up to `to` as long as they are calm and until a handler acts; gives the first row not taken. `taker` puts
   * the clock where a row is.
   */
  takeTrades(taker: RowTaker, subscribers: Subscribers, rows: TradeRows, from: number, to: number, quietBand: QuietBand): number {
    this.#enter();
    const next = taker.trades(subscribers, rows, from, to, quietBand);
    this.leave();
    return next;
  }

  /** onQuote for rows `from` up to `to` under the same terms. */
  takeQuotes(taker: RowTaker, subscribers: Subscribers, rows: QuoteRows, from: number, to: number, quietBand: QuietBand): number {
    this.#enter();
    const next = taker.quotes(subscribers, rows, from, to, quietBand);
    this.leave();
    return next;
  }

  /**
   * Makes what hands over whole columns; `clock` must be the one that the kernel reads. `Taker` may be another copy of the class, so
   * that a run does not share its hottest call with the strategies of runs before it.
   */
  rowTaker(clock: RowClock, Taker: typeof RowTaker = RowTaker): RowTaker {
    return new Taker(this.core, this.dispatch, clock); // hot-ok: once
  }

  /** Takes one event, whatever it is. What arrives meanwhile is taken after it, as a part of the same step. */
  step(event: EngineEvent): void {
    if (this.isBusy) return this.#later(event);
    this.isBusy = true;
    this.core.now = event.at;
    this.take(event);
    if (this.pendingWork.isSome) this.drain();
    this.isBusy = false;
  }

  /** What each kind of event does. */
  private take(event: EngineEvent): void {
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
        return this.#timers(event.at);
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

  #rare(event: EngineEvent): void {
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
      case ROTATE_EPOCH:
        return lifecycle.rotateEpoch();
      default:
        throw new AssertionError(`no kind of event has the number ${event.kind}`); // hot-ok: a bug
    }
  }

  /** One that nobody wants is only noted. */
  #trade(subscribers: Subscribers, price: number, size: number, aggressor: number): void {
    const now = this.core.now;
    if (subscribers.wantsTrades) return this.dispatch.print(subscribers, price, size, aggressor, now);
    const seen = subscribers.seen;
    if (seen.filter.trade(price, seen.reference, seen.seenAt, now)) seen.trade(price, now, now);
  }

  #timers(now: number): void {
    const timerQueue = this.timerQueue;
    for (let id = timerQueue.take(now); id >= 0; id = timerQueue.take(now)) {
      timerQueue.run(id, now);
      if (this.pendingWork.isSome) this.drain();
    }
  }

  /** Outcomes and answers may come from inside a step, market data and timers do not. */
  #later(event: EngineEvent): void {
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

  /** Tells strategies what happened and takes what arrived meanwhile, until nothing is left. */
  private drain(): void {
    const { pendingWork, strategyEvents, quoteQueue } = this.core; // hot-ok: a pattern, nothing is made
    const queue = this.queue;
    this.dispatch.beginStep();
    for (;;) {
      if (strategyEvents.count > 0) this.dispatch.tell();
      else if (!quoteQueue.isEmpty) this.quotes.settle(quoteQueue.shift());
      else if (queue.count > 0) this.take(queue.shift());
      else break;
    }
    pendingWork.isSome = false;
  }
}

function insideStep(): AssertionError {
  return new AssertionError('one step at a time: market data, timers and commands do not come from inside a step'); // hot-ok: a bug
}
