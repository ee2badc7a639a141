/** The newest bars of one timeframe as columns. */
import type { Bar } from './bar.ts';

/** The last complete bars, newest last. The arrays are views without copies, valid until the next bar of this timeframe. */
export interface BarSeries {
  /** As in `needs.bars`. */
  readonly timeframe: string;
  /** Number of bars: at most as many as the strategies asked for. */
  readonly length: number;
  /** Start of each bar, venue time in milliseconds. */
  readonly time: Float64Array;
  /** First price of each bar. */
  readonly open: Float64Array;
  /** Highest price of each bar. */
  readonly high: Float64Array;
  /** Lowest price of each bar. */
  readonly low: Float64Array;
  /** Last price of each bar. */
  readonly close: Float64Array;
  /** Volume of each bar in base coin. */
  readonly volume: Float64Array;
}

/** One bar of the past: start, open, high, low, close, volume. */
export type BarRow = readonly [number, number, number, number, number, number];

export function rowOf({ start, open, high, low, close, volume }: Bar): BarRow {
  return [start, open, high, low, close, volume];
}

const COLUMNS = 6;
/** Bars that are added before the columns are moved to the front again, at least. */
const SLACK = 256;

export class Series implements BarSeries {
  readonly timeframe: string;
  readonly capacity: number;
  length = 0;
  /** Longer than needed: full columns are moved to the front. */
  readonly #columns: readonly Float64Array[];
  /** Of the newest bars; those of before are not given out again. */
  readonly #views: (Float64Array | null)[] = Array.from({ length: COLUMNS }, () => null);
  #hasViews = false;
  readonly #size: number;
  #end = 0;

  constructor(timeframe: string, capacity: number) {
    this.timeframe = timeframe;
    this.capacity = capacity;
    this.#size = capacity + Math.max(capacity, SLACK);
    this.#columns = Array.from({ length: COLUMNS }, () => new Float64Array(this.#size));
  }

  get time(): Float64Array {
    return this.#view(0);
  }
  get open(): Float64Array {
    return this.#view(1);
  }
  get high(): Float64Array {
    return this.#view(2);
  }
  get low(): Float64Array {
    return this.#view(3);
  }
  get close(): Float64Array {
    return this.#view(4);
  }
  get volume(): Float64Array {
    return this.#view(5);
  }

  push({ start, open, high, low, close, volume }: Bar): void {
    this.#add(start, open, high, low, close, volume);
  }

  /** Puts bars of the past, oldest first, before those that are known. Bars that are not older than the first known one are ignored. */
  prepend(rows: readonly BarRow[]): void {
    const known = Array.from({ length: this.length }, (_, i): BarRow => this.#row(i));
    const first = known[0]?.[0] ?? Infinity;
    this.replace([...rows.filter((row) => row[0] < first), ...known]);
  }

  /** Puts these bars, oldest first, in place of all known ones. */
  replace(rows: readonly BarRow[]): void {
    this.length = 0;
    this.#end = 0;
    for (const row of rows) this.#add(...row);
  }

  #row(i: number): BarRow {
    const at = this.#end - this.length + i;
    return this.#columns.map((column) => column[at]!) as unknown as BarRow;
  }

  #add(start: number, open: number, high: number, low: number, close: number, volume: number): void {
    const columns = this.#columns;
    const { capacity } = this;
    if (this.#end === this.#size) {
      for (let k = 0; k < COLUMNS; k++) columns[k]!.copyWithin(0, this.#size - capacity + 1);
      this.#end = capacity - 1;
    }
    const at = this.#end++;
    columns[0]![at] = start;
    columns[1]![at] = open;
    columns[2]![at] = high;
    columns[3]![at] = low;
    columns[4]![at] = close;
    columns[5]![at] = volume;
    if (this.length < capacity) this.length++;
    if (!this.#hasViews) return;
    this.#hasViews = false;
    for (let k = 0; k < COLUMNS; k++) this.#views[k] = null;
  }

  #view(k: number): Float64Array {
    this.#hasViews = true;
    this.#views[k] ??= this.#columns[k]!.subarray(this.#end - this.length, this.#end);
    return this.#views[k];
  }
}
