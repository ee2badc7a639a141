/** Opens once, says what it sees and draws the mid price. */
import { defineStrategy } from 'tickwright';

export default defineStrategy({
  name: 'noter',
  doc: 'Opens once, says what it sees and draws the mid price.',
  create() {
    let hasOpened = false;
    return {
      onQuote(market, ctx) {
        ctx.plot('mid', market.mid);
        ctx.note(`spread ${(market.ask - market.bid).toFixed(1)}`);
        if (!hasOpened) hasOpened = ctx.open(market, 'LONG', { size: '0.001', reason: 'the first quote' }) > 0;
      },
    };
  },
});
