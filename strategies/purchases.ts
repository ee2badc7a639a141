/** Buys for a fixed value at fixed times, up to a largest value; an order that sells all of it rests above the average price. */
import { defineStrategy, param } from 'tickwright';

export default defineStrategy({
  name: 'purchases',
  doc: 'Regular purchases (dollar-cost averaging) with a take-profit on the whole.',
  params: {
    every: param.duration('1h', { min: 1_000, doc: 'Time between two purchases.' }),
    value: param.number(100, { min: 1, doc: 'Value of a purchase, in quote coin.' }),
    most: param.number(1000, { min: 1, doc: 'Value of the position at which it stops buying, in quote coin.' }),
    profit: param.number(3, { min: 0.001, max: 99, doc: 'All is sold this much above the average price, in percent.' }),
  },
  create({ every, value, most, profit }) {
    return {
      onStart: (ctx) => ctx.setTimer('buy', every),
      onTimer(_name, ctx) {
        ctx.setTimer('buy', every);
        for (const market of ctx.markets) {
          if (market.isHalted || !market.hasQuote || market.long.value + value > most) continue;
          const [trade] = ctx.trades(market);
          const purchase = { size: value / market.ask, reason: 'regular purchase' };
          if (trade === undefined) ctx.enter({ market, side: 'LONG', takeProfit: [{ percent: profit, share: 1 }], ...purchase });
          else if (trade.state === 'open') trade.add(purchase);
        }
      },
    };
  },
});
