/** Ways to cut time: nothing judges what it was chosen on. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { redrawnReturns, redrawnTrades, shuffledTrades } from '../../../src/statistics/monte-carlo.ts';
import { plateauOf } from '../../../src/search/plateau.ts';
import { crossValidate } from '../../../src/statistics/overfitting/cross-validation.ts';
import { pathCount, purgedSplits, walkForwardSplits, type Range } from '../../../src/statistics/overfitting/splits.ts';

const periodsOf = (parts: readonly Range[]): number[] =>
  parts.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i));

describe('walk-forward', () => {
  test('anchored: the past grows', () =>
    expect(walkForwardSplits({ periods: 100, folds: 3, train: 40, kind: 'anchored', purge: 5 })).toEqual([
      { train: [{ from: 0, to: 35 }], test: [{ from: 40, to: 60 }] },
      { train: [{ from: 0, to: 55 }], test: [{ from: 60, to: 80 }] },
      { train: [{ from: 0, to: 75 }], test: [{ from: 80, to: 100 }] },
    ]));
  test('rolling: the past keeps its length', () =>
    expect(walkForwardSplits({ periods: 100, folds: 2, train: 40, kind: 'rolling', purge: 0 })[1]).toEqual({
      train: [{ from: 30, to: 70 }],
      test: [{ from: 70, to: 100 }],
    }));
  test('says what does not fit', () =>
    expect(() => walkForwardSplits({ periods: 40, folds: 3, train: 40, kind: 'rolling', purge: 0 })).toThrow(
      /expected 3 folds .* found 40 periods/,
    ));
});

describe('combinatorial purged cross-validation', () => {
  test('six groups, two of them judge: 15 splits, 5 paths', () => {
    expect(purgedSplits({ periods: 600, groups: 6, judging: 2, purge: 0, embargo: 0 })).toHaveLength(15);
    expect(pathCount(6, 2)).toBe(5);
  });
  test('each period judges equally often, and none is near what it was chosen on', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 7 }),
        fc.integer({ min: 1, max: 6 }),
        fc.nat(5),
        fc.nat(5),
        (groups, wanted, purge, embargo) => {
          const judging = Math.min(wanted, groups - 1);
          const splits = purgedSplits({ periods: 70, groups, judging, purge, embargo });
          const judged = new Map<number, number>();
          for (const { train, test: parts } of splits) {
            const far = new Set(periodsOf(train));
            for (const period of periodsOf(parts)) judged.set(period, (judged.get(period) ?? 0) + 1);
            for (const { from, to } of parts) {
              for (let period = from - purge; period < to + embargo; period++) expect(far.has(period)).toBe(false);
            }
          }
          expect(new Set(judged.values())).toEqual(new Set([pathCount(groups, judging)]));
          expect(judged.size).toBe(70);
        },
      ),
    );
  });
});

describe('Monte Carlo', () => {
  const results = Float64Array.from({ length: 80 }, (_, i) => ((i * 37) % 23) - 10.5);
  const options = (seed: number): { start: number; runs: number; points: number; random: Random } => ({
    start: 1000,
    runs: 500,
    points: 21,
    random: new Random(seed),
  });
  test('trades in another order end at the same place, by other ways', () => {
    const fan = shuffledTrades(results, options(1));
    const end = 1000 + results.reduce((a, b) => a + b, 0);
    for (const line of fan.lines) expect([line[0], line.at(-1)]).toEqual([1000, end]);
    expect(fan.maxDrawdown.p95).toBeGreaterThan(fan.maxDrawdown.p5);
  });
  test('trades drawn again spread as the theory of sums says', () => {
    const fan = redrawnTrades(results, options(2));
    const mean = results.reduce((a, b) => a + b, 0) / 80;
    const spread = Math.sqrt(results.reduce((sum, x) => sum + (x - mean) ** 2, 0));
    expect((fan.final.p95 - fan.final.p5) / (2 * 1.6449 * spread)).toBeCloseTo(1, 0);
    expect(fan.final.p50).toBeCloseTo(1000 + 80 * mean, -2);
  });
  test('returns compound, and the same seed gives the same fan', () => {
    const flat = redrawnReturns(new Float64Array(10).fill(0.01), options(3));
    expect(flat.final.p5).toBeCloseTo(1000 * 1.01 ** 10, 8);
    expect([flat.lossProbability, flat.maxDrawdown.p95]).toEqual([0, 0]);
    expect(
      redrawnReturns(
        results.map((x) => x / 1000),
        options(4),
      ),
    ).toEqual(
      redrawnReturns(
        results.map((x) => x / 1000),
        options(4),
      ),
    );
  });
});

describe('cross-validation of a search', () => {
  const draw = (seed: number, edge: number): Float64Array => {
    const random = new Random(seed);
    return Float64Array.from({ length: 320 }, () => 0.01 * (random.normal() + edge));
  };
  const options = { groups: 8, judging: 2, purge: 1, embargo: 1 };

  test('of noise: what is chosen does no better than nothing where it is judged', () => {
    const { judged, chosen } = crossValidate(
      Array.from({ length: 30 }, (_, k) => draw(k, 0)),
      options,
    );
    expect(chosen).toBeGreaterThan(0.08);
    expect(Math.abs(judged[1])).toBeLessThan(0.1);
  });
  test('of an edge: it is chosen, and holds', () => {
    const { judged, splits, paths, losingPaths } = crossValidate(
      [...Array.from({ length: 9 }, (_, k) => draw(k, 0)), draw(50, 0.4)],
      options,
    );
    expect({ splits, paths, losingPaths }).toEqual({ splits: 28, paths: 7, losingPaths: 0 });
    expect(judged[1]).toBeCloseTo(0.4, 0);
  });
});

describe('the plateau', () => {
  const grid = Array.from({ length: 121 }, (_, k) => [Math.floor(k / 11) / 10, (k % 11) / 10]);
  test('neighbours of a broad top are nearly as good', () => {
    const plateau = plateauOf(
      grid,
      grid.map(([x = 0, y = 0]) => 1 - (x - 0.5) ** 2 - (y - 0.5) ** 2),
      true,
    );
    expect(plateau?.neighbours).toBe(8);
    expect(plateau?.rank).toBeGreaterThan(0.9);
  });
  test('neighbours of a lonely peak are like all others', () => {
    const values = grid.map((_, k) => ((k * 37) % 101) / 101);
    values[60] = 5;
    const plateau = plateauOf(grid, values, true);
    expect(plateau?.best).toBe(5);
    expect(plateau?.rank).toBeLessThan(0.8);
  });
  test('smaller may be better', () =>
    expect(
      plateauOf(
        grid,
        grid.map(([x = 0, y = 0]) => (x - 0.2) ** 2 + (y - 0.8) ** 2),
        false,
      )?.rank,
    ).toBeGreaterThan(0.9));
});
