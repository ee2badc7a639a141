/** Opens one lot at a time, the third only after a signal, remembers what it is told, and throws at its third lot. */
import { defineStrategy, param } from 'tickwright';

export default defineStrategy({
  name: 'third',
  doc: 'Has a fault at its third lot.',
  params: { label: param.text('', { doc: 'A text of the configuration.' }) },
  state: { told: '' },
  create({ label }) {
    let heard = '';
    return {
      onQuote(market, ctx) {
        if (market.long.lots >= 3) throw new Error(`cannot hold ${market.long.lots} lots`);
        if (market.long.lots === 2 && ctx.state.told === '') return;
        if (market.orders.length === 0 && market.long.opening === 0)
          ctx.open(market, 'LONG', { size: '0.001', reason: `${label} ${heard}` });
      },
      onSignal({ text }, ctx) {
        heard = text;
        ctx.state.told = text;
        ctx.note(text);
      },
      save: () => JSON.stringify({ heard, [heard]: 1 }),
      restore(saved) {
        ({ heard } = JSON.parse(saved) as { heard: string });
      },
    };
  },
});
