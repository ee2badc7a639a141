/** The series of a report equal what quantstats, empyrical and pandas say of the same run. report-series.py wrote the values. */
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/base/time/time-spans.ts';
import { compoundedBy, monthOf, weekOf, yearOf } from '../../src/report/calendar.ts';
import { rollingSeries } from '../../src/report/rolling-series.ts';
import { histogram } from '../../src/statistics/samples/histogram.ts';
import { rollingBeta, rollingSharpe, rollingSortino, rollingVolatility, windowFor } from '../../src/statistics/rolling.ts';
import golden from './report-series.json' with { type: 'json' };
import { madeRun } from './made-run.ts';

const { periods, curve } = madeRun();
const FROM = Date.UTC(2024, 0, 1);
const strategy = [...periods.returns];
const benchmark = [...periods.benchmark];
const time = strategy.map((_, k) => FROM + k * DAY_MS);

function expectSame(found: readonly (number | null)[], expected: readonly number[]): void {
  expect(found).toHaveLength(expected.length);
  for (const [k, value] of expected.entries()) expect(Math.abs(found[k]! - value)).toBeLessThan(1e-9 * Math.max(1, Math.abs(value)));
}

test.each(Object.entries(golden.rolling))('rolling %s', (key, expected) => {
  const returns = { periodMs: DAY_MS, time: time.map((at) => at + DAY_MS), equity: [], strategy, hold: [], benchmark };
  const rolling = rollingSeries({ returns, tape: { rows: 1, symbols: [], from: FROM, to: FROM + 400 * DAY_MS } })!;
  expect(rolling.window).toBe(golden.window);
  const values = rolling[key as keyof typeof golden.rolling];
  expect(values.slice(0, golden.window - 1).every((value) => value === null)).toBe(true);
  expectSame(values.slice(golden.window - 1), expected);
});

test.each([
  ['week', weekOf],
  ['month', monthOf],
  ['year', yearOf],
] as const)('returns of each %s', (name, spanOf) => {
  const spans = compoundedBy(spanOf, { time, strategy, benchmark });
  expectSame(spans.strategy, golden.calendar[name][0]!);
  expectSame(spans.benchmark, golden.calendar[name][1]!);
});

test('the deepest drawdowns, by days', () => {
  const date = (row: number): string => new Date(FROM + row * DAY_MS).toISOString().slice(0, 10);
  const found = curve.drawdowns
    .toSorted((a, b) => b.share - a.share)
    .slice(0, 10)
    // Row k of the curve is the end of day k − 1; quantstats names the first and the last day below the peak.
    .map(({ from, trough, to, share }) => [
      date(from),
      date(trough - 1),
      date(to === -1 ? 399 : to - 2),
      expect.closeTo(share, 10) as unknown,
    ]);
  expect(found).toEqual(golden.drawdowns);
});

describe('a histogram', () => {
  test('of round classes counts as numpy does', () => {
    const { step, from, counts } = histogram(periods.sorted);
    expect(step).toBe(0.005);
    const first = Math.round(from / step) + 12;
    expect(counts).toEqual(golden.histogram.slice(first, first + counts.length));
    expect(counts.reduce((sum, one) => sum + one, 0)).toBe(400);
  });

  test('has one class for equal values and at most 60 for any', () => {
    expect(histogram([])).toEqual({ step: 1, from: 0, counts: [] });
    expect(histogram([0, 0, 0])).toEqual({ step: 1, from: 0, counts: [3] });
    expect(histogram([-0.25, -0.25])).toEqual({ step: 0.25, from: -0.25, counts: [2] });
    const far = histogram([-1000, ...Array.from({ length: 98 }, (_, k) => k / 1e6), 1000]);
    expect(far.counts.length).toBeLessThanOrEqual(60);
    expect(far.counts.reduce((sum, one) => sum + one, 0)).toBe(100);
  });
});

describe('a figure over a window', () => {
  test('is computed from the last returns alone, beside numbers by hand', () => {
    // Mean 0.01, deviation 0.01: a ratio of 1 a day.
    expect(rollingSharpe([0, 0.01, 0.02, 0.02], 3, 365)[2]).toBeCloseTo(Math.sqrt(365), 10);
    expect(rollingVolatility([0, 0.01, 0.02, 0.02], 3, 365)[2]).toBeCloseTo(0.01 * Math.sqrt(365), 12);
    expect(rollingBeta([0.02, 0.04, -0.02], [0.01, 0.02, -0.01], 2).map((one) => one?.toFixed(9))).toEqual([
      undefined,
      '2.000000000',
      '2.000000000',
    ]);
  });

  test('is null before the first window, and where it does not exist', () => {
    expect(rollingSharpe([0, 0.01, 0.02, 0.02], 3, 365).slice(0, 2)).toEqual([null, null]);
    expect(rollingSharpe([0.01, 0.01, 0.01], 3, 365)).toEqual([null, null, null]);
    expect(rollingSortino([0.01, 0.02], 2, 365)).toEqual([null, null]);
    expect(rollingBeta([0.01, 0.02], [0.03, 0.03], 2)).toEqual([null, null]);
    expect([19, 20, 100, 1000].map(windowFor)).toEqual([0, 10, 20, 90]);
  });
});
