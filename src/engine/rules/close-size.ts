/** Live closing orders together never exceed the position they close. @hot */
import * as codes from '../../domain/codes.ts';
import type { Command } from '../../domain/command.ts';
import { formatLots } from '../../domain/instrument.ts';
import { addedLots, type RiskFacts, type RiskRule } from './rule.ts';

const { CLOSE } = codes;

export class CloseSizeRule implements RiskRule {
  readonly name = 'close-size';

  check(command: Command, facts: RiskFacts): string | null {
    if (command.effect !== CLOSE) return null;
    const leg = facts.portfolio.legs[2 * command.instrument + command.side]!;
    const total = leg.total;
    const closing = leg.closing + addedLots(command, facts);
    if (closing <= total) return null;
    const instrument = facts.instruments[command.instrument]!;
    return 'the position is ' + formatLots(total, instrument) + ', live orders would close ' + formatLots(closing, instrument);
  }
}
