/** `optimize`: searches the parameters of a strategy on the first part of a tape, and tries what it found on the last part. */
import type { Judged, ParamTexts, SearchResult } from '../../report/research/search-result.ts';
import { gridSize } from '../../search/samplers/grid-sampler.ts';
import { samplerOf } from '../../search/samplers/sampler-table.ts';
import { SHARES } from '../../search/study/halving.ts';
import { Study } from '../../search/study/study.ts';
import type { Objective, Outcome, Trial } from '../../search/trial.ts';
import { loadMarket, type LoadedMarket } from '../backtest/trials.ts';
import type { loadStrategy } from '../setup/strategy/load-strategy.ts';
import { shownParams } from '../setup/strategy/shown-params.ts';
import { selectionBiasOf, type HeldOutRun } from './results/selection-bias.ts';
import type { Executor, ExecutorEvents } from './workers/job-executor.ts';
import { identityOf } from './study/identity.ts';
import type { SearchSpace } from './space/search-space.ts';
import { prepareSearch, type SearchOptions } from './space/prepare.ts';
import { chosenTrials, importanceRows, judged, searchedTrial } from './results/result.ts';
import { runJobs } from './workers/run-jobs.ts';
import { runStudy, type StudyProgress } from './study/run-study.ts';
import type { RunJob, SearchSetup } from './workers/worker-setup.ts';
import { StudyStore } from './study/study-store.ts';
import { startThreads } from './workers/worker-threads.ts';

export interface OptimizeOptions extends SearchOptions {
  readonly version: string;
  readonly isPruned: boolean;
  /** File of the study; null for none. */
  readonly study: string | null;
  /** How the search was asked for, which the study keeps; absent for nothing. */
  readonly command?: string | undefined;
  /** Notes that the study is searched, until it is closed; absent if no page is to show it. */
  readonly noted?: ((study: string) => { close(): void } | null) | undefined;
  /** Starts what runs the trials elsewhere; null for threads of this process. */
  readonly remote: ((search: RemoteSearch, events: ExecutorEvents) => Promise<Executor>) | null;
  /** Starts the threads that run the trials; default: threads of this search alone. */
  readonly threads?: typeof startThreads | undefined;
  /** Starts what runs the chosen trials again; default: fresh threads. */
  readonly judges?: typeof startThreads | undefined;
  /** False if nobody asks what the result owes to the search and to each parameter: tests that take time after the trials. Default true. */
  readonly isExplained?: boolean | undefined;
  /** Gets a function that tells how far the search is. */
  readonly progress?: ((now: () => StudyProgress) => void) | undefined;
}

/** What workers elsewhere need. */
interface RemoteSearch {
  /** Folder of the tape. */
  readonly tape: string;
  readonly setup: SearchSetup;
}

/** Runs a search. Same inputs give the same result, except `performance`. @throws Failure, TapeError, ParamError */
export async function optimize(options: OptimizeOptions): Promise<SearchResult> {
  const started = performance.now();
  const { sampler, objectives, constraints, seed, isPruned, workers, signal, threads = startThreads, isExplained = true } = options;
  const { definition, found, setup, textsOf } = await prepareSearch(options);
  const { space } = found;
  const identity = identityOf({ ...options, setup, space });
  const market = loadMarket(options.tape, options.config, options);
  const study = new Study({ space, sampler: samplerOf(sampler, space, seed), objectives, constraints, trials: options.trials, isPruned });
  const start = (events: ExecutorEvents): Promise<Executor> =>
    options.remote === null ? threads(workers, { market, setup }, events) : options.remote({ tape: options.tape, setup }, events);

  const store = new StudyStore(options.study ?? ':memory:', identity);
  let note: { close(): void } | null | undefined = null;
  try {
    store.lock();
    if (options.command !== undefined) store.keepCommand(options.command);
    const rungs = isPruned ? SHARES.length : 1;
    store.keepSubject({ strategy: definition.name, tape: options.tape, sampler, objectives, constraints, rungs });
    if (options.study !== null) note = options.noted?.(options.study);
    const { isComplete, executor, runs } = await runStudy({
      study,
      trials: options.trials,
      store,
      textsOf,
      spanOf: (share) => ({ from: setup.from, to: setup.from + Math.round((setup.searchedTo - setup.from) * share) }),
      start,
      progress: options.progress,
      signal,
    });
    await executor?.close();
    const { trials } = study;
    const chosen = isComplete ? chosenTrials(trials, objectives) : [];
    const searched = { from: setup.from, to: setup.searchedTo };
    const hasHoldout = setup.split < setup.to;
    const judging = judgedOn({ market, setup, chosen, textsOf, workers, signal, threads: options.judges });
    const heldOut = async (): Promise<HeldOutRun | null> => {
      const { heldOutReturns: returns } = await judging;
      return returns && { returns, span: { from: setup.split, to: setup.to } };
    };
    // The threads start while this one computes.
    const [{ front, defaults, isRepeated }, selectionBias] = await Promise.all([
      judging,
      Promise.resolve().then(() =>
        isComplete && isExplained ? selectionBiasOf({ trials, space, objectives, searched, seed, heldOut }) : null,
      ),
    ]);
    const count = (state: Trial['state']): number => trials.filter((trial) => trial.state === state).length;
    const result: SearchResult = {
      kind: 'search',
      strategy: definition.name,
      sampler,
      seed,
      objectives,
      constraints,
      space,
      fixed: shownFixed(definition, found),
      searched,
      holdout: hasHoldout ? { from: setup.split, to: setup.to } : null,
      isComplete,
      counts: { done: count('done'), pruned: count('pruned'), failed: count('failed') },
      best: front[0] ?? null,
      front,
      defaults,
      importance: isExplained ? importanceRows(trials, space, objectives, seed) : {},
      selectionBias,
      notes: notesOf({
        trials,
        unseen: isComplete && sampler === 'grid' ? gridSize(space) - trials.length : 0,
        hasHoldout,
        isRepeated,
        front,
        objectives,
      }),
      trials: trials.filter(({ state }) => state !== 'running').map((trial) => searchedTrial(trial, textsOf(trial))),
      hash: study.hash(),
      performance: { wallMs: Math.round(performance.now() - started), workers, runs },
    };
    if (isComplete) store.keepResult(JSON.stringify(result));
    return result;
  } finally {
    store.close();
    note?.close();
  }
}

