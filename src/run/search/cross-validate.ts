/**
 * `cross-validate`: combinatorial purged cross-validation of a strategy (López de Prado, "Advances in financial machine learning", 2018, chapters 7
 * and 12). Time is cut into groups. For each choice of judging groups, backtests on the other groups choose the parameters, and backtests on the
 * judging groups judge them. The purge before and the embargo after a judging group are left out of the choice. Each backtest is within one group, so
 * all have the same length. Every choice tries the same sets of parameters, so a part that several choices have in common is run once.
 */
import { Failure } from '../../base/failure/failure.ts';
import type { CrossValidationResult, CrossValidationSplit, Quartiles } from '../../report/research/cross-validation-result.ts';
import type { Span } from '../../report/research/search-result.ts';
import { bestOf } from '../../search/ranking.ts';
import { samplerOf } from '../../search/samplers/sampler-table.ts';
import { keyOf, pointFrom, type Dimension, type Point } from '../../search/space.ts';
import { costsOf, violationOf, type Figures, type Outcome } from '../../search/trial.ts';
import { quantileOfSorted } from '../../statistics/samples/moments.ts';
import { pathCount, purgedSplits, type Range } from '../../statistics/overfitting/splits.ts';
import { loadMarket } from '../backtest/trials.ts';
import { prepareSearch, type SearchOptions } from './space/prepare.ts';
import { runJobs } from './workers/run-jobs.ts';
import type { RunJob } from './workers/worker-setup.ts';

export interface CrossValidateOptions extends Omit<SearchOptions, 'holdout' | 'purgeMs'> {
  /** Number of groups of equal length, and how many of them judge at a time. */
  readonly groups: number;
  readonly judging: number;
  /** Milliseconds before and after each judging group that belong to no training part. */
  readonly purgeMs: number;
  readonly embargoMs: number;
  /** Called with the number of backtests that are done, and of all. */
  readonly progress?: ((done: number, of: number) => void) | undefined;
}

/** Share of the time for which a figure must exist. With less, its mean says nothing of a training set. */
const LEAST_KNOWN = 0.5;

/** @throws Failure, TapeError, ParamError; RangeError if a part would be empty */
export async function crossValidateStrategy(options: CrossValidateOptions): Promise<CrossValidationResult> {
  const { groups, judging, purgeMs, embargoMs, objectives, constraints, sampler, seed, workers, signal } = options;
  const { definition, found, setup, textsOf } = await prepareSearch({ ...options, holdout: 0, purgeMs: 0 });
  const points = pointsOf(options, found.space);
  const periods = setup.to - setup.from;
  const splits = purgedSplits({ periods, groups, judging, purge: purgeMs, embargo: embargoMs });
  const edges = Array.from({ length: groups }, (_, k): Range => edgeOf(k, groups, periods));
  const parts = new Parts();
  const trained = splits.map(({ train }) => train.flatMap((part) => edges.flatMap((edge) => common(part, edge))));
  const training = trained.map((all) => all.map((part) => parts.numberOf(part)));
  if (training.some((all) => all.length === 0)) {
    throw new Failure('flag-value', {
      what: 'purge and embargo leave nothing to choose on in a split',
      where: '--purge',
      hint: 'give more groups, fewer of them that judge, or a longer tape',
    });
  }
  const judges = edges.map((part) => parts.numberOf(part));
  const count = parts.all.length;
  const jobs = points.flatMap((point, k) =>
    parts.all.map(({ from, to }, part): RunJob => ({
      id: k * count + part,
      params: textsOf({ point }),
      from: setup.from + from,
      to: setup.from + to,
    })),
  );
  const outcomes = await runJobs(
    jobs,
    workers,
    { market: loadMarket(options.tape, options.config, options), setup },
    {
      signal,
      done: (done) => options.progress?.(done, jobs.length),
    },
  );
  const isComplete = outcomes.size === jobs.length;
  const of = (k: number, numbers: readonly number[]): Figures =>
    meanFigures(numbers.map((part) => ({ outcome: outcomes.get(k * count + part), length: lengthOf(parts.all[part]!) })));

  const rows = splits.map(({ test }, split): CrossValidationSplit => {
    const own = edges.flatMap((edge, group) => (test.some((part) => part.from <= edge.from && edge.to <= part.to) ? [group] : []));
    const tried = points.map((_, k) => {
      const figures = of(k, training[split]!);
      const costs = costsOf(figures, objectives);
      const state = costs === null ? ('failed' as const) : ('done' as const);
      return { k, figures, state, costs: costs ?? [], violation: violationOf(figures, constraints), rungs: 1 };
    });
    const best = isComplete ? bestOf(tried) : null;
    const searched = trained[split]!.map(({ from, to }): Span => ({ from: setup.from + from, to: setup.from + to }));
    if (best === null) return { groups: own, searched, chosen: null };
    const judgeParts = own.map((group) => judges[group]!);
    const judged = of(best.k, judgeParts);
    const others = points.map((_, k) => costsOf(of(k, judgeParts), objectives)?.[0]).filter((cost) => cost !== undefined);
    const cost = costsOf(judged, objectives)?.[0];
    const rank = cost === undefined || others.length < 2 ? null : others.filter((other) => other > cost).length / (others.length - 1);
    return {
      groups: own,
      searched,
      chosen: { trial: best.k, params: textsOf({ point: points[best.k]! }), searched: best.figures, judged, rank },
    };
  });
  const returnOn = (group: number, trial: number): number => outcomes.get(trial * count + judges[group]!)?.figures['totalReturn'] ?? 0;
  const paths = isComplete ? pathsOf(rows, groups, judging, returnOn) : [];
  const name = objectives[0]!.figure;
  const ranks = rows.flatMap(({ chosen }) => (chosen === null || chosen.rank === null ? [] : [chosen.rank]));
  return {
    kind: 'cross-validation',
    strategy: definition.name,
    sampler,
    seed,
    objectives,
    trials: points.length,
    runs: outcomes.size,
    groups: edges.map(({ from, to }) => ({ from: setup.from + from, to: setup.from + to })),
    judging,
    purgeMs,
    embargoMs,
    splits: rows,
    paths,
    losingPaths: paths.filter((path) => path.at(-1)! < 1).length / Math.max(1, paths.length),
    searched: quartiles(rows.map(({ chosen }) => chosen?.searched[name])),
    judged: quartiles(rows.map(({ chosen }) => chosen?.judged[name])),
    overfitting: ranks.length === 0 ? null : ranks.filter((rank) => rank <= 0.5).length / ranks.length,
    isComplete,
  };
}

