/** What a search itself explains of its result: its unit, and the trials that it counts. */
import { expect, test } from 'vitest';
import { Random } from '../../src/base/random.ts';
import { selectionBiasOf } from '../../src/run/search/results/selection-bias.ts';
import type { Trial } from '../../src/search/trial.ts';
import { sharpeSample } from '../../src/statistics/sharpe.ts';
import { searchCost } from '../../src/statistics/search-cost.ts';

const DAY_MS = 86_400_000;
const random = new Random(4);
const drawn = Array.from({ length: 12 }, () => Array.from({ length: 64 }, () => 0.001 + 0.01 * random.normal()));
const trialOf = (returns: readonly number[], number: number, state: Trial['state'] = 'done'): Trial => ({
  number,
  point: { x: number },
  place: [number / 20],
  state,
  rungs: 1,
  outcome: { figures: { sharpe: number }, hash: '', returns },
  costs: [-number],
  violation: 0,
});
const search = {
  space: [{ name: 'x', kind: 'range', low: 0, high: 20, isLog: false }],
  objectives: [{ figure: 'sharpe', direction: 'max' }],
  searched: { from: 0, to: 64 * DAY_MS },
  seed: 1,
} as const;

test('its Sharpe ratios are those of a year of 365 days', () => {
  const { cost, crossValidation, spanMs, figure } = selectionBiasOf({ ...search, trials: drawn.map((one, k) => trialOf(one, k)) })!;
  expect([spanMs, figure]).toEqual([DAY_MS, 'sharpe']);
  const best = Math.max(...drawn.map((one) => sharpeSample(one).sharpe));
  expect(cost!.sharpe).toBeCloseTo(best * Math.sqrt(365), 10);
  const each = searchCost(drawn.map((one) => Float64Array.from(one)))!;
  expect(cost!.detectable / each.detectable).toBeCloseTo(Math.sqrt(365), 10);
  expect(cost!.expectedBest / each.expectedBest).toBeCloseTo(Math.sqrt(365), 10);
  // What has no unit stays.
  expect([cost!.deflatedSharpe, cost!.luck]).toEqual([each.deflatedSharpe, each.luck]);
  expect(crossValidation!.chosen).toBeGreaterThan(2);
});

test('a trial that was given up is a try', () => {
  const selectionBias = selectionBiasOf({ ...search, trials: drawn.map((one, k) => trialOf(one, k, k < 8 ? 'pruned' : 'done')) })!;
  expect(selectionBias.cost).toMatchObject({ trials: 12, finished: 4 });
  expect(selectionBias.cost!.sentence).toMatch(/^The best of 12 tries/);
});
