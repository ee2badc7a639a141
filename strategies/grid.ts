/**
 * A grid in quote coin: buys at each level of a price range below the market and sells a level higher, again and again. SHORT is the mirror
 * image. Each step is a managed trade, so it continues after a restart.
 */
import { defineStrategy, param, stored, type ManagedTrade, type Market, type SideName, type StrategyContext } from 'tickwright';

export default defineStrategy({
  name: 'grid',
  doc: 'Buys at each level of a range and sells a level higher; SHORT the other way round.',
  params: {
    side: param.choice(['LONG', 'SHORT', 'BOTH'], 'LONG', { doc: 'BOTH: LONG below the first price, SHORT above it.' }),
    low: param.number(0, { min: 0, doc: 'Lowest level, a price in quote coin; 0: `range` below the first price.' }),
    high: param.number(0, { min: 0, doc: 'Highest level, a price in quote coin; 0: `range` above the first price.' }),
    range: param.number(5, { min: 0.001, max: 90, doc: 'Without low and high: from the first price to each end, in percent.' }),
    steps: param.integer(10, { min: 1, max: 100, doc: 'Steps between the lowest and the highest level.' }),
    spacing: param.choice(['arithmetic', 'geometric'], 'arithmetic', { doc: 'Equal distances, or equal ratios, of the levels.' }),
    value: param.number(100, { min: 1, doc: 'Value of a step, in quote coin.' }),
    max: param.number(1000, { min: 1, doc: 'Largest value of a leg, in quote coin: all steps must fit in it.' }),
    outside: param.choice(['wait', 'stop', 'restart'], 'stop', {
      doc: 'Beyond the range by `stop`. wait: keeps its positions without a stop-loss. stop: closes all, and stays out. restart: closes all, and begins a new range.',
    }),
    stop: param.number(2, { min: 0.001, max: 90, doc: 'Distance of the stop-loss from the end of the range, in percent.' }),
    every: param.duration('5s', { min: 100, doc: 'How often it looks at its levels.' }),
  },
  state: { grids: stored.map(stored.object({ of: '', low: 0, high: 0, first: 0, isStopped: false })) },
  create({ side, low, high, range, steps, spacing, value, max, outside, stop, every }, markets) {
    const hasEnds = low > 0 && high > 0;
    if (!hasEnds && (low > 0 || high > 0)) throw new RangeError('low and high: expected both or none, found one');
    if (hasEnds && low >= high) throw new RangeError(`low must be below high, found ${low} and ${high}`);
    if (hasEnds && outside === 'restart') throw new RangeError('outside restart needs a range around the price: leave out low and high');
    if (steps * value > max) throw new RangeError(`${steps} steps of ${value} are worth ${steps * value}, more than max ${max}`);
    const of = [side, low, high, range, steps, spacing, outside, stop].join(' ');
    const sides: readonly SideName[] = side === 'BOTH' ? ['LONG', 'SHORT'] : [side];

    const level = ({ low: from, high: to }: Grid, k: number): number =>
      spacing === 'arithmetic' ? from + ((to - from) * k) / steps : from * (to / from) ** (k / steps);
    const stopOf = (grid: Grid, leg: SideName): number => (leg === 'LONG' ? grid.low * (1 - stop / 100) : grid.high * (1 + stop / 100));

    /** The grid of a market: the one that it began, or a new one around the price. */
    function gridOf(market: Market, ctx: Context): Grid {
      const known = ctx.state.grids[market.symbol];
      if (known?.of === of) return known;
      const ends = hasEnds ? { low, high } : { low: market.mid * (1 - range / 100), high: market.mid * (1 + range / 100) };
      return keep(market, { of, ...ends, first: market.mid, isStopped: false }, ctx);
    }
    function keep(market: Market, grid: Grid, ctx: Context): Grid {
      ctx.state.grids = { ...ctx.state.grids, [market.symbol]: grid };
      return grid;
    }

    function leave(market: Market, grid: Grid, ctx: Context): void {
      for (const trade of ctx.trades(market)) trade.close('outside of the range');
      keep(market, { ...grid, isStopped: outside === 'stop', of: outside === 'stop' ? of : '' }, ctx);
    }

    function tend(market: Market, ctx: Context): void {
      if (!market.hasQuote || market.isHalted) return;
      if (value / market.mid < market.minSize)
        return ctx.note(`a step of ${value} is below the smallest order, ${(market.minSize * market.mid).toFixed(2)}`, market);
      const isLeaving = ctx.trades(market).some(({ state }) => state === 'closing');
      if (isLeaving && ctx.state.grids[market.symbol]?.of !== of) return;
      const grid = gridOf(market, ctx);
      if (grid.isStopped) return ctx.note('the price left the range: stopped until a parameter changes', market);
      const isBelow = market.mid <= stopOf(grid, 'LONG');
      const isAbove = market.mid >= stopOf(grid, 'SHORT');
      const isHurt = (isBelow && sides.includes('LONG')) || (isAbove && sides.includes('SHORT'));
      if (outside === 'restart' ? isBelow || isAbove : outside === 'stop' && isHurt) return leave(market, grid, ctx);
      for (const leg of sides) open(market, leg, grid, ctx);
    }

    /** An entry for each step on the right side of the market that has none, nearest first. */
    function open(market: Market, leg: SideName, grid: Grid, ctx: Context): void {
      const trades = ctx.trades(market).filter((one) => one.side === leg);
      const taken = new Set(trades.map(({ reason }) => reason));
      let room = max - trades.length * value;
      for (let n = 0; n < steps && room >= value; n++) {
        const k = leg === 'LONG' ? steps - 1 - n : n;
        const [limit, at] = leg === 'LONG' ? [level(grid, k), level(grid, k + 1)] : [level(grid, k + 1), level(grid, k)];
        const isOfLeg = side !== 'BOTH' || (leg === 'LONG' ? at <= grid.first : at >= grid.first);
        const isPassive = leg === 'LONG' ? limit < market.bid : limit > market.ask;
        const reason = `${leg} step ${k + 1}`;
        if (!isOfLeg || !isPassive || taken.has(reason)) continue;
        const stopLoss = outside === 'wait' ? undefined : stopOf(grid, leg);
        const takeProfit = [{ at, share: 1, resting: true }];
        const trade = ctx.enter({ market, side: leg, value, limit, postOnly: true, takeProfit, stopLoss, reason });
        if (trade === null) return;
        room -= value;
      }
    }

    return {
      onStart(ctx) {
        ctx.setTimer('tend', every);
        for (const market of markets) tend(market, ctx);
      },
      onTimer(_name, ctx) {
        ctx.setTimer('tend', every);
        for (const market of markets) tend(market, ctx);
      },
      onExit(trade, ctx) {
        const grid = ctx.state.grids[trade.market.symbol];
        if (grid?.of === of && !grid.isStopped && outside !== 'wait' && isStopped(trade)) leave(trade.market, grid, ctx);
      },
      // What rests to open is not left alone; exits stay at the venue.
      onStop(ctx) {
        for (const market of markets)
          for (const { effect, number } of market.orders) if (effect === 'OPEN') ctx.cancel(number, 'the bot stops');
      },
    };
  },
});

interface Grid {
  readonly of: string;
  readonly low: number;
  readonly high: number;
  /** Price at which it began. */
  readonly first: number;
  readonly isStopped: boolean;
}

type Context = StrategyContext<{ grids: Readonly<Record<string, Grid>> }>;

function isStopped({ exits }: ManagedTrade): boolean {
  return exits.some(({ why }) => why === 'stop-loss');
}
