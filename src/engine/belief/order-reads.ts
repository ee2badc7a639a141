/**
 * Reads of orders (E17, E18) against the tracker. A record moves an order forward; an order that is missing is asked for by its
 * client id and is never concluded from one missing read; a read that left before the last own command is not used against it.
 */
import { PLACE } from '../../domain/codes.ts';
import { formatClientId, parseClientId } from '../../domain/command.ts';
import { CANCELLED, CANCELLING, FILLED, MODIFYING, REFUSED, SUBMITTING, UNKNOWN, WORKING } from '../../domain/order.ts';
import type { OrderReport } from '../../domain/report.ts';
import type { Answer, Query } from '../../ports/venue.ts';
import type { Core } from '../core.ts';
import { endOrder, fillOrder } from '../exec/ending.ts';
import type { Executor } from '../exec/executor.ts';
import type { Asker, Asks } from '../reads/asks.ts';

/** Complete absences before an order that was working is handed to the resolver. */
const ABSENCES = 3;

/** Orders the tracker does not know; the reconciler decides about them. */
export interface Strangers {
  /** An order with this bot's name that the tracker does not hold. */
  own(seq: number, report: OrderReport, sentAt: number): void;
  foreign(report: OrderReport): void;
  /** Nobody has seen a working order for too long. */
  lost(slot: number): void;
}

export class OrderReads implements Asker {
  readonly #core: Core;
  readonly #executor: Executor;
  readonly #asks: Asks;
  readonly #strangers: Strangers;
  /** Orders asked for by client id at the moment. */
  readonly #asked = new Set<number>();

  constructor(core: Core, executor: Executor, asks: Asks, strangers: Strangers) {
    this.#core = core;
    this.#executor = executor;
    this.#asks = asks;
    this.#strangers = strangers;
  }

  pending(query: Query, orders: readonly OrderReport[], sentAt: number): void {
    const listed = new Set<number>();
    for (const report of orders) {
      const seq = this.report(report, sentAt);
      if (seq > 0) listed.add(seq);
    }
    const own = this.#core.orders;
    const only = query.instrument;
    for (let i = only < 0 ? 0 : only; i < (only < 0 ? own.head.length : only + 1); i++) {
      for (let slot = own.head[i]!; slot >= 0; slot = own.next[slot]!) {
        if (own.kind[slot] === PLACE && own.isLive(slot) && !listed.has(own.seq[slot]!)) this.#unlisted(slot, sentAt);
      }
    }
  }

  history(orders: readonly OrderReport[], sentAt: number): void {
    for (const report of orders) this.report(report, sentAt);
  }

