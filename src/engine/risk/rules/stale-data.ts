/**
 * Rule: nothing is opened on stale market data. If quotes are known, the newest quote must be fresh: trades say nothing about the prices
 * that strategies and the collar use. @hot
 */
import type { Command } from '../../../domain/command.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { RiskRule } from './rule.ts';

/** How long an opening command may still be sent, in milliseconds above 0: at most `most`, and not after its market data becomes stale. */
export function freshFor(command: Command, context: InstrumentContext, most: number): number {
  const { quoteSeenAt, seenAt } = context.judged; // hot-ok: a pattern, nothing is made
  const rest = (quoteSeenAt > -Infinity ? quoteSeenAt : seenAt) + context.maxAgeMs - command.time;
  return rest < most ? (rest > 1 ? rest : 1) : most;
}

export class StaleDataRule implements RiskRule {
  readonly name = 'stale-data';

  /** For an opening command. */
  allows(command: Command, context: InstrumentContext): boolean {
    const { quoteSeenAt } = context.judged; // hot-ok: a pattern, nothing is made
    if (command.time - quoteSeenAt <= context.maxAgeMs) return true;
    return quoteSeenAt === -Infinity && command.time - context.judged.seenAt <= context.maxAgeMs;
  }

  why(command: Command, context: InstrumentContext): string {
    const { quoteSeenAt, seenAt } = context.judged; // hot-ok: a pattern, nothing is made
    const isQuoted = quoteSeenAt > -Infinity;
    const age = command.time - (isQuoted ? quoteSeenAt : seenAt);
    return age === Infinity
      ? 'no market data yet'
      : 'the newest ' + (isQuoted ? 'quote' : 'market data') + ' is ' + age + ' ms old, at most ' + context.maxAgeMs;
  }
}
