/** A row of numbers for each order, by its number. Rows of orders that nobody asked for lately leave the memory of a long run. @hot */
import type { PageStore } from './row-pages.ts';

/** Orders of a page, and pages that stay in memory. */
const ORDERS = 4096;
const PAGES = 8;

/** One page. Pages that were not written to have only zeros, and there are none of them. */
class OrderPage {
  declare readonly number: number;
  declare readonly rows: Float64Array;
  isChanged = false;

  constructor(number: number, rows: Float64Array) {
    this.number = number;
    this.rows = rows;
  }
}

export class OrderRows {
  /** Numbers of a row. */
  declare private readonly stride: number;
  declare private readonly openStore: (() => PageStore) | null;
  private store: PageStore | null = null;
  /** The page that was used last, then the one before, and so on. */
  private readonly kept: OrderPage[] = [];
  /** By number of a page that left the memory: its place in the store. */
  private readonly places = new Map<number, number>();
  private written = 0;
  private last: OrderPage | null = null;

  /** Without a store everything stays in memory. */
  constructor(stride: number, openStore: (() => PageStore) | null = null) {
    this.stride = stride;
    this.openStore = openStore;
  }

  /** Number `at` of the row of order `seq`; 0 if it was not set. */
  get(seq: number, at: number): number {
    // No page was ever written to: a run without brackets asks for each modify.
    if (this.last === null) return 0;
    const number = Math.floor(seq / ORDERS);
    const page = this.last.number === number ? this.last : this.#find(number);
    return page === null ? 0 : page.rows[(seq - number * ORDERS) * this.stride + at]!;
  }

  set(seq: number, at: number, value: number): void {
    const number = Math.floor(seq / ORDERS);
    let page = this.last !== null && this.last.number === number ? this.last : this.#find(number);
    if (page === null) page = this.#keep(new OrderPage(number, new Float64Array(ORDERS * this.stride))); // hot-ok: once a page
    page.rows[(seq - number * ORDERS) * this.stride + at] = value;
    page.isChanged = true;
  }

  /** A page that was written to, which is the last one used from now on; null if none was. */
  #find(number: number): OrderPage | null {
    for (let k = 0; k < this.kept.length; k++) {
      const page = this.kept[k]!;
      if (page.number !== number) continue;
      this.kept.splice(k, 1);
      return this.#keep(page);
    }
    const place = this.places.get(number);
    if (place === undefined) return null;
    const rows = new Float64Array(ORDERS * this.stride); // hot-ok: once a page that is read again
    this.store!.read(place, rows);
    return this.#keep(new OrderPage(number, rows)); // hot-ok: once a page that is read again
  }

  #keep(page: OrderPage): OrderPage {
    this.kept.unshift(page);
    this.last = page;
    if (this.openStore !== null && this.kept.length > PAGES) this.#leave(this.kept.pop()!);
    return page;
  }

  #leave({ number, rows, isChanged }: OrderPage): void {
    if (!isChanged) return;
    this.store ??= this.openStore!();
    this.store.write(rows);
    this.places.set(number, this.written++);
  }
}
