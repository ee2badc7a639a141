/** Rows by id, the newest kept, with an index by id and by time. */
import { firstIndex } from '../../base/collections/first-index.ts';

export interface PageQuery<Row> {
  /** Only rows with a smaller id. */
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly matches?: ((row: Row) => boolean) | undefined;
}

/** Newest first. `next` is the `before` of the next page, null on the last. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: number | null;
}

/** What `RecentRows` reads of a row. Ids grow with the time of the rows. */
export interface RecentRowsOptions<Row> {
  readonly most: number;
  readonly idOf: (row: Row) => number;
  readonly timeOf: (row: Row) => number;
}

export class RecentRows<Row> {
  readonly #options: RecentRowsOptions<Row>;
  /** Sorted by id; rows before #first were dropped. */
  #rows: Row[] = [];
  #first = 0;

  constructor(options: RecentRowsOptions<Row>) {
    this.#options = options;
  }

  get size(): number {
    return this.#rows.length - this.#first;
  }

  get newest(): Row | undefined {
    return this.size === 0 ? undefined : this.#rows.at(-1);
  }

  clear(): void {
    this.#rows = [];
    this.#first = 0;
  }

  /** Adds a row, or replaces the one of the same id. */
  put(row: Row): void {
    const { idOf, most } = this.#options;
    const id = idOf(row);
    const at = this.#placeOf(id);
    const there = this.#rows[at];
    if (there !== undefined && idOf(there) === id) this.#rows[at] = row;
    else if (at === this.#rows.length) this.#rows.push(row);
    else this.#rows.splice(at, 0, row);
    while (this.size > most) this.#rows[this.#first++] = undefined as Row;
    if (this.#first < 1_024 || this.#first < this.size) return;
    this.#rows = this.#rows.slice(this.#first);
    this.#first = 0;
  }

  get(id: number): Row | undefined {
    const row = this.#rows[this.#placeOf(id)];
    return row !== undefined && this.#options.idOf(row) === id ? row : undefined;
  }

  /** The newest `count` rows, oldest first. */
  last(count: number): readonly Row[] {
    return this.#rows.slice(Math.max(this.#first, this.#rows.length - count));
  }

  page({ before = Infinity, limit = 100, from = -Infinity, to = Infinity, matches }: PageQuery<Row>): Page<Row> {
    const { idOf, timeOf } = this.#options;
    const rows: Row[] = [];
    const end = Math.min(this.#placeOf(before), to === Infinity ? Infinity : this.#firstIndex((row) => timeOf(row) >= to));
    for (let at = end - 1; at >= this.#first; at--) {
      const row = this.#rows[at]!;
      if (timeOf(row) < from) break;
      if (matches?.(row) === false) continue;
      if (rows.length === limit) return { rows, next: idOf(rows.at(-1)!) };
      rows.push(row);
    }
    return { rows, next: null };
  }

  /** Index of the first row whose id is not below `id`. */
  #placeOf(id: number): number {
    const newest = this.#rows.at(-1);
    if (newest === undefined || this.#options.idOf(newest) < id) return this.#rows.length;
    return this.#firstIndex((row) => this.#options.idOf(row) >= id);
  }

  #firstIndex(isAt: (row: Row) => boolean): number {
    return firstIndex(this.#first, this.#rows.length, (index) => isAt(this.#rows[index]!));
  }
}
