import { describe, expect, it } from 'vitest';
import { EventCounters } from '../../../../src/engine/state/events/event-counters.ts';
import type { LogFields } from '../../../../src/ports/log.ts';

function heard(): { counters: EventCounters; lines: number[] } {
  const lines: number[] = [];
  const quiet = (): void => undefined;
  const warn = (_event: string, fields?: LogFields): void => void lines.push(fields?.['times'] as number);
  return { counters: new EventCounters({ debug: quiet, info: quiet, error: quiet, warn }), lines };
}

describe('frequent events', () => {
  it('the first event is logged at once, later ones at growing intervals with their count', () => {
    const { counters, lines } = heard();
    for (let second = 0; second < 40; second++) for (let k = 0; k < 5; k++) counters.count('read-failed', 'quotes', second * 1000 + k, {});
    // At 0, 1, 3, 7, 15 and 31 seconds.
    expect(lines).toEqual([1, 5, 10, 20, 40, 80]);
    expect(counters.totals()).toEqual({ 'read-failed quotes': 200 });
  });

  it('after a silence an event is logged at once; each key is counted separately', () => {
    const { counters, lines } = heard();
    for (let second = 0; second < 10; second++) counters.count('a', 'x', second * 1000, {});
    lines.length = 0;
    counters.count('b', 'x', 9_000, {});
    counters.count('a', 'x', 60_000, {});
    counters.count('a', 'x', 61_000, {});
    expect(lines).toEqual([1, 3, 1]);
  });
});
