/** Words the advice to a person about a position in a symbol without rules. */
import { SIDES } from '../../../domain/codes.ts';
import type { UnruledPosition } from '../../../domain/report.ts';

export const UNRULED_HINT = 'add the symbol to the file of instruments (key `instruments`) and start again, or close it at the venue';

export function unruledText({ symbol, side, size }: UnruledPosition): string {
  return `${symbol} ${SIDES[side]!} ${size} is not closed, because its rules are unknown: ${UNRULED_HINT}`;
}
