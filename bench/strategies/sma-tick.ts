/**
 * Workload W1: SMA 50/200 over trade prices as plain numbers. On a cross it cancels the resting order and places one limit order a tick
 * inside.
 */
import { defineStrategy, type Market, type StrategyContext } from 'tickwright';

const FAST = 50;
const SLOW = 200;
const SIZE = 0.001;

export default defineStrategy({
  name: 'sma-tick',
  create() {
    const ring = new Float64Array(256);
    // A typed array, because a changing number in a closure allocates an object at every change.
    const sums = new Float64Array(2);
    let seen = 0;
    let above = 0;
    let resting = 0;

    /** A buy closes the SHORT leg if there is one, otherwise it adds to LONG; a sell the other way round. */
    function cross(now: number, price: number, market: Market, ctx: StrategyContext): void {
      if (resting !== 0) ctx.cancel(resting);
      const inside = price - now * market.tick;
      if (now > 0) {
        resting =
          market.short.free >= SIZE ? ctx.limit(market, 'SHORT', 'CLOSE', inside, SIZE) : ctx.limit(market, 'LONG', 'OPEN', inside, SIZE);
      } else {
        resting =
          market.long.free >= SIZE ? ctx.limit(market, 'LONG', 'CLOSE', inside, SIZE) : ctx.limit(market, 'SHORT', 'OPEN', inside, SIZE);
      }
    }

    return {
      onTrade(trade, market, ctx) {
        const price = trade.price;
        const fastSum = sums[0]! + price - (seen >= FAST ? ring[(seen - FAST) & 255]! : 0);
        const slowSum = sums[1]! + price - (seen >= SLOW ? ring[(seen - SLOW) & 255]! : 0);
        sums[0] = fastSum;
        sums[1] = slowSum;
        ring[seen & 255] = price;
        seen++;
        if (seen < SLOW) return;
        const now = fastSum * 4 > slowSum ? 1 : -1;
        if (now === above) return;
        if (above !== 0) cross(now, price, market, ctx);
        above = now;
      },
    };
  },
});
