/** By symbol of futures: the margin mode that own commands ask for (state/records/own-mode.ts). */
import { CLOSE, PLACE, SET_MARGIN_MODE } from '../../../../domain/codes.ts';
import { makesOrder, productOf } from '../../../../domain/orders/command-traits.ts';
import { modeAsked, NO_MODE, type OwnMode } from '../../../state/records/own-mode.ts';
import { indexOf } from './saved-orders.ts';
import { number, text } from '../fields.ts';
import type { DurablePart, Fold } from '../part.ts';

type Modes = Readonly<Record<string, OwnMode>>;

export const MODES = {
  key: 'modes',
  fold(saved = {}): Fold<Modes> {
    const modes = new Map(Object.entries(saved));
    return {
      apply({ kind: recordKind, time, data }) {
        if (recordKind !== 'command') return;
        const [kind, symbol] = [number(data['kind']), text(data['symbol'])];
        const isAsked = kind === SET_MARGIN_MODE || (makesOrder(kind) && number(data['effect']) !== CLOSE);
        if (isAsked && productOf(kind) === 'futures')
          modes.set(symbol, modeAsked(modes.get(symbol) ?? NO_MODE, number(data['marginMode']), time));
      },
      save: () => Object.fromEntries(modes),
    };
  },
  live: ({ core }) => ({
    save() {
      const asked = core.contexts.filter(({ instrument, own }) => instrument.product === 'futures' && own !== NO_MODE);
      return Object.fromEntries(asked.map(({ instrument, own }) => [instrument.symbol, own]));
    },
    restore(saved) {
      for (const [symbol, own] of Object.entries(saved)) {
        const instrument = indexOf(core, symbol, PLACE);
        if (instrument >= 0) core.contexts[instrument]!.own = own;
      }
    },
  }),
} as const satisfies DurablePart<'modes', Modes>;
