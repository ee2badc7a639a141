/**
 * The bot's belief as one synchronous machine: an event comes in, state changes, strategies are asked, commands go out. It reads no
 * clock but its port and waits for nothing; what arrives while a step is taken is taken after it. @hot
 * size: one method per event of the port, each with its way around a running step
 */
import { assert, AssertionError } from '../base/assert.ts';
import type { Soonest } from '../base/soonest.ts';
import type { Command } from '../domain/command.ts';
import type { Rejection } from '../domain/outcome.ts';
import type { Answer, PushInbox, Query } from '../ports/venue.ts';
import type { Agenda } from './agenda.ts';
import { assemble, type Parts } from './assembly.ts';
import type { Audience } from './audience.ts';
import type { Core } from './core.ts';
import type { Dispatch } from './dispatch.ts';
import { ClockHalt } from './exec/clock-halt.ts';
import type { Executor } from './exec/executor.ts';
import { FlightWatch } from './exec/flight-watch.ts';
import * as events from './exec/inbox-queue.ts';
import { InboxQueue } from './exec/inbox-queue.ts';
import { Intake } from './exec/intake.ts';
import type { News } from './exec/news.ts';
import type { Quotes } from './exec/quotes.ts';
import { Lifecycle } from './lifecycle.ts';
import { Operator, type OperatorCommand, type OperatorResult } from './operator.ts';
import type { KernelOptions, KernelPhase, KernelSnapshot, SavedHalt, SavedOrder } from './options.ts';
import { RowTaker, type Calm, type QuoteRows, type RowClock, type TradeRows } from './rows.ts';
import type { PollPlan } from './schedule.ts';
import { statusOf, type KernelStatus } from './status.ts';
import type { Market } from './types.ts';

const { ACCEPTED, ANSWERED, FAILED, PUSHED_END, PUSHED_FILL, PUSHED_OWN_FILL, REJECTED, UNKNOWN, UNSENT } = events;

export class Kernel implements PushInbox {
  declare private readonly parts: Parts;
  declare private readonly core: Core;
  declare private readonly executor: Executor;
  declare private readonly dispatch: Dispatch;
  declare private readonly news: News;
  declare private readonly agenda: Agenda;
  declare private readonly lifecycle: Lifecycle;
  declare private readonly intake: Intake;
  declare private readonly queue: InboxQueue;
  declare private readonly quotes: Quotes;
  declare private readonly operator: Operator;
  declare private readonly clock: ClockHalt;
  private isBusy = false;

  /** @throws StrategyError, ParamError, PollPlanError, ScaleError when the options cannot be run */
  constructor(options: KernelOptions) {
    const parts = assemble(options);
    this.parts = parts;
    this.core = parts.core;
    this.core.flights.watch = new FlightWatch(parts.core, parts.resolver); // hot-ok: construction
    this.news = parts.core.news;
    this.agenda = parts.core.agenda;
    this.queue = new InboxQueue(parts.core.news); // hot-ok: construction
    this.executor = parts.executor;
    this.dispatch = parts.dispatch;
    this.lifecycle = new Lifecycle(parts); // hot-ok: construction
    this.quotes = parts.quotes;
    this.operator = new Operator({ ...parts, settle: (seq, venueId) => this.lifecycle.settle(seq, venueId) }); // hot-ok: construction
    this.clock = new ClockHalt(parts.core); // hot-ok: construction
    this.intake = new Intake(parts); // hot-ok: construction
  }

  /** When `runTimers` wants to be called next; Infinity when nothing is due. */
  get nextTimer(): number {
    return this.agenda.next;
  }

  /** Where to note what `nextTimer` becomes. */
  set soonest(soonest: Soonest) {
    this.agenda.soonest = soonest;
  }

  get phase(): KernelPhase {
    return this.core.standing.phase;
  }

  /** True once the venue has taken none of the first reads for ours, several times: the kernel will not be armed. */
  get isTurnedAway(): boolean {
    return this.core.standing.isTurnedAway;
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
    return this.core.flights.count === 0 && this.parts.resolver.cancels.pending === 0;
  }

  /** Orders that may be open at the venue, also those of unknown fate and of symbols that are not configured. */
  liveOrders(): readonly SavedOrder[] {
    return this.lifecycle.liveOrders();
  }

  /** How many live orders are to be cancelled and are not cancelled yet. */
  get cancelsOutstanding(): number {
    return this.executor.cancelsOutstanding();
  }

  /** Sends the cancels again that came to nothing, without waiting for a read to show their orders. */
  cancelAgain(): void {
    this.#enter();
    this.executor.cancelAgain();
    this.leave();
  }

