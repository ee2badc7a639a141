/** Trades the ratio of two markets: sells the dear one and buys the cheap one when the ratio is far from its mean, until it is back. */
import { defineStrategy, param, zscore } from 'tickwright';

export default defineStrategy({
  name: 'pairs',
  doc: 'Mean reversion of the price ratio of the first two symbols.',
  params: {
    bar: param.text('1m', { isBar: true, doc: 'Timeframe.' }),
    period: param.integer(60, { min: 5, max: 5000, doc: 'Bars of the mean and the deviation.' }),
    enter: param.number(2, { min: 0.5, max: 10, doc: 'Deviations at which to enter.' }),
    exit: param.number(0.5, { min: 0, max: 5, doc: 'Deviations at which to leave.' }),
    value: param.size('1000 USDT', { doc: 'Value of each side.' }),
    stop: param.number(5, { min: 0.1, max: 90, doc: 'Stop-loss of each side, in percent.' }),
  },
  create({ bar, period, enter, exit, value, stop }, [first, second]) {
    if (first === undefined || second === undefined)
      throw new RangeError('pairs needs two symbols, for example --symbol BTCUSDT --symbol ETHUSDT');
    const score = zscore(period);
    return {
      needs: { bars: { [bar]: period } },
      onStart() {
        const [a, b] = [first.bars(bar).close, second.bars(bar).close];
        for (let k = Math.min(a.length, b.length); k >= 1; k--) score.update(a.at(-k)! / b.at(-k)!);
      },
      onBars(slice, ctx) {
        const z = score.update(slice.bar(first).close / slice.bar(second).close);
        const open = ctx.trades();
        if (open.length > 0) {
          if (Math.abs(z) <= exit || open.length < 2) for (const trade of open) trade.close('back at the mean');
        } else if (Math.abs(z) >= enter) {
          const [long, short] = z > 0 ? [second, first] : [first, second];
          ctx.enter({ market: long, side: 'LONG', size: value, stopLoss: long.mid * (1 - stop / 100), reason: `z ${z.toFixed(2)}` });
          ctx.enter({ market: short, side: 'SHORT', size: value, stopLoss: short.mid * (1 + stop / 100), reason: `z ${z.toFixed(2)}` });
        }
      },
    };
  },
});
