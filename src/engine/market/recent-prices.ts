/** The lowest and the highest price of one instrument in each quarter of a second of the last minute, by the venue's clock. @hot */

const SPAN_MS = 250;
const SPANS = 240;

export class RecentPrices {
  declare private readonly spans: Float64Array;
  declare private readonly lows: Float64Array;
  declare private readonly highs: Float64Array;

  constructor() {
    this.spans = new Float64Array(SPANS).fill(-Infinity);
    this.lows = new Float64Array(SPANS);
    this.highs = new Float64Array(SPANS);
  }

  /** The market was at `low` and at `high` ticks at this venue time. */
  note(low: number, high: number, venueTime: number): void {
    const span = Math.floor(venueTime / SPAN_MS);
    const at = span % SPANS;
    if (!(span >= this.spans[at]!)) return;
    const isNew = span > this.spans[at]!;
    this.spans[at] = span;
    if (isNew || low < this.lows[at]!) this.lows[at] = low;
    if (isNew || high > this.highs[at]!) this.highs[at] = high;
  }

  /** True if the market was seen at `price` or above (`isAbove`), or at it or below, between two venue times. */
  reached(price: number, isAbove: boolean, from: number, to: number): boolean {
    const last = Math.floor(to / SPAN_MS);
    for (let span = Math.floor(from / SPAN_MS); span <= last; span++) {
      const at = span % SPANS;
      if (this.spans[at] === span && (isAbove ? this.highs[at]! >= price : this.lows[at]! <= price)) return true;
    }
    return false;
  }
}
