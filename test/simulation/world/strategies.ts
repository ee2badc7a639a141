/** What trades in a simulation: everything at random, and strategies that do what none should. */
import type { Random } from '../../../src/base/random.ts';
import { defineStrategy, type AnyStrategy } from '../../../src/engine/strategy/definition/define.ts';
import type { Market } from '../../../src/engine/intents/market-types.ts';
import type { StrategyContext } from '../../../src/engine/strategy/definition/types.ts';
import type { Plan } from '../plan.ts';

/** What a run knows of the strategy's decisions. */
export interface Decisions {
  readonly isCalm: () => boolean;
  /** The next number for the reason of an order: no two orders have the same. */
  readonly next: () => string;
}

/** Sizes that no order may have. */
const NONSENSE = [NaN, Infinity, -Infinity, -0, 0, -1, '1e-7', '-5', '0.0000001', 'all', '', 1e300] as const;
/** So many intents at once. */
const FLOOD = 400;

/** Quotes, orders, modifies, cancels and trigger orders at random, until the run is calm. */
export function chaos(plan: Plan, random: Random, decisions: Decisions): AnyStrategy {
  const act = (market: Market, ctx: StrategyContext): void => {
    if (decisions.isCalm()) return;
    const side = random.below(2) === 0 ? 'LONG' : 'SHORT';
    const leg = side === 'LONG' ? market.long : market.short;
    const size = (1 + random.below(20)) * market.lot;
    const price = market.mid + (random.below(21) - 10) * market.tick;
    const { orders } = market;
    const any = orders[random.below(Math.max(1, orders.length))]?.number ?? 0;
    const what = random.below(plan.triggers === 'none' ? 14 : 17);
    const away = (side === 'LONG' ? -1 : 1) * (20 + random.below(200)) * market.tick;
    const exits = plan.brackets ? { stopLoss: price + away, takeProfit: price - away } : {};
    const reason = decisions.next();
    if (what >= 14) {
      const trigger = market.mid + (random.below(31) - 15) * market.tick;
      ctx.placeTrigger({ market, side, size, trigger, reason, ...(what === 16 ? { limit: trigger } : {}) });
    } else if (what === 0) ctx.open(market, side, { size, reason });
    else if (what === 1) ctx.close(market, side, { reason });
    else if (what < 5) ctx.modify(any, { limit: price, reason });
    else if (what < 7) ctx.cancel(any);
    else if (what < 9) ctx.quote(market, side === 'LONG' ? 'BUY' : 'SELL', price, random.below(3) * 5 * market.lot, false, 'quote');
    else if (what < 11 && leg.free > 0) ctx.limit(market, side, 'CLOSE', price, Math.min(size, leg.free), false, reason);
    else if (plan.brackets) ctx.open(market, side, { size, limit: price, reason, ...exits });
    else ctx.limit(market, side, 'OPEN', price, size, random.below(2) === 0, reason);
  };
  const misbehave = (market: Market, ctx: StrategyContext): void => {
    if (plan.hostile === 'nonsense') {
      const size = NONSENSE[random.below(NONSENSE.length)]!;
      const price = random.below(2) === 0 ? market.mid : (NONSENSE[random.below(NONSENSE.length)] as number);
      ctx.limit(market, 'LONG', 'OPEN', price, size, false, decisions.next());
      ctx.open(market, 'SHORT', { size, reason: decisions.next() });
      if (typeof size === 'number') ctx.quote(market, 'SELL', price, size);
    } else if (plan.hostile === 'floods' && random.below(8) === 0) {
      for (let k = 0; k < FLOOD; k++) ctx.limit(market, 'LONG', 'OPEN', market.mid, market.lot, false, decisions.next());
    } else if (plan.hostile === 'throws' && random.below(6) === 0) {
      throw new Error('a handler that throws');
    }
  };
  return defineStrategy({
    name: 'chaos',
    create: () => ({
      onQuote(market, ctx) {
        act(market, ctx);
        if (!decisions.isCalm()) misbehave(market, ctx);
      },
      onOrder(event, ctx) {
        if (event.state !== 'refused' && random.below(5) === 0) act(event.order.market, ctx);
      },
      onStop: (ctx) => ctx.cancelAll(),
    }),
  });
}

/** Target of the isolated margin in a margin world, in the quote coin. */
export const MARGIN_TARGET = 0.9;

/** Holds one isolated leg and moves its margin to a target. */
export function margin(random: Random, decisions: Decisions): AnyStrategy {
  return defineStrategy({
    name: 'margin',
    create: () => ({
      onQuote(market, ctx) {
        if (decisions.isCalm()) return;
        if (market.long.lots === 0 && market.orders.length === 0) {
          ctx.open(market, 'LONG', { size: 5 * market.lot, marginMode: 'ISOLATED', reason: decisions.next() });
        } else if (market.long.lots > 0 && random.below(3) === 0) {
          ctx.ensureMargin(market, 'LONG', MARGIN_TARGET - random.below(3) * 0.1);
        }
      },
      onStop: (ctx) => ctx.cancelAll(),
    }),
  });
}
