/**
 * The orders that trigger orders become. A venue may give them ids of its own, so an order of nobody's is compared with the trigger
 * orders that live: side, size, price and time. Exactly one that fits is the order; of two, nobody can say which still waits.
 */
import { MARKET, OPEN, PLACE, PLACE_TRIGGER } from '../../domain/codes.ts';
import { UNKNOWN } from '../../domain/order.ts';
import type { OrderReport } from '../../domain/report.ts';
import type { Core } from '../core.ts';
import type { Order } from './orders.ts';

/** How far the venue's clock may be behind ours. */
const SKEW_MS = 5_000;
/** Orders of nobody's that fit several trigger orders, remembered at most. */
const REMEMBERED = 1_000;

export class Triggered {
  readonly #core: Core;
  /** Number of the own order by the venue id of what it became. */
  readonly #seqs = new Map<string, number>();
  readonly #ambiguous = new Set<string>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** The own order that this record without a client id of ours is about, or null. */
  orderOf(report: OrderReport): Order | null {
    const known = this.#seqs.get(report.venueId);
    if (known !== undefined) return this.#core.orders.find(known);
    const { desks, isTold } = this.#core;
    // Of a process before this one: the order that it was found to be is known by that id, if it lives.
    if (isTold(report.venueId)) return desks[report.instrument]?.orders.known().find(({ venueId }) => venueId === report.venueId) ?? null;
    const fitting = this.#fitting(report);
    if (fitting.length === 1) return fitting[0]!;
    if (fitting.length > 1 && !this.#ambiguous.has(report.venueId)) this.#warn(report, fitting);
    return null;
  }

  /** Whether this record without a client id of ours is, or may be, what an own trigger order has become. */
  mayBe(report: OrderReport): boolean {
    const { venueId } = report;
    return this.#seqs.has(venueId) || this.#ambiguous.has(venueId) || this.#fitting(report).length > 0;
  }

  /**
   * Whether `report` shows that the trigger order has become another order: it has another venue id, or it is there although the cancel
   * of trigger orders (E16) did not find it. A venue may list waiting trigger orders too (A24).
   */
  isOf(order: Order, { venueId }: OrderReport): boolean {
    if (order.kind !== PLACE_TRIGGER) return false;
    if (order.venueId !== '' && venueId !== order.venueId) return true;
    return order.state === UNKNOWN && order.isCancelWanted;
  }

  /** The trigger order has become an order like any other, which is cancelled by its venue id. */
  fired(order: Order, { venueId }: OrderReport): void {
    const { journal, now } = this.#core;
    // A run after this one has to know it, too: its record bears no name of ours.
    journal.note('trigger-fired', { order: order.seq, venueId }, now);
    this.#core.onOwnRecord(venueId);
    this.#seqs.set(venueId, order.seq);
    order.kind = PLACE;
    order.isTriggered = true;
    order.venueId = venueId;
    this.#core.log.info('trigger-fired', { seq: order.seq, symbol: order.desk.instrument.symbol, venueId });
  }

  #fitting(report: OrderReport): Order[] {
    const { desks } = this.#core;
    const desk = desks[report.instrument];
    if (desk === undefined || report.effect !== OPEN) return [];
    return desk.orders.known().filter((order) => {
      const isSame = order.side === report.side && order.size === report.size && report.createdAt >= order.createdAt - SKEW_MS;
      const isPrice = order.price === 0 ? report.type === MARKET : report.price === order.price;
      return order.isAlive && order.kind === PLACE_TRIGGER && isSame && isPrice;
    });
  }

  #warn({ instrument, venueId }: OrderReport, fitting: readonly Order[]): void {
    if (this.#ambiguous.size >= REMEMBERED) this.#ambiguous.clear();
    this.#ambiguous.add(venueId);
    const seqs = fitting.map(({ seq }) => seq).join(', ');
    this.#core.log.error('trigger-ambiguous', { symbol: this.#core.instruments[instrument]!.symbol, venueId, seqs });
  }
}
