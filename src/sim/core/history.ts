/** @hot Ended orders per account, oldest first out; an order that falls out gives its slot back. */
import type { Orders } from './orders.ts';

export class History {
  readonly limit: number;
  readonly #orders: Orders;
  /** `limit` slots per account. */
  readonly #ring: Int32Array;
  /** Orders ever ended per account: the next place is this modulo the limit. */
  readonly #ended: Float64Array;

  constructor(orders: Orders, accounts: number, limit: number) {
    this.#orders = orders;
    this.limit = limit;
    this.#ring = new Int32Array(accounts * limit);
    this.#ended = new Float64Array(accounts);
  }

  push(account: number, slot: number): void {
    if (this.limit === 0) {
      this.#orders.release(slot);
      return;
    }
    const ended = this.#ended[account]!++;
    const at = account * this.limit + (ended % this.limit);
    if (ended >= this.limit) this.#orders.release(this.#ring[at]!);
    this.#ring[at] = slot;
  }

  count(account: number): number {
    return Math.min(this.#ended[account]!, this.limit);
  }

  /** The slot that ended `back` orders before the newest; 0 ≤ back < count. */
  slot(account: number, back: number): number {
    return this.#ring[account * this.limit + ((this.#ended[account]! - 1 - back) % this.limit)]!;
  }

  save(): { ring: number[]; ended: number[] } {
    return { ring: Array.from(this.#ring), ended: Array.from(this.#ended) }; // hot-ok: snapshot
  }

  load(saved: { ring: number[]; ended: number[] }): void {
    this.#ring.set(saved.ring);
    this.#ended.set(saved.ended);
  }
}
