/** At most so many live orders per instrument; one that replaces another does not count twice. @hot */
import type { Desk } from '../belief/desk.ts';
import type { Order } from '../belief/orders.ts';
import type { RiskRule } from './rule.ts';

export class MaxOpenOrdersRule implements RiskRule {
  readonly name = 'max-open-orders';
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  allows(desk: Desk, old: Order | null): boolean {
    return old !== null || desk.orders.live < this.#max;
  }

  why(): string {
    return 'at most ' + this.#max + ' live orders per instrument';
  }
}
