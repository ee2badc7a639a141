/** Buys a little on the spot market at each signal. */
import { defineStrategy } from 'tickwright';

export default defineStrategy({
  name: 'spot-at-signal',
  create: () => ({
    onSignal(_signal, ctx) {
      ctx.spot([{ market: ctx.markets[0]!, direction: 'BUY', size: '0.001', limit: 20_000, reason: 'signal' }]);
    },
  }),
});
