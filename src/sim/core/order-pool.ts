/**
 * @hot The pool of order records and the way from a number to its order. The low bits of a number choose a place; where a newer
 * order takes the place of one that is still kept, the older moves to a map.
 */
import type { Account, Leg } from './account.ts';
import type { Line } from './line.ts';
import { Order } from './order.ts';

/** Is told of an order before its record is given back. */
export interface ReleaseWatcher {
  released(order: Order): void;
}

export class OrderPool {
  /** By slot. */
  readonly all: Order[] = [];
  /** Those who have yet to read orders that ended; mostly none. */
  readonly watchers: ReleaseWatcher[] = [];
  /** A stack of free slots. */
  #free = new Int32Array(1_024);
  #freeCount = 0;
  /** By low bits of the number: slot + 1, 0 for none. */
  #recent = new Int32Array(1_024);
  #mask = 1_023;
  readonly #older = new Map<number, Order>();
  #olderCount = 0;

  /** A record for order `no`; the fields that are not of these four are stale and the caller's to write. */
  claim(no: number, account: Account, line: Line, leg: Leg): Order {
    const order = this.#freeCount > 0 ? this.all[this.#free[--this.#freeCount]!]! : this.#make(account, line, leg);
    order.no = no;
    if (order.leg !== leg) {
      order.account = account;
      order.line = line;
      order.leg = leg;
    }
    this.#enter(order);
    return order;
  }

  /** The order of this number, or null. */
  find(no: number): Order | null {
    const entry = this.#recent[no & this.#mask]!;
    if (entry > 0) {
      const order = this.all[entry - 1]!;
      if (order.no === no && no > 0) return order;
    }
    return this.#olderCount > 0 ? (this.#older.get(no) ?? null) : null;
  }

  /** Gives the record back. */
  release(order: Order): void {
    for (let k = 0; k < this.watchers.length; k++) this.watchers[k]!.released(order);
    if (this.#olderCount > 0 && this.#older.delete(order.no)) this.#olderCount--;
    order.no = 0;
    if (this.#freeCount === this.#free.length) this.#stretch();
    this.#free[this.#freeCount++] = order.slot;
  }

  /** Slots that are free, the next to be used last. */
  freeSlots(): number[] {
    return Array.from(this.#free.subarray(0, this.#freeCount));
  }

  /** Takes up `orders` as the whole pool, by slot; `free` as freeSlots gave it. */
  load(orders: readonly Order[], free: readonly number[]): void {
    this.all.length = 0;
    this.#older.clear();
    this.#olderCount = 0;
    this.#recent.fill(0);
    for (const order of orders) this.all.push(order);
    // By number, so that the newest of a place is in it.
    for (const order of orders.toSorted(byNumber)) if (order.no > 0) this.#enter(order);
    while (this.#free.length < free.length) this.#stretch();
    this.#free.set(free);
    this.#freeCount = free.length;
  }

  #enter(order: Order): void {
    const at = order.no & this.#mask;
    const entry = this.#recent[at]!;
    this.#recent[at] = order.slot + 1;
    if (entry > 0 && entry !== order.slot + 1) this.#retire(this.all[entry - 1]!, at);
  }

  /** What stood at a place that another order now takes. */
  #retire(order: Order, at: number): void {
    if (order.no === 0 || (order.no & this.#mask) !== at) return;
    this.#older.set(order.no, order);
    if (++this.#olderCount > this.#mask >> 1) this.#widen();
  }

  #make(account: Account, line: Line, leg: Leg): Order {
    const order = new Order(this.all.length, account, line, leg); // hot-ok: growth only
    this.all.push(order);
    return order;
  }

  #stretch(): void {
    const next = new Int32Array(this.#free.length * 2); // hot-ok: growth only
    next.set(this.#free);
    this.#free = next;
  }

  /** Twice the places. */
  #widen(): void {
    const orders = this.all.toSorted(byNumber);
    this.#mask = this.#mask * 2 + 1;
    this.#recent = new Int32Array(this.#mask + 1); // hot-ok: growth only
    this.#older.clear();
    this.#olderCount = 0;
    for (let k = 0; k < orders.length; k++) if (orders[k]!.no > 0) this.#enter(orders[k]!);
  }
}

function byNumber(a: Order, b: Order): number {
  return a.no - b.no;
}
