/** Statistics of a search against luck, held against independent programs (test/golden/search-statistics.py) and worked examples of the papers. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { probabilityOfOverfitting } from '../../../src/statistics/overfitting/backtest-overfitting.ts';
import { blockLength } from '../../../src/statistics/bootstrap.ts';
import { testForLuck } from '../../../src/statistics/overfitting/data-snooping.ts';
import { effectiveTrials } from '../../../src/statistics/overfitting/effective-trials.ts';
import { normalCdf, normalQuantile } from '../../../src/statistics/samples/normal.ts';
import { searchCost, searchTests, type SearchCost } from '../../../src/statistics/overfitting/search-cost.ts';
import { deflatedSharpe, expectedBestSharpe } from '../../../src/statistics/overfitting/deflated-sharpe.ts';
import { leastTrackRecord, probabilisticSharpe, sharpeSample } from '../../../src/statistics/sharpe.ts';

interface Golden {
  readonly normal: readonly [number, number][];
  readonly quantile: readonly [number, number][];
  readonly blockLength: readonly [number, number][];
  readonly sharpe: Readonly<
    Record<'sharpe' | 'skew' | 'kurtosis' | 'probabilistic' | 'expectedBest' | 'deflated' | 'leastTrackRecord', number>
  >;
  readonly overfitting: readonly [number, number][];
  readonly spa: readonly Readonly<Record<'lower' | 'consistent' | 'upper', number>>[];
}
const golden = JSON.parse(readFileSync(new URL('../../golden/search-statistics.json', import.meta.url), 'utf8')) as Golden;

/** The samples of the script: sums of four numbers of a linear congruential generator, with memory of the last. */
function sample(seed: number, n: number, memory = 0, drift = 0): Float64Array {
  let state = seed;
  let last = 0;
  return Float64Array.from({ length: n }, () => {
    let total = 0;
    for (let k = 0; k < 4; k++) {
      state = Number((BigInt(state) * 1_103_515_245n + 12_345n) % 2_147_483_648n);
      total += state / 2_147_483_648 - 0.5;
    }
    last = memory * last + total;
    return 0.01 * last + drift;
  });
}
const planted = Array.from({ length: 12 }, (_, k) => sample(100 + k, 240, 0.2, k === 3 ? 0.002 : 0));
const noise = Array.from({ length: 12 }, (_, k) => sample(900 + k, 240, 0.2));
const random = (seed: number): Random => new Random(seed);

describe('the normal distribution', () => {
  test.each(golden.normal)('at most %d', (x, p) => expect(normalCdf(x) / p).toBeCloseTo(1, 13));
  test.each(golden.quantile)('the quantile of %d', (p, x) => expect(normalQuantile(p)).toBeCloseTo(x, 13));
  test('has no quantile outside of 0 to 1', () => {
    expect([normalQuantile(0), normalQuantile(1), normalQuantile(-0.1), normalQuantile(Number.NaN)]).toEqual([
      -Infinity,
      Infinity,
      NaN,
      NaN,
    ]);
  });
});

describe('Sharpe ratios', () => {
  const facts = sharpeSample(sample(21, 300, 0, 0.0015));
  test('of a sample, with everything that its error depends on', () => {
    const { sharpe, skew, kurtosis, probabilistic, expectedBest, deflated, leastTrackRecord: least } = golden.sharpe;
    const found = [facts.sharpe, facts.skew, facts.kurtosis, probabilisticSharpe(facts, 0.01), expectedBestSharpe(40, 0.05)];
    [sharpe, skew, kurtosis, probabilistic, expectedBest].forEach((value, i) => expect(found[i]).toBeCloseTo(value, 12));
    expect(deflatedSharpe(facts, 40, 0.05)).toBeCloseTo(deflated, 12);
    expect(leastTrackRecord(facts, 0.01, 0.95)).toBeCloseTo(least, 9);
  });
  test('the example of Bailey & López de Prado 2014: 100 trials, 1,250 days, ratio 2.5 a year', () => {
    const best = { sharpe: 2.5 / Math.sqrt(250), count: 1250, skew: -3, kurtosis: 10 };
    const spread = Math.sqrt(0.5 / 250);
    expect(expectedBestSharpe(100, spread)).toBeCloseTo(0.1132, 4);
    expect(deflatedSharpe(best, 100, spread)).toBeCloseTo(0.9004, 3);
  });
  test('of what does not vary is 0', () => expect(sharpeSample([1, 1, 1]).sharpe).toBe(0));
});

describe('the bootstrap', () => {
  test.each(golden.blockLength)('block length with memory %d', (memory, length) =>
    expect(blockLength(sample(5, 500, memory))).toBeCloseTo(length, 9),
  );
});

