/** After a position was closed at a loss its symbol opens nothing for a while, where that is stated. @hot */
import type { Command } from '../../../domain/command.ts';
import type { Desk } from '../../state/instrument-context.ts';
import type { RiskRule } from './rule.ts';

export class CooldownRule implements RiskRule {
  readonly name = 'cooldown';

  /** For a command that opens. */
  allows(command: Command, desk: Desk): boolean {
    return command.time >= desk.coolUntil;
  }

  why(command: Command, desk: Desk): string {
    return 'the last position here was closed at a loss, opens wait for ' + (desk.coolUntil - command.time) + ' ms more';
  }
}
