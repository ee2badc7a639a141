/** Workload W2: on every book ticker both quotes are cancelled and two new ones are placed at the touch. */
import { defineStrategy } from 'tickwright';

const SIZE = 0.01;

export default defineStrategy({
  name: 'mm-book',
  create() {
    let buy = 0;
    let sell = 0;
    return {
      onQuote(market, ctx) {
        if (buy !== 0) ctx.cancel(buy);
        if (sell !== 0) ctx.cancel(sell);
        buy =
          market.short.free >= SIZE
            ? ctx.limit(market, 'SHORT', 'CLOSE', market.bid, SIZE)
            : ctx.limit(market, 'LONG', 'OPEN', market.bid, SIZE);
        sell =
          market.long.free >= SIZE
            ? ctx.limit(market, 'LONG', 'CLOSE', market.ask, SIZE)
            : ctx.limit(market, 'SHORT', 'OPEN', market.ask, SIZE);
      },
    };
  },
});
