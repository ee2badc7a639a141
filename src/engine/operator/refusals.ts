/** Refusals that several commands share. */
import type { OperatorCode, OperatorResult } from './command.ts';

export type Refusal = Extract<OperatorResult, { ok: false }>;

export function refused(code: OperatorCode, message: string, hint: string): Refusal {
  return { ok: false, code, message, hint };
}

export function noStrategy(name: string, known: readonly string[]): Refusal {
  const message = name === '' ? 'expected the name of a strategy: this bot runs several' : `there is no strategy "${name}"`;
  return refused('no-such-strategy', message, `there are ${known.join(', ')}`);
}
