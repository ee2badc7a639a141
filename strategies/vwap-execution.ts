/** Executes one large order in slices: a share of the volume that others trade, never above their average price plus a tolerance. */
import { defineStrategy, param, type Market } from 'tickwright';

/** What others traded since the start, and since the last slice. */
interface Tape {
  value: number;
  volume: number;
  fresh: number;
}

export default defineStrategy({
  name: 'vwap-execution',
  doc: 'Buys a size in slices that follow the traded volume (VWAP, participation).',
  params: {
    total: param.number(0.1, { min: 0.000_001, doc: 'Size to buy in all, base coin.' }),
    share: param.number(10, { min: 0.1, max: 50, doc: 'Share of the traded volume, in percent.' }),
    most: param.number(500, { min: 1, doc: 'Largest value of a slice, in quote coin.' }),
    every: param.duration('5s', { min: 100, doc: 'Time between two slices.' }),
    tolerance: param.number(0.05, { min: 0, max: 10, doc: 'How far above the average price of all trades it still buys, in percent.' }),
  },
  create({ total, share, most, every, tolerance }, markets) {
    const tapes = new Map(markets.map((market): [Market, Tape] => [market, { value: 0, volume: 0, fresh: 0 }]));
    return {
      onStart: (ctx) => ctx.setTimer('slice', every),
      onTrade({ price, size }, market) {
        const tape = tapes.get(market);
        if (tape === undefined) return;
        tape.value += price * size;
        tape.volume += size;
        tape.fresh += size;
      },
      onTimer(_name, ctx) {
        ctx.setTimer('slice', every);
        for (const [market, tape] of tapes) {
          const left = total - market.long.size - market.long.opening;
          const slice = Math.min(left, (tape.fresh * share) / 100, most / market.ask);
          if (market.orders.length > 0) ctx.cancelAll(market, 'the slice is over');
          if (!market.hasQuote || market.isHalted || market.orders.length > 0 || slice < market.minSize) continue;
          const limit = (tape.value / tape.volume) * (1 + tolerance / 100);
          if (market.ask > limit) continue;
          tape.fresh = 0;
          ctx.open(market, 'LONG', { size: slice, limit, reason: `${share} % of the volume` });
        }
      },
    };
  },
});
