/**
 * Keeps positions at fixed shares of the money that it manages: at each interval it brings back what has left its band. A negative weight is
 * a SHORT position. The time of the next look outlives a restart.
 */
import { defineStrategy, param, type Market, type StrategyContext } from 'tickwright';

export default defineStrategy({
  name: 'rebalance',
  doc: 'Keeps each market at its weight; trades only what has left its band.',
  params: {
    weights: param.text('', {
      doc: 'Weights in percent, such as "BTCUSDT 50, ETHUSDT -20"; negative for SHORT, at most 100 together. Empty: all markets alike.',
    }),
    band: param.number(5, { min: 0.01, max: 100, doc: 'It trades a market whose weight is off by more than this, in percentage points.' }),
    every: param.duration('1h', { min: 1_000, doc: 'Time between two looks.' }),
    max: param.number(1000, { min: 1, doc: 'The most money that it manages, in quote coin; less if the equity is less.' }),
  },
  state: { next: 0 },
  create({ weights, band, every, max }, markets) {
    const targets = weightsOf(weights, markets);

    /** Value that a market lacks (above 0) or has too much of (below 0), in quote coin; SHORT counts below 0. */
    function lack(market: Market, money: number): number {
      const net = market.long.value - market.short.value;
      const off = ((targets.get(market) ?? 0) / 100) * money - net;
      const isOff = Math.abs(off) > (band / 100) * money || (targets.get(market) === 0 && net !== 0);
      return isOff ? off : 0;
    }

    /** Closes what is too much of a market. True if something is still to be opened. */
    function reduce(market: Market, off: number, ctx: StrategyContext): boolean {
      const leg = off > 0 ? market.short : market.long;
      if (leg.lots === 0) return true;
      const excess = Math.min(1, Math.abs(off) / leg.value);
      const size = Math.floor((leg.size * excess) / market.lot + 1e-9) * market.lot;
      const isWhole = excess === 1 || leg.size - size < market.minSize;
      if (isWhole) ctx.close(market, leg.side, { reason: 'too much of it' });
      else if (size >= market.minSize) ctx.close(market, leg.side, { size, reason: 'too much of it' });
      return false;
    }

    function open(market: Market, off: number, ctx: StrategyContext): void {
      const size = Math.abs(off) / market.mid;
      if (size < market.minSize) return ctx.note(`${Math.abs(off).toFixed(2)} are below the smallest order`, market);
      ctx.open(market, off > 0 ? 'LONG' : 'SHORT', { size, reason: 'too little of it' });
    }

    /** True if all markets were looked at. What was closed first frees the margin of what is opened. */
    function look(ctx: StrategyContext): boolean {
      const money = Math.min(ctx.account.equity, max);
      const isBusy = (one: Market): boolean => !one.hasQuote || one.isHalted || one.orders.length > 0;
      if (!(money > 0) || markets.some(isBusy)) return false;
      const off = markets.map((market) => [market, lack(market, money)] as const).filter(([, amount]) => amount !== 0);
      const rest = off.filter(([market, amount]) => reduce(market, amount, ctx));
      if (rest.length < off.length) return false;
      for (const [market, amount] of rest) open(market, amount, ctx);
      return true;
    }

    return {
      onStart: (ctx) => ctx.setTimer('look', Math.max(1, ctx.state.next - ctx.now)),
      onTimer(_name, ctx) {
        const isDone = look(ctx);
        if (isDone) ctx.state.next = ctx.now + every;
        ctx.setTimer('look', isDone ? every : AGAIN_MS);
      },
    };
  },
});

/** What is not done yet is looked at again after this time. */
const AGAIN_MS = 1_000;

/** @throws RangeError for a weight that cannot be meant */
function weightsOf(text: string, markets: readonly Market[]): ReadonlyMap<Market, number> {
  if (text.trim() === '') return new Map(markets.map((market) => [market, 100 / markets.length]));
  const found = new Map<Market, number>();
  const symbols = markets.map(({ symbol }) => symbol).join(', ');
  for (const part of text.split(',')) {
    const [symbol = '', figure = '', ...more] = part.trim().split(/\s+/);
    const market = markets.find((one) => one.symbol === symbol);
    if (!/^-?\d+(\.\d+)?$/.test(figure) || more.length > 0)
      throw new RangeError(`weights: a symbol and a percentage such as "BTCUSDT 50" was expected, found "${part.trim()}"`);
    if (market === undefined) throw new RangeError(`weights: one of ${symbols} was expected, found "${symbol}"`);
    if (found.has(market)) throw new RangeError(`weights: ${symbol} is there twice`);
    found.set(market, Number(figure));
  }
  const missing = markets.filter((market) => !found.has(market)).map(({ symbol }) => symbol);
  if (missing.length > 0) throw new RangeError(`weights: ${missing.join(', ')} has none; 0 holds nothing of it`);
  const total = [...found.values()].reduce((sum, one) => sum + Math.abs(one), 0);
  if (total > 100) throw new RangeError(`weights: at most 100 percent together was expected, found ${total}`);
  return found;
}
