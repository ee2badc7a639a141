/** Always loses: opens at market when flat, closes at market otherwise, and pays two fees each time. */
import { defineStrategy, param } from 'tickwright';

export default defineStrategy({
  name: 'loser',
  doc: 'Pays fees.',
  params: { size: param.decimal('0.1', { doc: 'Size of a position, base coin.' }) },
  create({ size }) {
    return {
      onQuote(market, ctx) {
        const { lots, opening, closing } = market.long;
        if (lots === 0 && opening === 0) ctx.open(market, 'LONG', { size, reason: 'in' });
        else if (lots > 0 && closing === 0) ctx.close(market, 'LONG', { reason: 'out' });
      },
    };
  },
});
