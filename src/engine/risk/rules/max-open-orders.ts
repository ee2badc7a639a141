/**
 * Rule: limits the live orders per instrument. A replacement does not count twice. A closing market order is always allowed, because it
 * does not rest: orders with a stuck cancel must not block an exit. @hot
 */
import * as codes from '../../../domain/codes.ts';
import type { Command } from '../../../domain/command.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { Order } from '../../state/orders.ts';
import type { RiskRule } from './rule.ts';

const { CLOSE, MARKET } = codes;

export class MaxOpenOrdersRule implements RiskRule {
  readonly name = 'max-open-orders';

  allows({ effect, type }: Command, context: InstrumentContext, old: Order | null): boolean {
    return old !== null || context.orders.live < context.maxOrders || (effect === CLOSE && type === MARKET);
  }

  why(_command: Command, context: InstrumentContext): string {
    return 'at most ' + context.maxOrders + ' live orders per instrument';
  }
}
