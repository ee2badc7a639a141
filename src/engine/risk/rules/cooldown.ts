/** After a position was closed at a loss its symbol opens nothing for a while, where that is stated. @hot */
import type { Command } from '../../../domain/command.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { RiskRule } from './rule.ts';

export class CooldownRule implements RiskRule {
  readonly name = 'cooldown';

  /** For a command that opens. */
  allows(command: Command, context: InstrumentContext): boolean {
    return command.time >= context.coolUntil;
  }

  why(command: Command, context: InstrumentContext): string {
    return 'the last position here was closed at a loss, opens wait for ' + (context.coolUntil - command.time) + ' ms more';
  }
}
