/** Opens and closes a position at market in turn, one fill for each book ticker: as many fills and trades as a tape allows, with reasons. */
import { defineStrategy } from 'tickwright';

export default defineStrategy({
  name: 'flip',
  create: () => ({
    onQuote(market, ctx) {
      if (market.orders.length > 0) return;
      if (market.long.lots > 0) ctx.close(market, 'LONG', { reason: 'out' });
      else ctx.open(market, 'LONG', { size: 0.001, reason: 'in' });
    },
  }),
});