describe('the best of many trials', () => {
  test.each([
    ['with one of skill', planted],
    ['of noise', noise],
  ])('%s: probability of overfitting as in a program written apart', (name, trials) => {
    const [probability, loss] = golden.overfitting[name === 'of noise' ? 1 : 0] ?? [];
    const found = probabilityOfOverfitting(trials, 8);
    expect([found.probability, found.lossProbability, found.splits]).toEqual([probability, loss, 70]);
  });
  test.each([
    ['with one of skill', planted],
    ['of noise', noise],
  ])('%s: p-values near those of a program written apart', (name, trials) => {
    const { lower = -1, consistent = -1, upper = -1 } = golden.spa[name === 'of noise' ? 1 : 0] ?? {};
    const found = testForLuck(trials, { rounds: 4000, level: 0.05, random: random(1) });
    expect(Math.abs(found.spaLower - lower)).toBeLessThan(0.05);
    expect(Math.abs(found.spa - consistent)).toBeLessThan(0.05);
    expect(Math.abs(found.spaUpper - upper)).toBeLessThan(0.05);
    expect(found.passed).toEqual(name === 'of noise' ? [] : [3]);
  });
  test('trials that resemble each other count as few', () => {
    const groups = Array.from({ length: 60 }, (_, k) => {
      const common = sample(50 + (k % 5), 300);
      return sample(7000 + k, 300).map((x, i) => (common[i] ?? 0) + 0.2 * x);
    });
    expect(effectiveTrials(groups)).toBe(5);
    expect(effectiveTrials(noise)).toBe(12);
    expect(effectiveTrials(Array.from({ length: 30 }, () => planted[0] ?? new Float64Array(0)))).toBe(1);
  });
});

const costOf = (...given: Parameters<typeof searchTests>): SearchCost | null => {
  const tests = searchTests(...given);
  return tests && searchCost(tests);
};

describe('the cost of a search', () => {
  const study = (seed: number, trials: number, edge: number): readonly Float64Array[] => {
    const source = random(seed);
    return Array.from({ length: trials }, (_, k) =>
      Float64Array.from({ length: 250 }, () => 0.01 * source.normal() + (k === 0 ? edge * 0.01 : 0)),
    );
  };
  test('in 200 strategies of noise at most 5 % are called skill, and no study is', () => {
    const cost = costOf(study(11, 200, 0));
    expect(cost?.luck.passed.length).toBeLessThanOrEqual(10);
    expect(cost?.verdict).toBe('not shown');
    expect(cost?.sentence).toMatch(/^The best of 200 tries on noise would look this good \d+ % of the time: the search alone may explain/);
  });
  test('of 20 studies of noise at most 5 % are called skill; of those with an edge of 0.4 a period at least 80 % are', () => {
    const skill = (edge: number): number =>
      Array.from({ length: 20 }, (_, s) => costOf(study(100 + s, 12, edge))?.verdict).filter((v) => v === 'skill').length;
    expect(skill(0)).toBeLessThanOrEqual(1);
    expect(skill(0.4)).toBeGreaterThanOrEqual(16);
  });
  test('the edge that it says it finds 8 times in 10, it finds about so often', () => {
    const claimed = Array.from({ length: 10 }, (_, s) => costOf(study(300 + s, 12, 0))!.detectable);
    const edge = claimed.reduce((sum, one) => sum + one, 0) / claimed.length;
    const found = Array.from({ length: 60 }, (_, s) => costOf(study(500 + s, 12, edge))?.verdict).filter((v) => v === 'skill').length;
    // 48 of 60 are expected; three standard deviations are 9.
    expect(found).toBeGreaterThanOrEqual(39);
    expect(found).toBeLessThan(60);
  });
  test('of 100 studies of 80 trials of noise that resemble each other, over 64 periods, the test passes about 5', () => {
    const passing = Array.from({ length: 100 }, (_, s) => {
      const source = random(1000 + s);
      const market = Float64Array.from({ length: 64 }, () => source.normal());
      const alike = Array.from({ length: 80 }, () => market.map((common) => 0.007 * (common + source.normal())));
      return testForLuck(alike, { rounds: 400, level: 0.05, random: random(1) });
    });
    // Two standard deviations of chance are 4.4. Without the deviation of each resample it would be 14.
    expect(passing.filter(({ spa }) => spa <= 0.05).length).toBeLessThanOrEqual(9);
    expect(passing.filter(({ passed }) => passed.length > 0).length).toBeLessThanOrEqual(9);
  });
  test('trials that were given up count: the best 9 of 81 after a ninth and a third of the time', () => {
    const sum = (series: Float64Array, periods: number): number => series.subarray(0, periods).reduce((a, b) => a + b, 0);
    const survivors = (seed: number): Float64Array[] => {
      const source = random(seed);
      const market = Float64Array.from({ length: 64 }, () => source.normal());
      const all = Array.from({ length: 81 }, () => market.map((common) => 0.007 * (common + source.normal())));
      const third = all.toSorted((a, b) => sum(b, 7) - sum(a, 7)).slice(0, 27);
      return third.toSorted((a, b) => sum(b, 21) - sum(a, 21)).slice(0, 9);
    };
    const studies = Array.from({ length: 30 }, (_, s) => survivors(100 + s));
    const skill = (tried: number): number => studies.filter((left) => costOf(left, { tried })?.verdict === 'skill').length;
    const counted = skill(81);
    expect(counted).toBeLessThanOrEqual(2);
    // The survivors alone look like more than they are.
    expect(skill(9)).toBeGreaterThan(counted);
    const [alone, all] = [9, 81].map((tried) => costOf(studies[1]!, { tried })!);
    expect(all!.luck.spa).toBeCloseTo(1 - (1 - alone!.luck.spa) ** 9, 12);
    expect(all!.effectiveTrials).toBe(9 * alone!.effectiveTrials);
    expect(costOf(studies[0]!, { tried: 81 })).toMatchObject({ trials: 81, finished: 9 });
  });
  test('too few periods prove nothing', () => expect(costOf([new Float64Array(29)])).toBeNull());
});
