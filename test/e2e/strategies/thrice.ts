/** Rests three far orders, each once, and does nothing more. */
import { defineStrategy } from 'tickwright';

export default defineStrategy({
  name: 'thrice',
  create() {
    let placed = 0;
    return {
      onQuote(market, ctx) {
        if (!market.hasQuote) return;
        for (; placed < 3; placed++) ctx.limit(market, 'LONG', 'OPEN', market.mid * (0.985 - placed / 1_000), '0.01', true, 'far away');
      },
    };
  },
});
