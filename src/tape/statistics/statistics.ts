/** Statistics of a market, by which a recording and a synthetic market can be compared. One pass over a tape, in constant memory. */
import { SECOND_MS } from '../../base/time/time-spans.ts';
import type { SymbolInfo } from '../file/manifest.ts';
import { TapeMerge } from '../merge.ts';
import { openTape, readManifest } from '../read.ts';
export { FIGURES, type FigureKey } from './symbol-counters.ts';
import { SymbolCounters, type FigureKey } from './symbol-counters.ts';
import type { Grid } from '../file/columns.ts';

/** Figures of one symbol by their keys, in the order of FIGURES. */
export interface SymbolStatistics {
  readonly symbol: string;
  /** NaN where the tape is too short to tell. */
  readonly figures: Readonly<Record<FigureKey, number>>;
}

/** @throws TapeError as openTape */
export function tapeStatistics(folder: string): readonly SymbolStatistics[] {
  const { symbols, from } = readManifest(folder);
  const gridOf = (name: string): Grid => gridSeen(symbols.find(({ symbol }) => symbol === name)!);
  const streams = openTape(folder, { gridOf }).open();
  const counters = symbols.map((info) => new SymbolCounters(info));
  const byStream = streams.map((stream) => counters[symbols.findIndex(({ symbol }) => symbol === stream.symbol)]!);
  const clock = new SecondClock(counters, from);
  const merge = new TapeMerge(streams);
  while (merge.next()) {
    const { stream } = merge;
    const one = byStream[stream.index]!;
    for (let row = merge.from; row < merge.to; row++) {
      clock.advance(stream.time[row]!);
      one.take(stream, row);
    }
  }
  return counters.map((one, k) => ({ symbol: one.symbol, figures: one.figures(k === 0 ? Number.NaN : clock.common(k)) }));
}

/** Ticks and lots as the tape was seen to use them. */
export function gridSeen({ priceDecimals, priceStep, sizeDecimals, sizeStep }: SymbolInfo): Grid {
  return { priceDecimals, tickStep: priceStep, sizeDecimals, lotStep: sizeStep };
}

/** Samples every symbol at whole seconds, and compares the symbols' returns. */
class SecondClock {
  readonly #counters: readonly SymbolCounters[];
  readonly #products: Float64Array;
  readonly #squares: Float64Array;
  #next: number;
  #seconds = 0;

  constructor(counters: readonly SymbolCounters[], from: number) {
    this.#counters = counters;
    this.#products = new Float64Array(counters.length);
    this.#squares = new Float64Array(counters.length);
    this.#next = from + SECOND_MS;
  }

  advance(time: number): void {
    for (; time >= this.#next; this.#next += SECOND_MS) {
      this.#seconds++;
      const isFifth = this.#seconds % 5 === 0;
      let first = 0;
      for (const [k, one] of this.#counters.entries()) {
        one.second();
        if (!isFifth) continue;
        const value = one.fifth();
        if (k === 0) first = value;
        this.#products[k]! += first * value;
        this.#squares[k]! += value * value;
      }
    }
  }

  common(k: number): number {
    return this.#products[k]! / Math.sqrt(this.#squares[0]! * this.#squares[k]!);
  }
}