  /** One record. The number of our order it is about, or 0. */
  report(report: OrderReport, sentAt: number): number {
    const core = this.#core;
    const { epoch, seq } = parseClientId(core.bot, report.clientId);
    if (seq === 0 || epoch !== core.epoch) {
      this.#strangers.foreign(report);
      return 0;
    }
    const slot = core.orders.slotOf(seq);
    if (slot < 0) {
      this.#strangers.own(seq, report, sentAt);
      return seq;
    }
    if (sentAt < core.orders.sentAt[slot]! || !core.orders.isLive(slot)) return seq;
    if (!this.#matches(slot, report)) return seq;
    this.#apply(slot, seq, report);
    return seq;
  }

  /** Asks E17 for the order, unless that is on its way. */
  ask(slot: number): void {
    const core = this.#core;
    const seq = core.orders.seq[slot]!;
    if (this.#asked.has(seq)) return;
    this.#asked.add(seq);
    const clientId = formatClientId({ bot: core.bot, epoch: core.epoch }, seq);
    this.#asks.ask({ kind: 'history', instrument: core.orders.instrument[slot]!, clientId, since: 0 }, this);
  }

  answered(query: Query, _answer: Answer, sentAt: number): void {
    const slot = this.#slotAsked(query);
    if (slot < 0) return;
    const orders = this.#core.orders;
    if (!orders.isLive(slot) || sentAt < orders.sentAt[slot]! || orders.missing[slot] === 0) return;
    orders.missing[slot] = Math.min(200, orders.missing[slot]! + 1);
    const isOld = this.#core.now - orders.sentAt[slot]! >= this.#core.timings.horizonMs;
    const isSettledState = orders.state[slot] === WORKING || orders.state[slot] === CANCELLING;
    if (orders.missing[slot]! > ABSENCES && isOld && isSettledState) this.#strangers.lost(slot);
  }

  failed(query: Query): void {
    this.#slotAsked(query);
  }

  #slotAsked(query: Query): number {
    if (query.kind !== 'history') return -1;
    const { seq } = parseClientId(this.#core.bot, query.clientId);
    this.#asked.delete(seq);
    return this.#core.orders.slotOf(seq);
  }

  /** A live order that the list of pending orders does not show. */
  #unlisted(slot: number, sentAt: number): void {
    const core = this.#core;
    const orders = core.orders;
    const state = orders.state[slot]!;
    if (sentAt < orders.sentAt[slot]! || state === SUBMITTING || state === UNKNOWN) return;
    if (state === MODIFYING || (state === CANCELLING && this.#isCancelInFlight(slot))) return;
    if (orders.missing[slot] === 0) orders.missing[slot] = 1;
    this.ask(slot);
  }

  #isCancelInFlight(slot: number): boolean {
    const flights = this.#core.flights;
    return flights.concerns(this.#core.orders.seq[slot]!);
  }

  #apply(slot: number, seq: number, report: OrderReport): void {
    const core = this.#core;
    const orders = core.orders;
    const state = orders.state[slot]!;
    const isWaiting = state === MODIFYING || core.flights.concerns(seq);
    switch (report.status) {
      case 'filled': {
        const lots = orders.remaining(slot);
        orders.venueId[slot] = report.venueId;
        if (lots > 0) fillOrder(core, slot, lots, averageTicks(core, report));
        endOrder(core, slot, FILLED, '', '');
        return;
      }
      case 'cancelled':
      case 'ended':
        // While a cancel or modify of ours is on its way, its outcome says what this end is.
        if (isWaiting) return;
        orders.venueId[slot] = report.venueId;
        endOrder(core, slot, CANCELLED, report.status, '');
        return;
      case 'open':
      case 'partial':
      case 'unknown':
        orders.missing[slot] = 0;
        if (isWaiting) return;
        if (state === SUBMITTING || state === UNKNOWN) this.#executor.found(slot, report.venueId);
        else if (state === CANCELLING) this.#executor.backToWorking(slot, 'still-open', '');
    }
  }

  /** A record that carries our id but not our order: somebody else uses our name. */
  #matches(slot: number, report: OrderReport): boolean {
    const { orders, standing, log, instruments } = this.#core;
    if (
      report.instrument === orders.instrument[slot] &&
      report.side === orders.side[slot] &&
      report.effect === orders.effect[slot] &&
      report.size === orders.size[slot]
    ) {
      return true;
    }
    if (standing.haltedAll === '') {
      standing.haltedAll = 'id-collision';
      log.error('id-collision', { clientId: report.clientId, symbol: instruments[report.instrument]?.symbol, venueId: report.venueId });
    }
    return false;
  }
}

function averageTicks(core: Core, report: OrderReport): number {
  const instrument = core.instruments[report.instrument];
  if (instrument === undefined || !(report.averagePrice > 0)) return 0;
  return (report.averagePrice * instrument.priceScale) / instrument.tickStep;
}

/** How an order that nobody has seen is ended: one that was accepted was cancelled by somebody, one that never was did not land. */
export function presumedEnd(core: Core, slot: number): number {
  return core.orders.venueId[slot] === '' ? REFUSED : CANCELLED;
}
