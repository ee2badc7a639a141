/** The newest quote, trade and 24h figures of every instrument as typed columns. Times tell the venue's clock and our own. @hot */
export class MarketState {
  readonly bid: Float64Array;
  readonly bidSize: Float64Array;
  readonly ask: Float64Array;
  readonly askSize: Float64Array;
  /** The venue's time of the quote, and when it reached us; −Infinity before the first. */
  readonly quoteTime: Float64Array;
  readonly quoteSeenAt: Float64Array;
  /** When anything about the instrument's market last reached us. */
  readonly seenAt: Float64Array;
  readonly last: Float64Array;
  readonly lastSize: Float64Array;
  readonly lastAggressor: Uint8Array;
  readonly lastTime: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly volume: Float64Array;

  constructor(count: number) {
    this.bid = new Float64Array(count); // hot-ok: construction
    this.bidSize = new Float64Array(count); // hot-ok: construction
    this.ask = new Float64Array(count); // hot-ok: construction
    this.askSize = new Float64Array(count); // hot-ok: construction
    this.quoteTime = new Float64Array(count).fill(-Infinity); // hot-ok: construction
    this.quoteSeenAt = new Float64Array(count).fill(-Infinity); // hot-ok: construction
    this.seenAt = new Float64Array(count).fill(-Infinity); // hot-ok: construction
    this.last = new Float64Array(count); // hot-ok: construction
    this.lastSize = new Float64Array(count); // hot-ok: construction
    this.lastAggressor = new Uint8Array(count); // hot-ok: construction
    this.lastTime = new Float64Array(count).fill(-Infinity); // hot-ok: construction
    this.open = new Float64Array(count); // hot-ok: construction
    this.high = new Float64Array(count); // hot-ok: construction
    this.low = new Float64Array(count); // hot-ok: construction
    this.volume = new Float64Array(count).fill(Number.NaN); // hot-ok: construction
  }

  quote(i: number, bid: number, bidSize: number, ask: number, askSize: number, venueTime: number, now: number): void {
    this.bid[i] = bid;
    this.bidSize[i] = bidSize;
    this.ask[i] = ask;
    this.askSize[i] = askSize;
    this.quoteTime[i] = venueTime;
    this.quoteSeenAt[i] = now;
    this.seenAt[i] = now;
  }

  trade(i: number, price: number, size: number, aggressor: number, venueTime: number, now: number): void {
    this.last[i] = price;
    this.lastSize[i] = size;
    this.lastAggressor[i] = aggressor;
    this.lastTime[i] = venueTime;
    this.seenAt[i] = now;
  }

  /** The reference price in ticks: the middle of the quote, else the last trade, else 0. */
  reference(i: number): number {
    const bid = this.bid[i]!;
    const ask = this.ask[i]!;
    if (bid > 0 && ask > 0) return (bid + ask) / 2;
    return bid > 0 ? bid : ask > 0 ? ask : this.last[i]!;
  }
}
