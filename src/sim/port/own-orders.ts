/**
 * @hot The records of one account's orders by their tags, which are the bot's numbers, for orders that came not long ago. The low
 * bits of a tag choose a place, and a newer order takes it: of an order that works for longer, the book itself has to be asked.
 */
import * as states from '../../domain/order.ts';
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
   * The working order of this tag, or null: what a place holds may be another order's record by now, also of one that the venue made,
   * which has tag 0.
   */
  find(tag: number): Order | null {
    const order = this.#places[tag & MASK]!;
    const isIt = order !== null && order.tag === tag && order.status === WORKING && tag > 0;
    return isIt && order.account === this.account ? order : null;
  }
}
