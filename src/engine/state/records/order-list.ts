/**
 * Records of the orders of one instrument, and how many are live. A record stays in the list of its instrument while it is reused for new
 * orders there. @hot
 */
import type { Order } from './order.ts';

export class OrderList {
  /** Records in no particular order, free ones included. */
  #first: Order | null = null;
  /** Count of orders added here, and of orders that ended. */
  #begun = 0;
  #ended = 0;

  /** Number of live orders. */
  get live(): number {
    return this.#begun - this.#ended;
  }

  /** Increases with each change of the set of live orders. */
  get version(): number {
    return this.#begun + this.#ended;
  }

  /** An order was added. */
  begun(): void {
    this.#begun++;
  }

  /** An order ended. */
  ended(): void {
    this.#ended++;
  }

  /** Orders whose records are in use, live or ended, oldest first, in a new array. */
  known(): Order[] {
    return this.#oldestFirst(false);
  }

  /** Those of them that are live. */
  alive(): Order[] {
    return this.#oldestFirst(true);
  }

  #oldestFirst(onlyAlive: boolean): Order[] {
    const found: Order[] = []; // hot-ok: for reads, and after the set of live orders changed
    for (let order = this.#first; order !== null; order = order.next) {
      if (order.seq !== 0 && (!onlyAlive || order.isAlive)) found.push(order);
    }
    return found.length < 2 ? found : found.sort((a, b) => a.seq - b.seq); // hot-ok: more than one is rare
  }

  /** The oldest order whose command is in flight, or null. */
  oldestInFlight(): Order | null {
    let oldest: Order | null = null;
    for (let order = this.#first; order !== null; order = order.next) {
      if (order.seq !== 0 && order.isInFlight && (oldest === null || order.seq < oldest.seq)) oldest = order;
    }
    return oldest;
  }

  /** Adds the record to this instrument. */
  link(order: Order): void {
    const after = this.#first;
    order.previous = null;
    order.next = after;
    if (after !== null) after.previous = order;
    this.#first = order;
  }

  /** Removes the record from this instrument. */
  unlink(order: Order): void {
    const before = order.previous;
    const after = order.next;
    if (before === null) this.#first = after;
    else before.next = after;
    if (after !== null) after.previous = before;
  }
}
