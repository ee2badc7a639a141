/** One market and its subscribers. Created once, so that a row needs no lookup by index. @hot */
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
}
