/**
 * The records of the orders of one instrument, and how many of them are alive. A record stays here while it is used again for orders of
 * the same instrument: an order of one that is quoted all the time finds its place made. @hot
 */
import type { Order } from './orders.ts';

export class OrderList {
  /** Records in no order; free ones are among them. */
  #first: Order | null = null;
  /** Orders that came to live here, and those that ended. */
  #begun = 0;
  #ended = 0;

  /** How many are alive. */
  get live(): number {
    return this.#begun - this.#ended;
  }

  /** Counts the changes to the set of live orders. */
  get version(): number {
    return this.#begun + this.#ended;
  }

  /** A live order more. */
  begun(): void {
    this.#begun++;
  }

  /** One of them is alive no more. */
  ended(): void {
    this.#ended++;
  }

  /** Orders that somebody needs, ended or not, oldest first, in an array of their own. */
  known(): Order[] {
    const found: Order[] = []; // hot-ok: for reads
    for (let order = this.#first; order !== null; order = order.next) if (order.seq !== 0) found.push(order);
    return found.sort((a, b) => a.seq - b.seq); // hot-ok: as above
  }

  /** The record is of this instrument from now on. */
  link(order: Order): void {
    const after = this.#first;
    order.previous = null;
    order.next = after;
    if (after !== null) after.previous = order;
    this.#first = order;
  }

  /** It is used for another. */
  unlink(order: Order): void {
    const before = order.previous;
    const after = order.next;
    if (before === null) this.#first = after;
    else before.next = after;
    if (after !== null) after.previous = before;
  }
}