  /** Figures for the status page and the live line. */
  status(): KernelStatus {
    return statusOf(this.parts);
  }

  /** Where nothing may be opened, and why. */
  halts(): readonly SavedHalt[] {
    return this.core.halts.all();
  }

  /** How many intents were refused so far. */
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

  /** Starts to reconcile; strategies start when belief agrees with the venue. A pushed venue needs no reconciling. */
  start(): void {
    assert(this.phase === 'new', 'a kernel starts once');
    this.#enter();
    this.lifecycle.start();
    this.leave();
  }

  /** Lets strategies stop; from then on only cancels are taken. Pump until `isQuiet`, then `close`. */
  stop(): void {
    if (this.phase === 'stopped' || this.phase === 'stopping') return;
    this.#enter();
    this.lifecycle.stop();
    this.leave();
  }

  /** Nothing is asked or sent any more. */
  close(): void {
    this.lifecycle.close();
  }

  /** An operator says what became of an unknown order: its venue id when it landed, or null when it did not. False when there is none. */
  settle(seq: number, venueId: string | null): boolean {
    this.#enter();
    const isDone = this.lifecycle.settle(seq, venueId);
    this.leave();
    return isDone;
  }

  /** Carries out a command of a person or a program that operates the bot. */
  operate(command: OperatorCommand): OperatorResult {
    this.#enter();
    const result = this.operator.run(command);
    this.leave();
    return result;
  }

  /** By strategy: parameters that were set while the bot ran. */
  get paramsSet(): Readonly<Record<string, Readonly<Record<string, string>>>> {
    return this.parts.remaker.given;
  }

  /** Whether the command opens something where opens are halted by now: asked again right before its bytes leave. */
  isHalted(command: Command): boolean {
    return this.operator.isHalted(command);
  }

  /** Halts opens because the clocks do not agree, for the reason given; "" ends that. */
  clockHalt(why: string): void {
    this.#enter();
    this.clock.set(why);
    this.leave();
  }

  /** As `core.hold`, as a step of its own. */
  hold(scope: string, code: string, why: string): boolean {
    this.#enter();
    const isNew = this.core.hold(scope, code, why);
    this.leave();
    return isNew;
  }

  /** The journal cannot be written for a while: opens halt. When it is back, the venue is read as at a start, and then opens go on. */
  journalAway(isAway: boolean): void {
    this.#enter();
    this.lifecycle.journalAway(isAway);
    this.leave();
  }

  /** An operator says that the journal of unknown own orders is lost: later ids are of a new epoch, which is returned. */
  rotateEpoch(): number {
    this.#enter();
    const epoch = this.lifecycle.rotateEpoch();
    this.leave();
    return epoch;
  }

  /** Ends every halt within `scope` that a person may end; how many there were. */
  release(scope: string): number {
    this.#enter();
    const count = this.lifecycle.release(scope);
    this.leave();
    return count;
  }

  /** The record of an instrument's market and of who is told of it. */
  audienceOf(i: number): Audience {
    return this.dispatch.audiences[i]!;
  }

  /** A quote that is seen the moment it is made. */
  onQuote(i: number, bid: number, bidSize: number, ask: number, askSize: number): void {
    this.onQuoteHeld(this.audienceOf(i), bid, bidSize, ask, askSize);
  }

  /** The same for who holds the instrument's record. */
  onQuoteHeld(audience: Audience, bid: number, bidSize: number, ask: number, askSize: number): void {
    this.#enter();
    this.dispatch.pushed(audience, bid, bidSize, ask, askSize);
    this.leave();
  }

  /** A trade that is seen the moment it is made. */
  onTrade(i: number, price: number, size: number, aggressor: number): void {
    this.onTradeHeld(this.audienceOf(i), price, size, aggressor);
  }

  /** The same for who holds the instrument's record. One that nobody wants is noted: no step is taken. */
  onTradeHeld(audience: Audience, price: number, size: number, aggressor: number): void {
    if (audience.wantsTrades) return this.#print(audience, price, size, aggressor);
    if (this.isBusy) throw insideStep();
    this.core.readClock();
    const seen = audience.seen;
    const now = this.core.now;
    if (seen.filter.trade(price, seen.reference, seen.seenAt, now)) seen.trade(price, now, now);
  }

