import { describe, expect, it } from 'vitest';
import { Tally } from '../../src/engine/state/counters.ts';
import type { LogFields } from '../../src/ports/log.ts';

function heard(): { tally: Tally; lines: number[] } {
  const lines: number[] = [];
  const quiet = (): void => undefined;
  const warn = (_event: string, fields?: LogFields): void => void lines.push(fields?.['times'] as number);
  return { tally: new Tally({ debug: quiet, info: quiet, error: quiet, warn }), lines };
}

describe('what happens often', () => {
  it('is told at once, then ever more seldom while it lasts, with how many each line stands for', () => {
    const { tally, lines } = heard();
    for (let second = 0; second < 40; second++) for (let k = 0; k < 5; k++) tally.count('read-failed', 'quotes', second * 1000 + k, {});
    // At 0, 1, 3, 7, 15 and 31 seconds.
    expect(lines).toEqual([1, 5, 10, 20, 40, 80]);
    expect(tally.totals()).toEqual({ 'read-failed quotes': 200 });
  });

  it('is news again after a silence, and apart from what else happens', () => {
    const { tally, lines } = heard();
    for (let second = 0; second < 10; second++) tally.count('a', 'x', second * 1000, {});
    lines.length = 0;
    tally.count('b', 'x', 9_000, {});
    tally.count('a', 'x', 60_000, {});
    tally.count('a', 'x', 61_000, {});
    expect(lines).toEqual([1, 3, 1]);
  });
});
