/** Applies venue events to local state: outcomes, answers, pushes. The kernel decides when. @hot */
import { AssertionError } from '../base/failure/assert.ts';
import * as codes from '../domain/codes.ts';
import { directionOf } from '../domain/codes.ts';
import * as states from '../domain/orders/order.ts';
import type { Rejection } from '../domain/orders/outcome.ts';
import { READ_KINDS } from '../ports/read-kinds.ts';
import { EMPTY_CAUSES, UNREACHABLE_CAUSES, type Answer, type Query } from '../ports/venue.ts';
import type { Parts } from './assembly.ts';
import type { KernelState } from './state/kernel-state.ts';
import type { Order } from './state/orders/orders.ts';
import type { Bookings } from './orders/bookings.ts';
import type { Executor } from './orders/executor.ts';
import { DroppedReads } from './positions/dropped-reads.ts';
import type { QueryOwner } from './polling/queries.ts';
import { ReadFailures } from './polling/read-failures.ts';
import { isKeyRefused } from './polling/key-watch.ts';
import { onlyMakes } from '../domain/orders/time-in-force.ts';

const { BUY, CLOSE, MARKET, PLACE } = codes;
const { FILLED } = states;

export class VenueEvents {
  /** When the last answer of each kind came; 0 before the first. */
  readonly readAt = { account: 0, history: 0, pending: 0, positions: 0, quotes: 0, stats: 0, trades: 0, withdrawals: 0, 'spot-symbols': 0 };
  readonly failing = new ReadFailures();
  declare private readonly deps: Parts;
  declare private readonly core: KernelState;
  declare private readonly executor: Executor;
  declare private readonly bookings: Bookings;
  declare private readonly droppedReads: DroppedReads;

  constructor(deps: Parts) {
    this.deps = deps;
    this.core = deps.core;
    this.executor = deps.executor;
    this.bookings = deps.bookings;
    this.droppedReads = new DroppedReads(deps.core, () => deps.poller?.pollNow('positions', -1, deps.core.now));
  }

  accepted(seq: number, venueId: string): void {
    this.deps.keyWatch.commandAnswered();
    this.executor.accepted(seq, venueId);
    if (!this.core.fills.readsOrders) return;
    if (this.deps.resolver.isWatching) this.deps.resolver.sweep();
    const orders = this.core.orders;
    const order = orders.find(seq);
    if (order === null) return;
    this.deps.watch?.accepted(order);
    if (order.kind !== PLACE || !order.isAlive) return;
    // A marketable order has filled by now, and a market order is never among the pending ones. Its record is read at once, and the
    // position after it.
    if (order.type === MARKET || this.#takes(order)) this.deps.orderReads.ask(order);
  }

  /** True if the limit price of the order reaches the opposite quote last observed. */
  #takes(order: Order): boolean {
    const { market } = order.context;
    if (onlyMakes(order.force)) return false;
    if (directionOf(order.side, order.effect) === BUY) return market.ask > 0 && order.price >= market.ask;
    return order.price <= market.bid;
  }

  rejected(seq: number, rejection: Rejection): void {
    const { reason, message } = rejection;
    if (reason === 'unauthorized') this.deps.keyWatch.commandRefused(reason, seq, message);
    else this.deps.keyWatch.commandAnswered();
    // A request with this client id is in progress, perhaps this one.
    if (reason === 'already-ordering') return this.deps.resolver.unknown(seq, reason);
    if (reason === 'duplicate-client-id') {
      this.#haltAll('id-reused', seq, message);
      return this.deps.resolver.unknown(seq, reason);
    }
    const order = this.core.orders.find(seq);
    if (order !== null) this.deps.watch?.rejected(order, reason);
    this.executor.rejected(seq, reason, message);
    if (this.deps.resolver.isWatching) this.deps.resolver.sweep();
  }

  /** An answer to another request, or a refused key, also halts opens: the next order would fail the same way. */
  unknown(seq: number, cause: string): void {
    if (cause === 'response-mixup') this.#haltAll(cause, seq, '');
    if (isKeyRefused(cause)) this.deps.keyWatch.commandRefused(cause, seq, '');
    else this.deps.keyWatch.commandEnded();
    this.deps.resolver.unknown(seq, cause);
  }

