/** Donchian breakout: enters when a bar closes beyond the channel of the bars before it. A trailing stop of some ATRs ends each trade. */
import { atr, defineStrategy, donchian, param, track } from 'tickwright';

export default defineStrategy({
  name: 'breakout',
  doc: 'Enters closes beyond the Donchian channel, with a trailing stop from the ATR.',
  params: {
    bar: param.text('15m', { isBar: true, doc: 'Timeframe.' }),
    channel: param.integer(20, { min: 2, max: 1000, doc: 'Bars of the channel.' }),
    period: param.integer(14, { min: 2, max: 500, doc: 'Period of the ATR, in bars.' }),
    trail: param.number(3, { min: 0.1, max: 50, doc: 'Distance of the trailing stop, in ATRs.' }),
    size: param.size('2%', { doc: 'Size of a trade.' }),
  },
  create({ bar, channel, period, trail, size }) {
    const around = track(bar, () => donchian(channel));
    const range = track(bar, () => atr(period));
    return {
      needs: { indicators: [around, range] },
      onBar(done, market, ctx) {
        const isLong = done.close > around.of(market).at(1, 'upper');
        const isShort = done.close < around.of(market).at(1, 'lower');
        if ((!isLong && !isShort) || ctx.trades(market).length > 0 || !market.hasQuote) return;
        const distance = trail * range.of(market).value;
        ctx.enter({
          market,
          side: isLong ? 'LONG' : 'SHORT',
          size,
          stopLoss: market.mid + (isLong ? -distance : distance),
          trailing: { distance },
          reason: isLong ? 'above the channel' : 'below the channel',
        });
      },
    };
  },
});
