/**
 * Applies order reads (E17, E18) to the tracker. A record moves an order forward. A missing order is read by its client id; one missing
 * read proves nothing. A read that left before the last own command is not compared with the order.
 * size: what each kind of record changes, for lists and for single orders
 */
import { assert } from '../../../base/failure/assert.ts';
import { LIMIT, PLACE } from '../../../domain/codes.ts';
import { FOREIGN_ID, UNKNOWN_OWN_ID } from '../../../domain/orders/client-ids.ts';
import { CANCELLED, CANCELLING, FILLED, MODIFYING, SUBMITTING, UNKNOWN, WORKING } from '../../../domain/orders/order.ts';
import type { OrderReport } from '../../../domain/report.ts';
import type { Answer, Query } from '../../../ports/venue.ts';
import { type Balance, earned } from '../../state/account/balance.ts';
import type { Core } from '../../state/core.ts';
import type { Orders } from '../../state/orders/orders.ts';
import type { Halts } from '../../state/halts.ts';
import type { ClientIds } from '../../../domain/orders/client-ids.ts';
import type { InFlight } from '../../state/orders/in-flight.ts';
import type { LossCounter } from '../../state/account/limit-counters.ts';
import type { Bookings } from '../bookings.ts';
import type { Executor } from '../executor.ts';
import { Duplicates } from '../duplicates.ts';
import type { Leg } from '../../state/records/leg.ts';
import type { Order } from '../../state/orders/orders.ts';
import { historyOf } from '../unknown/search.ts';
import { proveFilled, provePart, readTimes, type ReadTimes } from './proof.ts';
import type { UnmatchedOrders } from './unmatched.ts';
import type { QueryOwner, PendingQueries } from '../../polling/queries.ts';
import { OPEN_MATCH, type Triggered } from '../triggered.ts';

/** The shared state that this file uses. */
interface OrderReadsCore extends Core {
  readonly orders: Orders;
  readonly halts: Halts;
  readonly ids: ClientIds;
  /** Number of the next order or execution. */
  readonly nextSeq: number;
  readonly inFlight: InFlight;
}

/** Complete reads without a working order before it is passed to the resolver. */
const ABSENCES = 3;
/** Time between two reads of orders of symbols that the venue does not know, in milliseconds: one order at a time. */
const OFFLINE_EVERY_MS = 2_000;

interface OrderReadsDeps {
  readonly core: OrderReadsCore;
  readonly executor: Executor;
  readonly bookings: Bookings;
  readonly losses: LossCounter;
  readonly queries: PendingQueries;
  readonly triggered: Triggered;
  readonly unmatched: UnmatchedOrders;
  /** Compares own trades with the account balance; null if no order is read. */
  readonly balance: Balance | null;
  /** What a flattening did; `isAny`: something is being flattened. */
  readonly flatRuns: { readonly isAny: boolean; booked(order: Order): void };
}

export class OrderReads implements QueryOwner {
  readonly #core: OrderReadsCore;
  readonly #executor: Executor;
  readonly #bookings: Bookings;
  readonly #losses: LossCounter;
  readonly #queries: PendingQueries;
  readonly #unmatched: UnmatchedOrders;
  readonly #balance: Balance | null;
  readonly #flatRuns: OrderReadsDeps['flatRuns'];
  readonly #duplicates: Duplicates;
  readonly #triggered: Triggered;
  /** Orders that are being read by client id. */
  readonly #asked = new Set<number>();
  readonly #asking = new Map<Query, number>();
  /** The order of an offline symbol that was read last, and when. */
  #offlineSeq = 0;
  #offlineAt = -Infinity;

  constructor({ core, executor, bookings, losses, queries, triggered, unmatched, balance, flatRuns }: OrderReadsDeps) {
    this.#core = core;
    this.#bookings = bookings;
    this.#losses = losses;
    this.#duplicates = new Duplicates(core, executor);
    this.#triggered = triggered;
    this.#executor = executor;
    this.#queries = queries;
    this.#unmatched = unmatched;
    this.#balance = balance;
    this.#flatRuns = flatRuns;
  }

