/**
 * The interface of a risk rule. A rule allows or refuses; it never changes a command. Each rule also has an `allows` with its own
 * parameters, which allocates nothing.
 */
import type { Command } from '../../../domain/command.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { Order } from '../../state/orders.ts';
import type { Owner } from '../../state/owner.ts';

export interface RiskRule {
  /** Name of the rule in refusals: lower-case words with dashes. */
  readonly name: string;
  /** Text of a refusal: what is allowed and what was requested. `old` is the order that a modify replaces. `command.time` is now. */
  why(command: Command, context: InstrumentContext, old: Order | null, owner: Owner): string;
}
