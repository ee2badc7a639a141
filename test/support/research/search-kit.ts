/** Runs a study on a function of a point instead of a strategy on a tape. */
import { Random } from '../../../src/base/random.ts';
import type { SamplerName } from '../../../src/search/samplers/sampler-docs.ts';
import { samplerOf } from '../../../src/search/samplers/sampler-table.ts';
import type { Sampler } from '../../../src/search/samplers/sampler.ts';
import type { Dimension, Point } from '../../../src/search/space.ts';
import { Study, type Job, type StudyOptions } from '../../../src/search/study/study.ts';
import type { Constraint, Objective, Outcome } from '../../../src/search/trial.ts';

export type Score = (point: Point, share: number) => Readonly<Record<string, number | null>>;

export interface Toy {
  readonly space: readonly Dimension[];
  readonly sampler: SamplerName | Sampler;
  readonly score: Score;
  readonly trials: number;
  readonly seed?: number;
  readonly objectives?: readonly Objective[];
  readonly constraints?: readonly Constraint[];
  readonly isPruned?: boolean;
  /** Number of jobs that run at a time, and how their ends are ordered. */
  readonly workers?: number;
  readonly shuffle?: number;
}

export const range = (name: string, low: number, high: number): Dimension => ({ kind: 'range', name, low, high, isLog: false });
export const steps = (name: string, low: number, high: number, step = 1): Dimension => ({
  kind: 'steps',
  name,
  low,
  high,
  step,
  isLog: false,
});
export const MINIMISE: readonly Objective[] = [{ figure: 'cost', direction: 'min' }];

export function optionsOf(toy: Toy): StudyOptions {
  const { space, sampler, trials, seed = 1 } = toy;
  return {
    space,
    sampler: typeof sampler === 'string' ? samplerOf(sampler, space, seed) : sampler,
    objectives: toy.objectives ?? MINIMISE,
    constraints: toy.constraints ?? [],
    trials,
    isPruned: toy.isPruned === true,
  };
}

/** Runs the study to its end. Returns it and the jobs in the order in which they ended. */
export function played(toy: Toy): { readonly study: Study; readonly jobs: readonly Job[] } {
  const study = new Study(optionsOf(toy));
  const random = new Random(toy.shuffle ?? 0);
  const jobs: Job[] = [];
  const running: Job[] = [];
  for (;;) {
    while (running.length < (toy.workers ?? 1)) {
      const job = study.next();
      if (job === null) break;
      running.push(job);
    }
    const [job] = running.splice(random.below(running.length), 1);
    if (job === undefined) break;
    jobs.push(job);
    study.finish(job, outcomeOf(toy.score, job));
  }
  return { study, jobs };
}

export function outcomeOf(score: Score, { point, share }: Job): Outcome {
  return { figures: score(point, share), hash: JSON.stringify([point, share]) };
}
