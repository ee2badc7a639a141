import { describe, expect, it } from 'vitest';
import { EventCounters } from '../../src/engine/state/event-counters.ts';
import type { LogFields } from '../../src/ports/log.ts';

function heard(): { counters: EventCounters; lines: number[] } {
  const lines: number[] = [];
  const quiet = (): void => undefined;
  const warn = (_event: string, fields?: LogFields): void => void lines.push(fields?.['times'] as number);
  return { counters: new EventCounters({ debug: quiet, info: quiet, error: quiet, warn }), lines };
}

describe('what happens often', () => {
  it('is told at once, then ever more seldom while it lasts, with how many each line stands for', () => {
    const { counters, lines } = heard();
    for (let second = 0; second < 40; second++) for (let k = 0; k < 5; k++) counters.count('read-failed', 'quotes', second * 1000 + k, {});
    // At 0, 1, 3, 7, 15 and 31 seconds.
    expect(lines).toEqual([1, 5, 10, 20, 40, 80]);
    expect(counters.totals()).toEqual({ 'read-failed quotes': 200 });
  });

  it('is news again after a silence, and apart from what else happens', () => {
    const { counters, lines } = heard();
    for (let second = 0; second < 10; second++) counters.count('a', 'x', second * 1000, {});
    lines.length = 0;
    counters.count('b', 'x', 9_000, {});
    counters.count('a', 'x', 60_000, {});
    counters.count('a', 'x', 61_000, {});
    expect(lines).toEqual([1, 3, 1]);
  });
});
