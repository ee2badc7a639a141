/** The line of a search. */
import { expect, test, vi } from 'vitest';
import { progressText, SearchProgress } from '../../../src/cli/terminal/search-progress.ts';

test('shows objectives with their own sign, whichever way they are searched', () => {
  const best = { number: 4, costs: [1.25, 0.2] };
  const progress = { settled: 20, trials: 100, runs: 30, kept: 0, best } as unknown as Parameters<typeof progressText>[0];
  const objectives = [
    { figure: 'sharpe', direction: 'max' },
    { figure: 'maxDrawdown', direction: 'min' },
  ] as const;
  expect(progressText(progress, objectives, 10_000)).toBe('trial 20 of 100 · best −1.25, 0.2 of trial 4 · 3.0 runs/s · 0:40 left');
  // Sixty trials came from the file of the study, and took no time.
  const continued = { ...progress, settled: 80, runs: 20, kept: 60 };
  expect(progressText(continued, objectives, 10_000)).toMatch(/ · 0:10 left$/);
});

test('without a terminal a line every ten seconds, whichever search it is by then', () => {
  vi.useFakeTimers();
  let text = '';
  const shown = new SearchProgress({ stderr: { write: (piece: string) => void (text += piece) }, isTty: false }, []);
  const progress = { settled: 0, trials: 50, kept: 0, runs: 0, runMs: 0, best: null };
  shown.show(() => progress, 'window 1 of 2 · ');
  vi.advanceTimersByTime(6_000);
  shown.show(() => progress, 'window 2 of 2 · ');
  vi.advanceTimersByTime(9_000);
  expect(text).toBe('window 2 of 2 · trial 0 of 50\n');
  shown.end();
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  expect(text).toBe('window 2 of 2 · trial 0 of 50\n');
});
