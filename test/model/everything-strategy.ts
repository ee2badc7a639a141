/** A random strategy that uses everything a strategy can do: both position sides, trigger orders, brackets, modify, spot, margin. */
import { defineStrategy, type AnyStrategy } from '../../src/engine/strategy/definition/define.ts';
import type { Done, StrategyContext } from '../../src/engine/strategy/definition/types.ts';
import type { Market } from '../../src/engine/intents/market-types.ts';
import type { PlaceIntent } from '../../src/engine/intents/intents.ts';

/** Acts at `chance` in a thousand of its events. */
export function everythingStrategy(chance: number): AnyStrategy {
  return defineStrategy({
    name: 'anything',
    create() {
      const below = (ctx: StrategyContext, n: number): number => Math.floor(ctx.random() * n);
      return {
        onQuote: (market, ctx) => (below(ctx, 1_000) < chance ? act(market, ctx, below) : undefined),
        onTrade: (_trade, market, ctx) => (below(ctx, 1_000) < chance ? act(market, ctx, below) : undefined),
        onOrder: ({ order }, ctx) => (below(ctx, 20) === 0 ? act(order.market, ctx, below) : undefined),
        onStop: (ctx) => ctx.cancelAll(),
      };
    },
  });
}

type Below = (ctx: StrategyContext, n: number) => number;

function act(market: Market, ctx: StrategyContext, below: Below): Done {
  if (market.product === 'spot') return actOnSpot(market, ctx, below);
  const side = below(ctx, 2) === 0 ? 'LONG' : 'SHORT';
  const own = market.orders;
  const some = own[below(ctx, Math.max(own.length, 1))];
  const price = (reach = 12): number => (market.hasQuote ? market.mid : market.last) + (below(ctx, 2 * reach + 1) - reach) * market.tick;
  const size = (1 + below(ctx, 400)) * market.lot;
  switch (below(ctx, 14)) {
    case 0:
    case 1:
    case 2:
      return ctx.limit(market, side, below(ctx, 2) === 0 ? 'OPEN' : 'CLOSE', price(), size, below(ctx, 4) === 0);
    case 3:
      return ctx.open(market, side, { size });
    case 4:
      return ctx.close(market, side);
    case 5:
    case 6:
      return ctx.place({ market, side, effect: 'OPEN', size, ...exits(market, side === 'LONG' ? 1 : -1, ctx, below) });
    case 7:
      return ctx.place({ market, side, effect: 'OPEN', size, limit: price(), ...exits(market, side === 'LONG' ? 1 : -1, ctx, below) });
    case 8:
    case 9: {
      const limit = below(ctx, 2) === 0 ? { limit: price() } : {};
      const triggerBy = below(ctx, 2) === 0 ? 'LAST' : 'MARK';
      return ctx.placeTrigger({
        market,
        side,
        size,
        trigger: price(60),
        triggerBy,
        ...limit,
        ...exits(market, side === 'LONG' ? 1 : -1, ctx, below),
      });
    }
    case 10:
      return some !== undefined && ctx.modify(some.number, below(ctx, 2) === 0 ? { limit: price() } : { size });
    case 11:
      return some !== undefined && ctx.cancel(some.number);
    case 12:
      if (below(ctx, 4) === 0) ctx.cancelAll(market);
      return ctx.setMarginMode(market, below(ctx, 2) === 0 ? 'CROSS' : 'ISOLATED');
    default:
      return ctx.ensureMargin(market, side, below(ctx, 3_000));
  }
}

function exits(market: Market, up: number, ctx: StrategyContext, below: Below): Pick<PlaceIntent, 'takeProfit' | 'stopLoss'> {
  const away = (from: number): number => market.mid + up * (from + below(ctx, 40)) * market.tick;
  const takeProfit = below(ctx, 2) === 0 ? away(5) : { trigger: away(5), limit: away(3) };
  const stopLoss = below(ctx, 2) === 0 ? away(-45) : { trigger: away(-45), limit: away(-60) };
  if (below(ctx, 3) === 0) return { takeProfit };
  return below(ctx, 2) === 0 ? { stopLoss } : { takeProfit, stopLoss };
}

function actOnSpot(market: Market, ctx: StrategyContext, below: Below): Done {
  const some = market.orders[0];
  if (some !== undefined && below(ctx, 3) === 0) return ctx.cancel(some.number);
  const direction = below(ctx, 2) === 0 ? 'BUY' : 'SELL';
  const size = market.lot * (200 + below(ctx, 40_000));
  const limit = below(ctx, 3) === 0 ? {} : { limit: market.mid + (below(ctx, 21) - 10) * market.tick };
  return ctx.spot([{ market, direction, size, ...limit }]);
}
