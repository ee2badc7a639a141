/** Rule: a resting price lies no further from the mid price than the limit. Off by default. @hot */
import * as codes from '../../../domain/codes.ts';
import type { Command } from '../../../domain/command.ts';
import { formatTicks } from '../../../domain/instrument.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { RiskRule } from './rule.ts';

const { PLACE_TRIGGER } = codes;

export class MaxDistanceRule implements RiskRule {
  readonly name = 'max-distance';

  allows(command: Command, context: InstrumentContext): boolean {
    if (context.maxDistance === Infinity) return true;
    const price = restingPrice(command);
    if (price === 0) return true;
    const reference = context.judged.reference;
    return reference > 0 && Math.abs(price - reference) <= reference * context.maxDistance;
  }

  why(command: Command, context: InstrumentContext): string {
    const reference = context.judged.reference;
    if (reference <= 0) return 'no quote or trade has been seen yet, so there is no price to compare with';
    return (
      'within ' +
      context.maxDistance * 100 +
      ' % of ' +
      formatTicks(Math.round(reference), context.instrument) +
      ', asked ' +
      formatTicks(restingPrice(command), context.instrument)
    );
  }
}

/** The price at which the order would rest: its trigger or its limit; 0 for a market order. */
function restingPrice(command: Command): number {
  return command.kind === PLACE_TRIGGER ? command.trigger : command.price;
}
