/**
 * @hot The resting orders of one instrument and direction in price-time priority: an array of slots with the best at its
 * end, where a quoter works, so most inserts and removals move nothing.
 */
import { assert } from '../../base/assert.ts';
import type { Orders } from './orders.ts';

/** Best key of an empty side: no price is at or below 0, none is at or above FARTHEST. */
export const FARTHEST = Number.MAX_SAFE_INTEGER;

export class Resting {
  slots = new Int32Array(8);
  count = 0;
  /** 1 when a higher key is better (buys), −1 when a lower one is (sells). */
  readonly sign: number;
  readonly #orders: Orders;

  constructor(orders: Orders, isBuy: boolean) {
    this.#orders = orders;
    this.sign = isBuy ? 1 : -1;
  }

  /** The best key, or one that nothing reaches when the side is empty. */
  best(): number {
    if (this.count === 0) return this.sign > 0 ? 0 : FARTHEST;
    return this.#orders.key[this.slots[this.count - 1]!]!;
  }

  insert(slot: number): void {
    if (this.count === this.slots.length) this.#grow();
    const at = this.#place(slot);
    const slots = this.slots;
    if (this.count - at > 32) slots.copyWithin(at + 1, at, this.count);
    else for (let k = this.count; k > at; k--) slots[k] = slots[k - 1]!;
    slots[at] = slot;
    this.count++;
  }

  remove(slot: number): void {
    const at = this.#place(slot);
    assert(this.slots[at] === slot, 'an order that is removed from a book rests in it');
    this.removeAt(at);
  }

  removeAt(at: number): void {
    const slots = this.slots;
    const last = --this.count;
    if (last - at > 32) slots.copyWithin(at, at + 1, last + 1);
    else for (let k = at; k < last; k++) slots[k] = slots[k + 1]!;
  }

  /** Takes the slots of a snapshot, which are in order. */
  load(slots: number[]): void {
    while (this.slots.length < slots.length) this.#grow();
    this.slots.set(slots);
    this.count = slots.length;
  }

  /**
   * Where `slot` stands or belongs: behind it in the array are the worse ones. Equal keys rank by number, and numbers grow with time.
   */
  #place(slot: number): number {
    const orders = this.#orders;
    const slots = this.slots;
    const key = orders.key[slot]! * this.sign;
    const no = orders.no[slot]!;
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = slots[middle]!;
      const otherKey = orders.key[other]! * this.sign;
      if (otherKey < key || (otherKey === key && orders.no[other]! > no)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #grow(): void {
    const next = new Int32Array(this.slots.length * 2); // hot-ok: growth only
    next.set(this.slots);
    this.slots = next;
  }
}
