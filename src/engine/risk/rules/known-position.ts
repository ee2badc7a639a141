/** Nothing is opened on a leg while reads of the positions and the fills that are proven do not agree on what it is. @hot */
import { formatLots } from '../../../domain/instrument.ts';
import type { Command } from '../../../domain/command.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { Leg } from '../../state/leg.ts';
import type { RiskRule } from './rule.ts';

export class KnownPositionRule implements RiskRule {
  readonly name = 'known-position';

  /** For a command that opens; `added` are the lots that it adds. */
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
