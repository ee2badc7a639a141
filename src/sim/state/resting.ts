/**
 * @hot The resting orders of one instrument and direction in price-time priority: an array with the best order last. Most orders are
 * inserted and removed near the best, so little has to be moved.
 */
import { assert } from '../../base/failure/assert.ts';
import * as codes from '../../domain/codes.ts';
import type { Order } from './order.ts';

const { BUY, SELL } = codes;

/** Above all prices. */
export const FARTHEST = Number.MAX_SAFE_INTEGER;

/** A bound above all usual prices. It is a small integer, which makes comparisons in every row fast. */
export const HIGH = 2 ** 31 - 1;

/** Initial capacity. */
const PLACES = 8;

/** From this many elements on, `splice` moves faster than a loop. */
const FAR = 64;

export class Resting {
  /** The first `count` entries are valid. */
  readonly orders: (Order | null)[] = Array.from({ length: PLACES }, () => null);
  count = 0;
  /** Key (limit price in ticks) of the best order, or `none`. */
  declare top: number;
  /** Value of `top` without orders: 0 for buys, HIGH for sells. Rows rarely reach it, and reaching it is harmless. */
  declare readonly none: number;
  /** True where the fill model asks for cancelled lots. Then: the best price of the book, its size, and what traded there since. */
  followsLevel = false;
  shownAt = 0;
  shownSize = 0;
  tradedSince = 0;
  /** 1 if a higher key is better (buys), −1 if a lower key is better (sells). */
  declare readonly sign: number;
  /** Aggressor that trades with these orders: BUY or SELL. */
  declare readonly hitBy: number;

  constructor(sign: number) {
    this.sign = sign;
    this.hitBy = sign > 0 ? SELL : BUY;
    this.none = sign > 0 ? 0 : HIGH;
    this.top = this.none;
  }

  /** A row of the book shows this best price and size. */
  show(price: number, size: number): void {
    this.shownAt = price;
    this.shownSize = size;
    this.tradedSince = 0;
  }

  insert(order: Order): void {
    const orders = this.orders;
    const count = this.count++;
    if (count === 0 || this.#isBetter(order, orders[count - 1]!)) {
      this.#put(count, order);
      this.top = order.key;
    } else this.#insertAt(this.#place(order, count), order, count);
  }

  #put(at: number, order: Order): void {
    const orders = this.orders;
    if (at === orders.length) orders.push(order);
    else orders[at] = order;
  }

  /** Inserts before the end. */
  #insertAt(at: number, order: Order, count: number): void {
    const orders = this.orders;
    if (count - at > FAR) {
      // Removes an unused entry, because splice adds one.
      if (orders.length > count) orders.pop();
      orders.splice(at, 0, order);
      return;
    }
    if (count === orders.length) orders.push(order);
    for (let k = count; k > at; k--) orders[k] = orders[k - 1]!;
    orders[at] = order;
  }

  /** True if the resting order is the best, and would also be the best as a new order with this key. */
  isFirst(order: Order, key: number): boolean {
    const last = this.count - 1;
    if (last === 0) return true;
    return this.orders[last] === order && (key - this.orders[last - 1]!.key) * this.sign > 0;
  }

  /** Index of a resting order. */
  placeOf(order: Order): number {
    const last = this.count - 1;
    if (this.orders[last] === order) return last;
    const at = this.#place(order, last + 1);
    assert(this.orders[at] === order, 'an order that is removed from a book rests in it');
    return at;
  }

  removeAt(at: number): void {
    const last = --this.count;
    if (at < last) this.#closeGap(at, last);
    this.#findTop();
  }

  #closeGap(at: number, last: number): void {
    const orders = this.orders;
    if (last - at > FAR) {
      orders.splice(at, 1);
      orders.push(null);
    } else for (let k = at; k < last; k++) orders[k] = orders[k + 1]!;
  }

  /** A copy of the orders, worst first. */
  list(): Order[] {
    return this.orders.slice(0, this.count) as Order[];
  }

  /** Loads the orders of a snapshot, which are sorted. */
  load(orders: Order[]): void {
    this.count = orders.length;
    for (let k = 0; k < orders.length; k++) this.#put(k, orders[k]!);
    this.#findTop();
  }

  #findTop(): void {
    if (this.count > 0) this.top = this.orders[this.count - 1]!.key;
    else this.top = this.none;
  }

  /** True if `newer` ranks before `other`. With equal keys the older order ranks first. */
  #isBetter(newer: Order, other: Order): boolean {
    return this.sign > 0 ? newer.key > other.key : newer.key < other.key;
  }

  /** Index where `order` is or belongs; worse orders are before it. Equal keys rank by number, which grows with time. */
  #place(order: Order, count: number): number {
    const orders = this.orders;
    const sign = this.sign;
    const key = order.key * sign;
    const no = order.no;
    let low = 0;
    let high = count;
    while (low < high) {
      const mid = (low + high) >>> 1;
      const other = orders[mid]!;
      const otherKey = other.key * sign;
      if (otherKey < key || (otherKey === key && other.no > no)) low = mid + 1;
      else high = mid;
    }
    return low;
  }
}
