/** Workload W4: the cross of two exponential averages of the mid of every quote, at market. One leg is open nearly always. */
import { defineStrategy, ema, type Indicator } from 'tickwright';

const FAST = 10;
const SLOW = 30;
const SIZE = 0.001;

export default defineStrategy({
  name: 'ema-quotes',
  create() {
    const [fast, slow]: readonly Indicator[] = [ema(FAST), ema(SLOW)];
    return {
      onQuote(market, ctx) {
        const mid = market.mid;
        const quick = fast!.update(mid);
        const calm = slow!.update(mid);
        if (!slow!.isReady) return;
        const isLong = quick >= calm;
        const leg = isLong ? market.long : market.short;
        if (leg.lots > 0) return;
        const other = isLong ? market.short : market.long;
        if (other.lots > 0) ctx.close(market, isLong ? 'SHORT' : 'LONG');
        ctx.open(market, isLong ? 'LONG' : 'SHORT', { size: SIZE });
      },
    };
  },
});
