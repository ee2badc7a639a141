/** Scores of forecasts against their definitions. */
import { expect, it } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { brier, crps, quantilesOf } from '../../../src/statistics/samples/crps.ts';

/** E|X − y| − ½ E|X − X′| with both means written out. */
function plainCrps(drawn: readonly number[], observed: readonly number[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
  const spread = mean(drawn.flatMap((a) => drawn.map((b) => Math.abs(a - b))));
  return mean(observed.map((y) => mean(drawn.map((x) => Math.abs(x - y))) - spread / 2));
}

it('the score of a sample is its definition; of one number it is the absolute error', () => {
  const random = new Random(5);
  for (let run = 0; run < 50; run++) {
    const [drawn, observed] = [7, 11].map((count) => Array.from({ length: count + random.below(5) }, () => random.uniform() * 100)) as [
      number[],
      number[],
    ];
    expect(crps(drawn, observed)).toBeCloseTo(plainCrps(drawn, observed), 10);
  }
  expect(crps([40], [30, 50, 45])).toBeCloseTo(25 / 3, 12);
  expect(crps([1, 2, 3], [])).toBeNaN();
});

it('the true distribution scores better than one that is shifted or too wide', () => {
  const random = new Random(9);
  const draw = (count: number, shift: number, scale: number): number[] =>
    Array.from({ length: count }, () => shift + scale * random.uniform());
  const observed = draw(500, 10, 10);
  const [right, shifted, wide] = [draw(500, 10, 10), draw(500, 14, 10), draw(500, 0, 30)].map((drawn) => crps(drawn, observed)) as [
    number,
    number,
    number,
  ];
  expect(right).toBeLessThan(shifted);
  expect(right).toBeLessThan(wide);
});

it('quantiles keep the ends; the Brier score is the mean squared error', () => {
  expect(quantilesOf([5, 1, 3, 2, 4], 3)).toEqual([1, 3, 5]);
  expect(quantilesOf([2, 1], 3)).toEqual([1, 2]);
  expect(brier([1, 0.5], [1, 0])).toBe(0.125);
});
