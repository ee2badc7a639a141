/** Opens a part of the LONG leg or closes one, by chance, whoever opened it. */
import { defineStrategy, param } from 'tickwright';

export default defineStrategy({
  name: 'turns',
  doc: 'Opens and closes by chance.',
  params: { size: param.decimal('0.1', { doc: 'Size of each order, base coin.' }) },
  create({ size }) {
    return {
      onStart: (ctx) => ctx.setTimer('turn', 1_000),
      onTimer(_name, ctx) {
        const market = ctx.markets[0]!;
        ctx.setTimer('turn', 500 + Math.floor(1_000 * ctx.random()));
        if (!market.hasQuote || market.orders.length > 0) return;
        const most = Math.max(...['0.2', size].map(Number));
        if (market.long.size > 2 * most || (market.long.size > most && ctx.random() < 0.5))
          ctx.close(market, 'LONG', { size, reason: 'turn' });
        else ctx.open(market, 'LONG', { size, reason: 'turn' });
      },
      onQuote() {
        // Quotes are polled for it.
      },
    };
  },
});
