/**
 * Nothing is opened on a market that has not been heard of for a while. Where there is a quote, it is what has to be fresh: trades
 * that still come in say nothing of the prices that strategies and the collar look at. @hot
 */
import type { Command } from '../../../domain/command.ts';
import type { InstrumentContext } from '../../state/instrument-context.ts';
import type { RiskRule } from './rule.ts';

/** For how long a command that opens may still leave, in ms above 0: at most `most`, and not after the data that it is judged by is too old. */
export function freshFor(command: Command, context: InstrumentContext, most: number): number {
  const { quoteSeenAt, seenAt } = context.judged; // hot-ok: a pattern, nothing is made
  const rest = (quoteSeenAt > -Infinity ? quoteSeenAt : seenAt) + context.maxAgeMs - command.time;
  return rest < most ? (rest > 1 ? rest : 1) : most;
}

export class StaleDataRule implements RiskRule {
  readonly name = 'stale-data';

  /** For a command that opens. */
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
