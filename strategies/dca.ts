/**
 * Averages in: a base order, and safety orders that rest below it, each larger than the one before. A target for the whole rests at the
 * venue, above the average price, and follows it. SHORT is the mirror image. The round is one managed trade, so it continues after a restart.
 */
import { defineStrategy, param, stored, type Market, type SideName, type StrategyContext } from 'tickwright';

export default defineStrategy({
  name: 'dca',
  doc: 'A base order, safety orders below it, and a target above the average price of all.',
  params: {
    side: param.choice(['LONG', 'SHORT', 'BOTH'], 'LONG', { doc: 'BOTH: a round of each at the same time.' }),
    base: param.number(100, { min: 1, doc: 'Value of the base order, in quote coin.' }),
    safety: param.number(100, { min: 1, doc: 'Value of the first safety order, in quote coin.' }),
    orders: param.integer(5, { min: 0, max: 19, doc: 'Number of safety orders.' }),
    step: param.number(1, { min: 0.001, max: 50, doc: 'From the base order to the first safety order, in percent of the first price.' }),
    stepScale: param.number(1.2, { min: 0.5, max: 5, doc: 'Each step is so many times the one before.' }),
    volumeScale: param.number(1.2, { min: 0.5, max: 5, doc: 'Each safety order is worth so many times the one before.' }),
    profit: param.number(1, { min: 0.001, max: 90, doc: 'The target, in percent of the average price.' }),
    stop: param.number(3, { min: 0, max: 90, doc: 'Stop-loss beyond the last safety order, in percent of the first price; 0 for none.' }),
    pause: param.duration('1m', { min: 1, doc: 'From the end of a round to the next one.' }),
    max: param.number(1000, { min: 1, doc: 'Largest value of a leg, in quote coin: base order and safety orders must fit in it.' }),
    every: param.duration('5s', { min: 100, doc: 'How often it looks whether a round can begin.' }),
  },
  state: { until: stored.map(stored.number(0)) },
  create({ side, base, safety, orders, step, stepScale, volumeScale, profit, stop, pause, max, every }, markets) {
    const sides: readonly SideName[] = side === 'BOTH' ? ['LONG', 'SHORT'] : [side];
    let away = 0;
    const ladder = Array.from({ length: orders }, (_, k) => {
      away += (step * stepScale ** k) / 100;
      return { away, value: safety * volumeScale ** k };
    });
    const total = ladder.reduce((sum, one) => sum + one.value, base);
    if (total > max) throw new RangeError(`the orders of a round are worth ${total.toFixed(2)}, more than max ${max}`);
    if (away + stop / 100 >= 1) throw new RangeError(`the last order or the stop-loss is ${((away + stop / 100) * 100).toFixed(1)} % away`);

    function begin(market: Market, leg: SideName, ctx: Context): void {
      if (ctx.trades(market).some((one) => one.side === leg)) return;
      if ((ctx.state.until[`${market.symbol} ${leg}`] ?? 0) > ctx.now) return;
      const first = leg === 'LONG' ? market.ask : market.bid;
      const least = Math.min(base, ...ladder.map(({ value }) => value));
      if (least / first < market.minSize)
        return ctx.note(`an order of ${least} is below the smallest one, ${(first * market.minSize).toFixed(2)}`, market);
      const sign = leg === 'LONG' ? -1 : 1;
      const rungs = ladder.map((one) => {
        const at = first * (1 + sign * one.away);
        return { at, size: one.value / at };
      });
      ctx.enter({
        market,
        side: leg,
        value: base,
        ladder: rungs,
        takeProfit: [{ percent: profit, share: 1, resting: true }],
        stopLoss: stop > 0 ? first * (1 + sign * (away + stop / 100)) : undefined,
        reason: 'a round begins',
      });
    }

    function look(ctx: Context): void {
      ctx.setTimer('look', every);
      for (const market of markets) {
        if (!market.hasQuote || market.isHalted) continue;
        for (const leg of sides) begin(market, leg, ctx);
      }
    }

    return {
      onStart: look,
      onTimer: (_name, ctx) => look(ctx),
      onExit({ market, side: leg }, ctx) {
        ctx.state.until = { ...ctx.state.until, [`${market.symbol} ${leg}`]: ctx.now + pause };
      },
      // What rests to open is not left alone; exits stay at the venue.
      onStop(ctx) {
        for (const market of markets)
          for (const { effect, number } of market.orders) if (effect === 'OPEN') ctx.cancel(number, 'the bot stops');
      },
    };
  },
});

type Context = StrategyContext<{ until: Readonly<Record<string, number>> }>;
