/** Spaces, ranking, pruning and importance of a search. */
import { describe, expect, it } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { importanceOf } from '../../../src/search/importance.ts';
import { bestFirst, crowdingOf, frontsOf, paretoFront } from '../../../src/search/ranking.ts';
import { countOf, placeOf, valueAt, valueFrom, type Dimension, type Point } from '../../../src/search/space.ts';
import { Study } from '../../../src/search/study/study.ts';
import { parseConstraint, violationOf } from '../../../src/search/trial.ts';
import { MINIMISE, optionsOf, outcomeOf, played, range, steps } from '../../support/research/search-kit.ts';

const done = (...costs: number[]): { state: 'done'; costs: number[]; violation: number; rungs: number } => ({
  state: 'done',
  costs,
  violation: 0,
  rungs: 1,
});

describe('a dimension', () => {
  it('has its steps exactly, without noise of binary fractions', () => {
    const dimension = steps('a', 0.1, 0.7, 0.1);
    expect(countOf(dimension)).toBe(7);
    expect(Array.from({ length: 7 }, (_, k) => valueAt(dimension as never, k))).toEqual([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]);
  });

  const dimensions: Dimension[] = [
    steps('a', 5, 50, 5),
    { kind: 'steps', name: 'b', low: 1, high: 1000, step: 1, isLog: true },
    { kind: 'choice', name: 'c', choices: ['x', true, 3] },
    range('d', -2, 3),
    { kind: 'range', name: 'e', low: 0.001, high: 10, isLog: true },
  ];

  it.each(dimensions)('$kind $name: a value from a place has that place again', (dimension) => {
    const random = new Random(7);
    for (let k = 0; k < 200; k++) {
      const value = valueFrom(dimension, random.uniform());
      expect(valueFrom(dimension, placeOf(dimension, value))).toBe(value);
    }
    expect(valueFrom(dimension, 0)).toBe(dimension.kind === 'choice' ? 'x' : dimension.low);
    expect(valueFrom(dimension, 1)).toBe(dimension.kind === 'choice' ? 3 : dimension.high);
  });

  it('gives every step the same share of places', () => {
    const counts = new Map<unknown, number>();
    for (let k = 0; k < 1000; k++) {
      const value = valueFrom(steps('a', 1, 10), (k + 0.5) / 1000);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    expect([...counts.values()]).toEqual(Array.from({ length: 10 }, () => 100));
  });
});

describe('the order of trials', () => {
  it('sorts into the fronts and crowding distances of a worked example', () => {
    const trials = [done(1, 5), done(2, 3), done(4, 1), done(3, 4), done(4, 4), done(5, 5)];
    expect(frontsOf(trials)).toEqual([[0, 1, 2], [3], [4], [5]]);
    expect(crowdingOf(trials, [0, 1, 2])).toEqual([Infinity, 2, Infinity]);
    expect(bestFirst(trials)).toEqual([0, 2, 1, 3, 4, 5]);
    expect(paretoFront(trials)).toEqual(trials.slice(0, 3));
  });

  it('puts results that meet the constraints first, then the smaller miss, then pruned ones by length, then failures', () => {
    const trials = [
      { state: 'failed' as const, costs: [], violation: Infinity, rungs: 1 },
      { state: 'pruned' as const, costs: [-9], violation: 0, rungs: 1 },
      { state: 'pruned' as const, costs: [5], violation: 0, rungs: 2 },
      { ...done(-5), violation: 0.2 },
      { ...done(-1), violation: 0.1 },
      done(7),
      done(3),
    ];
    expect(bestFirst(trials)).toEqual([6, 5, 4, 3, 2, 1, 0]);
  });

  it('reads constraints, and a strict one is not met by equality', () => {
    expect(parseConstraint('maxDrawdown<20%')).toEqual({ figure: 'maxDrawdown', operator: '<', bound: 0.2 });
    expect(parseConstraint(' trades >= 30 ')).toEqual({ figure: 'trades', operator: '>=', bound: 30 });
    expect(parseConstraint('trades')).toBeNull();
    expect(parseConstraint('trades=3')).toBeNull();
    const at = (text: string, trades: number | null): number => violationOf({ trades }, [parseConstraint(text)!]);
    expect(at('trades>=30', 30)).toBe(0);
    expect(at('trades>30', 30)).toBeGreaterThan(0);
    expect(at('trades>=30', 10)).toBe(20);
    expect(at('trades>=30', null)).toBe(Infinity);
  });
});

describe('a study', () => {
  const space = [steps('a', 1, 200), steps('b', 1, 200)];
  const score = ({ a, b }: Point): { cost: number } => ({ cost: Math.abs(Number(a) - 120) + Math.abs(Number(b) - 30) });

  it('stops two thirds of its trials at each share, the best run on the whole tape', () => {
    const { study, jobs } = played({ space, sampler: 'random', score, trials: 270, isPruned: true });
    const longest = [1, 2, 3].map((rungs) => study.trials.filter((trial) => trial.rungs === rungs).length);
    expect(longest[0]! + longest[1]! + longest[2]!).toBe(270);
    expect(longest[1]! + longest[2]!).toBeLessThanOrEqual(130);
    expect(longest[2]!).toBeGreaterThanOrEqual(20);
    expect(longest[2]!).toBeLessThanOrEqual(65);
    expect(jobs.length).toBe(270 + longest[1]! + 2 * longest[2]!);
    const costs = study.trials.map((trial) => score(trial.point).cost);
    const best = costs.indexOf(Math.min(...costs));
    expect(study.trials[best]!.state).toBe('done');
  });

  it('runs equal points once', () => {
    const small = [steps('a', 1, 4), steps('b', 1, 4)];
    for (const isPruned of [false, true]) {
      const { study, jobs } = played({ space: small, sampler: 'nsga2', score, trials: 400, isPruned, workers: 4, shuffle: 5 });
      expect(study.trials.length).toBe(400);
      expect(study.isDone).toBe(true);
      expect(jobs.filter(({ rung }) => rung === 0).length).toBeLessThanOrEqual(16);
      expect(study.trials.every(({ state }) => state !== 'running')).toBe(true);
    }
  });

  it('counts a run with an error, or without the figure, as failed', () => {
    const study = new Study(optionsOf({ space, sampler: 'random', score, trials: 3 }));
    const jobs = [study.next()!, study.next()!, study.next()!];
    study.finish(jobs[0]!, { figures: {}, hash: '', error: 'fast must be below slow' });
    study.finish(jobs[1]!, { figures: { cost: null }, hash: '' });
    study.finish(jobs[2]!, outcomeOf(score, jobs[2]!));
    expect(study.trials.map(({ state }) => state)).toEqual(['failed', 'failed', 'done']);
    expect(study.next()).toBeNull();
    expect(study.isDone).toBe(true);
  });

  it('has another hash if one figure, one state or one point differs', () => {
    const of = (bump: number, seed = 1): string =>
      played({ space, sampler: 'random', score: (p) => ({ cost: score(p).cost, other: bump }), trials: 20, seed }).study.hash();
    expect(of(0)).toBe(of(0));
    expect(of(0)).not.toBe(of(1e-12));
    expect(of(0)).not.toBe(of(0, 2));
  });

  it('begun with more trials is the longer study', () => {
    for (const sampler of ['tpe', 'cma-es', 'nsga2', 'sobol'] as const) {
      const toy = { space, sampler, score, objectives: MINIMISE };
      const [short, long] = [played({ ...toy, trials: 50 }), played({ ...toy, trials: 90 })];
      expect(long.study.trials.slice(0, 50).map(({ point }) => point)).toEqual(short.study.trials.map(({ point }) => point));
    }
  });
});

describe('importance', () => {
  const random = new Random(3);
  const places = Array.from({ length: 600 }, () => [random.uniform(), random.uniform(), random.uniform()]);

  it('of a sum is the share of variance of each term: 9/10, 1/10 and nothing', () => {
    const { single, pairs } = importanceOf(
      places,
      places.map(([x = 0, y = 0]) => 3 * x + y),
      1,
    )!;
    expect(single[0]).toBeGreaterThan(0.85);
    expect(single[0]).toBeLessThan(0.95);
    expect(single[1]).toBeGreaterThan(0.06);
    expect(single[1]).toBeLessThan(0.13);
    expect(single[2]).toBeLessThan(0.01);
    expect(pairs.find(({ first, second }) => first === 0 && second === 1)!.share).toBeLessThan(0.03);
  });

  it('of a pure interaction belongs to the pair', () => {
    const { single, pairs } = importanceOf(
      places,
      places.map(([x = 0, y = 0]) => (x > 0.5 === y > 0.5 ? 1 : 0)),
      1,
    )!;
    expect(Math.max(...single)).toBeLessThan(0.15);
    expect(pairs.find(({ first, second }) => first === 0 && second === 1)!.share).toBeGreaterThan(0.7);
  });

  it('is none for few results or results that are all the same', () => {
    expect(importanceOf(places.slice(0, 7), [1, 2, 3, 4, 5, 6, 7], 1)).toBeNull();
    expect(
      importanceOf(
        places,
        places.map(() => 5),
        1,
      ),
    ).toBeNull();
  });
});