/** Different points, chosen without results. @throws Failure if the sampler needs results */
function pointsOf({ sampler, seed, trials }: CrossValidateOptions, space: readonly Dimension[]): readonly Point[] {
  const source = samplerOf(sampler, space, seed);
  if (source.lead !== Infinity) {
    throw new Failure('flag-value', {
      what: `${sampler} chooses points by results, and every split must try the same ones`,
      where: '--sampler',
      hint: 'use sobol, grid or random',
    });
  }
  const points = new Map<string, Point>();
  for (let asked = 0; asked < trials;) {
    const places = source.ask().slice(0, trials - asked);
    if (places.length === 0) break;
    asked += places.length;
    for (const place of places) {
      const point = pointFrom(space, place);
      points.set(keyOf(space, point), point);
    }
  }
  return [...points.values()];
}

/** Numbers the different parts of time. */
class Parts {
  readonly all: Range[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(part: Range): number {
    const key = `${part.from} ${part.to}`;
    let number = this.#numbers.get(key);
    if (number === undefined) this.#numbers.set(key, (number = this.all.push(part) - 1));
    return number;
  }
}

/** What two parts have in common, if anything. */
function common(a: Range, b: Range): Range[] {
  const both = { from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) };
  return both.from < both.to ? [both] : [];
}

const lengthOf = ({ from, to }: Range): number => to - from;

function edgeOf(group: number, groups: number, periods: number): Range {
  return { from: Math.round((periods * group) / groups), to: Math.round((periods * (group + 1)) / groups) };
}

/** Means of the figures over parts, weighted by their lengths; null for a figure that exists in less than half of the time. */
function meanFigures(parts: readonly { readonly outcome: Outcome | undefined; readonly length: number }[]): Figures {
  const names = new Set(parts.flatMap(({ outcome }) => Object.keys(outcome?.figures ?? {})));
  const whole = parts.reduce((sum, { length }) => sum + length, 0);
  const figures: Record<string, number | null> = {};
  for (const name of names) {
    let sum = 0;
    let known = 0;
    for (const { outcome, length } of parts) {
      const value = outcome?.error === undefined ? (outcome?.figures[name] ?? null) : null;
      if (value === null || !Number.isFinite(value)) continue;
      sum += value * length;
      known += length;
    }
    figures[name] = known >= LEAST_KNOWN * whole && known > 0 ? sum / known : null;
  }
  return figures;
}

/** The n-th time that a group is judged belongs to path n. */
function pathsOf(
  splits: readonly CrossValidationSplit[],
  groups: number,
  judging: number,
  returnOn: (group: number, trial: number) => number,
): readonly (readonly number[])[] {
  const byGroup = Array.from({ length: groups }, (_, group) => splits.filter((split) => split.groups.includes(group)));
  return Array.from({ length: pathCount(groups, judging) }, (_, path) => {
    let value = 1;
    return byGroup.map((own, group) => {
      const chosen = own[path]?.chosen;
      return (value *= 1 + (chosen == null ? 0 : returnOn(group, chosen.trial)));
    });
  });
}

function quartiles(values: readonly (number | null | undefined)[]): Quartiles | null {
  const sorted = values.filter((value) => typeof value === 'number').toSorted((a, b) => a - b);
  if (sorted.length === 0) return null;
  return [quantileOfSorted(sorted, 0.25), quantileOfSorted(sorted, 0.5), quantileOfSorted(sorted, 0.75)];
}
