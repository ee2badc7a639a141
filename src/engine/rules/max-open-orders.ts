/** At most so many live orders per instrument; one that replaces another does not count twice. @hot */
import type { Command } from '../../domain/command.ts';
import type { RiskFacts, RiskRule } from './rule.ts';

export class MaxOpenOrdersRule implements RiskRule {
  readonly name = 'max-open-orders';
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  check(command: Command, facts: RiskFacts): string | null {
    if (command.target !== 0 || facts.orders.of[command.instrument]!.live < this.#max) return null;
    return 'at most ' + this.#max + ' live orders per instrument';
  }
}
