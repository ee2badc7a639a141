/** Runs a study to its end: reads outcomes from its file, and gives the missing ones to an executor. */
import type { Span } from '../../../report/research/search-result.ts';
import { bestOf } from '../../../search/ranking.ts';
import type { Job, Study } from '../../../search/study/study.ts';
import type { Outcome, Trial } from '../../../search/trial.ts';
import type { Executor } from '../workers/job-executor.ts';
import type { RunJob, RunResult } from '../workers/worker-setup.ts';
import type { StudyStore } from './study-store.ts';

export interface StudyProgress {
  /** Trials with a final state, and how many there may be. */
  readonly settled: number;
  readonly trials: number;
  /** Runs whose outcome the file had. */
  readonly kept: number;
  /** Runs that this process waited for, and their duration in milliseconds. */
  readonly runs: number;
  readonly runMs: number;
  readonly best: Trial | null;
}

export interface StudyWork {
  readonly study: Study;
  readonly trials: number;
  readonly store: StudyStore;
  readonly textsOf: (job: Job) => Readonly<Record<string, string>>;
  /** The part of the tape for a share of its length, above 0 to 1. */
  readonly spanOf: (share: number) => Span;
  /** Starts the executor when the first run is needed. */
  readonly start: (events: { done(result: RunResult): void; failed(error: Error): void }) => Promise<Executor>;
  readonly progress?: ((now: () => StudyProgress) => void) | undefined;
  /** Ends the study early; outcomes so far are kept. */
  readonly signal: AbortSignal;
}

/** How far it is goes to the file so often. */
const TOLD_EVERY_MS = 1_000;

interface Running {
  readonly job: Job;
  readonly params: string;
}

/** Resolves when no trial is left, or after the signal. True if the study is complete. */
export async function runStudy(
  work: StudyWork,
): Promise<{ readonly isComplete: boolean; readonly executor: Executor | null; readonly runs: number }> {
  const { study, store, textsOf, signal } = work;
  const running = new Map<number, Running>();
  let executor: Executor | null = null;
  let nextId = 0;
  let runs = 0;
  let kept = 0;
  let runMs = 0;
  let wake: (() => void) | null = null;
  let fault: Error | null = null;
  const stop = (): void => wake?.();
  signal.addEventListener('abort', stop);
  const settledTrials = (): readonly Trial[] => study.trials.filter(({ state }) => state !== 'running');
  work.progress?.(() => {
    const settled = settledTrials();
    return { settled: settled.length, trials: work.trials, kept, runs, runMs, best: bestOf(settled) };
  });
  const startedAt = Date.now();
  let toldAt = 0;
  const tell = (everyMs = 0): void => {
    const at = Date.now();
    if (at < toldAt + everyMs) return;
    toldAt = at;
    store.keepPace({ settled: settledTrials().length, trials: work.trials, kept, runs, startedAt, at, isComplete: study.isDone });
  };

  const events = {
    done({ id, outcome, ms }: RunResult): void {
      const one = running.get(id);
      if (one === undefined) return;
      running.delete(id);
      runs++;
      runMs += ms;
      store.keep(one.job.number, one.job.rung, one.params, outcome, ms);
      study.finish(one.job, outcome);
      tell(TOLD_EVERY_MS);
      wake?.();
    },
    failed(error: Error): void {
      fault = error;
      wake?.();
    },
  };
  /** Gives out jobs while there are some. Outcomes of the file need no run. */
  const give = async (): Promise<void> => {
    while (running.size < (executor?.capacity ?? 1) && !signal.aborted) {
      const job = study.next();
      if (job === null) return;
      const texts = textsOf(job);
      const params = JSON.stringify(texts);
      const known: Outcome | null = store.outcome(job.number, job.rung, params);
      if (known !== null) {
        kept++;
        study.finish(job, known);
        continue;
      }
      const run: RunJob = { id: nextId++, params: texts, ...work.spanOf(job.share) };
      running.set(run.id, { job, params });
      executor ??= await work.start(events);
      executor.submit(run);
    }
  };
  try {
    tell();
    for (;;) {
      await give();
      if (fault !== null) throw fault as Error;
      if (signal.aborted || (running.size === 0 && study.isDone)) break;
      await new Promise<void>((resolve) => (wake = resolve));
      wake = null;
    }
    tell();
  } catch (error) {
    await (executor as Executor | null)?.close();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return { isComplete: study.isDone, executor, runs };
}
