/** A strategy for `exit-latency.ts`: it rests orders, holds a position, and repeatedly cancels one and closes a little. */
import { defineStrategy, type Market, type StrategyContext } from 'tickwright';

interface Probe {
  isOn: boolean;
  isReady: boolean;
  readonly everyMs: number;
  decided(number: number): void;
}

export default defineStrategy({
  name: 'exits',
  doc: 'Cancels and closes, and says when it decides to.',
  params: {},
  create() {
    const probe = (globalThis as unknown as { exitProbe: Probe }).exitProbe;
    let turn = 0;

    function prepare(market: Market, ctx: StrategyContext): void {
      if (market.orders.length < 60) ctx.limit(market, 'LONG', 'OPEN', market.mid * 0.985, '0.001', true);
      if (market.long.size === 0) ctx.open(market, 'LONG', { size: '0.1' });
      probe.isReady = market.orders.length >= 60 && market.long.size > 0;
    }

    return {
      onStart: (ctx) => ctx.setTimer('exit', probe.everyMs),
      onQuote(market, ctx) {
        if (market.hasQuote && !probe.isOn) prepare(market, ctx);
      },
      onTimer(_name, ctx) {
        ctx.setTimer('exit', probe.everyMs);
        const market = ctx.markets[0];
        if (!probe.isOn || market === undefined) return;
        turn++;
        const order = market.orders.find((one) => one.state === 'working');
        if (order !== undefined) {
          probe.decided(order.number);
          ctx.cancel(order.number);
        }
        if (turn % 3 === 0 && market.long.free > 0.002) {
          const number = ctx.close(market, 'LONG', { size: '0.001' });
          if (number > 0) probe.decided(number);
        }
        if (market.long.size <= 0.002) ctx.open(market, 'LONG', { size: '0.1' });
        // An opening order besides: its faults must not delay the exits.
        ctx.limit(market, 'LONG', 'OPEN', market.mid * 0.985, '0.001', true);
      },
    };
  },
});
