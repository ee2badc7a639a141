/** A grid of buy orders below the first price. Each that fills is sold one step higher, and then bought again. */
import { defineStrategy, param, type Market, type StrategyContext } from 'tickwright';

/** One step of the grid: its buy price, the order that rests for it, and whether the step is held. */
interface Step {
  readonly buy: number;
  readonly sell: number;
  order: number;
  isHeld: boolean;
}

export default defineStrategy({
  name: 'grid',
  doc: 'Buys at fixed steps below the first price and sells each a step higher.',
  params: {
    steps: param.integer(5, { min: 1, max: 50, doc: 'Number of steps.' }),
    step: param.number(0.5, { min: 0.005, max: 20, doc: 'Distance of the steps, in percent of the first price.' }),
    size: param.decimal('0.002', { doc: 'Size of a step, base coin.' }),
    bar: param.duration('1s', { min: 100, isBar: true, doc: 'How often it looks at its steps.' }),
  },
  create({ steps, step, size, bar }) {
    const grids = new Map<Market, Step[]>();

    function tend(market: Market, ctx: StrategyContext): void {
      if (!market.hasQuote) return;
      const width = (market.mid * step) / 100;
      const fresh = (): Step[] =>
        Array.from({ length: steps }, (_, k) => {
          const buy = market.mid - (k + 1) * width;
          return { buy, sell: buy + width, order: 0, isHeld: false };
        });
      const grid = grids.get(market) ?? fresh();
      grids.set(market, grid);
      for (const one of grid) {
        if (one.order !== 0) continue;
        if (one.isHeld && market.long.free >= Number(size)) {
          one.order = ctx.limit(market, 'LONG', 'CLOSE', one.sell, size, false, 'a step up');
        } else if (!one.isHeld && one.buy < market.bid) {
          one.order = ctx.limit(market, 'LONG', 'OPEN', one.buy, size, false, 'a step down');
        }
      }
    }

    return {
      barMs: bar,
      onBar: (_bar, market, ctx) => tend(market, ctx),
      onOrder({ order }) {
        if (order.isAlive || order.number === 0) return;
        const one = grids.get(order.market)?.find((each) => each.order === order.number);
        if (one === undefined) return;
        one.order = 0;
        if (order.state === 'filled') one.isHeld = !one.isHeld;
      },
      onStart: (ctx) => void ctx.cancelAll(undefined, 'fresh start'),
      onStop: (ctx) => void ctx.cancelAll(undefined, 'the bot stops'),
    };
  },
});
