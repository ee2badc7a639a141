/** The past of a synthetic market: bars from before it began, drawn in as many steps as wanted. */
import type { CommonFactor } from './busy-times.ts';
import { BarBook, STEP_MS, writeBars, type BarSink } from './synth-bars.ts';
import { booksOf, type SynthOptions } from './synth.ts';

/** A column of whole numbers. */
export type WholeColumn = Int32Array | Float64Array;

/** Bars of a market's past without a hole, oldest first, in ticks and lots. The open of a bar is the close of the one before. */
export interface DrawnBars {
  /** Open of the first bar. */
  readonly open: number;
  readonly high: WholeColumn;
  readonly low: WholeColumn;
  readonly close: WholeColumn;
  readonly lots: WholeColumn;
}

/** The common price of a market's past after each step, computed once for all symbols that are drawn. */
export class CommonLevels {
  readonly #factor: CommonFactor;
  readonly #start: number;
  readonly #levels: Float64Array;
  #known = 0;

  constructor(options: SynthOptions, barMs: number, count: number) {
    this.#start = startOf(options, barMs, count);
    this.#factor = booksOf({ ...options, start: this.#start }, BarBook).factor;
    this.#levels = new Float64Array((count * barMs) / STEP_MS);
  }

  /** At the end of the step that ends at `time`. */
  at(time: number): number {
    const k = (time - this.#start) / STEP_MS - 1;
    for (; this.#known <= k; this.#known++) {
      this.#factor.advance(this.#start + (this.#known + 1) * STEP_MS);
      this.#levels[this.#known] = this.#factor.level;
    }
    return this.#levels[k]!;
  }
}

/** Begin of a past of `count` bars. */
function startOf({ start }: SynthOptions, barMs: number, count: number): number {
  return Math.floor(start / barMs) * barMs - count * barMs;
}

/**
 * Draws the last `count` bars before the market of `options` begins, of its symbol number `symbol`. They end at the symbol's first price. They
 * are the same whichever symbols are asked for and in however many steps they are drawn, and move together as the symbols of the market do.
 */
export class PastDrawing {
  readonly #book: BarBook;
  readonly #factor: { advance(time: number): void };
  readonly #barMs: number;
  readonly #price: number;
  readonly #start: number;
  readonly #columns: Readonly<Record<'high' | 'low' | 'close' | 'lots', Float64Array>>;
  readonly #sink: BarSink;
  #open = 0;
  #drawn = 0;

  /** `levels`: of the same market and past. */
  constructor(options: SynthOptions, symbol: number, barMs: number, count: number, levels = new CommonLevels(options, barMs, count)) {
    const { price, grid } = options.symbols[symbol]!;
    this.#start = startOf(options, barMs, count);
    const { books, factor } = booksOf({ ...options, start: this.#start }, BarBook);
    this.#book = books[symbol]!;
    this.#factor = {
      advance: (time) => {
        factor.level = levels.at(time);
      },
    };
    this.#barMs = barMs;
    this.#price = price;
    const column = (): Float64Array => new Float64Array(count);
    const columns = { high: column(), low: column(), close: column(), lots: column() };
    this.#columns = columns;
    this.#sink = {
      bar: (_time, open, high, low, close, volume) => {
        const k = this.#drawn;
        if (k === 0) this.#open = open / grid.tickStep;
        columns.high[k] = high / grid.tickStep;
        columns.low[k] = low / grid.tickStep;
        columns.close[k] = close / grid.tickStep;
        columns.lots[k] = volume / grid.lotStep;
      },
    };
  }

  /** Draws at most `most` further bars. Returns all of them once they are drawn, until then null. */
  step(most: number): DrawnBars | null {
    const { high, low, close, lots } = this.#columns;
    const end = Math.min(lots.length, this.#drawn + most);
    for (; this.#drawn < end; this.#drawn++)
      writeBars([this.#book], this.#factor, this.#start + this.#drawn * this.#barMs, this.#barMs, [this.#sink]);
    if (end < lots.length) return null;
    const ratio = this.#price / (close.at(-1) ?? this.#price);
    const moved = (value: number): number => Math.max(1, Math.round(value * ratio));
    const prices = (column: Float64Array): WholeColumn => compact(column.map(moved));
    return {
      open: moved(this.#open),
      high: prices(high),
      low: prices(low),
      close: prices(close),
      lots: compact(lots),
    };
  }
}

/** The same numbers in half the memory, if they fit. */
function compact(column: Float64Array): WholeColumn {
  return column.every((value) => value <= 0x7fffffff) ? Int32Array.from(column) : column;
}
