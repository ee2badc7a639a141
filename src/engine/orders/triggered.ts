/**
 * Finds the orders that own trigger orders became. The venue may give them new ids, so an order without our client id is compared by side,
 * size, price and time, and the market must have come to the trigger (trigger-evidence.ts). With exactly one match the order is identified;
 * with several it stays ambiguous. Ended trigger orders are candidates too, unless the venue cancelled or refused them.
 */
import { assert } from '../../base/failure/assert.ts';
import { OPEN, PLACE } from '../../domain/codes.ts';
import { waitsForTrigger } from '../../domain/orders/command-traits.ts';
import { UNKNOWN } from '../../domain/orders/order.ts';
import { hasEnded, type OrderReport } from '../../domain/report.ts';
import type { Core } from '../state/core.ts';
import type { Orders } from '../state/orders/orders.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import type { ClientIds } from '../../domain/orders/client-ids.ts';
import type { VenueOffset } from '../market/venue-offset.ts';
import type { LostTriggers } from '../state/orders/lost-triggers.ts';
import type { ForeignFillLedger } from '../state/orders/foreign-fill-ledger.ts';
import { matchesTrigger, type Resting } from '../state/orders/lost-triggers.ts';
import type { Order } from '../state/orders/orders.ts';
import type { TriggerEvidence } from './trigger-evidence.ts';

/** The shared state that this file uses. */
interface TriggeredCore extends Core {
  readonly orders: Orders;
  readonly contexts: readonly InstrumentContext[];
  readonly ids: ClientIds;
  /** Number of the next order or execution. */
  readonly nextSeq: number;
  readonly venueOffset: VenueOffset;
  readonly lostTriggers: LostTriggers;
  readonly foreignFills: ForeignFillLedger;
}

/** Largest number of ambiguous orders that are kept. */
const REMEMBERED = 1_000;

/** An own trigger order: price in ticks that fires it, 0 if unknown; BY_LAST or BY_MARK. */
interface Condition {
  readonly seq: number;
  readonly trigger: number;
  readonly triggerBy: number;
}

/** The own trigger orders that a record may belong to. */
interface Candidates {
  /** Numbers of all of them. */
  readonly seqs: readonly number[];
  /** The only one, if the record can be assigned to it; else null. */
  readonly only: Order | null;
  /** True if trades are still to be read that show whether one of them had fired. */
  readonly isOpen: boolean;
  /** True if the record looks like what one of them would become, and trades or its missing name show that none of these became it. */
  readonly isExcluded: boolean;
}

const NONE: Candidates = { seqs: [], only: null, isOpen: false, isExcluded: false };
const EXCLUDED: Candidates = { ...NONE, isExcluded: true };

/** Instead of an order: `decide` reads the trades that show whether the record is of an own trigger order. */
export const OPEN_MATCH = 'open-match';

export class Triggered {
  readonly #core: TriggeredCore;
  readonly #evidence: TriggerEvidence;
  /** Number of the own order, by the venue id of its triggered order. */
  readonly #seqs = new Map<string, number>();
  /** Last record of each order that matches several trigger orders, by venue id. */
  readonly #ambiguous = new Map<string, OrderReport>();

  readonly #decided: OrderReport[] = [];
  /** True once the venue has shown what a trigger order became by its client id: then an order without one is of another party. */
  #areNamed = false;

  constructor(core: TriggeredCore, evidence: TriggerEvidence) {
    this.#core = core;
    this.#evidence = evidence;
  }

