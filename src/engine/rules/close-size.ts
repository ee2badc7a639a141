/** Live closing orders together never exceed the position they close. @hot */
import { CLOSE } from '../../domain/codes.ts';
import type { Command } from '../../domain/command.ts';
import { formatLots } from '../../domain/instrument.ts';
import { addedLots, type RiskFacts, type RiskRule } from './rule.ts';

export class CloseSizeRule implements RiskRule {
  readonly name = 'close-size';

  check(command: Command, facts: RiskFacts): string | null {
    if (command.effect !== CLOSE) return null;
    const leg = 2 * command.instrument + command.side;
    const total = facts.portfolio.total[leg]!;
    const closing = facts.orders.closing[leg]! + addedLots(command, facts);
    if (closing <= total) return null;
    const instrument = facts.instruments[command.instrument]!;
    return 'the position is ' + formatLots(total, instrument) + ', live orders would close ' + formatLots(closing, instrument);
  }
}
