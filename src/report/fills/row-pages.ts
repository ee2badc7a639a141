/**
 * Rows of numbers, added one after the other and read in order. They are kept in pages, so that nothing is copied when they grow; those of a
 * long run leave the memory.
 */

/** Takes pages that are read again only at the end, all of one length. */
export interface PageStore {
  write(page: Float64Array): void;
  /** Reads page `number`; the first that was written is 0. */
  read(number: number, into: Float64Array): void;
}

/** Rows of the first page, and of the largest. */
const FIRST = 1024;
const MOST = 4096;
/** Rows that stay in memory, besides the newest page. */
export const ROWS_KEPT = 8192;

export class RowPages {
  /** Numbers of a row. */
  readonly stride: number;
  /** The newest page. A row is written to it from `at` on; then call `added`. */
  page: Float64Array;
  at = 0;
  private readonly kept: Float64Array[] = [];
  private stored = 0;
  /** Rows before the newest page. */
  private before = 0;
  private store: PageStore | null = null;
  private readonly openStore: (() => PageStore) | null;

  /** Without a store everything stays in memory. */
  constructor(stride: number, openStore: (() => PageStore) | null = null) {
    this.stride = stride;
    this.openStore = openStore;
    this.page = new Float64Array(FIRST * stride);
  }

  /** Number of rows. */
  get length(): number {
    return this.before + this.at / this.stride;
  }

  added(): void {
    this.at += this.stride;
    if (this.at === this.page.length) this.#turn();
  }

  #turn(): void {
    const rows = this.at / this.stride;
    this.at = 0;
    if (this.before >= ROWS_KEPT && this.openStore !== null) {
      this.store ??= this.openStore();
      this.store.write(this.page);
      this.stored++;
    } else {
      this.kept.push(this.page);
      this.page = new Float64Array(Math.min(this.before + rows, MOST) * this.stride);
    }
    this.before += rows;
  }

  /** Calls `see` with each page in order and how many of its numbers are rows. The page may be overwritten after the call. */
  each(see: (page: Float64Array, end: number) => void): void {
    const reader = this.reader();
    while (reader.turn()) see(reader.page, reader.end);
  }

  /** Reads the rows that there are now, one after the other, from row `from` on. */
  reader(from = 0): RowReader {
    return new RowReader(this, from);
  }

  /** Number of pages, the newest included, which may be empty. */
  get pages(): number {
    return this.kept.length + this.stored + 1;
  }

  /** Number of rows of page `number`. */
  rowsOf(number: number): number {
    if (number === this.pages - 1) return this.at / this.stride;
    return (this.kept[number] ?? this.page).length / this.stride;
  }

  /** Page `number`; one that left the memory is read into `buffer`. */
  pageOf(number: number, buffer: () => Float64Array): Float64Array {
    if (number < this.kept.length) return this.kept[number]!;
    if (number === this.pages - 1) return this.page;
    const page = buffer();
    this.store!.read(number - this.kept.length, page);
    return page;
  }
}

export class RowReader {
  /** The row has its numbers in `page` from `at` on. */
  page: Float64Array = new Float64Array(0);
  at = 0;
  /** Where the rows of the page end. */
  end = 0;
  private readonly rows: RowPages;
  private number = 0;
  private buffer: Float64Array | null = null;

  constructor(rows: RowPages, from: number) {
    this.rows = rows;
    let rest = from;
    while (this.number < rows.pages && rest >= rows.rowsOf(this.number)) rest -= rows.rowsOf(this.number++);
    if (rest > 0 && this.turn()) this.at = (rest - 1) * rows.stride;
  }

  /** Goes to the next row; false after the last. */
  next(): boolean {
    this.at += this.rows.stride;
    return this.at < this.end || this.turn();
  }

  /** Goes to the first row of the next page that has one; false after the last. */
  turn(): boolean {
    const { rows } = this;
    if (this.number === rows.pages) return false;
    // As long as the newest page, which has the length of every page after the first ones.
    this.page = rows.pageOf(this.number++, () => (this.buffer ??= new Float64Array(rows.page.length)));
    this.end = this.number === rows.pages ? rows.at : this.page.length;
    this.at = 0;
    return this.end > 0;
  }
}
