/** Rule: after a position was closed at a loss, its symbol opens nothing for a configured time. @hot */
import type { Command } from '../../../domain/command.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { RiskRule } from './rule.ts';

export class CooldownRule implements RiskRule {
  readonly name = 'cooldown';

  /** For an opening command. */
  allows(command: Command, context: InstrumentContext): boolean {
    return command.time >= context.coolUntil;
  }

  why(command: Command, context: InstrumentContext): string {
    return 'the last position here was closed at a loss, opens wait for ' + (context.coolUntil - command.time) + ' ms more';
  }
}
