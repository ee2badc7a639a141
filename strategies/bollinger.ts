/** Buys below the lower Bollinger band. Two thirds go at the middle and upper band, the rest trails; nothing is held too long. */
import { bbands, defineStrategy, param, track } from 'tickwright';

export default defineStrategy({
  name: 'bollinger',
  doc: 'Buys below the lower band, sells in thirds, with a trailing stop and a longest holding time.',
  params: {
    bar: param.text('5m', { isBar: true, doc: 'Timeframe.' }),
    period: param.integer(20, { min: 2, max: 500, doc: 'Period of the bands, in bars.' }),
    width: param.number(2, { min: 0.5, max: 5, doc: 'Width of the bands, in standard deviations.' }),
    size: param.size('2%', { doc: 'Size of a trade.' }),
    stop: param.number(2, { min: 0.1, max: 50, doc: 'Stop-loss, in percent below the entry.' }),
    trail: param.number(1, { min: 0.05, max: 50, doc: 'Trailing stop, in percent; it begins with as much profit.' }),
    hold: param.duration('12h', { min: 1000, doc: 'Longest holding time.' }),
  },
  create({ bar, period, width, size, stop, trail, hold }) {
    const bands = track(bar, () => bbands(period, width, width));
    return {
      needs: { indicators: [bands] },
      onBar(done, market, ctx) {
        const { upper, middle, lower } = bands.of(market);
        if (done.close >= lower || ctx.trades(market).length > 0) return;
        ctx.enter({
          market,
          side: 'LONG',
          size,
          stopLoss: market.mid * (1 - stop / 100),
          takeProfit: [
            { at: middle, share: 1 / 3 },
            { at: upper, share: 1 / 3 },
          ],
          trailing: { percent: trail, after: trail },
          maxHoldMs: hold,
          reason: 'below the lower band',
        });
      },
    };
  },
});
