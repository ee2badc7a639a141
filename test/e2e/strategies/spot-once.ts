/** Buys a little on the spot market once, some time after the start. */
import { defineStrategy } from 'tickwright';

export default defineStrategy({
  name: 'spot-once',
  create() {
    return {
      onStart(ctx) {
        ctx.setTimer('buy', 500);
      },
      onTimer(_name, ctx) {
        const market = ctx.markets[0]!;
        ctx.spot([{ market, direction: 'BUY', size: '0.001', limit: 20_000, reason: 'once' }]);
      },
    };
  },
});
