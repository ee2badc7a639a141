/**
 * Rule: after repeated identical refusals of a symbol's opens, one open is allowed as a probe at growing intervals, until the venue accepts
 * one. @hot
 */
import type { Command } from '../../../domain/command.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { RiskRule } from './rule.ts';

export class RefusalCircuitRule implements RiskRule {
  readonly name = 'refusal-circuit';

  /** For an opening command. */
  allows(command: Command, context: InstrumentContext): boolean {
    return command.time >= context.circuit.probeAt;
  }

  why(command: Command, context: InstrumentContext): string {
    const circuit = context.circuit;
    const text = 'the venue refused ' + circuit.count + ' opens in a row: ' + circuit.reason;
    return text + '; the next one is let through in ' + (circuit.probeAt - command.time) + ' ms';
  }
}
