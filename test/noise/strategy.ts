/**
 * A strategy that holds a long or a short position in each slot of time: chosen by a hash of its number, or on the side of an average of so many
 * slots on which the price is. Both are pure noise where prices are. On a planted market number 1 follows the sign that the size of the first bid
 * in a slot shows.
 */
import { defineStrategy, param, type Market, type StrategyContext } from 'tickwright';

/** A bit without any pattern, from two whole numbers (the finaliser of MurmurHash3). */
function bit(number: number, slot: number): boolean {
  let x = Math.imul(number, 0x9e3779b1) ^ Math.imul(slot, 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return ((x ^ (x >>> 16)) & 1) === 1;
}

export default defineStrategy({
  name: 'noise',
  doc: 'Long or short by a hash.',
  params: {
    number: param.integer(2, { min: 1, max: 100_000, doc: 'Which of the strategies.' }),
    slot: param.duration('1m', { min: 100, doc: 'How long a position is held.' }),
    size: param.decimal('0.5', { doc: 'Size of a position, base coin.' }),
    follows: param.boolean(false, { doc: 'Goes by an average of `number` slots, not by the hash.' }),
    planted: param.boolean(false, { doc: 'Number 1 follows the sign in the size of the bid.' }),
  },
  create({ number, slot, size, follows, planted }) {
    let last = -1;
    let average = 0;
    return {
      onQuote(market: Market, ctx: StrategyContext) {
        const now = Math.floor(ctx.now / slot);
        if (now === last) return;
        last = now;
        average += (market.bid - average) * (average === 0 ? 1 : 2 / (number + 1));
        const isUp = planted && number === 1 ? Math.round(market.bidSize) % 2 === 1 : follows ? market.bid > average : bit(number, now);
        const [want, other] = isUp ? (['LONG', 'SHORT'] as const) : (['SHORT', 'LONG'] as const);
        const [leg, opposite] = isUp ? [market.long, market.short] : [market.short, market.long];
        if (opposite.free > 0) ctx.close(market, other, { reason: 'the sign turned' });
        if (leg.size === 0) ctx.open(market, want, { size, reason: 'the sign' });
      },
    };
  },
});
