/** Orders only while the kernel is armed; opens only where the instrument is not halted. @hot */
import * as codes from '../../domain/codes.ts';
import type { Command } from '../../domain/command.ts';
import type { Desk } from '../belief/desk.ts';
import type { Standing } from '../exec/standing.ts';
import type { RiskRule } from './rule.ts';

const { OPEN } = codes;

export class StandingRule implements RiskRule {
  readonly name = 'standing';
  declare private readonly standing: Standing;

  constructor(standing: Standing) {
    this.standing = standing;
  }

  allows(command: Command, desk: Desk): boolean {
    return desk.isOpen || (command.effect !== OPEN && this.standing.phase === 'armed');
  }

  why(): string {
    const { phase, haltedAll } = this.standing; // hot-ok: a pattern, nothing is made
    if (phase !== 'armed') return 'the bot is ' + phase + ', orders are taken when it is armed';
    return haltedAll !== '' ? 'opens are halted: ' + haltedAll : 'opens here are halted until an unknown outcome is resolved';
  }
}
