/** Statistics by hand, and what they say about samples that are too small. test/golden/statistics.test.ts compares them with other programs. */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { drawdowns, underwater } from '../../../src/statistics/drawdown.ts';
import * as moments from '../../../src/statistics/samples/moments.ts';
import { compounded, growth, simpleReturns } from '../../../src/statistics/returns.ts';
import { pagedOf } from '../../support/tape/paged.ts';

const VALUES = [2, 4, 4, 4, 5, 5, 7, 9];

test('quantiles of a column that is too long to be sorted are those of the sorted one', () => {
  const random = new Random(1);
  const shapes: Readonly<Record<string, (k: number) => number>> = {
    even: () => random.uniform() * 1e9 - 5e8,
    'with ties': () => random.below(9) - 4,
    // Nearly all values in one bucket, beside one far away.
    clustered: (k) => (k === 77 ? -1e15 : 1 + random.uniform() * 1e-6),
    'of many sizes': () => (random.uniform() - 0.5) * 10 ** (random.below(30) - 15),
    equal: () => 3,
  };
  for (const [shape, next] of Object.entries(shapes)) {
    const values = Float64Array.from({ length: 150_001 }, (_, k) => next(k));
    const paged = pagedOf(values, 16_384);
    for (const share of [0, 0.025, 0.5, 0.9999, 1]) {
      expect(moments.quantile(paged, share), `${shape}, ${share}`).toBe(moments.quantile(values, share));
    }
  }
  expect(moments.median(pagedOf(new Float64Array(0), 4))).toBeNaN();
});

describe('moments', () => {
  test('of a sample', () => {
    expect(moments.mean(VALUES)).toBe(5);
    expect(moments.variance(VALUES)).toBeCloseTo(32 / 7, 14);
    expect(moments.deviation(VALUES)).toBeCloseTo(Math.sqrt(32 / 7), 14);
    // Sums of third and fourth powers of the deviations: 42 and 356.
    expect(moments.skewness(VALUES)).toBeCloseTo(5.25 / 8, 14);
    expect(moments.kurtosis(VALUES)).toBeCloseTo(44.5 / 16, 14);
    expect(moments.adjustedSkewness(VALUES)).toBeCloseTo((Math.sqrt(56) / 6) * (5.25 / 8), 14);
    expect(moments.adjustedKurtosis(VALUES)).toBeCloseTo((7 / 30) * (9 * (44.5 / 16 - 3) + 6), 14);
    expect(moments.quantile(VALUES, 0.25)).toBe(4);
    expect(moments.median(VALUES)).toBe(4.5);
    expect(moments.quantileOfSorted([1, 2], 0.05)).toBe(1.05);
  });

  test('of two samples', () => {
    expect(moments.covariance([1, 2, 3], [2, 4, 7])).toBe(2.5);
    expect(moments.correlation([1, 2, 3], [-2, -4, -6])).toBeCloseTo(-1, 14);
    expect(moments.correlation([1, 2, 3], [5, 5, 5])).toBeNaN();
    expect(moments.autocorrelation([1, -1, 1, -1], 1)).toBe(-0.75);
    expect(moments.autocorrelation([1, 1], 1)).toBeNaN();
  });

  test('do not exist for too few values', () => {
    const { mean, variance, deviation, skewness, kurtosis, adjustedSkewness, adjustedKurtosis, median } = moments;
    for (const one of [mean, variance, deviation, skewness, kurtosis, adjustedSkewness, adjustedKurtosis, median])
      expect(one([])).toBeNaN();
    expect([variance([1]), adjustedSkewness([1, 2]), adjustedKurtosis([1, 2, 4])]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    expect([skewness([3, 3, 3]), kurtosis([3, 3, 3]), moments.covariance([1], [1])]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    expect(moments.autocorrelation([1, 2], 2)).toBeNaN();
  });
});

describe('returns', () => {
  test('of a curve, and back', () => {
    expect([...simpleReturns([100, 110, 99])]).toEqual([expect.closeTo(0.1, 14), expect.closeTo(-0.1, 14)]);
    expect([...growth([0.5, -0.5])]).toEqual([1, 1.5, 0.75]);
    expect(compounded([0.5, -0.5])).toBe(-0.25);
    expect([...simpleReturns([])]).toEqual([]);
    expect(compounded([])).toBe(0);
  });

  test('end with a total loss', () => {
    expect([...simpleReturns([100, -20, 50])]).toEqual([-1, 0]);
  });
});

describe('drawdowns', () => {
  test('go from a peak to the next one', () => {
    const curve = [100, 120, 90, 110, 120, 130, 130, 117];
    expect(drawdowns(curve)).toEqual([
      { from: 1, trough: 2, to: 4, amount: 30, share: 0.25 },
      { from: 6, trough: 7, to: -1, amount: 13, share: 0.1 },
    ]);
    expect([...underwater(curve)]).toEqual([0, 0, 0.25, expect.closeTo(1 / 12, 14), 0, 0, 0, 0.1]);
  });

  test('of a curve that never falls, and of one that is never above 0', () => {
    expect(drawdowns([1, 2, 2, 3])).toEqual([]);
    expect(drawdowns([])).toEqual([]);
    expect(drawdowns([0, -5])).toEqual([{ from: 0, trough: 1, to: -1, amount: 5, share: 0 }]);
    expect([...underwater([0, -5])]).toEqual([0, 0]);
  });
});
