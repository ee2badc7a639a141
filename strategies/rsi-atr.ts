/** Buys when the RSI comes back from oversold, sells short when it comes back from overbought. Stop and target are multiples of the ATR. */
import { atr, defineStrategy, param, rsi, track } from 'tickwright';

export default defineStrategy({
  name: 'rsi-atr',
  doc: 'Trades the return of the RSI from its extremes, with stop and target from the ATR.',
  params: {
    bar: param.text('5m', { isBar: true, doc: 'Timeframe.' }),
    period: param.integer(14, { min: 2, max: 500, doc: 'Period of RSI and ATR, in bars.' }),
    low: param.number(30, { min: 1, max: 50, doc: 'RSI below this is oversold; above 100 minus this, overbought.' }),
    stop: param.number(1.5, { min: 0.1, max: 20, doc: 'Distance of the stop-loss, in ATRs.' }),
    target: param.number(3, { min: 0.1, max: 50, doc: 'Distance of the take-profit, in ATRs.' }),
    most: param.number(1000, { min: 1, doc: 'Largest value of a trade, in quote coin.' }),
    risk: param.number(0.5, { min: 0.01, max: 10, doc: 'Loss at the stop, in percent of the equity.' }),
  },
  create({ bar, period, low, stop, target, most, risk }) {
    const strength = track(bar, () => rsi(period));
    const range = track(bar, () => atr(period));
    return {
      needs: { indicators: [strength, range] },
      onBar(_bar, market, ctx) {
        const [now, before] = [strength.of(market).value, strength.of(market).at(1)];
        const isLong = before < low && now >= low;
        const isShort = before > 100 - low && now <= 100 - low;
        if ((!isLong && !isShort) || ctx.trades(market).length > 0) return;
        const sign = isLong ? 1 : -1;
        const away = range.of(market).value;
        ctx.enter({
          market,
          side: isLong ? 'LONG' : 'SHORT',
          risk: { percent: risk, maxValue: most },
          stopLoss: market.mid - sign * stop * away,
          takeProfit: market.mid + sign * target * away,
          reason: isLong ? 'RSI back from oversold' : 'RSI back from overbought',
        });
      },
    };
  },
});
