/** At most so many live orders per instrument; one that replaces another does not count twice. @hot */
import type { Command } from '../../domain/command.ts';
import type { Desk } from '../belief/desk.ts';
import type { Order } from '../belief/orders.ts';
import type { RiskRule } from './rule.ts';

export class MaxOpenOrdersRule implements RiskRule {
  readonly name = 'max-open-orders';

  allows(desk: Desk, old: Order | null): boolean {
    return old !== null || desk.orders.live < desk.maxOrders;
  }

  why(_command: Command, desk: Desk): string {
    return 'at most ' + desk.maxOrders + ' live orders per instrument';
  }
}
