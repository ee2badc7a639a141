/** At most so many opening orders in any running minute: of the bot, and of a symbol or strategy that states its own limit. @hot */
import type { Command } from '../../../domain/command.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { Order } from '../../state/orders.ts';
import type { Owner } from '../../state/owner.ts';
import type { RateWindow } from '../../state/rate-window.ts';
import type { RiskRule } from './rule.ts';

export class OrderRateRule implements RiskRule {
  readonly name = 'order-rate';
  /** Of the bot; null for no limit. */
  declare private readonly all: RateWindow | null;

  constructor(all: RateWindow | null) {
    this.all = all;
  }

  /** For a command that opens. */
  allows(command: Command, context: InstrumentContext, owner: Owner): boolean {
    const now = command.time;
    return hasRoom(this.all, now) && hasRoom(context.openRate, now) && hasRoom(owner.openRate, now);
  }

  /** A command that opens was approved. */
  add(command: Command, context: InstrumentContext, owner: Owner): void {
    const now = command.time;
    if (this.all !== null) this.all.add(now);
    if (context.openRate !== null) context.openRate.add(now);
    if (owner.openRate !== null) owner.openRate.add(now);
  }

  why(command: Command, context: InstrumentContext, _old: Order | null, owner: Owner): string {
    const now = command.time;
    const full = hasRoom(this.all, now) ? (hasRoom(context.openRate, now) ? owner.openRate : context.openRate) : this.all;
    return 'at most ' + (full === null ? 0 : full.max) + ' opening orders in a minute';
  }
}

function hasRoom(recent: RateWindow | null, now: number): boolean {
  return recent === null || recent.hasRoom(now);
}
