/** Throws at each signal, so that it is stopped for its errors. */
import { defineStrategy } from 'tickwright';

export default defineStrategy({
  name: 'throws',
  doc: 'Throws at each signal, so that it is stopped for its errors.',
  create() {
    return {
      onSignal({ text }) {
        throw new Error(text);
      },
    };
  },
});
