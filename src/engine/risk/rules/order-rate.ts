/** Rule: limits the opening orders in any minute, for the bot and for a symbol or strategy with its own limit. @hot */
import type { Command } from '../../../domain/command.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { Order } from '../../state/orders.ts';
import type { Owner } from '../../state/owner.ts';
import type { RateWindow } from '../../state/rate-window.ts';
import type { RiskRule } from './rule.ts';

export class OrderRateRule implements RiskRule {
  readonly name = 'order-rate';
  /** Limit of the bot; null for none. */
  declare private readonly all: RateWindow | null;

  constructor(all: RateWindow | null) {
    this.all = all;
  }

  /** For an opening command. */
  allows(command: Command, context: InstrumentContext, owner: Owner): boolean {
    const now = command.time;
    return hasRoom(this.all, now) && hasRoom(context.openRate, now) && hasRoom(owner.openRate, now);
  }

  /** Counts an approved opening command. */
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
