/** The samplers of a search against known answers. */
import { describe, expect, it } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { bestOf, paretoFront } from '../../../src/search/ranking.ts';
import { gridSize } from '../../../src/search/samplers/grid-sampler.ts';
import { nsga2Sampler } from '../../../src/search/samplers/nsga2.ts';
import { SOBOL_DIMENSIONS, SobolSequence } from '../../../src/search/samplers/sobol.ts';
import type { SamplerName } from '../../../src/search/samplers/sampler-docs.ts';
import { SAMPLERS } from '../../../src/search/samplers/sampler-table.ts';
import { pointFrom, type Dimension, type Point } from '../../../src/search/space.ts';
import { MINIMISE, played, range, steps } from '../../support/research/search-kit.ts';

const values = (point: Point): number[] => Object.values(point).map(Number);
const cube = (n: number, low: number, high: number): Dimension[] => Array.from({ length: n }, (_, i) => range(`x${i}`, low, high));
const sphere = (point: Point): { cost: number } => ({ cost: values(point).reduce((sum, x) => sum + (x - 1) ** 2, 0) });
const rosenbrock = (point: Point): { cost: number } => {
  const x = values(point);
  return { cost: x.slice(1).reduce((sum, next, i) => sum + 100 * (next - x[i]! ** 2) ** 2 + (1 - x[i]!) ** 2, 0) };
};

