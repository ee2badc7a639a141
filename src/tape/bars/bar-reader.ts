/** Reads the bars of one symbol one after the other, each with the spread around its prices. @hot */
import type { BarCursor } from '../file/stream.ts';

/** How far bid and ask are apart: a price, a share of the price in percent, or a multiple of the average true range of 14 bars. */
export interface SpreadModel {
  readonly kind: 'fixed' | 'percent' | 'atr';
  readonly value: number;
}

export const DEFAULT_SPREAD: SpreadModel = { kind: 'percent', value: 0.01 };

const ATR_BARS = 14;

export interface BarTerms {
  readonly spread: SpreadModel;
  /** Value of a tick. */
  readonly tick: number;
  /** Length of a bar in the time that is played. */
  readonly barMs: number;
}

/** A bar in ticks and lots: bid and ask are `below` and `above` ticks from its prices. The object is reused. */
export class ReadBar {
  start = 0;
  end = 0;
  open = 0;
  high = 0;
  low = 0;
  close = 0;
  volume = 0;
  below = 0;
  above = 0;
}

export class BarReader {
  readonly bar = new ReadBar();
  /** Bars read so far. */
  rows = 0;
  declare private readonly raw: BarCursor;
  declare private readonly terms: BarTerms;
  private row = 0;
  private last = 0;
  /** Average true range, if the spread depends on it. */
  private atr = 0;
  declare private readonly isByRange: boolean;

  constructor(raw: BarCursor, terms: BarTerms) {
    this.raw = raw;
    this.terms = terms;
    this.isByRange = terms.spread.kind === 'atr';
  }

  /** Moves to the next bar; false when there is none. */
  next(): boolean {
    const raw = this.raw;
    if (this.row === raw.length) {
      if (!raw.next()) return false;
      this.row = 0;
    }
    const row = this.row++;
    const { bar, atr } = this;
    bar.start = raw.time[row]!;
    bar.end = Math.floor(bar.start + this.terms.barMs);
    bar.open = raw.open[row]!;
    bar.high = raw.high[row]!;
    bar.low = raw.low[row]!;
    bar.close = raw.last[row]!;
    bar.volume = raw.volume[row]!;
    const wide = spreadTicks(this.terms, bar.open, atr);
    bar.below = Math.floor(wide / 2);
    bar.above = wide - bar.below;
    this.rows++;
    if (this.isByRange) this.#range(bar);
    return true;
  }

  #range({ open, high, low, close }: ReadBar): void {
    const before = this.last === 0 ? open : this.last;
    this.last = close;
    const range = Math.max(high, before) - Math.min(low, before);
    this.atr += (range - this.atr) / Math.min(this.rows, ATR_BARS);
  }
}

/** From bid to ask, of what is known at the open: a tick at least, unless the spread is none. */
export function spreadTicks({ spread: { kind, value }, tick }: Pick<BarTerms, 'spread' | 'tick'>, open: number, atr: number): number {
  if (value === 0) return 0;
  const wide = kind === 'fixed' ? value / tick : kind === 'percent' ? (open * value) / 100 : atr * value;
  return Math.max(1, Math.round(wide));
}
