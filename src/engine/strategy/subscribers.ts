/** One market and its subscribers. Created once, so that a row needs no lookup by index. @hot */
import { SIDES } from '../../domain/codes.ts';
import { priceOf } from '../../domain/instrument.ts';
import type { BarBuilder } from '../market/bar.ts';
import type { MarketState } from '../market/market-state.ts';
import type { Host } from './host.ts';
import type { MarketView, TradeView } from './views.ts';

export class Subscribers {
  declare readonly marketState: MarketState;
  declare readonly market: MarketView;
  declare readonly trade: TradeView;
  /** Started strategies with onQuote, with onTrade; the bar builders, longest period first; all strategies that trade the market. */
  readonly quoteHosts: Host[] = [];
  readonly tradeHosts: Host[] = [];
  readonly bars: BarBuilder[] = [];
  readonly traders: Host[] = [];
  /** True if any strategy needs trades, directly or as bars. */
  wantsTrades = false;

  constructor(marketState: MarketState, market: MarketView, trade: TradeView) {
    this.marketState = marketState;
    this.market = market;
    this.trade = trade;
  }

  /** True if no strategy sees rows, and a trade at this time begins or ends no bar. */
  isQuietAt(venueTime: number): boolean {
    return !this.seesRows && this.isWithinBars(venueTime);
  }

  /** True if a strategy sees rows. */
  get seesRows(): boolean {
    return this.tradeHosts.length > 0 || this.quoteHosts.length > 0;
  }

  /** True if a trade at this time begins or ends no bar. */
  isWithinBars(venueTime: number): boolean {
    const bars = this.bars;
    for (let k = 0; k < bars.length; k++) if (!bars[k]!.isWithin(venueTime)) return false;
    return true;
  }

  /** Takes pushed trades of which `isWithinBars` is true, that no strategy sees, within the band of the price filter; the last one was at `time`. */
  tradesWithin(high: number, low: number, last: number, lots: number, count: number, time: number): void {
    this.marketState.trade(last, time, time);
    const bars = this.bars;
    for (let k = 0; k < bars.length; k++) bars[k]!.tradesWithin(high, low, last, lots, count);
  }
  /** The operator closed lots at `price` ticks, 0 if unknown: the first book takes them from the trades of all. */
  flattened(side: number, lots: number, price: number): void {
    const { market, traders } = this;
    const at = price > 0 ? priceOf(price, market.instrument) : Number.NaN;
    for (let k = 0; k < traders.length; k++) traders[k]!.trades?.flattened(market, SIDES[side]!, lots, at);
  }
}
