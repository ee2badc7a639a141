/**
 * @hot The resting orders of one instrument and direction in price-time priority. The best of them are in an array, the best order last: most
 * orders are inserted and removed there, so little has to be moved. The others rest far from the best, in blocks (market/far-orders.ts). They
 * come into the array when it is empty, or when somebody needs the orders up to a key.
 */
import { assert } from '../../base/failure/assert.ts';
import * as codes from '../../domain/codes.ts';
import { FarOrders } from './market/far-orders.ts';
import type { Order } from './order.ts';

const { BUY, SELL } = codes;

/** Above all prices. */
export const FARTHEST = Number.MAX_SAFE_INTEGER;

/** A bound above all usual prices. It is a small integer, which makes comparisons in every row fast. */
export const HIGH = 2 ** 31 - 1;

/** Initial capacity. */
const PLACES = 8;

/** Most orders of the array when one is inserted; half of them stay there then. */
const NEAR = 256;

/** Place of an order that is far from the best. */
export const FAR = -1;

export class Resting {
  /** The best orders; the first `count` entries are valid. Without them there are no far ones either. */
  readonly orders: (Order | null)[] = Array.from({ length: PLACES }, () => null);
  count = 0;
  /** All orders that are not in the array; each of its orders ranks before them. */
  declare readonly far: FarOrders<Order>;
  /** Key of the best far order, or a key that is worse than all. */
  declare beyond: number;
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
    this.far = new FarOrders<Order>(sign);
    this.beyond = -sign * FARTHEST;
  }

  /** Number of all orders. */
  get size(): number {
    return this.count + this.far.count;
  }

  /** A row of the book shows this best price and size. */
  show(price: number, size: number): void {
    this.shownAt = price;
    this.shownSize = size;
    this.tradedSince = 0;
  }

  insert(order: Order): void {
    if (this.count >= NEAR) this.#sendFar();
    const count = this.count;
    if (count === 0 || this.#isBetter(order, this.orders[count - 1]!)) {
      this.#put(count, order);
      this.count++;
      this.top = order.key;
    } else this.#insertBehind(order, count);
  }

  #put(at: number, order: Order): void {
    const orders = this.orders;
    if (at === orders.length) orders.push(order);
    else orders[at] = order;
  }

  /** Inserts an order that is not the best. */
  #insertBehind(order: Order, count: number): void {
    const orders = this.orders;
    const at = this.#place(order, count);
    if (at === 0 && this.far.count > 0) {
      this.far.insert(order);
      this.#findBeyond();
      return;
    }
    if (count === orders.length) orders.push(order);
    for (let k = count; k > at; k--) orders[k] = orders[k - 1]!;
    orders[at] = order;
    this.count++;
  }

  /** Leaves half a full array of the best orders in it. */
  #sendFar(): void {
    const rest = this.orders.splice(0, this.count - NEAR / 2) as Order[];
    this.count -= rest.length;
    this.far.append(rest);
    this.#findBeyond();
  }

  /** Brings all orders with this key or a better one into the array. Needed before a walk through it that goes as far as the key. */
  reach(key: number): void {
    if ((this.beyond - key) * this.sign >= 0) this.#fetch(key);
  }

  /** Brings all orders into the array. */
  reachAll(): void {
    if (this.far.count > 0) this.#fetch(-this.sign * Infinity);
  }

  #fetch(key: number): void {
    if (this.far.count === 0) return;
    const found: (Order | null)[] = this.far.takeTo(key);
    const orders = this.orders;
    for (let k = 0; k < this.count; k++) found.push(orders[k]!);
    for (let k = 0; k < found.length; k++) this.#put(k, found[k]!);
    this.count = found.length;
    this.#findBeyond();
  }

  #findBeyond(): void {
    this.beyond = this.far.best?.key ?? -this.sign * FARTHEST;
  }

  /** True if the resting order is the best, and would also be the best as a new order with this key. */
  isFirst(order: Order, key: number): boolean {
    const last = this.count - 1;
    const next = last > 0 ? this.orders[last - 1]!.key : this.beyond;
    return this.orders[last] === order && (key - next) * this.sign > 0;
  }

  /** Index of a resting order in the array, or FAR. */
  placeOf(order: Order): number {
    const last = this.count - 1;
    if (this.orders[last] === order) return last;
    const at = this.#place(order, last + 1);
    if (at === 0 && this.orders[0] !== order) return FAR;
    assert(this.orders[at] === order, 'an order that is removed from a book rests in it');
    return at;
  }

  /** Removes the order at this index, or one that is FAR. */
  removeAt(at: number, order: Order): void {
    if (at === FAR) {
      this.far.remove(order);
      this.#findBeyond();
      return;
    }
    const orders = this.orders;
    const last = --this.count;
    for (let k = at; k < last; k++) orders[k] = orders[k + 1]!;
    if (last === 0) this.#fetch(this.beyond);
    this.#findTop();
  }

  forEach(visit: (order: Order) => void): void {
    this.far.forEach(visit);
    for (let k = 0; k < this.count; k++) visit(this.orders[k]!);
  }

  /** A copy of the orders, worst first. */
  list(): Order[] {
    const near = this.orders.slice(0, this.count) as Order[];
    return this.far.count === 0 ? near : this.far.list().concat(near);
  }

  /** Loads the orders of a snapshot, which are sorted. */
  load(orders: Order[]): void {
    const near = Math.max(0, orders.length - NEAR / 2);
    this.far.clear();
    this.far.append(orders.slice(0, near));
    this.#findBeyond();
    this.count = orders.length - near;
    for (let k = 0; k < this.count; k++) this.#put(k, orders[near + k]!);
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
