/** Rests one far order and does nothing more. `eats` keeps this many more megabytes at each quote, like a leak. */
import { defineStrategy, param } from 'tickwright';

export default defineStrategy({
  name: 'rests',
  params: { eats: param.integer(0, { min: 0, doc: 'Megabytes kept at each quote.' }) },
  create({ eats }) {
    const kept: number[][] = [];
    return {
      onQuote(market, ctx) {
        if (!market.hasQuote) return;
        if (market.orders.length === 0) ctx.limit(market, 'LONG', 'OPEN', market.mid * 0.985, '0.01', true, 'far away');
        if (eats > 0) kept.push(Array.from({ length: eats * 131_072 }, (_, k) => k + 0.5));
      },
    };
  },
});
