/**
 * @hot A cache of one account's recent orders by tag, the bot's order number. The low bits of a tag choose a slot, and a newer order
 * replaces an older one. An older order that is not found here must be searched in the book.
 */
import * as states from '../../domain/orders/order.ts';
import type { Account } from '../state/account.ts';
import type { Order } from '../state/order.ts';

const { WORKING } = states;

/** A power of two. */
const PLACES = 1_024;
const MASK = PLACES - 1;

export class OwnOrders {
  declare private readonly account: Account;
  readonly #places: (Order | null)[] = Array.from({ length: PLACES }, () => null);

  constructor(account: Account) {
    this.account = account;
  }

  set(tag: number, order: Order): void {
    this.#places[tag & MASK] = order;
  }

  /**
   * The working order with this tag, or null. A slot may hold a record that was reused for another order, also for one of the venue, which
   * has tag 0.
   */
  find(tag: number): Order | null {
    const order = this.#places[tag & MASK]!;
    const isIt = order !== null && order.tag === tag && order.status === WORKING && tag > 0;
    return isIt && order.account === this.account ? order : null;
  }
}
