/**
 * @hot The pool of order records and the way from a number to its order. The low bits of a number choose a place; where a newer
 * order takes the place of one that is still kept, the older moves to a map. Those who hold the records of their orders never ask
 * by number: the places are made at the first question, and kept from then on.
 */
import type { Account, Leg } from './account.ts';
import type { MarketState } from './market-state.ts';
import { Order } from './order.ts';

/** Is called with an order before its record is given back. */
export interface ReleaseWatcher {
  released(order: Order): void;
}

/** Records that are made at a time. */
const MORE = 16;

export class OrderPool {
  /** By slot. */
  readonly all: Order[] = [];
  /** Those who have yet to read orders that ended; mostly none. */
  readonly #watchers: ReleaseWatcher[] = [];
  #isWatched = false;
  /** The record given back last, which leads to the one before it. */
  #free: Order | null = null;
  /** Whether anybody has asked by number yet. */
  #isAsked = false;
  /** By low bits of the number. */
  #recent: (Order | null)[] = [];
  #mask = 1_023;
  readonly #older = new Map<number, Order>();
  #olderCount = 0;

  /** A record for order `no`; the fields that are not of these four are stale and the caller's to write. */
  claim(no: number, account: Account, market: MarketState, leg: Leg): Order {
    if (this.#free === null) this.#grow(account, market, leg);
    const order = this.#free!;
    this.#free = order.below;
    order.no = no;
    if (order.leg !== leg) {
      order.account = account;
      order.market = market;
      order.leg = leg;
    }
    if (this.#isAsked) this.#enter(order, no);
    return order;
  }

  /** The order of this number, or null. */
  find(no: number): Order | null {
    if (no <= 0) return null;
    if (!this.#isAsked) this.#note();
    const order = this.#recent[no & this.#mask]!;
    if (order !== null && order.no === no) return order;
    return this.#olderCount > 0 ? (this.#older.get(no) ?? null) : null;
  }

  /** Gives the record back. */
  release(order: Order): void {
    if (this.#isWatched) for (const watcher of this.#watchers) watcher.released(order);
    if (this.#isAsked) this.#forget(order.no);
    order.no = 0;
    order.below = this.#free;
    this.#free = order;
  }

  /** Starts or stops calling `watcher` with records that are given back. */
  watch(watcher: ReleaseWatcher, isOn: boolean): void {
    const watchers = this.#watchers;
    if (isOn) watchers.push(watcher);
    else watchers.splice(watchers.indexOf(watcher), 1);
    this.#isWatched = watchers.length > 0;
  }

  /** The order goes on as number `no`; by the number it had it is not found any more. */
  renumber(order: Order, no: number): void {
    if (this.#isAsked) this.#forget(order.no);
    order.no = no;
    if (this.#isAsked) this.#enter(order, no);
  }

  /** Slots that are free, the next to be used last. */
  freeSlots(): number[] {
    const slots: number[] = []; // hot-ok: snapshots
    for (let order = this.#free; order !== null; order = order.below) slots.push(order.slot);
    return slots.toReversed();
  }

  /** Takes up `orders` as the whole pool, by slot; `free` as freeSlots gave it. */
  load(orders: readonly Order[], free: readonly number[]): void {
    this.all.length = 0;
    this.#isAsked = false;
    for (const order of orders) this.all.push(order);
    this.#free = null;
    for (const slot of free) {
      const order = this.all[slot]!;
      order.below = this.#free;
      this.#free = order;
    }
  }

  #enter(order: Order, no: number): void {
    const recent = this.#recent;
    const at = no & this.#mask;
    const before = recent[at]!;
    recent[at] = order;
    if (before === null) return;
    // Mostly it goes by another number now, or by none.
    const old = before.no;
    if ((old & this.#mask) === at && old !== no && old !== 0) this.#retire(before);
  }

  /** The number is out of use. */
  #forget(no: number): void {
    if (this.#olderCount > 0 && this.#older.delete(no)) this.#olderCount--;
  }

  /** What stood at a place that another order now takes. */
  #retire(order: Order): void {
    this.#older.set(order.no, order);
    if (++this.#olderCount > this.#mask >> 1) this.#widen();
  }

  /** More records, the one of the lowest slot first. */
  #grow(account: Account, market: MarketState, leg: Leg): void {
    const all = this.all;
    const first = all.length;
    for (let k = 0; k < MORE; k++) all.push(new Order(first + k, account, market, leg)); // hot-ok: growth only
    for (let k = MORE; k > 0; k--) {
      const order = all[first + k - 1]!;
      order.below = this.#free;
      this.#free = order;
    }
  }

  /** Twice the places. */
  #widen(): void {
    this.#mask = this.#mask * 2 + 1;
    this.#note();
  }

  /** Puts all orders that have a number in their places, by number, so that the newest of a place is in it. */
  #note(): void {
    const orders = this.all.toSorted(byNumber);
    this.#isAsked = true;
    this.#recent = places(this.#mask + 1);
    this.#older.clear();
    this.#olderCount = 0;
    for (let k = 0; k < orders.length; k++) if (orders[k]!.no > 0) this.#enter(orders[k]!, orders[k]!.no);
  }
}

function places(count: number): (Order | null)[] {
  return Array.from({ length: count }, () => null); // hot-ok: growth only
}

function byNumber(a: Order, b: Order): number {
  return a.no - b.no;
}
