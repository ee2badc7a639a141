/** Joins the bid with a few small orders, and again once none of them waits: its fills depend on nothing but the fill model of the venue. */
import { defineStrategy, param } from 'tickwright';

export default defineStrategy({
  name: 'joiner',
  doc: 'Rests at the bid.',
  params: {
    size: param.decimal('0.001', { doc: 'Size of each order, base coin.' }),
    orders: param.integer(6, { doc: 'Orders at a time.' }),
  },
  create({ size, orders }) {
    return {
      onQuote(market, ctx) {
        if (!market.hasQuote || market.orders.length > 0) return;
        for (let k = 0; k < orders; k++) ctx.limit(market, 'LONG', 'OPEN', market.bid, size, true, 'join');
      },
      onTrade() {
        // Trades are polled for it, so that a recording has them.
      },
    };
  },
});
