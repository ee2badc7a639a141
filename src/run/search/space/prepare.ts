/** Prepares what every search begins with: the strategy, the space of its parameters, and the plain data that its workers need. */
import { Failure } from '../../../base/failure/failure.ts';
import type { BotConfig, StrategyChoice } from '../../../config/model.ts';
import type { ParamTexts } from '../../../report/research/search-result.ts';
import type { SamplerName } from '../../../search/samplers/sampler-docs.ts';
import { SAMPLERS } from '../../../search/samplers/sampler-table.ts';
import type { Constraint, Objective, Trial } from '../../../search/trial.ts';
import type { SpreadModel } from '../../../tape/bars/bar-reader.ts';
import { endOf, readManifest } from '../../../tape/read.ts';
import { strategyOf } from '../../backtest/inputs/said-signals.ts';
import { guardStrategies } from '../../guard/guard.ts';
import type { SignalGiven } from '../../setup/options.ts';
import { loadObjective, loadStrategy } from '../../setup/strategy/load-strategy.ts';
import { needsOwn } from '../results/trial-figures.ts';
import { paramTexts, searchSpace, type SearchSpace } from './search-space.ts';
import type { SearchSetup } from '../workers/worker-setup.ts';

export interface SearchOptions {
  readonly strategy: StrategyChoice;
  /** Texts of `--param`: values, ranges and lists by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly tape: string;
  readonly config: BotConfig;
  /** Folder of a finer tape for the bars of this one. */
  readonly detail?: string | undefined;
  readonly everyTick: boolean;
  readonly spread: SpreadModel | undefined;
  /** Calls of `onSignal` in each run, at their times. Default: none. */
  readonly signals?: readonly SignalGiven[] | undefined;
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** Share of the time at the end that takes no part in the search, from 0 to 0.9. */
  readonly holdout: number;
  /** Milliseconds before the last part that belong to neither part. Default 0. */
  readonly purgeMs?: number | undefined;
  readonly trials: number;
  readonly objectives: readonly Objective[];
  readonly constraints: readonly Constraint[];
  readonly sampler: SamplerName;
  readonly seed: number;
  readonly workers: number;
  /** Ends the search early. */
  readonly signal: AbortSignal;
}

export interface PreparedSearch {
  readonly definition: Awaited<ReturnType<typeof loadStrategy>>;
  readonly found: SearchSpace;
  readonly setup: SearchSetup;
  readonly textsOf: (trial: Pick<Trial, 'point'>) => ParamTexts;
}

/** @throws Failure, TapeError */
export async function prepareSearch(options: SearchOptions): Promise<PreparedSearch> {
  const { sampler, objectives, config } = options;
  guardStrategies(config, { isLive: false });
  const definition = await loadStrategy(options.strategy.file);
  if ([...objectives, ...options.constraints].some(({ figure }) => needsOwn(figure))) await loadObjective(options.strategy.file);
  for (const one of options.signals ?? []) strategyOf(one, [options.strategy.name ?? definition.name]);
  const found = searchSpace(definition, { ...options.strategy.params, ...options.params });
  const refusal = SAMPLERS[sampler].refuses(found.space, objectives.length);
  if (refusal !== null) throw new Failure('flag-value', { what: `${sampler} needs ${refusal}`, where: '--sampler' });
  return { definition, found, setup: setupOf(options, found), textsOf: ({ point }) => paramTexts(definition.params, point) };
}

function setupOf(
  { strategy, tape, config, everyTick, spread, signals, seed, holdout, ...options }: SearchOptions,
  { fixed }: SearchSpace,
): SearchSetup {
  const manifest = readManifest(tape);
  const from = Math.max(options.from ?? manifest.from, manifest.from);
  const to = Math.min(options.to ?? endOf(manifest), endOf(manifest));
  const split = Math.round(from + (to - from) * (1 - holdout));
  const searchedTo = split - (options.purgeMs ?? 0);
  if (!(from < searchedTo)) {
    const [first, last] = [manifest.from, manifest.to].map((time) => new Date(time).toISOString());
    throw new Failure('range-empty', {
      what: 'no row of the tape lies between --from and --to',
      where: tape,
      hint: `the tape goes from ${first} to ${last}`,
    });
  }
  const metrics = [...options.objectives, ...options.constraints].map(({ figure }) => figure);
  // Credentials are not needed, and stay in this thread.
  const plain = { ...config, credentials: null };
  return {
    strategy: { ...strategy, params: fixed },
    config: plain,
    everyTick,
    spread,
    signals,
    speed: 1,
    seed,
    metrics,
    from,
    searchedTo,
    split,
    to,
  };
}
