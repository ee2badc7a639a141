/** Opens a position, and from then on acts like a bug of the engine: a check fails whenever a quote comes. */
import { defineStrategy } from 'tickwright';
import { AssertionError } from '../../../src/base/failure/assert.ts';

export default defineStrategy({
  name: 'buggy',
  doc: 'Fails a check of the engine while it holds a position.',
  params: {},
  create: () => ({
    onQuote(market, ctx) {
      if (market.long.lots > 0) throw new AssertionError('the lots of a leg are at least 0: found -1');
      if (market.long.opening === 0) ctx.open(market, 'LONG', { size: '0.1', reason: 'once' });
    },
  }),
});
