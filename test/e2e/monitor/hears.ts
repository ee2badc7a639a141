/** Opens 0.001 when a signal says so, and never otherwise. */
import { defineStrategy } from 'tickwright';

export default defineStrategy({
  name: 'hears',
  doc: 'Opens 0.001 when a signal says so, and never otherwise.',
  create() {
    return {
      onSignal({ from, text }, ctx) {
        const said = JSON.parse(text) as { readonly action?: unknown };
        if (said.action === 'buy') ctx.open(ctx.markets[0]!, 'LONG', { size: '0.001', reason: from });
      },
    };
  },
});
