/** Rule: a leg never exceeds its limit, even if every live opening order fills. @hot */
import * as codes from '../../../domain/codes.ts';
import type { Command } from '../../../domain/command.ts';
import { formatLots } from '../../../domain/instrument.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { Leg } from '../../state/leg.ts';
import type { Order } from '../../state/orders.ts';
import type { RiskRule } from './rule.ts';

const { PLACE_SPOT } = codes;

export class MaxPositionRule implements RiskRule {
  readonly name = 'max-position';

  /** For an opening command; `added` are its additional lots. */
  allows(command: Command, context: InstrumentContext, leg: Leg, added: number): boolean {
    return leg.most + leg.opening + added <= context.maxPosition || command.kind === PLACE_SPOT;
  }

  why(command: Command, context: InstrumentContext, old: Order | null): string {
    const leg = context.leg(command.side);
    const most = leg.most + leg.opening + (old === null ? command.size : old.growth(command.size));
    const { instrument, maxPosition } = context; // hot-ok: a pattern, nothing is made
    return 'at most ' + formatLots(maxPosition, instrument) + ' a leg, ' + formatLots(most, instrument) + ' if every live order fills';
  }
}
