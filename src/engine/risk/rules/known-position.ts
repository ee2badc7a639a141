/** Rule: nothing is opened on a leg while position reads and proven fills disagree about its size. @hot */
import { formatLots } from '../../../domain/instrument.ts';
import type { Command } from '../../../domain/command.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { Leg } from '../../state/leg.ts';
import type { RiskRule } from './rule.ts';

export class KnownPositionRule implements RiskRule {
  readonly name = 'known-position';

  /** For an opening command; `added` are its additional lots. */
  allows(leg: Leg, added: number): boolean {
    return !leg.isDoubted || added === 0;
  }

  why(command: Command, context: InstrumentContext): string {
    const { least, most } = context.leg(command.side); // hot-ok: a pattern, nothing is made
    const { instrument } = context; // hot-ok: a pattern, nothing is made
    const range = formatLots(least, instrument) + ' to ' + formatLots(most, instrument);
    return 'the position is not certain (' + range + '); opens wait until reads of it agree';
  }
}
