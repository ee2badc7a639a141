/** The line of a search on a terminal. */
import { expect, test } from 'vitest';
import { progressText } from '../../../src/cli/terminal/search-progress.ts';

test('shows objectives with their own sign, whichever way they are searched', () => {
  const best = { number: 4, costs: [1.25, 0.2] };
  const progress = { settled: 20, trials: 100, runs: 30, best } as unknown as Parameters<typeof progressText>[0];
  const objectives = [
    { figure: 'sharpe', direction: 'max' },
    { figure: 'maxDrawdown', direction: 'min' },
  ] as const;
  expect(progressText(progress, objectives, 10_000)).toBe('trial 20 of 100 · best −1.25, 0.2 of trial 4 · 3.0 runs/s · 0:40 left');
});
