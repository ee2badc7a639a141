/**
 * The bot's belief as one synchronous machine: an event comes in, state changes, strategies are asked, commands go out. It reads no
 * clock but its port and waits for nothing; what arrives while a step is taken is taken after it. @hot
 */
import { assert } from '../base/assert.ts';
import { MARKET, PLACE } from '../domain/codes.ts';
import type { Rejection } from '../domain/outcome.ts';
import type { Clock } from '../ports/clock.ts';
import type { Answer, PushInbox, Query } from '../ports/venue.ts';
import type { OrderReads } from './belief/order-reads.ts';
import type { PositionReads } from './belief/position-reads.ts';
import { assemble, type Parts } from './assembly.ts';
import type { Core } from './core.ts';
import type { Dispatch } from './dispatch.ts';
import { endOrder, fillOrder, moveLeg } from './exec/ending.ts';
import type { Executor } from './exec/executor.ts';
import { FlightWatch } from './exec/flight-watch.ts';
import { ACCEPTED, ANSWERED, FAILED, InboxQueue, PUSHED_END, PUSHED_FILL, PUSHED_OWN_FILL, REJECTED, UNKNOWN, UNSENT } from './exec/inbox-queue.ts';
import { Lifecycle } from './lifecycle.ts';
import type { KernelOptions, KernelPhase, KernelSnapshot } from './options.ts';
import type { Asks } from './reads/asks.ts';
import type { Poller } from './reads/poller.ts';
import type { Resolver } from './resolve.ts';
import { RowTaker, type QuoteRows, type RowClock, type TradeRows } from './rows.ts';
import type { PollPlan } from './schedule.ts';
import { statusOf, type KernelStatus } from './status.ts';
import type { Market } from './types.ts';

export class Kernel implements PushInbox {
  /** When `runTimers` wants to be called next; Infinity when nothing is due. */
  nextTimer = Infinity;
  readonly #parts: Parts;
  readonly #core: Core;
  readonly #clock: Clock;
  readonly #executor: Executor;
  readonly #dispatch: Dispatch;
  readonly #asks: Asks;
  readonly #orderReads: OrderReads;
  readonly #positionReads: PositionReads;
  readonly #resolver: Resolver;
  readonly #poller: Poller | null;
  readonly #watch: FlightWatch;
  readonly #lifecycle: Lifecycle;
  readonly #queue = new InboxQueue();
  #isBusy = false;

  /** @throws StrategyError, ParamError, PollPlanError, ScaleError when the options cannot be run */
  constructor(options: KernelOptions) {
    const parts = assemble(options);
    this.#parts = parts;
    this.#core = parts.core;
    this.#clock = options.clock;
    this.#executor = parts.executor;
    this.#dispatch = parts.dispatch;
    this.#asks = parts.asks;
    this.#orderReads = parts.orderReads;
    this.#positionReads = parts.positionReads;
    this.#resolver = parts.resolver;
    this.#poller = parts.poller;
    this.#watch = new FlightWatch(parts.core, parts.resolver); // hot-ok: construction
    this.#lifecycle = new Lifecycle(parts); // hot-ok: construction
  }

  get phase(): KernelPhase {
    return this.#core.standing.phase;
  }

  /** What is asked and how often; null when the venue pushes. */
  get plan(): PollPlan | null {
    return this.#parts.plan;
  }

  /** The views of all instruments, for a status line. */
  get markets(): readonly Market[] {
    return this.#parts.markets;
  }

  /** True when no command is on its way: nothing is forgotten by stopping now. */
  get isQuiet(): boolean {
    return this.#core.flights.count === 0;
  }

