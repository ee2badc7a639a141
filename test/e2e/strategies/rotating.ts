/** Holds one lot of each symbol of its universe. It opens a moment after a choice, so that a kill can come between. */
import { defineStrategy, type StrategyContext } from 'tickwright';

export default defineStrategy({
  name: 'rotating',
  create: () => {
    const hold = (ctx: StrategyContext): void => {
      for (const market of ctx.universe)
        if (market.long.size === 0 && market.long.opening === 0) ctx.open(market, 'LONG', { size: '0.001', reason: 'ranks high' });
    };
    return {
      onStart: (ctx) => ctx.setTimer('hold', 500),
      onUniverse: (_event, ctx) => ctx.setTimer('hold', 500),
      onTimer: (_name, ctx) => hold(ctx),
    };
  },
});
