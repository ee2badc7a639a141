/**
 * The newest quote, trade and 24h figures of one instrument. Fields and not columns, because every row of a backtest writes them.
 * Times tell the venue's clock and our own. @hot
 */
import type { PriceFilter } from './price-filter.ts';

export class MarketState {
  /** Decides what of the prices that come in is believed and so ends up here. */
  declare readonly filter: PriceFilter;
  /** Ticks and lots; 0 before the first. */
  bid = 0;
  bidSize = 0;
  ask = 0;
  askSize = 0;
  /** The venue's time of the quote, and when it last held, by our clock; −Infinity before the first. */
  quoteTime = -Infinity;
  quoteSeenAt = -Infinity;
  /** When anything about the instrument's market last reached us. */
  seenAt = -Infinity;
  last = 0;
  lastTime = -Infinity;
  open = 0;
  high = 0;
  low = 0;
  volume = Number.NaN;

  constructor(filter: PriceFilter) {
    this.filter = filter;
  }

  /** True while nothing may be opened because a price that is not believed yet speaks against the one that is. */
  get isDoubtful(): boolean {
    return this.filter.isDoubtful;
  }

  quote(bid: number, bidSize: number, ask: number, askSize: number, venueTime: number, heldAt: number): void {
    this.bid = bid;
    this.bidSize = bidSize;
    this.ask = ask;
    this.askSize = askSize;
    this.quoteTime = venueTime;
    this.quoteSeenAt = heldAt;
    this.seenAt = heldAt;
  }

  trade(price: number, venueTime: number, now: number): void {
    this.last = price;
    this.lastTime = venueTime;
    this.seenAt = now;
  }

  /** The reference price in ticks: the middle of the quote, else the last trade, else 0. */
  get reference(): number {
    const { bid, ask } = this; // hot-ok: a pattern, nothing is made
    if (bid > 0 && ask > 0) return (bid + ask) / 2;
    return bid > 0 ? bid : ask > 0 ? ask : this.last;
  }
}
