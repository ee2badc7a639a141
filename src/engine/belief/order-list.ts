/** The own orders of one instrument, in a list, and how many of them are alive. @hot */
import type { Order } from './orders.ts';

export class OrderList {
  /** Oldest first; those that ended are among them until nobody needs them. */
  first: Order | null = null;
  last: Order | null = null;
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
  link(order: Order): void {
    const last = this.last;
    order.previous = last;
    order.next = null;
    if (last === null) this.first = order;
    else last.next = order;
    this.last = order;
    this.#begun++;
  }

  /** One of them is alive no more. */
  ended(): void {
    this.#ended++;
  }

  /** Nobody needs the order any more. */
  unlink(order: Order): void {
    const before = order.previous;
    const after = order.next;
    if (before === null) this.first = after;
    else before.next = after;
    if (after === null) this.last = before;
    else after.previous = before;
  }
}
