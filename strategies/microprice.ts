/** Quotes both sides around the microprice: the mid price, drawn towards the side of the book that has less. */
import { defineStrategy, param } from 'tickwright';

export default defineStrategy({
  name: 'microprice',
  doc: 'A two-sided quoter around the microprice, with inventory skew.',
  params: {
    size: param.number(0.01, { min: 0.000_001, doc: 'Size of each quote, base coin.' }),
    half: param.number(1, { min: 0, max: 1000, doc: 'Distance of each quote from the microprice, in basis points.' }),
    skew: param.number(1, { min: 0, max: 100, doc: 'How far a full inventory shifts both quotes, in basis points.' }),
    most: param.number(0.05, { min: 0.000_001, doc: 'Inventory at which the adding side is not quoted any more, base coin.' }),
  },
  create({ size, half, skew, most }) {
    return {
      onQuote(market, ctx) {
        const { bid, ask, bidSize, askSize } = market;
        if (!market.hasQuote || bidSize + askSize <= 0 || bid >= ask) return;
        const micro = (bid * askSize + ask * bidSize) / (bidSize + askSize);
        const inventory = market.long.size - market.short.size;
        const fair = micro * (1 - ((inventory / most) * skew) / 10_000);
        const away = (micro * half) / 10_000;
        const buy = Math.min(fair - away, ask - market.tick);
        const sell = Math.max(fair + away, bid + market.tick);
        ctx.quote(market, 'BUY', buy, inventory + size <= most ? size : 0, true, 'bid');
        ctx.quote(market, 'SELL', sell, inventory - size >= -most ? size : 0, true, 'ask');
      },
      onStart: (ctx) => void ctx.cancelAll(undefined, 'fresh start'),
      onStop: (ctx) => void ctx.cancelAll(undefined, 'the bot stops'),
    };
  },
});