  pending(query: Query, orders: readonly OrderReport[], sentAt: number): void {
    const listed = this.#reportAll(orders, sentAt);
    if (this.#duplicates.isSome) this.#duplicates.listed(query.instrument, new Set(orders.map((report) => report.venueId)));
    const own = this.#core.orders;
    const only = query.instrument;
    const offline: Order[] = [];
    for (let i = only < 0 ? 0 : only; i < (only < 0 ? own.of.length : only + 1); i++) {
      for (const order of own.of[i]!.known()) {
        if (order.kind !== PLACE || !order.isAlive || listed.has(order.seq)) continue;
        if (!order.context.isOffline) this.#unlisted(order, sentAt);
        else if (this.#mayAsk(order, sentAt)) offline.push(order);
      }
    }
    if (offline.length > 0) this.#offline(offline);
  }

  /** Live orders of symbols that the venue does not know. No list shows them, which proves nothing; their records show how they ended. */
  #offline(orders: readonly Order[]): void {
    const { now } = this.#core;
    if (now < this.#offlineAt + OFFLINE_EVERY_MS) return;
    // Their turns go by number: each symbol has a list of its own here.
    const inTurn = orders.toSorted((a, b) => a.seq - b.seq);
    const next = inTurn.find(({ seq }) => seq > this.#offlineSeq) ?? inTurn[0]!;
    this.#offlineAt = now;
    this.#offlineSeq = next.seq;
    this.ask(next);
  }

  /** Venue ids of live orders that a list of pending orders must show. Null after a duplicate id, when the complete list is needed. */
  liveIds(): ReadonlySet<string> | null {
    if (this.#duplicates.isSome) return null;
    const ids = new Set<string>();
    for (const list of this.#core.orders.of) {
      for (const order of list.known()) if (order.kind === PLACE && order.isAlive && order.venueId !== '') ids.add(order.venueId);
    }
    return ids;
  }

  history(orders: readonly OrderReport[], sentAt: number): void {
    this.#reportAll(orders, sentAt);
  }

  /** Applies all records of one list; returns them by order number. A second record with the same number is a duplicate order. */
  #reportAll(reports: readonly OrderReport[], sentAt: number): Map<number, OrderReport> {
    const { ids, nextSeq, orders } = this.#core;
    const read = readTimes(reports, sentAt);
    const listed = new Map<number, OrderReport>();
    /** Replacement orders of unknown outcome, by the number of the order that each replaces. */
    const replacing = new Map<number, Order>();
    const nameless: OrderReport[] = [];
    for (const report of reports) {
      const number = ids.seqOf(report.clientId, nextSeq);
      if (number === FOREIGN_ID) {
        nameless.push(report);
        continue;
      }
      const first = listed.get(number);
      const order = orders.find(number);
      if (first !== undefined && first.venueId !== report.venueId && order !== null && order.kind === PLACE) {
        this.#duplicates.seen(order, order.venueId === report.venueId ? first : report);
        continue;
      }
      if (order !== null && order.state === UNKNOWN && order.replaces !== 0) replacing.set(order.replaces, order);
      const seq = this.report(report, read);
      if (seq > 0) listed.set(seq, report);
    }
    // A record with the name of a trigger order shows what it became: then one without a name is of another party.
    for (const report of nameless) {
      const seq = this.report(report, read);
      if (seq > 0) listed.set(seq, report);
    }
    for (const [seq, order] of replacing) this.#duplicates.modified(order, listed.get(order.seq), listed.get(seq));
    return listed;
  }

  /** Applies one record. Returns the number of our order, or 0. */
  report(report: OrderReport, read: ReadTimes): number {
    const { sentAt } = read;
    const core = this.#core;
    const given = core.ids.seqOf(report.clientId, core.nextSeq);
    if (given === UNKNOWN_OWN_ID) {
      this.#bookOthers(report);
      this.#unmatched.unknown(report);
      return 0;
    }
    const order = given === FOREIGN_ID ? this.#triggered.orderOf(report) : core.orders.find(given);
    if (order === OPEN_MATCH) {
      this.#triggered.decide(report, () => void this.report(report, readTimes([report], sentAt)));
      return 0;
    }
    for (const decided of this.#triggered.takeDecided()) this.report(decided, read);
    if (order === null) this.#bookOthers(report);
    if (order === null && given === FOREIGN_ID) {
      this.#unmatched.foreign(report);
      return 0;
    }
    const seq = order === null ? given : order.seq;
    if (order === null) {
      return this.#unmatched.own(seq, report, sentAt) ? this.report(report, read) : seq;
    }
    if (order.isSettled || !this.#matches(order, report)) return seq;
    if (report.fee !== order.fee || report.realised !== order.profit) this.#book(order, report);
    if (!order.isAlive) this.#afterEnd(order, report, read);
    else if (sentAt >= order.sentAt) this.#apply(order, seq, report, read);
    return seq;
  }

  /** Books profit and fees of the order's fills. A late list may show a record older than one already read: that is ignored. */
  #book(order: Order, { createdAt, fee, realised, updatedAt, venueId }: OrderReport): void {
    assert(!order.isSettled, 'money is booked until the fills of an order are final', order.seq);
    if (updatedAt < order.bookedAt) return;
    const { journal, now } = this.#core;
    const { instrument } = order.context;
    const total = earned(instrument, realised, fee);
    this.#balance?.bookOrder(venueId, Math.max(createdAt, order.bookedAt), updatedAt, total, earned(instrument, order.profit, order.fee));
    order.fee = fee;
    order.profit = realised;
    order.bookedAt = updatedAt;
    journal.note('fee', { order: order.seq, fee, profit: realised }, now);
    this.#losses.booked(order, total);
    if (this.#flatRuns.isAny) this.#flatRuns.booked(order);
  }

  /** Books what an order earned that is not held: one of another party, of a bracket, or one that was settled before this record was read. */
  #bookOthers({ createdAt, fee, instrument, realised, updatedAt, venueId }: OrderReport): void {
    const { instruments } = this.#core;
    this.#balance?.bookOthers(venueId, createdAt, updatedAt, earned(instruments[instrument]!, realised, fee));
  }

  /** Reads the order by E17 unless a read is in flight: a marketable order fills at once and is never among the pending orders. */
  ask(order: Order): void {
    const core = this.#core;
    const seq = order.seq;
    assert(order.isAlive, 'an order that no list shows has not ended', order.state, 'order', seq);
    if (order.missing === 0) order.missing = 1;
    if (this.#asked.has(seq)) return;
    this.#asked.add(seq);
    const query = historyOf(order, core.ids.idOf(seq));
    this.#asking.set(query, seq);
    this.#queries.ask(query, this);
  }

  /** Reads the orders of the leg that no list of pending orders is expected to show. */
  askUnlistable(leg: Leg): void {
    for (const order of this.#core.orders.of[leg.index >> 1]!.known()) {
      if (order.kind === PLACE && order.leg === leg && order.isAlive && order.state !== WORKING) this.ask(order);
    }
  }

  answered(query: Query, _answer: Answer, sentAt: number): void {
    const order = this.#orderAsked(query);
    if (order === null) return;
    if (!order.isAlive || sentAt < order.sentAt || order.missing === 0 || order.context.isOffline) return;
    order.missing = Math.min(200, order.missing + 1);
    const isOld = this.#core.now - order.sentAt >= this.#core.timings.horizonMs;
    const mayBeLost = order.state === WORKING || order.state === CANCELLING;
    if (order.missing > ABSENCES && isOld && mayBeLost) this.#unmatched.lost(order);
  }

  failed(query: Query): void {
    this.#orderAsked(query);
  }

  #orderAsked(query: Query): Order | null {
    const seq = this.#asking.get(query) ?? 0;
    this.#asking.delete(query);
    this.#asked.delete(seq);
    return this.#core.orders.find(seq);
  }

  /** A live order that the list of pending orders does not show. */
  #unlisted(order: Order, sentAt: number): void {
    if (this.#mayAsk(order, sentAt)) this.ask(order);
  }

  /** False while the answer to a command for it is awaited, or its outcome is looked for elsewhere. */
  #mayAsk({ sentAt: since, state, seq }: Order, sentAt: number): boolean {
    if (sentAt < since || state === SUBMITTING || state === UNKNOWN || state === MODIFYING) return false;
    return state !== CANCELLING || !this.#core.inFlight.concerns(seq);
  }

  #apply(order: Order, seq: number, report: OrderReport, read: ReadTimes): void {
    const bookings = this.#bookings;
    const state = order.state;
    const isWaiting = state === MODIFYING || this.#core.inFlight.concerns(seq);
    this.#lookIfFired(order, report);
    switch (report.status) {
      case 'filled':
        order.venueId = report.venueId;
        bookings.arrived(order);
        proveFilled(bookings, order, report);
        assert(order.remaining === 0, 'an order that is filled has nothing left', order.remaining, 'order', seq);
        bookings.end(order, FILLED, '', '');
        return;
      case 'cancelled':
      case 'ended':
        // While an own cancel or modify is in flight, its outcome explains this end.
        if (isWaiting) return;
        order.venueId = report.venueId;
        order.isEndRead = true;
        provePart(bookings, order, report, read);
        bookings.end(order, CANCELLED, report.status, '');
        return;
      case 'open':
      case 'partial':
      case 'unknown':
        order.missing = 0;
        // Some venues accept a modify without naming the new order.
        if (order.venueId === '') order.venueId = report.venueId;
        provePart(bookings, order, report, read);
        if (isWaiting) return;
        if (state === SUBMITTING || state === UNKNOWN) this.#executor.found(order, report.venueId);
        else if (state === CANCELLING) this.#executor.backToWorking(order, 'still-open', '');
        else this.#executor.cancelIfWanted(order);
    }
  }

  /** The record may show what a trigger order has become. */
  #lookIfFired(order: Order, report: OrderReport): void {
    const { ids, nextSeq } = this.#core;
    if (!this.#triggered.isOf(order, report)) return;
    this.#triggered.fired(order, report);
    if (ids.seqOf(report.clientId, nextSeq) !== order.seq) this.#executor.cancelWaiting(order);
  }

  /** A record of an order that has already ended: it shows how much filled. */
  #afterEnd(order: Order, report: OrderReport, read: ReadTimes): void {
    const bookings = this.#bookings;
    this.#lookIfFired(order, report);
    if (report.status === 'filled') {
      proveFilled(bookings, order, report);
      return bookings.settle(order);
    }
    if (report.status !== 'cancelled' && report.status !== 'ended') return;
    order.isEndRead = true;
    provePart(bookings, order, report, read);
    const left = order.shownMost - order.filled;
    if (left < order.maybeFilled) this.#core.orders.doubt(order, Math.max(0, left));
    bookings.settleIfKnown(order);
  }

  /** False if the record has our client id but describes another order: then another program uses our name. */
  #matches(order: Order, report: OrderReport): boolean {
    const core = this.#core;
    const isSame =
      report.instrument === order.instrument &&
      report.side === order.side &&
      report.effect === order.effect &&
      report.size === order.size &&
      (order.kind !== PLACE || report.type !== LIMIT || report.price === order.price);
    if (isSame) return true;
    const { symbol } = core.instruments[order.instrument]!;
    const { clientId, venueId } = report;
    const scope = { kind: 'symbol', instrument: order.instrument } as const;
    const detail = `${clientId} is another order at the venue: ${venueId}`;
    if (core.halts.raise({ scope, code: 'id-collision', detail, by: 'bot' })) {
      core.log.error('id-collision', { clientId, symbol, venueId });
    }
    return false;
  }
}
