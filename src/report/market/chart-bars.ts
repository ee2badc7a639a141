/** Bars of a chart: their lengths, and how they are made of prices. */
import { DAY_MS } from '../../base/time/time-spans.ts';

/** Bars as text: see packed-bars.ts. */
export interface PackedBars {
  readonly barMs: number;
  /** The time that they cover, milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly decimals: number;
  readonly bars: string;
}

/** Columns of equal length. Prices are statistics. */
export interface BarColumns {
  readonly barMs: number;
  /** Begin of the bar in milliseconds since 1970; bars without a price are left out. */
  readonly time: readonly number[];
  readonly open: readonly number[];
  readonly high: readonly number[];
  readonly low: readonly number[];
  readonly close: readonly number[];
}

const LENGTHS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400].map((seconds) => seconds * 1000);

/** The shortest usual length that makes at most `most` bars of `ms`, from bars of `leastMs`; whole days beyond that. */
export function barLengthFor(ms: number, most: number, leastMs: number): number {
  return [leastMs, ...multiplesOf(leastMs)].find((length) => ms / length <= most) ?? Math.ceil(ms / most / DAY_MS) * DAY_MS;
}

const multiplesOf = (leastMs: number): number[] => LENGTHS.filter((length) => length > leastMs && length % leastMs === 0);

/** Lengths of the bars of a chart. */
export interface ChartLevels {
  /** Of the whole run. */
  readonly barMs: number;
  /** A part of `barMs`, or `barMs` itself where the market has no finer bars or there is no room for them. */
  readonly finerMs: number;
  /** No bar is shorter: the length of those of the tape, or a second. */
  readonly leastMs: number;
}

/** Most bars of one market, and finer ones of all markets of a run together. */
const BARS_MOST = 1_500;
const FINER_MOST = 24_000;

/** `barsMs`: the length of the bars of the tape, 0 for a tape of trades and quotes. */
export function chartLevels(spanMs: number, markets: number, barsMs: number): ChartLevels {
  const leastMs = Math.max(1000, barsMs);
  const barMs = barLengthFor(spanMs, BARS_MOST, leastMs);
  const most = FINER_MOST / Math.max(1, markets);
  const finer = [leastMs, ...multiplesOf(leastMs)].find((length) => barMs % length === 0 && spanMs / length <= most);
  return { barMs, finerMs: Math.min(finer ?? barMs, barMs), leastMs };
}

/** Collects prices in order of time into bars. */
export class BarCollector {
  readonly barMs: number;
  readonly #time: number[] = [];
  readonly #open: number[] = [];
  readonly #high: number[] = [];
  readonly #low: number[] = [];
  readonly #close: number[] = [];
  #end = -Infinity;
  #last = -1;

  constructor(barMs: number) {
    this.barMs = barMs;
  }

  add(time: number, price: number): void {
    if (time >= this.#end) {
      const start = Math.floor(time / this.barMs) * this.barMs;
      this.#end = start + this.barMs;
      this.#last = this.#time.push(start) - 1;
      this.#open.push(price);
      this.#high.push(price);
      this.#low.push(price);
      this.#close.push(price);
      return;
    }
    const k = this.#last;
    if (price > this.#high[k]!) this.#high[k] = price;
    else if (price < this.#low[k]!) this.#low[k] = price;
    this.#close[k] = price;
  }

  /** The bars; `priceOf` turns what `add` got into prices. */
  bars(priceOf: (price: number) => number): BarColumns {
    const columns = [this.#open, this.#high, this.#low, this.#close].map((column) => column.map(priceOf));
    const [open = [], high = [], low = [], close = []] = columns;
    return { barMs: this.barMs, time: this.#time, open, high, low, close };
  }
}

/** Bars of `barMs` from shorter ones, of which they are a multiple. */
export function joinedBars({ time, open, high, low, close }: BarColumns, barMs: number): BarColumns {
  const starts = time.map((at) => Math.floor(at / barMs) * barMs);
  const firsts = starts.flatMap((start, k) => (start === starts[k - 1] ? [] : [k]));
  const lasts = firsts.map((_, k) => (firsts[k + 1] ?? time.length) - 1);
  const over = (column: readonly number[], pick: (a: number, b: number) => number): number[] =>
    firsts.map((from, k) => column.slice(from, lasts[k]! + 1).reduce(pick));
  return {
    barMs,
    time: firsts.map((k) => starts[k]!),
    open: firsts.map((k) => open[k]!),
    high: over(high, (a, b) => Math.max(a, b)),
    low: over(low, (a, b) => Math.min(a, b)),
    close: lasts.map((k) => close[k]!),
  };
}
