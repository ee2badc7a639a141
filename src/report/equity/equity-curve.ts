/** Samples equity over time: drawdown, exposure and thinned curves in constant memory. */

/** One point of the thinned curve. */
export interface EquityPoint {
  readonly time: number;
  /** Money, 10^-8. */
  readonly equity: number;
}

/** Points of the curve in the report, and rows of the columns. */
const POINTS_MAX = 2_000;
const ROWS_MAX = 32_768;

/**
 * Takes samples in time order. Maxima use every sample. The columns hold every sample, and every second one of them when there are more than
 * 32,768. Drawdown is the largest fall from a running peak, in money and as a share of that peak.
 */
export class EquityCurve {
  readonly start: number;
  end: number;
  maxDrawdown = 0;
  maxDrawdownShare = 0;
  samples = 0;
  /** Number of samples with an open position. */
  exposed = 0;
  maxExposure = 0;
  #time = new Float64Array(1024);
  #equity = new Float64Array(1024);
  #exposure = new Float64Array(1024);
  #rows = 0;
  /** Samples from one row to the next. */
  #stride = 1;
  #newestTime = 0;
  #newestExposure = 0;
  /** True if the newest sample is the last row. */
  #isNewestKept = true;
  #peak: number;

  /** `start` is the equity before the first row, in money. */
  constructor(start: number) {
    this.start = start;
    this.end = start;
    this.#peak = start;
  }

  /** `exposure` is the money value of all open legs at the mark. */
  sample(time: number, equity: number, exposure: number): void {
    this.end = equity;
    if (equity > this.#peak) this.#peak = equity;
    const fall = this.#peak - equity;
    if (fall > this.maxDrawdown) this.maxDrawdown = fall;
    if (this.#peak > 0 && fall / this.#peak > this.maxDrawdownShare) this.maxDrawdownShare = fall / this.#peak;
    if (exposure > 0) this.exposed++;
    if (exposure > this.maxExposure) this.maxExposure = exposure;
    this.#newestTime = time;
    this.#newestExposure = exposure;
    this.#isNewestKept = this.samples % this.#stride === 0 && this.#keep(time, equity, exposure);
    this.samples++;
  }

  /** Columns of the samples, in money; the newest sample is always the last row. */
  get columns(): { readonly time: Float64Array; readonly equity: Float64Array; readonly exposure: Float64Array } {
    const rows = this.#rows;
    const isWhole = this.#isNewestKept;
    const joined = (column: Float64Array, newest: number): Float64Array => {
      const out = new Float64Array(isWhole ? rows : rows + 1);
      out.set(column.subarray(0, rows));
      if (!isWhole) out[rows] = newest;
      return out;
    };
    return {
      time: joined(this.#time, this.#newestTime),
      equity: joined(this.#equity, this.end),
      exposure: joined(this.#exposure, this.#newestExposure),
    };
  }

  /** The thinned curve of at most 2,000 points; the newest sample is always its last point. */
  get points(): readonly EquityPoint[] {
    const rows = this.#rows;
    return thinned(rows, POINTS_MAX, this.#isNewestKept ? -1 : rows).map((k) =>
      k === rows ? { time: this.#newestTime, equity: this.end } : { time: this.#time[k]!, equity: this.#equity[k]! },
    );
  }

  /** False if the rows were thinned out and this sample is not one of those that stay. */
  #keep(time: number, equity: number, exposure: number): boolean {
    if (this.#rows === this.#time.length) this.#makeRoom();
    if (this.samples % this.#stride !== 0) return false;
    this.#time[this.#rows] = time;
    this.#equity[this.#rows] = equity;
    this.#exposure[this.#rows] = exposure;
    this.#rows++;
    return true;
  }

  /** Doubles the columns, or drops every second row of them. */
  #makeRoom(): void {
    const rows = this.#rows;
    if (rows < ROWS_MAX) {
      const larger = (column: Float64Array): Float64Array<ArrayBuffer> => {
        const out = new Float64Array(rows * 2);
        out.set(column);
        return out;
      };
      this.#time = larger(this.#time);
      this.#equity = larger(this.#equity);
      this.#exposure = larger(this.#exposure);
      return;
    }
    for (const column of [this.#time, this.#equity, this.#exposure]) for (let k = 0; 2 * k < rows; k++) column[k] = column[2 * k]!;
    this.#rows = rows / 2;
    this.#stride *= 2;
  }
}

/** Every 2ⁿ-th of `rows` row numbers, so many that at most `most` are left, and the last row. `extra` is a row behind them, or -1. */
export function thinned(rows: number, most: number, extra = -1): number[] {
  let step = 1;
  while (Math.ceil(rows / step) > most) step *= 2;
  const out: number[] = [];
  for (let k = 0; k < rows; k += step) out.push(k);
  if (extra >= 0) out.push(extra);
  else if (rows > 0 && out.at(-1) !== rows - 1) out.push(rows - 1);
  return out;
}
