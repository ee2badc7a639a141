/** Always loses: opens at market when flat, closes at market once the opening order has ended, and pays two fees each time. */
import { defineStrategy, param } from 'tickwright';

export default defineStrategy({
  name: 'loser',
  doc: 'Pays fees.',
  params: {
    size: param.decimal('0.1', { doc: 'Size of a position, base coin.' }),
    rounds: param.integer(1_000, { doc: 'Number of positions that a process opens.' }),
  },
  create({ size, rounds }) {
    let opened = 0;
    return {
      onQuote(market, ctx) {
        const { lots, opening, closing } = market.long;
        if (lots === 0 && opening === 0 && opened < rounds) {
          if (ctx.open(market, 'LONG', { size, reason: 'in' }) > 0) opened++;
        } else if (lots > 0 && opening === 0 && closing === 0) ctx.close(market, 'LONG', { reason: 'out' });
      },
    };
  },
});
