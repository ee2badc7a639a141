/** Looks at quotes and never trades. */
import { defineStrategy } from 'tickwright';

export default defineStrategy({
  name: 'idle',
  doc: 'Never trades.',
  create: () => ({
    onQuote() {
      // Nothing to do.
    },
  }),
});