  /** The own order that this record without our client id belongs to, or null; OPEN_MATCH while trades are still to be read that show it. */
  orderOf(report: OrderReport): Order | null | typeof OPEN_MATCH {
    const { foreignFills } = this.#core;
    foreignFills.shown(report.venueId);
    const known = this.#seqs.get(report.venueId);
    if (known !== undefined) return this.#core.orders.find(known);
    if (foreignFills.isDecided(report.venueId)) return this.#liveOf(report);
    const { only, seqs, isExcluded, isOpen } = this.#candidates(report);
    if (isOpen) return OPEN_MATCH;
    // A later process does not know yet what showed that.
    if (isExcluded) foreignFills.ofOthers(report.venueId);
    if (seqs.length > 1) {
      this.#noteAmbiguous(report, seqs);
      return this.#paired(report, seqs);
    }
    this.#ambiguous.delete(report.venueId);
    return only;
  }

  /** Earlier records whose orders have been identified since: each must be processed again. */
  takeDecided(): OrderReport[] {
    return this.#decided.splice(0);
  }

  /** True if this record without our client id belongs, or may belong, to an own trigger order. */
  mayBe(report: OrderReport): boolean {
    const { venueId } = report;
    if (this.#seqs.has(venueId) || this.#ambiguous.has(venueId)) return true;
    if (this.#core.foreignFills.isDecided(venueId)) return this.#liveOf(report) !== null;
    return this.#candidates(report).seqs.length > 0;
  }

  /** The live own order that an earlier process identified by the venue id of this record; null for none. */
  #liveOf({ instrument, venueId }: OrderReport): Order | null {
    return this.#core.contexts[instrument]?.orders.known().find((order) => order.venueId === venueId) ?? null;
  }

  /** True if trades are still to be read that show whether this record without our client id belongs to an own trigger order. */
  isOpen(report: OrderReport): boolean {
    const { venueId } = report;
    const isKnown = this.#seqs.has(venueId) || this.#core.foreignFills.isDecided(venueId);
    return !isKnown && this.#candidates(report).isOpen;
  }

  /** Reads those trades, and calls `decided` when they decide. */
  decide(report: OrderReport, decided: () => void): void {
    this.#evidence.ask(report, decided);
  }

  /** A resting order that may belong to this trigger order; null for none. */
  restingMatchOf(order: Order): Resting | null {
    for (const report of this.#ambiguous.values()) {
      if (hasEnded(report)) continue;
      const { seqs } = this.#candidates(report);
      if (!seqs.includes(order.seq)) continue;
      const isGone = seqs.every((seq) => mustCancel(this.#core.orders.find(seq)));
      return { venueId: report.venueId, mustCancel: isGone && this.#known(seqs).length > 0 };
    }
    return null;
  }

  /**
   * True if `report` shows that the trigger order has triggered: it has another venue id, it has traded, or it is listed although its
   * cancel (E16) did not find it. A venue may list waiting trigger orders too (A24).
   */
  isOf(order: Order, { averagePrice, status, venueId }: OrderReport): boolean {
    if (!waitsForTrigger(order.kind)) return false;
    if (order.venueId !== '' && venueId !== order.venueId) return true;
    if (status === 'filled' || averagePrice > 0) return true;
    return order.state === UNKNOWN && order.isCancelWanted;
  }

  /** The trigger order has become an ordinary order, which is cancelled by its venue id. */
  fired(order: Order, { clientId, venueId }: OrderReport): void {
    const { ids, journal, nextSeq, now } = this.#core;
    assert(waitsForTrigger(order.kind), 'an order that has triggered waited for it', order.kind, 'order', order.seq);
    if (ids.seqOf(clientId, nextSeq) === order.seq) this.#areNamed = true;
    // Journaled for recovery: the record has no client id of ours.
    journal.note('trigger-fired', { order: order.seq, venueId }, now);
    this.#core.foreignFills.contained(venueId);
    this.#seqs.set(venueId, order.seq);
    order.kind = PLACE;
    order.isTriggered = true;
    order.venueId = venueId;
    this.#core.log.info('trigger-fired', { seq: order.seq, symbol: order.context.instrument.symbol, venueId });
  }

  #candidates(report: OrderReport): Candidates {
    const { foreignFills } = this.#core;
    const seqs: number[] = [];
    let only: Order | null = null;
    let [isOpen, isLike] = [false, false];
    for (const { seq, trigger, triggerBy, order } of this.#alike(report)) {
      if (this.#areNamed) return EXCLUDED;
      isLike = true;
      if (!this.#evidence.mayHaveFired({ trigger, triggerBy }, report)) continue;
      seqs.push(seq);
      isOpen ||= this.#evidence.isOpen({ trigger, triggerBy }, report);
      if (order === null) continue;
      // The trigger order was assigned to another order before a restart, or it has ended while this one rests: it is not a match.
      const isOther = order.venueId !== '' && order.venueId !== report.venueId && foreignFills.has(order.venueId);
      if (!isOther && (order.isAlive || hasEnded(report))) only = order;
    }
    return { seqs, only: seqs.length === 1 ? only : null, isOpen, isExcluded: isLike && seqs.length === 0 };
  }

  /** The own trigger orders whose result would look like the record: first those that are lost, whose `order` is null. */
  *#alike(report: OrderReport): Iterable<Condition & { readonly order: Order | null }> {
    const { contexts, lostTriggers, venueOffset } = this.#core;
    const context = contexts[report.instrument];
    if (context === undefined || report.effect !== OPEN) return;
    for (const { seq, trigger = 0, triggerBy = 0 } of lostTriggers.fitting(report)) yield { seq, trigger, triggerBy, order: null };
    for (const order of context.orders.known()) {
      if (!waitsForTrigger(order.kind) || order.isSettled || !matchesTrigger(order, report, venueOffset.ofRecords)) continue;
      yield { seq: order.seq, trigger: order.trigger, triggerBy: order.triggerBy, order };
    }
  }

  /** The triggered orders of these trigger orders, oldest first, if all of them are known; else empty. */
  #known(seqs: readonly number[]): OrderReport[] {
    const isOne = (report: OrderReport): boolean => this.#candidates(report).seqs.every((seq) => seqs.includes(seq));
    const records = [...this.#ambiguous.values()].filter(isOne);
    return records.length === seqs.length ? records.sort((a, b) => a.createdAt - b.createdAt) : [];
  }

  /**
   * The own order that this record is assigned to if every matching trigger order became one of as many filled orders. All have filled
   * completely, so the assignment by age is exact in effect.
   */
  #paired(report: OrderReport, seqs: readonly number[]): Order | null {
    const orders = seqs.map((seq) => this.#core.orders.find(seq)).filter((order) => order !== null && !order.isSettled) as Order[];
    const records = this.#known(seqs);
    if (records.length === 0 || orders.length < seqs.length || records.some(({ status }) => status !== 'filled')) return null;
    orders.sort((a, b) => a.seq - b.seq);
    assert(orders.length === records.length, 'as many trigger orders as triggered ones are paired', orders.length);
    for (const [i, record] of records.entries()) {
      this.#seqs.set(record.venueId, orders[i]!.seq);
      this.#ambiguous.delete(record.venueId);
      if (record.venueId !== report.venueId) this.#decided.push(record);
    }
    return this.#core.orders.find(this.#seqs.get(report.venueId)!);
  }

  #noteAmbiguous(report: OrderReport, fitting: readonly number[]): void {
    const { instrument, venueId } = report;
    const last = this.#ambiguous.get(venueId);
    if (last === undefined && this.#ambiguous.size >= REMEMBERED) this.#ambiguous.clear();
    // A late list may show the record as it was before its end.
    if (last === undefined || !hasEnded(last)) this.#ambiguous.set(venueId, report);
    if (last !== undefined) return;
    const seqs = fitting.join(', ');
    this.#core.log.error('trigger-ambiguous', { symbol: this.#core.instruments[instrument]!.symbol, venueId, seqs });
  }
}

function mustCancel(order: Order | null): boolean {
  return order !== null && order.state === UNKNOWN && order.isCancelWanted;
}
