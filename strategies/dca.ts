/** Buys for a fixed value at fixed times, up to a largest value, and sells all of it at a profit over the average price. */
import { defineStrategy, param } from 'tickwright';

export default defineStrategy({
  name: 'dca',
  doc: 'Regular purchases (dollar-cost averaging) with a take-profit on the whole.',
  params: {
    every: param.duration('1h', { min: 1_000, doc: 'Time between two purchases.' }),
    value: param.number(100, { min: 1, doc: 'Value of a purchase, in quote coin.' }),
    most: param.number(1000, { min: 1, doc: 'Value of the position at which it stops buying, in quote coin.' }),
    profit: param.number(3, { min: 0.001, max: 1000, doc: 'All is sold this much above the average price, in percent.' }),
  },
  create({ every, value, most, profit }) {
    return {
      onStart: (ctx) => ctx.setTimer('buy', every),
      onTimer(_name, ctx) {
        ctx.setTimer('buy', every);
        for (const market of ctx.markets) {
          const isBusy = market.orders.length > 0 || market.isHalted || !market.hasQuote;
          if (isBusy || market.long.value + value > most) continue;
          ctx.open(market, 'LONG', { size: value / market.ask, reason: 'regular purchase' });
        }
      },
      onQuote(market, ctx) {
        const { entryPrice, free, lots } = market.long;
        if (lots === 0 || free === 0 || market.orders.length > 0) return;
        if (market.bid >= entryPrice * (1 + profit / 100)) ctx.close(market, 'LONG', { reason: 'profit on the average price' });
      },
    };
  },
});