/** Values of the parameters that were not searched. */
function shownFixed(definition: Awaited<ReturnType<typeof loadStrategy>>, { space, fixed }: SearchSpace): ParamTexts {
  const all = Object.entries(shownParams(definition, fixed)).filter(([name]) => !space.some((dimension) => dimension.name === name));
  return Object.fromEntries(all.map(([name, value]) => [name, String(value)]));
}

interface Tried {
  readonly front: readonly Judged[];
  readonly defaults: Judged;
  /** Of the first chosen trial in the part that was held out; null without one. */
  readonly heldOutReturns: readonly number[] | null;
  /** False if a chosen trial gave another report when it ran again in a fresh thread. */
  readonly isRepeated: boolean;
}

interface Chosen {
  readonly market: LoadedMarket;
  readonly setup: SearchSetup;
  readonly chosen: readonly Trial[];
  readonly textsOf: (trial: Trial) => ParamTexts;
  readonly workers: number;
  readonly signal: AbortSignal;
  readonly threads: typeof startThreads | undefined;
}

/** Runs the chosen trials and the defaults in fresh threads, on the searched part and on the last part. */
async function judgedOn({ market, setup, chosen, textsOf, workers, signal, threads }: Chosen): Promise<Tried> {
  const sets = [...chosen.map((trial) => ({ trial, params: textsOf(trial) })), { trial: null, params: {} }];
  const hasHoldout = setup.split < setup.to;
  const jobs = sets.flatMap(({ params }, k): RunJob[] => [
    { id: 2 * k, params, from: setup.from, to: setup.searchedTo },
    ...(hasHoldout ? [{ id: 2 * k + 1, params, from: setup.split, to: setup.to }] : []),
  ]);
  const outcomes = signal.aborted
    ? new Map<number, Outcome>()
    : await runJobs(jobs, Math.min(workers, jobs.length), { market, setup }, { threads });
  const nothing: Outcome = { figures: {}, hash: '' };
  const rows = sets.map(({ trial, params }, k) =>
    judged(trial?.number ?? null, params, outcomes.get(2 * k) ?? trial?.outcome ?? nothing, outcomes.get(2 * k + 1) ?? null),
  );
  const isRepeated = sets.every(
    ({ trial }, k) => trial === null || (outcomes.get(2 * k)?.hash ?? trial.outcome?.hash) === trial.outcome?.hash,
  );
  const heldOutReturns = (chosen.length > 0 && outcomes.get(1)?.returns) || null;
  return { front: rows.slice(0, -1), defaults: rows.at(-1)!, heldOutReturns, isRepeated };
}

interface Facts {
  readonly trials: readonly Trial[];
  /** Points of a grid that were not tried. */
  readonly unseen: number;
  readonly hasHoldout: boolean;
  readonly isRepeated: boolean;
  readonly front: readonly Judged[];
  readonly objectives: readonly Objective[];
}

function notesOf({ trials, unseen, hasHoldout, isRepeated, front, objectives }: Facts): string[] {
  const notes: string[] = [];
  const failed = trials.filter(({ state }) => state === 'failed');
  const done = trials.filter(({ state }) => state === 'done').length;
  if (!isRepeated) {
    notes.push(
      'a chosen trial gave another result when it ran again in a fresh thread: the strategy keeps state between runs, so no figure here can be trusted.',
    );
  }
  if (!hasHoldout)
    notes.push('nothing was held out: the figures of the best trial are chosen for being large, and say nothing about what comes.');
  if (done > 1)
    notes.push(
      `the best of ${done} results is chosen for its luck as well as its merit; judge it by the part that took no part in the search.`,
    );
  if (unseen > 0) {
    const all = trials.length + unseen;
    notes.push(`the grid has ${all} points and ${trials.length} of them were tried, in their order; --trials ${all} tries all.`);
  }
  const [first] = failed;
  if (first !== undefined) {
    const why =
      first.outcome?.error ??
      `${objectives.map(({ figure }) => figure).join(' or ')} does not exist: the run is too short, or has too few trades`;
    notes.push(`${failed.length} of ${trials.length} trials gave no result; the first: ${why}.`);
  }
  const best = front[0];
  const broken = trials.find(({ number }) => number === best?.number)?.violation ?? 0;
  if (broken > 0) notes.push('no trial meets the constraints; the best is the one that misses them by the least.');
  return notes;
}
