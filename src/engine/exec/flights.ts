/**
 * Commands whose outcome is not known yet. Numbers are consecutive and flights are short, so a command's number is its place: no
 * search, no list. An old flight that stands in the way makes the columns grow. @hot
 */
import { ADJUST_MARGIN } from '../../domain/codes.ts';
import type { Order } from '../belief/orders.ts';

export class Flights {
  /** Columns by place (`seq & mask`); `seq` 0 is a free place. */
  seq = new Float64Array(64);
  kind = new Uint8Array(64);
  instrument = new Int32Array(64);
  /** The order acted on, or made, and its number: a record that is used again has another. */
  readonly order: (Order | null)[] = [];
  orderSeq = new Float64Array(64);
  sentAt = new Float64Array(64);
  count = 0;
  #mask = 63;
  /** No flight has a number below this. */
  #low = 1;
  #high = 0;

  /** The place of command `seq`, or −1. */
  slotOf(seq: number): number {
    const at = seq & this.#mask;
    return this.seq[at]! === seq ? at : -1;
  }

  /** `seq` is above that of every command before. */
  add(seq: number, kind: number, instrument: number, order: Order | null, sentAt: number): void {
    while (this.seq[seq & this.#mask]! !== 0) this.#grow();
    const at = seq & this.#mask;
    this.seq[at] = seq;
    this.kind[at] = kind;
    this.instrument[at] = instrument;
    this.order[at] = order;
    this.orderSeq[at] = order === null ? 0 : order.seq;
    this.sentAt[at] = sentAt;
    if (this.count++ === 0) this.#low = seq;
    this.#high = seq;
  }

  /** The order of the flight at this place, or null when there is none or it is gone. */
  orderAt(at: number): Order | null {
    const order = this.order[at]!;
    return order !== null && order.seq === this.orderSeq[at]! ? order : null;
  }

  remove(slot: number): void {
    this.seq[slot] = 0;
    this.count--;
  }

  /** The place of the oldest, −1 for none. */
  oldest(): number {
    if (this.count === 0) return -1;
    while (this.slotOf(this.#low) < 0) this.#low++;
    return this.#low & this.#mask;
  }

  /** True while a command about order `order` is on its way. Walks all: for reads, not for the hot path. */
  concerns(order: number): boolean {
    for (let seq = this.#low; seq <= this.#high && this.count > 0; seq++) {
      const at = this.slotOf(seq);
      if (at >= 0 && this.orderSeq[at] === order) return true;
    }
    return false;
  }

  /** True while a margin step of the instrument is on its way. */
  isAdjusting(instrument: number): boolean {
    for (let seq = this.#low; seq <= this.#high && this.count > 0; seq++) {
      const at = this.slotOf(seq);
      if (at >= 0 && this.kind[at] === ADJUST_MARGIN && this.instrument[at] === instrument) return true;
    }
    return false;
  }

  /** Doubles the columns; every flight moves to its place under the wider mask. */
  #grow(): void {
    const { seq, kind, instrument, orderSeq, sentAt } = this; // hot-ok: growth
    const size = seq.length * 2;
    this.seq = new Float64Array(size); // hot-ok: growth
    this.kind = new Uint8Array(size); // hot-ok: growth
    this.instrument = new Int32Array(size); // hot-ok: growth
    const order = this.order.slice(); // hot-ok: growth
    this.orderSeq = new Float64Array(size); // hot-ok: growth
    this.sentAt = new Float64Array(size); // hot-ok: growth
    this.#mask = size - 1;
    for (let from = 0; from < seq.length; from++) {
      if (seq[from]! === 0) continue;
      const at = seq[from]! & this.#mask;
      this.seq[at] = seq[from]!;
      this.kind[at] = kind[from]!;
      this.instrument[at] = instrument[from]!;
      this.order[at] = order[from]!;
      this.orderSeq[at] = orderSeq[from]!;
      this.sentAt[at] = sentAt[from]!;
    }
  }
}
