/**
 * Rests far orders, each once, unless one rests from before. With `eats` it keeps that many more megabytes at each quote, like a leak.
 */
import { defineStrategy, param } from 'tickwright';

export default defineStrategy({
  name: 'rests',
  params: {
    orders: param.integer(1, { min: 1, doc: 'Orders to place.' }),
    eats: param.integer(0, { min: 0, doc: 'Megabytes kept at each quote.' }),
  },
  create({ orders, eats }) {
    let placed = 0;
    const kept: number[][] = [];
    return {
      onQuote(market, ctx) {
        if (!market.hasQuote) return;
        if (market.orders.length === 0) {
          for (; placed < orders; placed++)
            ctx.limit(market, 'LONG', 'OPEN', market.mid * (0.985 - placed / 1_000), '0.01', true, 'far away');
        }
        if (eats > 0) kept.push(Array.from({ length: eats * 131_072 }, (_, k) => k + 0.5));
      },
    };
  },
});
