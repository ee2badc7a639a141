/** Commands whose outcome is not known yet, oldest first, in slots that are used again. @hot */
import { ADJUST_MARGIN } from '../../domain/codes.ts';
import { SeqIndex } from '../belief/seq-index.ts';

export class Flights {
  /** Columns by slot. */
  seq = new Float64Array(0);
  kind = new Uint8Array(0);
  instrument = new Int32Array(0);
  /** Number of the order acted on; for a command that makes an order, that order's number. */
  order = new Float64Array(0);
  sentAt = new Float64Array(0);
  count = 0;
  /** The oldest, −1 for none. */
  head = -1;

  #previous = new Int32Array(0);
  #next = new Int32Array(0);
  #tail = -1;
  #free = -1;
  readonly #index = new SeqIndex();

  /** The slot of command `seq`, or −1. */
  slotOf(seq: number): number {
    return this.#index.get(seq);
  }

  add(seq: number, kind: number, instrument: number, order: number, sentAt: number): void {
    if (this.#free < 0) this.#grow();
    const slot = this.#free;
    this.#free = this.#next[slot]!;
    this.seq[slot] = seq;
    this.kind[slot] = kind;
    this.instrument[slot] = instrument;
    this.order[slot] = order;
    this.sentAt[slot] = sentAt;
    this.#previous[slot] = this.#tail;
    this.#next[slot] = -1;
    if (this.#tail < 0) this.head = slot;
    else this.#next[this.#tail] = slot;
    this.#tail = slot;
    this.#index.set(seq, slot);
    this.count++;
  }

  remove(slot: number): void {
    const before = this.#previous[slot]!;
    const after = this.#next[slot]!;
    if (before < 0) this.head = after;
    else this.#next[before] = after;
    if (after < 0) this.#tail = before;
    else this.#previous[after] = before;
    this.#index.delete(this.seq[slot]!);
    this.#next[slot] = this.#free;
    this.#free = slot;
    this.count--;
  }

  /** True while a command about order `order` is on its way. Walks the list: for reads, not for the hot path. */
  concerns(order: number): boolean {
    for (let slot = this.head; slot >= 0; slot = this.#next[slot]!) if (this.order[slot] === order) return true;
    return false;
  }

  /** True while a margin step of the instrument is on its way. */
  isAdjusting(instrument: number): boolean {
    for (let slot = this.head; slot >= 0; slot = this.#next[slot]!) {
      if (this.kind[slot] === ADJUST_MARGIN && this.instrument[slot] === instrument) return true;
    }
    return false;
  }

  #grow(): void {
    const old = this.seq.length;
    const size = old === 0 ? 64 : old * 2;
    this.seq = grown(this.seq, new Float64Array(size)); // hot-ok: growth
    this.kind = grown(this.kind, new Uint8Array(size)); // hot-ok: growth
    this.instrument = grown(this.instrument, new Int32Array(size)); // hot-ok: growth
    this.order = grown(this.order, new Float64Array(size)); // hot-ok: growth
    this.sentAt = grown(this.sentAt, new Float64Array(size)); // hot-ok: growth
    this.#previous = grown(this.#previous, new Int32Array(size)); // hot-ok: growth
    this.#next = grown(this.#next, new Int32Array(size)); // hot-ok: growth
    for (let slot = size - 1; slot >= old; slot--) {
      this.#next[slot] = this.#free;
      this.#free = slot;
    }
  }
}

function grown<T extends Float64Array | Int32Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
