/**
 * Nothing is opened on a market that has not been heard of for a while. Where there is a quote, it is what has to be fresh: trades
 * that still come in say nothing of the prices that strategies and the collar look at. @hot
 */
import * as codes from '../../domain/codes.ts';
import type { Command } from '../../domain/command.ts';
import type { RiskFacts, RiskRule } from './rule.ts';

const { OPEN } = codes;

export class StaleDataRule implements RiskRule {
  readonly name = 'stale-data';
  readonly #maxAgeMs: number;

  constructor(maxAgeMs: number) {
    this.#maxAgeMs = maxAgeMs;
  }

  check(command: Command, facts: RiskFacts): string | null {
    if (command.effect !== OPEN) return null;
    const market = facts.market[command.instrument]!;
    const isQuoted = market.quoteSeenAt > -Infinity;
    const age = command.time - (isQuoted ? market.quoteSeenAt : market.seenAt);
    if (age <= this.#maxAgeMs) return null;
    return age === Infinity
      ? 'no market data yet'
      : 'the newest ' + (isQuoted ? 'quote' : 'market data') + ' is ' + age + ' ms old, at most ' + this.#maxAgeMs;
  }
}