  /** Halts all opens until an operator resumes. */
  #haltAll(code: 'id-reused' | 'response-mixup', seq: number, message: string): void {
    const detail = 'command ' + seq + (message === '' ? '' : ': ' + message);
    this.core.halts.hold('all', code, detail);
  }

  pushedFill(seq: number, size: number, price: number): void {
    const order = this.core.orders.at(seq);
    if (order.seq !== seq) return this.#filled(this.#older(seq), size, price);
    this.#filled(order, size, price);
  }

  /** An order whose ring slot was taken. */
  #older(seq: number): Order {
    const order = this.core.orders.find(seq);
    if (order === null) throw new AssertionError('a pushed fill is of a known order');
    return order;
  }

  #filled(order: Order, size: number, price: number): void {
    this.bookings.arrived(order);
    this.bookings.fill(order, size, price);
    if (order.remaining === 0 && order.isAlive) this.bookings.end(order, FILLED, '', '');
    // Fills are pushed in the order of the venue: brackets of a flat leg have ended there.
    if (order.effect === CLOSE && this.core.brackets.isAny && order.leg.total === 0) this.core.brackets.flat(order.leg.index);
  }

  /** A fill without an own order: a bracket or a liquidation. */
  pushedOwnFill(index: number, effect: number, size: number, price: number): void {
    const leg = this.core.portfolio.legs[index]!;
    if (effect === CLOSE) leg.closed(size, this.core.now);
    else leg.opened(size, price, this.core.now);
    this.deps.firedBrackets.pushed(leg, effect, size, price);
  }

  pushedEnd(seq: number, how: number): void {
    const order = this.core.orders.find(seq);
    if (order === null || !order.isAlive) return;
    this.bookings.arrived(order);
    this.bookings.end(order, how, '', '');
  }

  answered(query: Query, answer: Answer, sentAt: number, venueTime: number): void {
    const asker = this.deps.queries.take(query);
    if (asker === undefined) return;
    try {
      this.#taken(query, asker, answer, sentAt, venueTime);
    } catch (error) {
      // Whoever asked waits for an answer, and asks again.
      asker?.failed(query, 'assertion-failed');
      throw error;
    }
  }

  #taken(query: Query, asker: QueryOwner | null, answer: Answer, sentAt: number, venueTime: number): void {
    const { positionReads } = this.deps;
    const { isSigned, isUndated } = READ_KINDS[answer.kind];
    const isCurrent = this.#heard(query, sentAt, venueTime);
    if (isUndated && !isCurrent) return this.#dropped(query, asker);
    if (answer.kind === 'positions' && positionReads.isOld(venueTime, sentAt)) return this.#overtaken(query, asker);
    if (isSigned) this.deps.keyWatch.readAnswered();
    // A copy is as old as what it repeats, and shows nothing that came after that was made.
    this.readAt[answer.kind] = this.core.now + Math.min(0, this.core.venueOffset.offBy);
    this.failing.answered(answer.kind);
    const askedAt = Math.min(sentAt, this.core.venueOffset.madeBy(venueTime));
    this.#apply(query, answer, askedAt, venueTime);
    asker?.answered(query, answer, askedAt);
  }

  /** Applies an answer to local state. */
  #apply(query: Query, answer: Answer, sentAt: number, venueTime: number): void {
    const { positionReads } = this.deps;
    switch (answer.kind) {
      case 'quotes':
        this.deps.dispatch.quotes(answer.quotes, sentAt, venueTime);
        break;
      case 'stats':
        this.deps.dispatch.stats(answer.stats);
        break;
      case 'account':
        if (query.instrument === this.deps.account.instrument && this.deps.positionReads.account(answer.account))
          this.#accountAgain(query.instrument);
        break;
      case 'pending':
        this.deps.restoredVenue.records(answer.orders);
        this.deps.orderReads.pending(query, answer.orders, sentAt);
        this.deps.positionReads.review(query);
        break;
      case 'history':
        this.deps.restoredVenue.records(answer.orders);
        this.deps.orderReads.history(answer.orders, sentAt);
        if (this.core.tradingState.phase === 'reconciling') this.deps.foreignChanges.history(answer.orders);
        this.deps.positionReads.review(query);
        break;
      case 'positions':
        if (query.instrument < 0) this.core.portfolio.readUnruled(answer.unruled);
        positionReads.positions(query, answer.positions, sentAt);
        this.deps.dispatch.marks(answer.positions);
        this.deps.foreignChanges.positions(query, answer.positions, sentAt);
        break;
      // Who asked for trades takes them; the watch below takes the others.
      case 'trades':
      case 'withdrawals':
      case 'spot-symbols':
        break;
    }
    this.deps.watch?.answered(query, answer, sentAt, query.instrument === this.deps.account.instrument);
    if (answer.kind === 'positions' && query.instrument < 0) {
      this.droppedReads.read(sentAt);
      this.core.positionsRead(sentAt);
    }
    if (this.deps.resolver.isWatching) this.deps.resolver.sweep();
  }

  /** Takes the venue's time. False if the answer is of another clock. */
  #heard({ kind }: Query, sentAt: number, venueTime: number): boolean {
    const { core } = this;
    const { isSigned, isUndated } = READ_KINDS[kind];
    const { venueOffset } = core;
    const { isProven, moves } = venueOffset;
    const isCurrent = venueOffset.heard(kind, !isSigned, venueTime, sentAt, core.now);
    if (core.venueTime === 0 && venueOffset.newest > 0) this.deps.positionReads.clockShown();
    core.venueTime = venueOffset.newest;
    if (venueOffset.moves !== moves) this.#clockMoved(venueOffset.movedBy);
    else if (venueOffset.isProven !== isProven) this.deps.positionReads.clockProven();
    else if (venueOffset.isAlone && !isUndated && !isCurrent) this.droppedReads.clocksApart(venueOffset.offBy);
    return isCurrent;
  }

  #clockMoved(byMs: number): void {
    const { core, deps } = this;
    deps.positionReads.clockMoved(byMs);
    deps.unmatched.clockMoved(byMs);
    this.deps.balance?.clockMoved(core.venueTime);
    // Absences are counted by both clocks: the count begins again.
    for (const list of core.orders.of) for (const order of list.known()) order.absent = null;
    this.droppedReads.clockMoved(byMs);
  }

  /** An answer of another clock, such as a copy of one that the venue gave before: the question has no answer. */
  #dropped(query: Query, owner: QueryOwner | null): void {
    // A cache that repeats an answer says nothing about the key.
    this.deps.keyWatch.readEnded();
    this.droppedReads.dropped(query, this.core.venueOffset.offBy);
    owner?.failed(query, 'old-answer');
  }

  /** A newer answer came before this one. */
  #overtaken(query: Query, owner: QueryOwner | null): void {
    this.core.counters.add('old-read', query.kind);
    owner?.failed(query, 'old-answer');
  }

  #accountAgain(instrument: number): void {
    const again: Query = { kind: 'account', instrument }; // hot-ok: at most once a second
    this.deps.queries.ask(again, null);
  }

  failed(query: Query, cause: string): void {
    const asker = this.deps.queries.take(query);
    if (asker === undefined) return;
    if (isKeyRefused(cause)) this.deps.keyWatch.readRefused(cause);
    else if (READ_KINDS[query.kind].isSigned) this.deps.keyWatch.readEnded();
    const { counters, now } = this.core;
    if (!EMPTY_CAUSES.has(cause)) this.failing.failed(query.kind, cause, now);
    if (UNREACHABLE_CAUSES.has(cause)) counters.add('read-failed', query.kind);
    else if (!EMPTY_CAUSES.has(cause)) counters.count('read-failed', query.kind, now, { kind: query.kind, cause }); // hot-ok: only when a read failed
    this.deps.watch?.failed(query, cause);
    asker?.failed(query, cause);
  }
}
