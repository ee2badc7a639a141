/** What a candidate is worth at a choice comes from bars that ended by then, whatever else is known. */
import { expect, test } from 'vitest';
import { rankOf, UNIVERSE_MEASURES, type RankedBars, type UniverseMeasure } from '../../../src/domain/universe.ts';

const MINUTE = 60_000;
const AT = 10 * MINUTE;

/** One bar a minute from 0, each a percent above the one before; the last one trebles. */
function bars(count: number): RankedBars {
  const closes = Array.from({ length: count }, (_, k) => (k === 10 ? 300 : 100 * 1.01 ** (k + 1)));
  const opens = closes.map((_, k) => (k === 0 ? 100 : closes[k - 1]!));
  return {
    length: count,
    time: closes.map((_, k) => k * MINUTE),
    open: opens,
    high: closes.map((close, k) => Math.max(close, opens[k]!)),
    low: closes.map((close, k) => Math.min(close, opens[k]!)),
    close: closes,
    volume: closes.map((_, k) => (k === 10 ? 1_000 : 1)),
  };
}

test.each(Object.keys(UNIVERSE_MEASURES) as UniverseMeasure[])('by %s: a bar that ends after the choice is not looked at', (by) => {
  const terms = { by, window: 5 * MINUTE, bars: MINUTE, minAge: 0 };
  const known = rankOf(bars(10), terms, AT);
  expect(known).toEqual({ value: expect.any(Number) });
  expect(rankOf(bars(11), terms, AT)).toEqual(known);
  // A bar that ends at the choice is; one that ends a millisecond later is not.
  expect(rankOf(bars(11), terms, 11 * MINUTE)).not.toEqual(known);
  expect(rankOf(bars(11), terms, 11 * MINUTE - 1)).toEqual({ lacks: { why: 'unread', since: AT } });
});

test('momentum is the last close by the first open of the window, and a window needs all of its bars', () => {
  const terms = { by: 'momentum', window: 5 * MINUTE, bars: MINUTE, minAge: 0 } as const;
  expect((rankOf(bars(10), terms, AT) as { value: number }).value).toBeCloseTo(1.01 ** 5 - 1, 12);
  expect(rankOf(bars(4), terms, 4 * MINUTE)).toEqual({ lacks: { why: 'young', has: 4, of: 5 } });
});
