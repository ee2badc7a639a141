/**
 * A risk rule allows or refuses; it never alters a command. Each rule has an `allows` of its own, which takes what it looks at and
 * makes nothing; the words of a refusal are made by `why`, and only then.
 */
import type { Command } from '../../../domain/command.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { Order } from '../../state/orders.ts';
import type { Owner } from '../../state/owner.ts';

export interface RiskRule {
  /** What a refusal is called: lower-case words with dashes. */
  readonly name: string;
  /** After a refusal: what was allowed and what was asked. `old` is the order that a modify replaces. `command.time` is now. */
  why(command: Command, context: InstrumentContext, old: Order | null, owner: Owner): string;
}
