/** Workload W2: two-sided quoting. On every book ticker both quotes are moved to the touch. */
import { defineStrategy } from 'tickwright';

const SIZE = 0.01;

export default defineStrategy({
  name: 'mm-book',
  create: () => ({
    onQuote(market, ctx) {
      ctx.quote(market, 'BUY', market.bid, SIZE);
      ctx.quote(market, 'SELL', market.ask, SIZE);
    },
  }),
});
