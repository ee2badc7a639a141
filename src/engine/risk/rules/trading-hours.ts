/** Nothing is opened outside the hours of the bot, and of a symbol or strategy that states its own. @hot */
import type { Command } from '../../../domain/command.ts';
import type { Hours } from '../../../domain/hours.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { Order } from '../../state/orders.ts';
import type { Owner } from '../../state/owner.ts';
import type { RiskRule } from './rule.ts';

export class TradingHoursRule implements RiskRule {
  readonly name = 'trading-hours';
  /** Of the bot; null for no limit. */
  declare private readonly all: Hours | null;

  constructor(all: Hours | null) {
    this.all = all;
  }

  /** For a command that opens. */
  allows(command: Command, context: InstrumentContext, owner: Owner): boolean {
    const now = command.time;
    return isOpen(this.all, now) && isOpen(context.hours, now) && isOpen(owner.hours, now);
  }

  why(command: Command, context: InstrumentContext, _old: Order | null, owner: Owner): string {
    const now = command.time;
    const closed = isOpen(this.all, now) ? (isOpen(context.hours, now) ? owner.hours : context.hours) : this.all;
    return 'opens are allowed at ' + (closed === null ? '' : closed.text) + ' (UTC)';
  }
}

function isOpen(hours: Hours | null, now: number): boolean {
  return hours === null || hours.isOpen(now);
}
