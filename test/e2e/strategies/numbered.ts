/** Opens when flat and closes otherwise, at market. The reason of each order has a number of its own, by which its record can be found. */
import { defineStrategy, param } from 'tickwright';

export default defineStrategy({
  name: 'numbered',
  doc: 'Orders that can be told apart.',
  params: { size: param.decimal('0.01', { doc: 'Size of a position, base coin.' }) },
  create({ size }) {
    let orders = 0;
    return {
      onQuote(market, ctx) {
        const { lots, opening, closing } = market.long;
        if (lots === 0 && opening === 0) ctx.open(market, 'LONG', { size, reason: `order ${++orders}.` });
        else if (lots > 0 && closing === 0) ctx.close(market, 'LONG', { reason: `order ${++orders}.` });
      },
    };
  },
});
