/** Enters at its first 15-minute bar, in the direction of the 4-hour average. */
import { defineStrategy, ema, track } from 'tickwright';

export default defineStrategy({
  name: 'slow-bars',
  create() {
    const trend = track('4h', () => ema(50));
    const fast = track('15m', () => ema(20));
    return {
      needs: { indicators: [trend, fast] },
      onBar(bar, market, ctx) {
        if (bar.timeframe !== '15m' || ctx.trades(market).length > 0) return;
        ctx.log('bar', { timeframe: bar.timeframe, lengthMs: bar.end - bar.start });
        const side = bar.close > trend.of(market).value ? 'LONG' : 'SHORT';
        ctx.enter({ market, side, size: '200 USDT', trailing: { percent: 1 } });
      },
    };
  },
});
