/** What a search itself explains of its result: its unit, and the trials that it counts. */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { selectionBiasOf } from '../../../src/run/search/results/selection-bias.ts';
import type { Trial } from '../../../src/search/trial.ts';
import { sharpeSample } from '../../../src/statistics/sharpe.ts';
import { searchCost, searchTests, type SearchCost } from '../../../src/statistics/overfitting/search-cost.ts';

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
  heldOut: () => Promise.resolve(null),
} as const;

test('its Sharpe ratios are those of a year of 365 days', async () => {
  const { cost, crossValidation, spanMs, figure } = (await selectionBiasOf({ ...search, trials: drawn.map((one, k) => trialOf(one, k)) }))!;
  expect([spanMs, figure]).toEqual([DAY_MS, 'sharpe']);
  const best = Math.max(...drawn.map((one) => sharpeSample(one).sharpe));
  expect(cost!.sharpe).toBeCloseTo(best * Math.sqrt(365), 10);
  const each = searchCost(searchTests(drawn.map((one) => Float64Array.from(one)))!);
  expect(cost!.detectable / each.detectable).toBeCloseTo(Math.sqrt(365), 10);
  expect(cost!.expectedBest / each.expectedBest).toBeCloseTo(Math.sqrt(365), 10);
  // What has no unit stays.
  expect([cost!.deflatedSharpe, cost!.luck]).toEqual([each.deflatedSharpe, each.luck]);
  expect(crossValidation!.chosen).toBeGreaterThan(2);
});

test('a trial that was given up is a try', async () => {
  const trials = drawn.map((one, k) => trialOf(one, k, k < 8 ? 'pruned' : 'done'));
  const selectionBias = (await selectionBiasOf({ ...search, trials }))!;
  expect(selectionBias.cost).toMatchObject({ trials: 12, finished: 4 });
  expect(selectionBias.cost!.sentence).toMatch(/^The best of 12 tries/);
});

test('a trial that breaks a constraint is a try: the others were chosen from all', async () => {
  const trials = drawn.map((one, k) => ({ ...trialOf(one, k), violation: k < 8 ? 0.1 : 0 }));
  const [constrained, free] = await Promise.all([
    selectionBiasOf({ ...search, trials }),
    selectionBiasOf({ ...search, trials: drawn.map((one, k) => trialOf(one, k)) }),
  ]);
  expect(constrained!.cost).toMatchObject({ trials: 12, finished: 12 });
  expect(constrained).toEqual(free);
});

describe('the part that was held out', () => {
  const skilled = drawn.map((one, k) => trialOf(k === 0 ? one.map((x) => x + 0.006) : one, k));
  const half = { from: 64 * DAY_MS, to: 96 * DAY_MS };
  const judged = async (returns: readonly number[] | null): Promise<SearchCost> =>
    (await selectionBiasOf({ ...search, trials: skilled, heldOut: () => Promise.resolve(returns && { returns, span: half }) }))!.cost!;

  test('confirms what is called skill, or contradicts it', async () => {
    const wins = Array.from({ length: 64 }, (_, k) => (k % 2 === 0 ? 0.01 : -0.008));
    const [none, won, lost, idle] = await Promise.all([judged(null), judged(wins), judged(wins.map((x) => -x)), judged(wins.map(() => 0))]);
    expect([none, won, lost, idle].map(({ verdict }) => verdict)).toEqual(['skill', 'skill', 'not shown', 'not shown']);
    expect(won.sentence).toMatch(
      /^The best of 12 tries .*, and the part held out earns too: this is more than the search itself explains\.$/,
    );
    for (const one of [lost, idle]) expect(one.sentence).toMatch(/, but the part held out earns nothing: the search alone may explain/);
    // 64 returns of half a day each.
    expect(won.heldOut!.periods).toBe(32);
    expect(won.heldOut!.sharpe).toBeCloseTo(sharpeSample(wins).sharpe * Math.sqrt(2 * 365), 10);
  });
  test('asks for a larger edge the shorter it is', async () => {
    const tests = searchTests(skilled.map(({ outcome }) => Float64Array.from(outcome!.returns!)))!;
    const [none, long, short] = [null, 64, 2].map(
      (periods) => searchCost(tests, periods === null ? null : { sharpe: 1, periods }).detectable,
    );
    expect(long! / none!).toBeCloseTo(1, 2);
    expect(short!).toBeGreaterThan(1.05 * none!);
  });
});
