/** Enters on 1-minute breakouts in the direction of the 1-hour trend. History warms both up before the first trade. */
import { defineStrategy, donchian, ema, param, track } from 'tickwright';

export default defineStrategy({
  name: 'trend-filter',
  doc: 'Breakouts of the short timeframe, only with the trend of the long one.',
  params: {
    entry: param.text('1m', { isBar: true, doc: 'Timeframe of the entries.' }),
    filter: param.text('1h', { isBar: true, doc: 'Timeframe of the trend.' }),
    channel: param.integer(30, { min: 2, max: 1000, doc: 'Bars of the breakout channel.' }),
    trend: param.integer(20, { min: 2, max: 1000, doc: 'Period of the trend average, in bars of the long timeframe.' }),
    size: param.size('2%', { doc: 'Size of a trade.' }),
    trail: param.number(0.6, { min: 0.01, max: 50, doc: 'Trailing stop, in percent.' }),
  },
  create({ entry, filter, channel, trend, size, trail }) {
    const average = track(filter, () => ema(trend));
    const breakout = track(entry, () => donchian(channel));
    return {
      needs: { indicators: [average, breakout] },
      onBar(bar, market, ctx) {
        if (bar.timeframe !== breakout.timeframe.name || ctx.trades(market).length > 0) return;
        const channelBefore = { upper: breakout.of(market).at(1, 'upper'), lower: breakout.of(market).at(1, 'lower') };
        const isUp = bar.close > average.of(market).value;
        const isLong = isUp && bar.close > channelBefore.upper;
        const isShort = !isUp && bar.close < channelBefore.lower;
        if (!isLong && !isShort) return;
        ctx.enter({
          market,
          side: isLong ? 'LONG' : 'SHORT',
          size,
          trailing: { percent: trail },
          reason: `breakout, trend ${isUp ? 'up' : 'down'}`,
        });
      },
    };
  },
});
