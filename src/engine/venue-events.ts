/** Applies venue events to local state: outcomes, answers, pushes. The kernel decides when. @hot */
import { AssertionError } from '../base/assert.ts';
import * as codes from '../domain/codes.ts';
import { directionOf } from '../domain/codes.ts';
import * as states from '../domain/order.ts';
import type { Rejection } from '../domain/outcome.ts';
import { EMPTY_CAUSES, UNREACHABLE_CAUSES, type Answer, type Query } from '../ports/venue.ts';
import type { Parts } from './assembly.ts';
import type { Core } from './state/core.ts';
import type { Order } from './state/orders.ts';
import * as ending from './orders/ending.ts';
import type { Executor } from './orders/executor.ts';
import { onlyMakes } from '../domain/time-in-force.ts';

const { arrived, endOrder, fillOrder } = ending;
const { BUY, CLOSE, MARKET, PLACE } = codes;
const { FILLED } = states;

/** Answers whose rows have no venue time of their own, or none for what they leave out. Public answers may come from a cache. */
const PRIVATE: ReadonlySet<string> = new Set(['account', 'history', 'pending', 'positions']);

export class VenueEvents {
  declare private readonly p: Parts;
  declare private readonly core: Core;
  declare private readonly executor: Executor;

  constructor(parts: Parts) {
    this.p = parts;
    this.core = parts.core;
    this.executor = parts.executor;
  }

  accepted(seq: number, venueId: string): void {
    this.executor.accepted(seq, venueId);
    if (this.core.isPushed) return;
    if (this.p.resolver.isWatching) this.p.resolver.sweep();
    const orders = this.core.orders;
    const order = orders.find(seq);
    if (order === null) return;
    this.p.watch?.accepted(order);
    if (order.kind !== PLACE || !order.isAlive) return;
    // A marketable order has filled by now, and a market order is never among the pending ones. Its record is read at once, and the
    // position after it.
    if (order.type === MARKET || this.#takes(order)) this.p.orderReads.ask(order);
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
    // A request with this client id is in progress, perhaps this one.
    if (reason === 'already-ordering') return this.p.resolver.unknown(seq, reason);
    if (reason === 'duplicate-client-id') {
      this.#haltAll('id-reused', seq, message);
      return this.p.resolver.unknown(seq, reason);
    }
    if (reason === 'unauthorized') this.#haltAll(reason, seq, message);
    const order = this.core.orders.find(seq);
    if (order !== null) this.p.watch?.rejected(order, reason);
    this.executor.rejected(seq, reason, message);
    if (this.p.resolver.isWatching) this.p.resolver.sweep();
  }

  /** An answer to another request, or a refusal as unauthorized, also halts opens: the next order would fail the same way. */
  unknown(seq: number, cause: string): void {
    if (cause === 'response-mixup' || cause === 'unauthorized') this.#haltAll(cause, seq, '');
    this.p.resolver.unknown(seq, cause);
  }

  /** Halts all opens until an operator resumes. */
  #haltAll(code: 'id-reused' | 'response-mixup' | 'unauthorized', seq: number, message: string): void {
    const detail = 'command ' + seq + (message === '' ? '' : ': ' + message);
    this.core.halts.raise({ scope: { kind: 'bot' }, code, detail, by: 'bot' }); // hot-ok: once
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
    arrived(this.core, order);
    fillOrder(this.core, order, size, price);
    if (order.remaining === 0 && order.isAlive) endOrder(this.core, order, FILLED, '', '');
    // Fills are pushed in the order of the venue: brackets of a flat leg have ended there.
    if (order.effect === CLOSE && this.core.brackets.isAny && order.leg.total === 0) this.core.brackets.flat(order.leg.index);
  }

  /** A fill without an own order: a bracket or a liquidation. */
  pushedOwnFill(index: number, effect: number, size: number, price: number): void {
    const leg = this.core.portfolio.legs[index]!;
    if (effect === CLOSE) leg.closed(size, this.core.now);
    else leg.opened(size, price, this.core.now);
    this.p.unexplained.pushed(leg, effect, size, price);
  }

  pushedEnd(seq: number, how: number): void {
    const order = this.core.orders.find(seq);
    if (order === null || !order.isAlive) return;
    arrived(this.core, order);
    endOrder(this.core, order, how, '', '');
  }

  answered(query: Query, answer: Answer, sentAt: number, venueTime: number): void {
    const { queries } = this.p;
    // mutant: positions: an older answer is taken for a new one
    if (PRIVATE.has(answer.kind) && queries.isBefore(query, venueTime)) return this.#copied(query, venueTime);
    const asker = queries.take(query);
    if (asker === undefined) return;
    queries.heard(venueTime, this.core.now);
    this.core.venueOffset.heard(venueTime, sentAt, this.core.now);
    this.core.venueTime = this.core.venueOffset.newest;
    switch (answer.kind) {
      case 'quotes':
        this.p.dispatch.quotes(answer.quotes, sentAt, venueTime);
        break;
      case 'stats':
        this.p.dispatch.stats(answer.stats);
        break;
      case 'account':
        if (query.instrument === this.p.accounts[0] && this.p.positionReads.account(answer.account)) this.#accountAgain(query.instrument);
        break;
      case 'pending':
        this.p.orderReads.pending(query, answer.orders, sentAt);
        this.p.positionReads.review(query);
        break;
      case 'history':
        this.p.orderReads.history(answer.orders, sentAt);
        if (this.core.tradingState.phase === 'reconciling') this.p.unexplained.history(answer.orders);
        this.p.positionReads.review(query);
        break;
      case 'positions':
        this.p.positionReads.positions(query, answer.positions, sentAt, venueTime);
        this.p.dispatch.marks(answer.positions);
        this.p.unexplained.positions(query, answer.positions, sentAt);
        break;
      default:
        break;
    }
    this.p.watch?.answered(query, answer, sentAt, query.instrument === this.p.accounts[0]);
    if (this.p.resolver.isWatching) this.p.resolver.sweep();
    asker?.answered(query, answer, sentAt);
  }

  /** A copy of an answer that the venue gave before: the question has no answer. */
  #copied(query: Query, venueTime: number): void {
    const { counters, now } = this.core;
    const owner = this.p.queries.take(query);
    this.p.queries.heard(venueTime, now);
    counters.add('old-read', query.kind);
    owner?.failed(query, 'old-answer');
  }

  #accountAgain(instrument: number): void {
    const again: Query = { kind: 'account', instrument }; // hot-ok: at most once a second
    this.p.queries.ask(again, null);
  }

  failed(query: Query, cause: string): void {
    const asker = this.p.queries.take(query);
    if (asker === undefined) return;
    const { counters, now } = this.core;
    if (UNREACHABLE_CAUSES.has(cause)) counters.add('read-failed', query.kind);
    else if (!EMPTY_CAUSES.has(cause)) counters.count('read-failed', query.kind, now, { kind: query.kind, cause }); // hot-ok: only when a read failed
    this.p.watch?.failed(query, cause);
    asker?.failed(query, cause);
  }
}
