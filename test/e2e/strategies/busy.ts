/**
 * Constantly places, modifies and cancels at random, so that a crash always interrupts something. While the file named by CALM_FILE exists,
 * it cancels everything except one far order per market, so that local and venue state can be compared.
 */
import { existsSync } from 'node:fs';
import { defineStrategy, param, type Market, type StrategyContext } from 'tickwright';

export default defineStrategy({
  name: 'busy',
  doc: 'Random orders of every kind.',
  params: {
    size: param.decimal('0.01', { doc: 'Size of each order, base coin.' }),
    most: param.number(0.1, { doc: 'Largest leg, base coin.' }),
  },
  create({ size, most }) {
    const calm = process.env['CALM_FILE'] ?? '';
    const far = (market: Market): number => market.mid * 0.985;

    function rest(market: Market, ctx: StrategyContext): void {
      const [kept, ...others] = market.orders.filter((order) => order.type === 'LIMIT' && order.price < market.mid * 0.99);
      for (const order of market.orders) if (order.number !== kept?.number || others.length > 0) ctx.cancel(order.number, 'calm');
      if (kept === undefined && market.orders.length === 0) ctx.limit(market, 'LONG', 'OPEN', far(market), size, true, 'far away');
    }

    function act(market: Market, ctx: StrategyContext): void {
      const chance = ctx.random();
      const side = ctx.random() < 0.5 ? 'LONG' : 'SHORT';
      const leg = side === 'LONG' ? market.long : market.short;
      const oldest = market.orders[0];
      if (market.orders.length > 8 && oldest !== undefined) ctx.cancel(oldest.number, 'too many');
      else if (chance < 0.25) {
        const price = side === 'LONG' ? market.bid - 3 * market.tick : market.ask + 3 * market.tick;
        if (leg.size < most) ctx.limit(market, side, 'OPEN', price, size, true, 'rest near');
      } else if (chance < 0.4) {
        if (leg.size < most) ctx.open(market, side, { size, reason: 'at market' });
      } else if (chance < 0.65) {
        if (leg.free > 0) ctx.close(market, side, { size: Math.min(leg.free, Number(size)), reason: 'at market' });
      } else if (chance < 0.8) {
        if (oldest?.type === 'LIMIT') ctx.modify(oldest.number, { limit: oldest.price - market.tick, reason: 'a tick lower' });
      } else if (oldest !== undefined) ctx.cancel(oldest.number, 'by chance');
    }

    return {
      onQuote(market, ctx) {
        if (!market.hasQuote) return;
        if (calm !== '' && existsSync(calm)) rest(market, ctx);
        else act(market, ctx);
      },
    };
  },
});
