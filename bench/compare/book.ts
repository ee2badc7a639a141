/** The best bid and ask of a tape at any moment. For short tapes: all of it is held. */
import type { Instrument } from '../../src/domain/instrument.ts';
import { openTape } from '../../src/tape/read.ts';

interface Quotes {
  readonly time: number[];
  /** Bid, bid size, ask, ask size: ticks and lots, four a quote. */
  readonly values: number[];
}

export class Book {
  readonly #bySymbol = new Map<string, Quotes>();

  constructor(folder: string, options: { instruments: readonly Instrument[]; speed: number; start: number }) {
    const { instruments, speed, start } = options;
    const gridOf = (symbol: string): Instrument | undefined => instruments.find((i) => i.symbol === symbol && i.product === 'futures');
    for (const stream of openTape(folder, { speed, start, gridOf }).open()) {
      if (stream.kind !== 'quotes') continue;
      const quotes: Quotes = { time: [], values: [] };
      while (stream.next()) {
        for (let r = 0; r < stream.length; r++) {
          quotes.time.push(stream.time[r]!);
          quotes.values.push(stream.bid[r]!, stream.bidSize[r]!, stream.ask[r]!, stream.askSize[r]!);
        }
      }
      stream.close();
      this.#bySymbol.set(stream.symbol, quotes);
    }
  }

  /** Whether the book at both moments was the same, sizes as well. */
  isSame(symbol: string, one: number, other: number): boolean {
    const [a, b] = [this.#at(symbol, one), this.#at(symbol, other)];
    return a.length === b.length && a.every((value, k) => value === b[k]);
  }

  /** The middle in ticks, 0 before the first quote. */
  mid(symbol: string, time: number): number {
    const [bid = 0, , ask = 0] = this.#at(symbol, time);
    return (bid + ask) / 2;
  }

  #at(symbol: string, time: number): readonly number[] {
    const quotes = this.#bySymbol.get(symbol);
    if (quotes === undefined) return [];
    let low = 0;
    let high = quotes.time.length;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (quotes.time[mid]! <= time) low = mid + 1;
      else high = mid;
    }
    return low === 0 ? [] : quotes.values.slice(4 * (low - 1), 4 * low);
  }
}