  /** Figures for the status page and the live line. */
  status(): KernelStatus {
    return statusOf(this.#parts);
  }

  /** How many intents were refused so far. */
  refusals(): number {
    return this.#executor.refusals;
  }

  /** Takes over what a kernel before this one knew. Before `start`. */
  restore(snapshot: KernelSnapshot): void {
    assert(this.phase === 'new', 'belief is restored before the start');
    this.#lifecycle.restore(snapshot);
  }

  /** All that has to be known again after a restart; asks the strategies for their state. */
  snapshot(): KernelSnapshot {
    return this.#lifecycle.snapshot();
  }

  /** Starts to reconcile; strategies start when belief agrees with the venue. A pushed venue needs no reconciling. */
  start(): void {
    assert(this.phase === 'new', 'a kernel starts once');
    this.#enter();
    this.#lifecycle.start();
    this.#leave();
  }

  /** Lets strategies stop; from then on only cancels are taken. Pump until `isQuiet`, then `close`. */
  stop(): void {
    if (this.phase === 'stopped' || this.phase === 'stopping') return;
    this.#enter();
    this.#lifecycle.stop();
    this.#leave();
  }

  /** Nothing is asked or sent any more. */
  close(): void {
    this.#lifecycle.close();
    this.nextTimer = Infinity;
  }

  /** An operator says what became of an unknown order: its venue id when it landed, or null when it did not. False when there is none. */
  settle(seq: number, venueId: string | null): boolean {
    this.#enter();
    const isDone = this.#lifecycle.settle(seq, venueId);
    this.#leave();
    return isDone;
  }

  onQuote(i: number, bid: number, bidSize: number, ask: number, askSize: number, venueTime: number): void {
    this.#enter();
    this.#dispatch.quote(i, bid, bidSize, ask, askSize, venueTime);
    this.#leave();
  }

  onTrade(i: number, price: number, size: number, aggressor: number, venueTime: number): void {
    this.#enter();
    this.#dispatch.print(i, price, size, aggressor, venueTime);
    this.#leave();
  }

  /**
   * onTrade for rows `from` up to `to`, until a handler acts; gives the first row not taken. `rows` puts the clock where a row is.
   */
  takeTrades(taker: RowTaker, i: number, rows: TradeRows, from: number, to: number): number {
    this.#enter();
    const next = taker.trades(i, rows, from, to);
    this.#leave();
    return next;
  }

  /** onQuote for rows `from` up to `to` under the same terms. */
  takeQuotes(taker: RowTaker, i: number, rows: QuoteRows, from: number, to: number): number {
    this.#enter();
    const next = taker.quotes(i, rows, from, to);
    this.#leave();
    return next;
  }

  /** Makes what hands over whole columns; `clock` must be the one that the kernel reads. */
  rowTaker(clock: RowClock): RowTaker {
    return new RowTaker(this.#core, this.#dispatch, clock); // hot-ok: once
  }

  /** Runs all that is due at `now`: strategy timers, polls, bars, probes. */
  runTimers(now: number): void {
    const agenda = this.#core.agenda;
    if (agenda.next > now) return;
    this.#enter();
    for (let id = agenda.take(now); id >= 0; id = agenda.take(now)) {
      agenda.run(id, now);
      this.#drain();
    }
    this.#leave();
  }

  accepted(seq: number, venueId: string): void {
    if (this.#isBusy) {
      this.#queue.push(ACCEPTED, seq).text = venueId;
      return;
    }
    this.#enter();
    this.#accepted(seq, venueId);
    this.#leave();
  }

  rejected(seq: number, rejection: Rejection): void {
    if (this.#isBusy) {
      this.#queue.push(REJECTED, seq).rejection = rejection;
      return;
    }
    this.#enter();
    this.#rejected(seq, rejection);
    this.#leave();
  }

  unsent(seq: number, cause: string): void {
    if (this.#isBusy) {
      this.#queue.push(UNSENT, seq).text = cause;
      return;
    }
    this.#enter();
    this.#executor.unsent(seq, cause);
    this.#leave();
  }

  unknown(seq: number, cause: string): void {
    if (this.#isBusy) {
      this.#queue.push(UNKNOWN, seq).text = cause;
      return;
    }
    this.#enter();
    this.#resolver.unknown(seq, cause);
    this.#leave();
  }

  answered(query: Query, answer: Answer, sentAt: number, venueTime: number): void {
    if (this.#isBusy) {
      const event = this.#queue.push(ANSWERED, 0);
      event.query = query;
      event.answer = answer;
      event.a = sentAt;
      event.b = venueTime;
      return;
    }
    this.#enter();
    this.#answered(query, answer, sentAt);
    this.#leave();
  }

  failed(query: Query, cause: string): void {
    if (this.#isBusy) {
      const event = this.#queue.push(FAILED, 0);
      event.query = query;
      event.text = cause;
      return;
    }
    this.#enter();
    this.#failed(query, cause);
    this.#leave();
  }

  pushedFill(seq: number, size: number, price: number, _fee: number, _liquidity: number): void {
    if (this.#isBusy) {
      const event = this.#queue.push(PUSHED_FILL, seq);
      event.a = size;
      event.b = price;
      return;
    }
    this.#enter();
    this.#pushedFill(seq, size, price);
    this.#leave();
  }

  pushedOwnFill(instrument: number, side: number, effect: number, size: number, price: number): void {
    const leg = 2 * instrument + side;
    if (this.#isBusy) {
      const event = this.#queue.push(PUSHED_OWN_FILL, leg);
      event.a = effect;
      event.b = size;
      event.c = price;
      return;
    }
    this.#enter();
    moveLeg(this.#core, leg, effect, size, price);
    this.#leave();
  }

  pushedEnd(seq: number, how: number): void {
    if (this.#isBusy) {
      this.#queue.push(PUSHED_END, seq).a = how;
      return;
    }
    this.#enter();
    this.#pushedEnd(seq, how);
    this.#leave();
  }

  #enter(): void {
    assert(!this.#isBusy, 'one step at a time: market data and timers do not come from inside a step');
    this.#isBusy = true;
    this.#core.now = this.#clock.now();
  }

  #leave(): void {
    this.#drain();
    if (this.#core.flights.count > 0 && !this.#watch.isArmed) this.#watch.arm();
    this.nextTimer = this.#core.agenda.next;
    this.#isBusy = false;
  }

  /** Tells strategies what happened and takes what arrived meanwhile, until nothing is left. */
  #drain(): void {
    const notices = this.#core.notices;
    const queue = this.#queue;
    if (notices.count === 0 && queue.count === 0) return;
    this.#dispatch.beginStep();
    for (;;) {
      if (notices.count > 0) this.#dispatch.tell();
      else if (queue.count > 0) this.#take();
      else return;
    }
  }

  #take(): void {
    const event = this.#queue.shift();
    const { seq, text, a } = event; // hot-ok: a pattern, nothing is made
    switch (event.kind) {
      case ACCEPTED:
        return this.#accepted(seq, text);
      case REJECTED:
        return this.#rejected(seq, event.rejection!);
      case UNSENT:
        return this.#executor.unsent(seq, text);
      case UNKNOWN:
        return this.#resolver.unknown(seq, text);
      case ANSWERED:
        return this.#answered(event.query!, event.answer!, a);
      case FAILED:
        return this.#failed(event.query!, text);
      case PUSHED_FILL:
        return this.#pushedFill(seq, a, event.b);
      case PUSHED_OWN_FILL:
        return moveLeg(this.#core, seq, a, event.b, event.c);
      default:
        return this.#pushedEnd(seq, a);
    }
  }

  #accepted(seq: number, venueId: string): void {
    this.#executor.accepted(seq, venueId);
    if (this.#core.isPushed) return;
    const orders = this.#core.orders;
    const order = orders.find(seq);
    if (order === null || order.type !== MARKET || order.kind !== PLACE || !order.isLive) return;
    // A market order is never among the pending ones: its end is read at once, and the position after it.
    order.missing = 1;
    this.#orderReads.ask(order);
    this.#poller?.hasten('positions', order.instrument, this.#core.now);
  }

  #rejected(seq: number, rejection: Rejection): void {
    const { reason, message } = rejection; // hot-ok: a pattern, nothing is made
    if (reason === 'already-ordering') return this.#resolver.unknown(seq, reason);
    if (reason === 'duplicate-client-id' || reason === 'unauthorized') this.#lifecycle.haltAll(reason, seq);
    this.#executor.rejected(seq, reason, message);
  }

  #pushedFill(seq: number, size: number, price: number): void {
    const order = this.#core.orders.find(seq);
    assert(order !== null, 'a pushed fill is of a known order');
    fillOrder(this.#core, order, size, price);
  }

  #pushedEnd(seq: number, how: number): void {
    const order = this.#core.orders.find(seq);
    if (order !== null && order.isLive) endOrder(this.#core, order, how, '', '');
  }

  #answered(query: Query, answer: Answer, sentAt: number): void {
    const asker = this.#asks.take(query);
    if (asker === undefined) return;
    switch (answer.kind) {
      case 'quotes':
        this.#dispatch.quotes(answer.quotes);
        break;
      case 'stats':
        this.#dispatch.stats(answer.stats);
        break;
      case 'account':
        this.#positionReads.account(answer.account);
        break;
      case 'pending':
        this.#orderReads.pending(query, answer.orders, sentAt);
        break;
      case 'history':
        this.#orderReads.history(answer.orders, sentAt);
        break;
      case 'positions':
        this.#positionReads.positions(query, answer.positions, sentAt);
        break;
      case 'trades':
        break;
    }
    if (this.#resolver.count > 0) this.#resolver.sweep();
    asker?.answered(query, answer, sentAt);
  }

  #failed(query: Query, cause: string): void {
    const asker = this.#asks.take(query);
    if (asker === undefined) return;
    this.#core.tally.count('read-failed', query.kind, this.#core.now, { kind: query.kind, cause }); // hot-ok: only when a read failed
    asker?.failed(query, cause);
  }
}
