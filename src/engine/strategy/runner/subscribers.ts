/** One market and its subscribers. Created once, so that a row needs no lookup by index. @hot */
import { SIDES } from '../../../domain/codes.ts';
import { priceOf } from '../../../domain/instrument.ts';
import type { BarBuilder } from '../../market/bar.ts';
import type { MarketState } from '../../market/market-state.ts';
import type { StrategyRunner } from './strategy-runner.ts';
import type { MarketView, TradeView } from '../context/views.ts';

export class Subscribers {
  declare readonly marketState: MarketState;
  declare readonly market: MarketView;
  declare readonly trade: TradeView;
  /** Started strategies with onQuote, with onTrade; the bar builders, longest period first; all strategies that trade the market. */
  readonly quoteRunners: StrategyRunner[] = [];
  readonly tradeRunners: StrategyRunner[] = [];
  readonly bars: BarBuilder[] = [];
  readonly traders: StrategyRunner[] = [];
  /** True if any strategy needs trades, directly or as bars. */
  wantsTrades = false;

  constructor(marketState: MarketState, market: MarketView, trade: TradeView) {
    this.marketState = marketState;
    this.market = market;
    this.trade = trade;
  }

  /** The operator closed lots at `price` ticks, 0 if unknown: the first strategy takes them from the trades of all. */
  flattened(side: number, lots: number, price: number): void {
    const { market, traders } = this;
    const at = price > 0 ? priceOf(price, market.instrument) : Number.NaN;
    traders[0]?.trades.flattened(market, SIDES[side]!, lots, at);
  }
}
