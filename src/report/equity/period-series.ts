/** Equity at the end of every day, hour, minute or second of a run, beside that of buying and holding. Returns are computed from it. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, YEAR_MS } from '../../base/time/time-spans.ts';

/** Fewer returns than this say nothing. */
const PERIODS_LEAST = 30;

/** The longest of day, hour, minute and second of which at least 30 fit into `spanMs`; a second if none does. */
export function periodFor(spanMs: number): number {
  return [DAY_MS, HOUR_MS, MINUTE_MS].find((ms) => spanMs / ms >= PERIODS_LEAST) ?? SECOND_MS;
}

/** Ends of days within the run are kept as well. So there are at most 1,800 rows in a run of up to 5 years. */
export class PeriodSeries {
  readonly ms: number;
  /** When `take` must be called next. */
  nextAt: number;
  /** Start of the run, then the end of each period. Amounts are in the unit of the equity that was given. */
  readonly time: number[];
  readonly equity: number[];
  readonly hold: number[];
  readonly #priceOf: (symbol: number) => number;
  readonly #onRow: (time: number) => void;
  /** First known price by symbol; 0 while unknown. */
  readonly #firsts: Float64Array;

  /** `priceOf` gives the price of a symbol now, 0 if it has none yet. `onRow` is called after each row, the first one included. */
  constructor(parts: {
    ms: number;
    from: number;
    start: number;
    symbols: number;
    priceOf: (symbol: number) => number;
    onRow?: ((time: number) => void) | undefined;
  }) {
    this.ms = parts.ms;
    this.time = [parts.from];
    this.equity = [parts.start];
    this.hold = [parts.start];
    this.#priceOf = parts.priceOf;
    this.#onRow = parts.onRow ?? (() => undefined);
    this.#firsts = new Float64Array(parts.symbols);
    // The first call only reads the first prices.
    this.nextAt = parts.from + 1;
    this.#onRow(parts.from);
  }

  /**
   * Returns in a year of 365 days, by the time that they took: the first and the last period may be a part of one, and a gap makes a long one.
   */
  get perYear(): number {
    const spanMs = this.time.at(-1)! - this.time[0]!;
    return spanMs > 0 ? ((this.time.length - 1) * YEAR_MS) / spanMs : YEAR_MS / this.ms;
  }

  /** Call once `nextAt` has come. */
  take(time: number, equity: number): void {
    if (this.#isEnd(time)) this.#add(time, equity);
    else this.#held();
    this.nextAt = (Math.floor(time / this.ms) + 1) * this.ms;
  }

  /** Ends the last period, which may be a part of one. */
  end(time: number, equity: number): void {
    if (time > this.time.at(-1)!) this.#add(time, equity);
  }

  #isEnd(time: number): boolean {
    return time % this.ms === 0 || Math.floor(time / this.ms) > Math.floor(this.time.at(-1)! / this.ms);
  }

  #add(time: number, equity: number): void {
    this.time.push(time);
    this.equity.push(equity);
    this.hold.push(this.#held());
    this.#onRow(time);
  }

  /** The start equity spread evenly over the symbols, each bought at its first known price. A symbol without one is still cash. */
  #held(): number {
    const firsts = this.#firsts;
    const start = this.equity[0]!;
    if (firsts.length === 0) return start;
    let sum = 0;
    for (let k = 0; k < firsts.length; k++) {
      const price = this.#priceOf(k);
      if (firsts[k] === 0) firsts[k] = price;
      sum += firsts[k] === 0 || price === 0 ? 1 : price / firsts[k]!;
    }
    return (start * sum) / firsts.length;
  }
}
