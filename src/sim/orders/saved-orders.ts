/**
 * Orders in a snapshot: one row per record, free records included. Working orders are copied at once. Ended orders do not change, so they
 * are copied when the list is read, or before their record is reused.
 */
import { Lazy } from '../../base/lazy.ts';
import { WORKING } from '../../domain/orders/order.ts';
import { Order } from '../state/order.ts';
import type { OrderPool, ReleaseWatcher } from '../state/order-pool.ts';

type Value = number | boolean;
/** A row as a plain array, because there are many. */
export type SavedOrder = [account: number, market: number, ...fields: Value[]];

const REFERENCES = ['slot', 'below', 'account', 'market', 'leg'];

/** Names of all fields of an order except its references. */
export function orderFields(order: Order): string[] {
  return Object.keys(order).filter((name) => !REFERENCES.includes(name));
}

/** The orders at this moment by slot: account, instrument, and the fields `names`. The list can be read once. */
export function keptOrders(pool: OrderPool, names: readonly string[]): Lazy {
  const kept = new KeptOrders(pool, names);
  return new Lazy(() => kept.rows());
}

class KeptOrders implements ReleaseWatcher {
  readonly #pool: OrderPool;
  readonly #fields: readonly string[];
  readonly #bySlot: (Order | SavedOrder)[];

  constructor(pool: OrderPool, fields: readonly string[]) {
    this.#pool = pool;
    this.#fields = fields;
    this.#bySlot = pool.all.map((order) => (order.no === 0 || order.status === WORKING ? this.#rowOf(order) : order));
    pool.watch(this, true);
  }

  released(order: Order): void {
    if (this.#bySlot[order.slot] === order) this.#bySlot[order.slot] = this.#rowOf(order);
  }

  *rows(): Generator<SavedOrder, void> {
    try {
      for (const [slot, entry] of this.#bySlot.entries()) {
        const row = entry instanceof Order ? this.#rowOf(entry) : entry;
        this.#bySlot[slot] = row;
        yield row;
      }
    } finally {
      this.#pool.watch(this, false);
    }
  }

  #rowOf(order: Order): SavedOrder {
    const row: SavedOrder = [order.account.index, order.market.index];
    for (const name of this.#fields) row.push(order[name as keyof Order] as Value);
    return row;
  }
}
