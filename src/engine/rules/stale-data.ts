/** Nothing is opened on a market that has not been heard of for a while. @hot */
import { OPEN } from '../../domain/codes.ts';
import type { Command } from '../../domain/command.ts';
import type { RiskFacts, RiskRule } from './rule.ts';

export class StaleDataRule implements RiskRule {
  readonly name = 'stale-data';
  readonly #maxAgeMs: number;

  constructor(maxAgeMs: number) {
    this.#maxAgeMs = maxAgeMs;
  }

  check(command: Command, facts: RiskFacts): string | null {
    if (command.effect !== OPEN) return null;
    const age = command.time - facts.market[command.instrument]!.seenAt;
    if (age <= this.#maxAgeMs) return null;
    return age === Infinity ? 'no market data yet' : 'the newest market data is ' + age + ' ms old, at most ' + this.#maxAgeMs;
  }
}
