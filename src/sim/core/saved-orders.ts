/**
 * Orders as a snapshot keeps them: one row for each record, free ones too. Those that live are copied at once, for they change; those
 * that ended do not change any more and are copied when they are reached, or before their record is given back.
 */
import { Lazy } from '../../base/lazy.ts';
import { WORKING } from '../../domain/order.ts';
import { Order } from '../state/order.ts';
import type { OrderPool, ReleaseWatcher } from '../state/order-pool.ts';

type Value = number | boolean;
/** A bare row, because there are many. */
export type SavedOrder = [account: number, market: number, ...fields: Value[]];

const REFERENCES = ['slot', 'below', 'account', 'market', 'leg'];

/** Every field of an order but its references: the record's own are all of them. */
export function orderFields(order: Order): string[] {
  return Object.keys(order).filter((name) => !REFERENCES.includes(name));
}

/** The orders of this moment by slot: account, instrument, and what the fields of these names hold. The list may be read once. */
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
