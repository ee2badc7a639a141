/** Enters ten managed trades on one leg, one a second, most of which the venue's take-profit or stop-loss ends; the rest end after 4 s. */
import { defineStrategy } from 'tickwright';

export default defineStrategy({
  name: 'ten-trades',
  create() {
    let entered = 0;
    return {
      barMs: 1_000,
      onBar(bar, market, ctx) {
        if (entered === 10) ctx.log('all entered');
        entered++;
        if (entered > 10) return;
        ctx.enter({
          market,
          side: 'LONG',
          size: '0.001',
          stopLoss: bar.close * 0.9995,
          takeProfit: bar.close * 1.0003,
          maxHoldMs: 4_000,
          reason: entered % 2 === 0 ? 'even' : 'odd',
        });
      },
      onExit(trade, ctx) {
        ctx.log('trade over', { exits: trade.exits.length });
      },
    };
  },
});
