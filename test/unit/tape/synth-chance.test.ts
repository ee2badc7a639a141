/** The tables of chance of synthetic markets have the moments that their comments state. */
import { expect, test } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { decay, exponential, negativeLog, normal, pareto } from '../../../src/tape/synth/chance.ts';

const COUNT = 200_000;
const sample = (of: (random: Random) => number): number[] => {
  const random = new Random(7);
  return Array.from({ length: COUNT }, () => of(random));
};
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const share = (values: readonly number[], is: (value: number) => boolean): number => values.filter(is).length / values.length;

test('normal deviates', () => {
  const values = sample(normal);
  expect(Math.abs(mean(values))).toBeLessThan(0.01);
  expect(mean(values.map((value) => value ** 2))).toBeCloseTo(1, 1);
  // The normal distribution has 68.27 % within one standard deviation and 4.55 % beyond two.
  expect(Math.abs(share(values, (value) => Math.abs(value) < 1) - 0.6827)).toBeLessThan(0.01);
  expect(Math.abs(share(values, (value) => Math.abs(value) > 2) - 0.0455)).toBeLessThan(0.005);
  expect(share(values, (value) => Math.abs(value) > 3.7)).toBe(0);
});

test('waits without memory, and lengths with a heavy tail', () => {
  const waits = sample(exponential);
  expect(Math.abs(mean(waits) - 1)).toBeLessThan(0.02);
  expect(Math.abs(share(waits, (wait) => wait > 1) - Math.exp(-1))).toBeLessThan(0.01);
  const lengths = sample(pareto);
  expect(share(lengths, (length) => length < 1)).toBe(0);
  expect(Math.abs(share(lengths, (length) => length > 4) - 4 ** -1.5)).toBeLessThan(0.01);
});

test('decay and logarithm', () => {
  for (const x of [0, 0.3, 1, 2.7, 7.77, 15.99]) expect(decay(x)).toBeCloseTo(Math.exp(-x), 3);
  expect([decay(16), decay(1_000)]).toEqual([0, 0]);
  for (const y of [0, 0.1, 0.5, 0.9, 0.99]) expect(negativeLog(y)).toBeCloseTo(-Math.log(1 - y), 2);
});