  #print(audience: Audience, price: number, size: number, aggressor: number): void {
    this.#enter();
    this.dispatch.print(audience, price, size, aggressor, this.core.now);
    this.leave();
  }

  /**
   * onTrade for rows `from` up to `to` as long as they are calm and until a handler acts; gives the first row not taken. `taker` puts
   * the clock where a row is.
   */
  takeTrades(taker: RowTaker, audience: Audience, rows: TradeRows, from: number, to: number, calm: Calm): number {
    this.#enter();
    const next = taker.trades(audience, rows, from, to, calm);
    this.leave();
    return next;
  }

  /** onQuote for rows `from` up to `to` under the same terms. */
  takeQuotes(taker: RowTaker, audience: Audience, rows: QuoteRows, from: number, to: number, calm: Calm): number {
    this.#enter();
    const next = taker.quotes(audience, rows, from, to, calm);
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

  /** Runs all that is due at `now`: strategy timers, polls, bars, probes. */
  runTimers(now: number): void {
    const agenda = this.agenda;
    if (agenda.next > now) return;
    this.#enter();
    for (let id = agenda.take(now); id >= 0; id = agenda.take(now)) {
      agenda.run(id, now);
      if (this.news.isSome) this.drain();
    }
    this.leave();
  }

  accepted(seq: number, venueId: string): void {
    if (this.isBusy) {
      this.queue.push(ACCEPTED, seq).text = venueId;
      return;
    }
    this.begin();
    this.intake.accepted(seq, venueId);
    this.leave();
  }

  rejected(seq: number, rejection: Rejection): void {
    if (this.isBusy) {
      this.queue.push(REJECTED, seq).rejection = rejection;
      return;
    }
    this.begin();
    this.intake.rejected(seq, rejection);
    this.leave();
  }

  unsent(seq: number, cause: string): void {
    if (this.isBusy) {
      this.queue.push(UNSENT, seq).text = cause;
      return;
    }
    this.begin();
    this.executor.unsent(seq, cause);
    this.leave();
  }

  unknown(seq: number, cause: string): void {
    if (this.isBusy) {
      this.queue.push(UNKNOWN, seq).text = cause;
      return;
    }
    this.begin();
    this.intake.unknown(seq, cause);
    this.leave();
  }

  answered(query: Query, answer: Answer, sentAt: number, venueTime: number): void {
    if (this.isBusy) {
      const event = this.queue.push(ANSWERED, 0);
      event.query = query;
      event.answer = answer;
      event.a = sentAt;
      event.b = venueTime;
      return;
    }
    this.begin();
    this.intake.answered(query, answer, sentAt, venueTime);
    this.leave();
  }

  failed(query: Query, cause: string): void {
    if (this.isBusy) {
      const event = this.queue.push(FAILED, 0);
      event.query = query;
      event.text = cause;
      return;
    }
    this.begin();
    this.intake.failed(query, cause);
    this.leave();
  }

  pushedFill(seq: number, size: number, price: number, _fee: number, _liquidity: number): void {
    if (this.isBusy) {
      const event = this.queue.push(PUSHED_FILL, seq);
      event.a = size;
      event.b = price;
      return;
    }
    this.begin();
    this.intake.pushedFill(seq, size, price);
    this.leave();
  }

  pushedOwnFill(instrument: number, side: number, effect: number, size: number, price: number): void {
    const leg = 2 * instrument + side;
    if (this.isBusy) {
      const event = this.queue.push(PUSHED_OWN_FILL, leg);
      event.a = effect;
      event.b = size;
      event.c = price;
      return;
    }
    this.begin();
    this.intake.pushedOwnFill(leg, effect, size, price);
    this.leave();
  }

  pushedEnd(seq: number, how: number): void {
    if (this.isBusy) {
      this.queue.push(PUSHED_END, seq).a = how;
      return;
    }
    this.begin();
    this.intake.pushedEnd(seq, how);
    this.leave();
  }

  #enter(): void {
    if (this.isBusy) throw insideStep();
    this.begin();
  }

  // As short as it can be said: what is this short has its place in the code of every event.
  private begin(): void {
    this.isBusy = true;
    this.core.readClock();
  }

  private leave(): void {
    if (this.news.isSome) return this.#leaveWithNews();
    this.isBusy = false;
  }

  #leaveWithNews(): void {
    this.drain();
    this.isBusy = false;
  }

  /** Tells strategies what happened and takes what arrived meanwhile, until nothing is left. */
  private drain(): void {
    const { news, notices, quoteQueue } = this.core; // hot-ok: a pattern, nothing is made
    const queue = this.queue;
    this.dispatch.beginStep();
    for (;;) {
      if (notices.count > 0) this.dispatch.tell();
      else if (!quoteQueue.isEmpty) this.quotes.settle(quoteQueue.shift());
      else if (queue.count > 0) this.intake.take(queue.shift());
      else break;
    }
    news.isSome = false;
  }
}

function insideStep(): AssertionError {
  return new AssertionError('one step at a time: market data and timers do not come from inside a step'); // hot-ok: a bug
}
