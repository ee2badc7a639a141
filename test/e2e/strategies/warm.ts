/** Needs five minutes of bars, and enters at every second one, in the direction of all of them. */
import { defineStrategy } from 'tickwright';

export default defineStrategy({
  name: 'warm',
  create() {
    let bars = 0;
    return {
      needs: { bars: { '10s': 30 } },
      onBar(bar, market, ctx) {
        if (bars++ % 2 === 1) return;
        const [oldest] = market.bars('10s').close;
        ctx.enter({ market, side: bar.close > oldest! ? 'LONG' : 'SHORT', size: '0.01', maxHoldMs: 12_000, reason: 'a trend' });
      },
    };
  },
});
