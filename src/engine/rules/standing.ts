/** Orders only while the kernel is armed; opens only where the instrument is not halted. @hot */
import * as codes from '../../domain/codes.ts';
import type { Command } from '../../domain/command.ts';
import type { Desk } from '../belief/desk.ts';
import { liftCommand } from '../exec/holds.ts';
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
    return desk.isOpen || this.#allowsElse(command, desk);
  }

  #allowsElse(command: Command, desk: Desk): boolean {
    if (command.effect !== OPEN) return this.standing.phase === 'armed';
    return desk.shut !== 0 && this.standing.isLegOpen(desk, command.side);
  }

  why(command: Command, desk: Desk): string {
    const { phase, haltedAll } = this.standing; // hot-ok: a pattern, nothing is made
    if (phase !== 'armed') return 'the bot is ' + phase + ', orders are taken when it is armed';
    const hold = this.standing.holdOf(desk, command.side);
    if (hold !== null) return 'opens are halted (' + hold.scope + '): ' + hold.why + '; `' + liftCommand(hold.scope) + '` lifts it';
    return haltedAll !== '' ? 'opens are halted: ' + haltedAll : 'opens here are halted until an unknown outcome is resolved';
  }
}
