/** @hot Keeps what the market data endpoints show. */
import type { MarketState } from '../state/market-state.ts';
import type { SimState } from '../state/state.ts';
import { DayStats, TradeRing } from '../state/market/stats.ts';

/** Adds a market trade to statistics and ring, as far as the settings ask for them. */
export function addTrade(s: SimState, market: MarketState, price: number, size: number, aggressor: number, time: number, id: number): void {
  if (s.keepStats) {
    market.day ??= new DayStats(); // hot-ok: once per instrument
    market.day.count(price, size, time, id);
  }
  if (s.keepTrades > 0) {
    market.ring ??= new TradeRing(s.keepTrades); // hot-ok: once per instrument
    market.ring.add(price, size, aggressor, time, id);
  }
}
