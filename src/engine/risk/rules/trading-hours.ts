/** Rule: nothing is opened outside the trading hours of the bot, symbol and strategy. @hot */
import type { Command } from '../../../domain/command.ts';
import type { Hours } from '../../../domain/hours.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { Order } from '../../state/orders.ts';
import type { Owner } from '../../state/owner.ts';
import type { RiskRule } from './rule.ts';

export class TradingHoursRule implements RiskRule {
  readonly name = 'trading-hours';
  /** Hours of the bot; null for always. */
  declare private readonly all: Hours | null;

  constructor(all: Hours | null) {
    this.all = all;
  }

  /** For an opening command. */
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
