/** Buys at each step of the price and never sells: on a market that rises steadily, each thing that goes wrong costs an amount that is known. */
import { defineStrategy, param } from 'tickwright';

export default defineStrategy({
  name: 'adder',
  doc: 'Opens a long position in equal steps of the price.',
  params: {
    size: param.decimal('0.01', { doc: 'Size of each order, base coin.' }),
    from: param.number(60_400, { doc: 'Price of the first order.' }),
    step: param.number(50, { doc: 'Price between two orders.' }),
  },
  create({ size, from, step }) {
    let next = from;
    return {
      onQuote(market, ctx) {
        if (!market.hasQuote || market.bid < next) return;
        ctx.open(market, 'LONG', { size, reason: 'one more' });
        next += step;
      },
    };
  },
});
