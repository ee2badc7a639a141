/**
 * EMA cross on time bars: long while the fast average of closes is above the slow one, short while it is below.
 *
 * The two legs (position sides) are separate positions, so a reversal takes two orders: close the old leg, and open the new leg when the
 * position shows that the old one is closed. All orders are market orders. If `stop` is above zero, the opening order carries a stop-loss,
 * which the venue holds.
 */
import { defineStrategy, ema, param, type Indicator, type Market, type StrategyContext } from 'tickwright';

export default defineStrategy({
  name: 'ema-cross',
  doc: 'Follows the cross of two exponential moving averages of bar closes; always in the market once both are ready.',
  params: {
    fast: param.integer(5, { min: 1, max: 1000, doc: 'Period of the fast average, in bars.' }),
    slow: param.integer(20, { min: 2, max: 5000, doc: 'Period of the slow average, in bars.' }),
    size: param.size('0.01', { doc: 'Size of a position: in base coin, or such as "100 USDT" or "2%" of the equity.' }),
    bar: param.duration('1s', { min: 100, isBar: true, doc: 'Length of a bar.' }),
    stop: param.number(0, { min: 0, max: 0.5, doc: 'Distance of the stop-loss from the entry as a share of the price; 0 for none.' }),
  },
  create({ fast, slow, size, bar, stop }, markets) {
    if (fast >= slow) throw new RangeError(`fast must be below slow, found ${fast} and ${slow}`);
    const fresh = (): State => ({ quick: ema(fast), calm: ema(slow), want: 'FLAT' });
    const states = new Map(markets.map((market) => [market, fresh()]));

    /** Takes the next step towards the wanted leg: closes the other leg, or opens the wanted one. */
    function pursue(market: Market, want: Want, ctx: StrategyContext): void {
      if (want === 'FLAT' || market.orders.length > 0) return;
      const isLong = want === 'LONG';
      const other = isLong ? market.short : market.long;
      const leg = isLong ? market.long : market.short;
      if (other.lots > 0) {
        ctx.close(market, isLong ? 'SHORT' : 'LONG', { reason: `the averages crossed: ${want}` });
      } else if (leg.lots === 0) {
        const away = isLong ? 1 - stop : 1 + stop;
        const stopLoss = stop > 0 ? market.last * away : undefined;
        ctx.open(market, want, { size, stopLoss, reason: `the averages crossed: ${want}` });
      }
    }

    return {
      barMs: bar,
      onBar(done, market, ctx) {
        const state = states.get(market);
        if (state === undefined) return;
        const quick = state.quick.next(done.close);
        const calm = state.calm.next(done.close);
        if (!state.calm.isReady || quick === calm) return;
        state.want = quick > calm ? 'LONG' : 'SHORT';
        pursue(market, state.want, ctx);
      },
      // The old leg is closed: open the new one at once instead of at the next bar.
      onPosition({ market }, ctx) {
        pursue(market, states.get(market)?.want ?? 'FLAT', ctx);
      },
    };
  },
});

type Want = 'LONG' | 'SHORT' | 'FLAT';

/** State of one market. */
interface State {
  readonly quick: Indicator;
  readonly calm: Indicator;
  want: Want;
}
