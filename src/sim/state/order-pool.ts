/**
 * @hot The pool of order records, with lookup by order number. The low bits of a number choose a slot of a table; an older order whose slot
 * is reused moves to a map. The table is built at the first lookup, because a backtest holds the records and never looks up.
 */
import type { Account, Leg } from './account.ts';
import type { MarketState } from './market-state.ts';
import { Order } from './order.ts';

/** Called with an order before its record is reused. */
export interface ReleaseWatcher {
  released(order: Order): void;
}

/** Number of records that the pool grows by. */
const MORE = 16;

export class OrderPool {
  /** By slot. */
  readonly all: Order[] = [];
  /** Snapshots in progress that still have to copy ended orders. */
  readonly #watchers: ReleaseWatcher[] = [];
  #isWatched = false;
  /** Head of the linked list of free records. */
  #free: Order | null = null;
  /** True after the first lookup by number. */
  #isAsked = false;
  /** The table, by the low bits of the number. */
  #recent: (Order | null)[] = [];
  #mask = 1_023;
  readonly #older = new Map<number, Order>();
  #olderCount = 0;

  /** A record for order `no`. The caller must set all fields other than these four arguments. */
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

  /** Returns the record to the pool. */
  release(order: Order): void {
    if (this.#isWatched) for (const watcher of this.#watchers) watcher.released(order);
    if (this.#isAsked) this.#forget(order.no);
    order.no = 0;
    order.below = this.#free;
    this.#free = order;
  }

  /** Starts or stops calling `watcher` before records are reused. */
  watch(watcher: ReleaseWatcher, isOn: boolean): void {
    const watchers = this.#watchers;
    if (isOn) watchers.push(watcher);
    else watchers.splice(watchers.indexOf(watcher), 1);
    this.#isWatched = watchers.length > 0;
  }

  /** Gives the order the number `no`. Its old number no longer finds it. */
  renumber(order: Order, no: number): void {
    if (this.#isAsked) this.#forget(order.no);
    order.no = no;
    if (this.#isAsked) this.#enter(order, no);
  }

  /** Free slots; the last is used next. */
  freeSlots(): number[] {
    const slots: number[] = []; // hot-ok: snapshots
    for (let order = this.#free; order !== null; order = order.below) slots.push(order.slot);
    return slots.toReversed();
  }

  /** Replaces the pool by `orders`, ordered by slot; `free` as returned by freeSlots. */
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
    // Usually that record has another number by now, or none.
    const old = before.no;
    if ((old & this.#mask) === at && old !== no && old !== 0) this.#retire(before);
  }

  /** Removes a number from the lookup. */
  #forget(no: number): void {
    if (this.#olderCount > 0 && this.#older.delete(no)) this.#olderCount--;
  }

  /** Moves the order whose slot is reused to the map. */
  #retire(order: Order): void {
    this.#older.set(order.no, order);
    if (++this.#olderCount > this.#mask >> 1) this.#widen();
  }

  /** Adds records; the one with the lowest slot is used first. */
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

  /** Doubles the table. */
  #widen(): void {
    this.#mask = this.#mask * 2 + 1;
    this.#note();
  }

  /** Fills the table with all orders in order of their numbers, so that the newest of a slot is in it. */
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
