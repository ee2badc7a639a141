/**
 * Follows a trend: enters when the Supertrend or two averages turn, with a trailing stop of so many ATRs. The size is such that the stop
 * loses a percent of the equity. It enters a trend once, also after a restart.
 */
import { atr, defineStrategy, ema, param, stored, supertrend, track, type Market, type SideName, type StrategyContext } from 'tickwright';

export default defineStrategy({
  name: 'trend',
  doc: 'Enters when the trend turns; an ATR trailing stop, sized by the risk.',
  params: {
    by: param.choice(['supertrend', 'ema'], 'supertrend', { doc: 'What says where the trend goes.' }),
    bar: param.text('15m', { isBar: true, doc: 'Timeframe, such as "5m" or "1h".' }),
    period: param.integer(10, { min: 1, max: 1000, doc: 'Bars of the ATR, and of the Supertrend.' }),
    factor: param.number(3, { min: 0.1, max: 50, doc: 'Width of the Supertrend, in ATRs.' }),
    fast: param.integer(20, { min: 1, max: 1000, doc: 'Bars of the fast average, with `by: ema`.' }),
    slow: param.integer(50, { min: 2, max: 5000, doc: 'Bars of the slow average, with `by: ema`.' }),
    sides: param.choice(['BOTH', 'LONG', 'SHORT'], 'BOTH', { doc: 'Legs that it may open.' }),
    trail: param.number(3, { min: 0.1, max: 50, doc: 'Distance of the trailing stop, in ATRs at the entry.' }),
    risk: param.number(0.5, { min: 0.001, max: 5, doc: 'Loss at the first stop, in percent of the equity.' }),
    max: param.number(1000, { min: 1, doc: 'Largest value of a position, in quote coin.' }),
  },
  state: { taken: stored.map(stored.text('')) },
  create({ by, bar, period, factor, fast, slow, sides, trail, risk, max }) {
    if (by === 'ema' && fast >= slow) throw new RangeError(`fast must be below slow, found ${fast} and ${slow}`);
    const range = track(bar, () => atr(period));
    const band = track(bar, () => supertrend(period, factor));
    const quick = track(bar, () => ema(fast));
    const calm = track(bar, () => ema(slow));

    function trendOf(market: Market): SideName {
      const isUp = by === 'ema' ? quick.of(market).value > calm.of(market).value : band.of(market).at(0, 'trend') > 0;
      return isUp ? 'LONG' : 'SHORT';
    }

    function pursue(market: Market, ctx: Context): void {
      const trend = trendOf(market);
      const [trade] = ctx.trades(market);
      if (trade !== undefined && trade.side !== trend && trade.state !== 'closing') return trade.close('the trend turned');
      if (trade !== undefined || !market.hasQuote || market.isHalted || ctx.state.taken[market.symbol] === trend) return;
      const away = trail * range.of(market).value;
      if (!(away > market.tick)) return;
      const stopLoss = trend === 'LONG' ? market.ask - away : market.bid + away;
      if (sides !== 'BOTH' && sides !== trend) ctx.state.taken = { ...ctx.state.taken, [market.symbol]: trend };
      else if (stopLoss > 0 && enter(market, trend, { away, stopLoss }, ctx))
        ctx.state.taken = { ...ctx.state.taken, [market.symbol]: trend };
    }

    function enter(market: Market, side: SideName, { away, stopLoss }: Stop, ctx: Context): boolean {
      const size = ctx.sizeFor({ market, side, risk: { percent: risk, maxValue: max }, stopLoss });
      if (size < market.minSize) {
        ctx.note(`a risk of ${risk} % is below the smallest order`, market);
        return false;
      }
      return ctx.enter({ market, side, size, stopLoss, trailing: { distance: away }, reason: `the trend is ${side}` }) !== null;
    }

    return {
      needs: { indicators: by === 'ema' ? [range, quick, calm] : [range, band] },
      onBar: (_bar, market, ctx) => pursue(market, ctx),
      onExit: ({ market }, ctx) => pursue(market, ctx),
    };
  },
});

/** Distance of the trailing stop, and the price of the venue's stop-loss. */
interface Stop {
  readonly away: number;
  readonly stopLoss: number;
}

type Context = StrategyContext<{ taken: Readonly<Record<string, string>> }>;
