/** @hot The market as the tape last showed it, per instrument, as columns. */
import { FARTHEST } from './resting.ts';

export class Market {
  readonly bid: Float64Array;
  readonly bidSize: Float64Array;
  /** FARTHEST when nobody offers. */
  readonly ask: Float64Array;
  readonly askSize: Float64Array;
  /** What of the displayed size our fills have not used up since the last quote row. */
  readonly bidLeft: Float64Array;
  readonly askLeft: Float64Array;
  readonly quoteTime: Float64Array;
  /** Last trade; 0 before the first. */
  readonly last: Float64Array;
  /** 1 once a quote row has come: from then on takers fill at quotes, before it at trades. */
  readonly hasBook: Uint8Array;

  constructor(count: number) {
    const column = (): Float64Array => new Float64Array(count);
    this.bid = column();
    this.bidSize = column();
    this.ask = column().fill(FARTHEST);
    this.askSize = column();
    this.bidLeft = column();
    this.askLeft = column();
    this.quoteTime = column();
    this.last = column();
    this.hasBook = new Uint8Array(count);
  }

  /**
   * Mark price in whole ticks: the last trade, moved into the spread where the book has left it behind; before the first trade
   * the middle of the book, rounded down; 0 before any market.
   */
  mark(i: number): number {
    const last = this.last[i]!;
    if (this.hasBook[i] === 0) return last;
    const bid = this.bid[i]!;
    const ask = this.ask[i]!;
    if (last === 0) {
      if (ask === FARTHEST) return bid;
      return bid === 0 ? ask : Math.floor((bid + ask) / 2);
    }
    if (last < bid) return bid;
    return last > ask ? ask : last;
  }

  /** What trigger prices "by last" watch: the last trade, or the mark on a tape without trades. */
  lastOrMark(i: number): number {
    const last = this.last[i]!;
    return last > 0 ? last : this.mark(i);
  }
}
