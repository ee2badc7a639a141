/** One market, and all who are told of it. Made once, so that a row takes it once and looks nothing up by number. @hot */
import type { Bars } from '../market/bars.ts';
import type { MarketState } from '../market/market-state.ts';
import type { Host } from './host.ts';
import type { MarketView, TradeView } from './views.ts';

export class Subscribers {
  declare readonly seen: MarketState;
  declare readonly market: MarketView;
  declare readonly trade: TradeView;
  /** Who wants quotes, who wants trades, what builds bars; and all who trade it. */
  readonly quoteHosts: Host[] = [];
  readonly tradeHosts: Host[] = [];
  readonly bars: Bars[] = [];
  readonly traders: Host[] = [];
  /** Whether anybody wants trades, for themselves or as bars. */
  wantsTrades = false;

  constructor(seen: MarketState, market: MarketView, trade: TradeView) {
    this.seen = seen;
    this.market = market;
    this.trade = trade;
  }
}
