/** Holds the market that rose most over the last bars, and moves to another one when that is clearly stronger. */
import { defineStrategy, param, roc, track } from 'tickwright';

export default defineStrategy({
  name: 'rotation',
  doc: 'Rotates into the strongest of several markets; in none when all fall.',
  params: {
    bar: param.text('1h', { isBar: true, doc: 'Timeframe.' }),
    period: param.integer(24, { min: 1, max: 1000, doc: 'Bars of the rate of change.' }),
    lead: param.number(0.5, {
      min: 0,
      max: 50,
      doc: 'A market replaces the one that is held when it is stronger by this, in percentage points.',
    }),
    size: param.size('10%', { doc: 'Size of the position.' }),
    stop: param.number(5, { min: 0.1, max: 90, doc: 'Stop-loss, in percent.' }),
  },
  create({ bar, period, lead, size, stop }, markets) {
    if (markets.length < 2) throw new RangeError('rotation needs two symbols or more, for example --symbol BTCUSDT --symbol ETHUSDT');
    const strength = track(bar, () => roc(period));
    return {
      needs: { indicators: [strength] },
      onBars(_slice, ctx) {
        const ranked = markets.toSorted((a, b) => strength.of(b).value - strength.of(a).value);
        const best = ranked[0]!;
        const [held] = ctx.trades();
        const of = (market: typeof best): number => strength.of(market).value;
        if (held !== undefined) {
          if (of(held.market) < 0 || of(best) > of(held.market) + lead) held.close('a stronger market, or none that rises');
        } else if (of(best) > 0 && best.hasQuote) {
          ctx.enter({
            market: best,
            side: 'LONG',
            size,
            stopLoss: best.mid * (1 - stop / 100),
            reason: `the strongest: ${of(best).toFixed(2)} %`,
          });
        }
      },
    };
  },
});
