/** Rule: live closing orders together never exceed the position that they close. @hot */
import type { Command } from '../../../domain/command.ts';
import { formatLots } from '../../../domain/instrument.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { Leg } from '../../state/leg.ts';
import type { Order } from '../../state/orders.ts';
import type { RiskRule } from './rule.ts';

export class CloseSizeRule implements RiskRule {
  readonly name = 'close-size';

  /** For a closing command; `added` are its additional lots. */
  allows(leg: Leg, added: number): boolean {
    return leg.closing + added <= leg.least;
  }

  why(command: Command, context: InstrumentContext, old: Order | null): string {
    const { instrument } = context; // hot-ok: a pattern, nothing is made
    const { least, closing } = context.leg(command.side); // hot-ok: a pattern, nothing is made
    const most = closing + (old === null ? command.size : old.growth(command.size));
    return 'the position is ' + formatLots(least, instrument) + ', live orders would close ' + formatLots(most, instrument);
  }
}
