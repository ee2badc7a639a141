/**
 * @hot The venue's orders by the bot's sequence, for orders that may still work: number and record. The low bits of a sequence choose
 * a place; what a newer order finds there and still works moves to a map.
 */
import * as states from '../../domain/order.ts';
import type { Order } from '../core/order.ts';

const { WORKING } = states;

/** A power of two. */
const PLACES = 256;
const MASK = PLACES - 1;

/** What a place says: the sequence, −1 for none, the order's number, and its record, which may be another order's by now. */
class Place {
  seq = -1;
  orderNo = 0;
  order: Order | null = null;

  set(seq: number, orderNo: number, order: Order): void {
    this.seq = seq;
    this.orderNo = orderNo;
    this.order = order;
  }

  isWorking(): boolean {
    const order = this.order;
    return order !== null && order.no === this.orderNo && order.status === WORKING;
  }
}

export class OrderNumbers {
  readonly #places: Place[] = Array.from({ length: PLACES }, () => new Place());
  readonly #older = new Map<number, Place>();
  /** So many in the map are looked through for those that have ended. */
  #sweepAt = PLACES;

  /** What is known of order `seq`; null when nothing is (any more). */
  find(seq: number): Place | null {
    const place = this.#places[seq & MASK]!;
    return place.seq === seq ? place : (this.#older.get(seq) ?? null);
  }

  set(seq: number, orderNo: number, order: Order): void {
    const place = this.#places[seq & MASK]!;
    if (place.isWorking()) this.#keep(place);
    place.set(seq, orderNo, order);
  }

  #keep({ seq, orderNo, order }: Place): void {
    const kept = new Place(); // hot-ok: once for 256 sequences that an order lives
    kept.set(seq, orderNo, order!);
    this.#older.set(seq, kept);
    if (this.#older.size < this.#sweepAt) return;
    for (const [old, place] of this.#older) if (!place.isWorking()) this.#older.delete(old);
    this.#sweepAt = PLACES + 2 * this.#older.size;
  }
}
