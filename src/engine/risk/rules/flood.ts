/** At most so many intents per strategy in any running second. Cancels count, and are never refused. @hot */
import type { Command } from '../../../domain/command.ts';
import type { Desk } from '../../state/instrument-context.ts';
import type { Order } from '../../state/orders.ts';
import type { Owner } from '../../state/owner.ts';
import type { Recent } from '../../state/recent.ts';
import type { RiskRule } from './rule.ts';

export class FloodRule implements RiskRule {
  readonly name = 'flood';

  allows(recent: Recent, now: number): boolean {
    return recent.hasRoom(now);
  }

  why(_command: Command, _desk: Desk, _old: Order | null, owner: Owner): string {
    return 'at most ' + owner.recent.max + ' intents in a second';
  }
}
