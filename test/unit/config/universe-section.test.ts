/** The lengths of a universe: what is read and kept of each candidate has a limit, and `every` counts in it. */
import { expect, test } from 'vitest';
import { universeProblems, universeTerms } from '../../../src/config/schema/universe-section.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const problemsOf = (given: Partial<Parameters<typeof universeTerms>[0]>): readonly string[] =>
  universeProblems(universeTerms({ top: 20, by: 'momentum', every: DAY, ...given }), 'strategies[0].universe', 'bot.yaml').map(
    ({ what }) => what,
  );

test('window, age and the time since the newest choice together want at most 20,000 bars', () => {
  expect(problemsOf({})).toEqual([]);
  expect(problemsOf({ bars: MINUTE, window: 20_000 * MINUTE - DAY, every: DAY })).toEqual([]);
  expect(problemsOf({ bars: MINUTE, window: 20_001 * MINUTE - DAY, every: DAY })).toEqual([
    'strategies[0].universe: window or minAge, and every, want 20001 bars of 1m of each candidate, at most 20000 are kept',
  ]);
  expect(problemsOf({ bars: MINUTE, window: 60 * MINUTE, every: 30 * DAY })).toHaveLength(1);
  expect(problemsOf({ bars: MINUTE, window: 60 * MINUTE, minAge: 20_000 * MINUTE })).toHaveLength(1);
});

test('window and every are multiples of the bars', () => {
  expect(problemsOf({ bars: 7 * MINUTE, window: 70 * MINUTE })).toEqual([
    'strategies[0].universe: every is 1d, no multiple of the bars of 7m',
  ]);
});
