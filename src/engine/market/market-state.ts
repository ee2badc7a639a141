/**
 * The newest quote, trade and 24-hour figures of one instrument. Plain fields instead of columns, because every backtest row writes them.
 * Times are from the venue's clock or ours, as stated. @hot
 */
import type { PriceFilter } from './price-filter.ts';

export class MarketState {
  /** Decides which incoming prices are accepted and stored here. */
  declare readonly filter: PriceFilter;
  /** Ticks and lots; 0 before the first quote. */
  bid = 0;
  bidSize = 0;
  ask = 0;
  askSize = 0;
  /** Venue time of the quote, and when it was last confirmed by our clock; −Infinity before the first. */
  quoteTime = -Infinity;
  quoteSeenAt = -Infinity;
  /** Our time when anything of this market last arrived. */
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

  /** True while an unconfirmed price contradicts the accepted one; then opens are refused. */
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

  /** Reference price in ticks: the mid price, else one side of the quote, else the last trade, else 0. */
  get reference(): number {
    const { bid, ask } = this;
    if (bid > 0 && ask > 0) return (bid + ask) / 2;
    return bid > 0 ? bid : ask > 0 ? ask : this.last;
  }
}
