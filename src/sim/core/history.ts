/** @hot Ended orders per account, oldest first out; an order that falls out gives its slot back. */
import type { Orders } from './orders.ts';

export class History {
  readonly limit: number;
  readonly #orders: Orders;
  /** `limit` slots per account. */
  readonly #ring: Int32Array;
  /** By account: the place of the next to end, and how many are kept. */
  readonly #next: Int32Array;
  readonly #count: Int32Array;

  constructor(orders: Orders, accounts: number, limit: number) {
    this.#orders = orders;
    this.limit = limit;
    this.#ring = new Int32Array(accounts * limit);
    this.#next = new Int32Array(accounts);
    this.#count = new Int32Array(accounts);
  }

  push(account: number, slot: number): void {
    if (this.limit === 0) {
      this.#orders.release(slot);
      return;
    }
    const next = this.#next[account]!;
    const at = account * this.limit + next;
    if (this.#count[account]! === this.limit) this.#orders.release(this.#ring[at]!);
    else this.#count[account]!++;
    this.#ring[at] = slot;
    this.#next[account] = next + 1 === this.limit ? 0 : next + 1;
  }

  count(account: number): number {
    return this.#count[account]!;
  }

  /** The slot that ended `back` orders before the newest; 0 ≤ back < count. */
  slot(account: number, back: number): number {
    const at = this.#next[account]! - 1 - back;
    return this.#ring[account * this.limit + (at < 0 ? at + this.limit : at)]!;
  }

  save(): Record<string, number[]> {
    const out: Record<string, number[]> = {}; // hot-ok: snapshot
    out['ring'] = Array.from(this.#ring);
    out['next'] = Array.from(this.#next);
    out['count'] = Array.from(this.#count);
    return out;
  }

  load(saved: Record<string, number[]>): void {
    this.#ring.set(saved['ring']!);
    this.#next.set(saved['next']!);
    this.#count.set(saved['count']!);
  }
}
