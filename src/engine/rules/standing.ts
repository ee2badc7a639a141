/** Orders only while the kernel is armed; opens only where the instrument is not halted. @hot */
import * as codes from '../../domain/codes.ts';
import type { Command } from '../../domain/command.ts';
import type { RiskFacts, RiskRule } from './rule.ts';

const { OPEN } = codes;

export class StandingRule implements RiskRule {
  readonly name = 'standing';

  check(command: Command, facts: RiskFacts): string | null {
    const standing = facts.standing;
    if (standing.phase !== 'armed') return 'the bot is ' + standing.phase + ', orders are taken when it is armed';
    if (command.effect !== OPEN) return null;
    if (standing.haltedAll !== '') return 'opens are halted: ' + standing.haltedAll;
    if (standing.halted[command.instrument]! > 0) return 'opens here are halted until an unknown outcome is resolved';
    return null;
  }
}
