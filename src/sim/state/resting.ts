/**
 * @hot The resting orders of one instrument and direction in price-time priority: an array with the best at its end, where a
 * quoter works, so most inserts and removals move nothing.
 */
import { assert } from '../../base/assert.ts';
import * as codes from '../../domain/codes.ts';
import type { Order } from './order.ts';

const { BUY, SELL } = codes;

/** No price is at or above this one. */
export const FARTHEST = Number.MAX_SAFE_INTEGER;

/** A bound above all prices but outlandish ones, and small, as what is compared at every row nearly always is. */
export const HIGH = 2 ** 31 - 1;

/** Places at first. */
const PLACES = 8;

/** Beyond this many to move, the array's own move is the faster one: `splice`, which moves memory; `copyWithin` asks for each place. */
const FAR = 64;

export class Resting {
  /** Places from `count` on are left over from before, or have not been taken yet. */
  readonly orders: (Order | null)[] = Array.from({ length: PLACES }, () => null);
  count = 0;
  /** Key of the best order, or `none`. */
  declare top: number;
  /** 0 for buys, HIGH for sells: a bound that rows rarely reach; reaching it is harmless. */
  declare readonly none: number;
  /** 1 when a higher key is better (buys), −1 when a lower one is (sells). */
  declare readonly sign: number;
  /** BUY or SELL: the aggressor whose trades are with these orders. */
  declare readonly hitBy: number;

  constructor(sign: number) {
    this.sign = sign;
    this.hitBy = sign > 0 ? SELL : BUY;
    this.none = sign > 0 ? 0 : HIGH;
    this.top = this.none;
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

  /** At a place before the end. */
  #insertAt(at: number, order: Order, count: number): void {
    const orders = this.orders;
    if (count - at > FAR) {
      // A place that is left over is given up for the one that is made.
      if (orders.length > count) orders.pop();
      orders.splice(at, 0, order); // hot-ok: rare, and what it costs is the move
      return;
    }
    if (count === orders.length) orders.push(order);
    for (let k = count; k > at; k--) orders[k] = orders[k - 1]!;
    orders[at] = order;
  }

  /** Whether the order, which rests here, is the best, and would be as a newer one of this key. */
  isFirst(order: Order, key: number): boolean {
    const last = this.count - 1;
    if (last === 0) return true;
    return this.orders[last] === order && (key - this.orders[last - 1]!.key) * this.sign > 0;
  }

  /** Where the order stands, which rests here. */
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
      orders.splice(at, 1); // hot-ok: rare, and what it costs is the move
      orders.push(null);
    } else for (let k = at; k < last; k++) orders[k] = orders[k + 1]!;
  }

  /** A fresh array, worst first. */
  list(): Order[] {
    return this.orders.slice(0, this.count) as Order[];
  }

  /** Takes the orders of a snapshot, which are in rank. */
  load(orders: Order[]): void {
    this.count = orders.length;
    for (let k = 0; k < orders.length; k++) this.#put(k, orders[k]!);
    this.#findTop();
  }

  #findTop(): void {
    if (this.count > 0) this.top = this.orders[this.count - 1]!.key;
    else this.top = this.none;
  }

  /** A newer order is better only by its key. */
  #isBetter(newer: Order, other: Order): boolean {
    return this.sign > 0 ? newer.key > other.key : newer.key < other.key;
  }

  /** Where `order` stands or belongs: before it in the array are the worse ones. Equal keys rank by number, and numbers grow with time. */
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
