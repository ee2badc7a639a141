/** Rule: limits the intents per strategy in any second. Cancels count, but are never refused. @hot */
import type { Command } from '../../../domain/command.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { Order } from '../../state/orders.ts';
import type { Owner } from '../../state/owner.ts';
import type { RateWindow } from '../../state/rate-window.ts';
import type { RiskRule } from './rule.ts';

export class FloodRule implements RiskRule {
  readonly name = 'flood';

  allows(recent: RateWindow, now: number): boolean {
    return recent.hasRoom(now);
  }

  why(_command: Command, _context: InstrumentContext, _old: Order | null, owner: Owner): string {
    return 'at most ' + owner.recent.max + ' intents in a second';
  }
}