describe('the grid', () => {
  it('has every combination once, the last parameter changing first', () => {
    const space = [steps('a', 1, 3), { kind: 'choice', name: 'b', choices: ['x', 'y'] } as const];
    const { study } = played({ space, sampler: 'grid', score: () => ({ cost: 0 }), trials: 100 });
    expect(gridSize(space)).toBe(6);
    expect(study.trials.map(({ point }) => `${point['a']}${point['b']}`)).toEqual(['1x', '1y', '2x', '2y', '3x', '3y']);
  });

  it('takes ten places of a range, its ends among them', () => {
    const { study } = played({ space: [range('a', 0, 9)], sampler: 'grid', score: () => ({ cost: 0 }), trials: 100 });
    expect(study.trials.map(({ point }) => point['a'])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

describe('random search', () => {
  it('draws each point of a small space once and then ends', () => {
    const { study } = played({ space: [steps('a', 1, 40)], sampler: 'random', score: () => ({ cost: 0 }), trials: 500 });
    expect(study.trials.map(({ point }) => Number(point['a'])).sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
  });
});

describe('the Sobol sequence', () => {
  it('begins with the known points of the first dimensions', () => {
    const sequence = new SobolSequence(3);
    const points = Array.from({ length: 5 }, () => sequence.next());
    expect(points).toEqual([
      [0, 0, 0],
      [0.5, 0.5, 0.5],
      [0.75, 0.25, 0.25],
      [0.25, 0.75, 0.75],
      [0.375, 0.375, 0.625],
    ]);
  });

  it('equals scipy.stats.qmc.Sobol(64, scramble=False) at point 1000 in all 64 dimensions', () => {
    const sequence = new SobolSequence(SOBOL_DIMENSIONS);
    for (let k = 0; k < 1000; k++) sequence.next();
    // prettier-ignore
    const known = [225, 99, 531, 693, 287, 929, 47, 921, 513, 71, 87, 261, 165, 393, 147, 379, 737, 353, 1015, 743, 535, 563, 973, 553, 597, 929, 41, 1003, 61, 349, 151, 149, 303, 607, 821, 789, 869, 851, 315, 491, 935, 261, 983, 719, 861, 95, 893, 941, 1023, 491, 361, 529, 771, 449, 129, 913, 465, 81, 905, 585, 457, 617, 265, 457];
    expect(sequence.next().map((x) => x * 1024)).toEqual(known);
  });

  it('puts one of 1,024 points into each of 1,024 equal parts of every dimension, shifted or not', () => {
    const sequence = new SobolSequence(
      SOBOL_DIMENSIONS,
      Array.from({ length: SOBOL_DIMENSIONS }, (_, i) => 2_654_435_761 * i),
    );
    const parts = Array.from({ length: SOBOL_DIMENSIONS }, () => new Set<number>());
    for (let k = 0; k < 1024; k++) for (const [i, x] of sequence.next().entries()) parts[i]!.add(Math.floor(x * 1024));
    expect(parts.map(({ size }) => size)).toEqual(parts.map(() => 1024));
  });
});

describe('CMA-ES', () => {
  it('finds the minimum of a sphere to 1e-8', () => {
    const { study } = played({ space: cube(5, -5, 5), sampler: 'cma-es', score: sphere, trials: 1200 });
    expect(bestOf(study.trials)!.costs[0]).toBeLessThan(1e-8);
  });

  it('finds the minimum of the Rosenbrock function to 1e-8', () => {
    const { study } = played({ space: cube(4, -5, 5), sampler: 'cma-es', score: rosenbrock, trials: 4000 });
    const best = bestOf(study.trials)!;
    expect(best.costs[0]).toBeLessThan(1e-8);
    for (const x of values(best.point)) expect(x).toBeCloseTo(1, 3);
  });

  it('finds the best whole numbers', () => {
    const space = [steps('a', 1, 200), steps('b', 1, 200), steps('c', 1, 200)];
    const far = (point: Point): { cost: number } => ({ cost: values(point).reduce((sum, x, i) => sum + (x - 40 * (i + 1)) ** 2, 0) });
    const { study } = played({ space, sampler: 'cma-es', score: far, trials: 600 });
    expect(bestOf(study.trials)!.point).toEqual({ a: 40, b: 80, c: 120 });
  });
});

describe('TPE', () => {
  const space: Dimension[] = [
    range('x', -5, 5),
    range('y', -5, 5),
    steps('n', 1, 50),
    { kind: 'choice', name: 'c', choices: ['a', 'b', 'd', 'e'] },
  ];
  const score = ({ x, y, n, c }: Point): { cost: number } => ({
    cost: (Number(x) - 1) ** 2 + (Number(y) + 2) ** 2 + ((Number(n) - 30) / 10) ** 2 + (c === 'd' ? 0 : 3),
  });
  const costs = (sampler: SamplerName): number[] =>
    Array.from({ length: 10 }, (_, seed) => bestOf(played({ space, sampler, score, trials: 160, seed }).study.trials)!.costs[0]!).sort(
      (a, b) => a - b,
    );

  it('finds far better points than random search with as many trials', () => {
    const [tpe, random] = [costs('tpe'), costs('random')];
    expect(tpe[5]).toBeLessThan(random[5]! / 4);
    expect(tpe[9]).toBeLessThan(random[0]!);
  });

  it('finds the good choice', () => {
    const { study } = played({ space, sampler: 'tpe', score, trials: 160 });
    expect(bestOf(study.trials)!.point['c']).toBe('d');
    const late = study.trials.slice(80);
    expect(late.filter(({ point }) => point['c'] === 'd').length).toBeGreaterThan(late.length * 0.7);
  });
});

describe('NSGA-II', () => {
  // ZDT1 (Zitzler, Deb & Thiele 2000): its front is f2 = 1 − √f1, with all parameters but the first at 0.
  const zdt1 = (point: Point): { f1: number; f2: number } => {
    const [f1 = 0, ...rest] = values(point);
    const g = 1 + (9 * rest.reduce((sum, x) => sum + x, 0)) / rest.length;
    return { f1, f2: g * (1 - Math.sqrt(f1 / g)) };
  };

  it('finds the front of ZDT1 with 30 parameters in 250 generations of 100, and spreads along it', () => {
    const space = cube(30, 0, 1);
    const sampler = nsga2Sampler(space, new Random(1), 100);
    const objectives = [{ figure: 'f1', direction: 'min' } as const, { figure: 'f2', direction: 'min' } as const];
    const { study } = played({ space, sampler, score: zdt1, trials: 25_000, objectives });
    const last = paretoFront(study.trials.slice(-1_000));
    // The paper's measure of convergence: the mean distance to the front, 0.033 there.
    const gap = last.reduce((sum, { costs: [f1 = 0, f2 = 0] }) => sum + (f2 - (1 - Math.sqrt(f1))), 0) / last.length;
    expect(gap).toBeLessThan(0.033);
    const firsts = last.map(({ costs }) => costs[0]!).sort((a, b) => a - b);
    expect(firsts[0]).toBeLessThan(0.01);
    expect(firsts.at(-1)).toBeGreaterThan(0.99);
    expect(Math.max(...firsts.slice(1).map((x, i) => x - firsts[i]!))).toBeLessThan(0.1);
  });

  it('keeps to a constraint', () => {
    const constraints = [{ figure: 'f1', operator: '>=', bound: 0.5 } as const];
    const objectives = [{ figure: 'f1', direction: 'min' } as const, { figure: 'f2', direction: 'min' } as const];
    const { study } = played({ space: cube(4, 0, 1), sampler: 'nsga2', score: zdt1, trials: 1_200, objectives, constraints });
    const front = paretoFront(study.trials);
    expect(front.length).toBeGreaterThan(10);
    expect(Math.min(...front.map(({ costs }) => costs[0]!))).toBeCloseTo(0.5, 1);
    expect(front.every(({ costs }) => costs[0]! >= 0.5)).toBe(true);
  });
});

describe('every sampler', () => {
  const space = [steps('a', 1, 30), range('b', 0, 1)];
  const score = ({ a, b }: Point): { cost: number } => ({ cost: (Number(a) - 10) ** 2 + Number(b) });

  it.each(Object.keys(SAMPLERS) as SamplerName[])('%s gives the same study twice, and another with another seed', (sampler) => {
    const of = (seed: number): string => played({ space, sampler, score, trials: 80, seed, objectives: MINIMISE }).study.hash();
    expect(of(1)).toBe(of(1));
    if (sampler !== 'grid') expect(of(1)).not.toBe(of(2));
  });

  it.each(Object.keys(SAMPLERS) as SamplerName[])('%s gives the same study for 1, 2, 3 and 16 workers, however they end', (sampler) => {
    for (const isPruned of [false, true]) {
      const of = (workers: number, shuffle: number): string =>
        played({
          space,
          sampler,
          score: (point, share) => ({ cost: score(point).cost / share }),
          trials: 100,
          isPruned,
          workers,
          shuffle,
        }).study.hash();
      const alone = of(1, 0);
      for (const [workers, shuffle] of [
        [2, 1],
        [3, 2],
        [16, 3],
        [16, 4],
      ] as const)
        expect(of(workers, shuffle), `${workers} workers`).toBe(alone);
    }
  });

  it('stays within the space', () => {
    for (const name of Object.keys(SAMPLERS) as SamplerName[]) {
      const { study } = played({ space, sampler: name, score, trials: 120 });
      for (const { place, point } of study.trials) {
        expect(place.every((x) => x >= 0 && x <= 1)).toBe(true);
        expect(pointFrom(space, place)).toEqual(point);
        expect(Number(point['a'])).toBeGreaterThanOrEqual(1);
        expect(Number(point['a'])).toBeLessThanOrEqual(30);
      }
    }
  });
});
