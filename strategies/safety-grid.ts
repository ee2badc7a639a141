/** Buys and adds at a grid of lower prices (safety orders); the whole is sold a little above the average price. */
import { defineStrategy, param, type Market, type StrategyContext } from 'tickwright';

export default defineStrategy({
  name: 'safety-grid',
  doc: 'Averages down on a grid of limit orders and takes a small profit on the whole.',
  params: {
    size: param.number(0.002, { min: 0.000_001, doc: 'Size of the first order, base coin.' }),
    steps: param.integer(4, { min: 1, max: 50, doc: 'Number of safety orders.' }),
    step: param.number(0.5, { min: 0.01, max: 20, doc: 'Distance between orders, in percent.' }),
    scale: param.number(1.5, { min: 1, max: 5, doc: 'Each safety order is this much larger than the one before.' }),
    profit: param.number(0.6, { min: 0.01, max: 50, doc: 'The whole is sold this much above the average price, in percent.' }),
    stop: param.number(4, { min: 0.1, max: 90, doc: 'Stop-loss, in percent below the first price.' }),
    bar: param.duration('1m', { min: 100, isBar: true, doc: 'How often it looks for an entry.' }),
  },
  create({ size, steps, step, scale, profit, stop, bar }) {
    function enter(market: Market, ctx: StrategyContext): void {
      if (!market.hasQuote || ctx.trades(market).length > 0) return;
      const ladder = Array.from({ length: steps }, (_, k) => ({
        at: market.mid * (1 - ((k + 1) * step) / 100),
        size: size * scale ** (k + 1),
      }));
      const takeProfit = [{ percent: profit, share: 1 }];
      ctx.enter({ market, side: 'LONG', size, ladder, takeProfit, stopLoss: market.mid * (1 - stop / 100), reason: 'grid' });
    }
    return { barMs: bar, onBar: (_bar, market, ctx) => enter(market, ctx) };
  },
});
