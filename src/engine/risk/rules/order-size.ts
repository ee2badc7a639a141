/** Rule: an opening order is no larger than the limit, and every order respects the sizes of its instrument. @hot */
import * as codes from '../../../domain/codes.ts';
import type { Command } from '../../../domain/command.ts';
import { formatLots } from '../../../domain/instrument.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { Leg } from '../../state/leg.ts';
import type { RiskRule } from './rule.ts';

const { CLOSE } = codes;

export class OrderSizeRule implements RiskRule {
  readonly name = 'order-size';

  /** For an opening command. */
  allowsOpen(command: Command, context: InstrumentContext): boolean {
    const { minSize, minNotional, unitValue } = context.instrument; // hot-ok: a pattern, nothing is made
    const size = command.size;
    const price = command.price > 0 ? command.price : context.judged.reference;
    return size <= context.maxOrder && size >= minSize && price * size * unitValue >= minNotional;
  }

  /**
   * For a closing command. The configured limit does not apply, because it must not block an exit. A position below the minimum size may be
   * closed whole.
   */
  allowsClose(command: Command, context: InstrumentContext, leg: Leg): boolean {
    const { minSize, maxSize } = context.instrument; // hot-ok: a pattern, nothing is made
    const size = command.size;
    return size <= maxSize && (size >= minSize || size === leg.least);
  }

  why(command: Command, context: InstrumentContext): string {
    const { instrument } = context; // hot-ok: a pattern, nothing is made
    const { effect, size } = command; // hot-ok: a pattern, nothing is made
    const max = effect === CLOSE ? instrument.maxSize : context.maxOrder;
    if (size > max) return 'at most ' + formatLots(max, instrument) + ' an order, asked ' + formatLots(size, instrument);
    if (size >= instrument.minSize) return 'the value of the order is below the least the instrument allows';
    return 'at least ' + formatLots(instrument.minSize, instrument) + ' an order, asked ' + formatLots(size, instrument);
  }
}
