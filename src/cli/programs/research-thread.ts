/**
 * The thread that does the research of a program: it runs the command as the command line does, and posts the result instead of printing
 * it. What guards strategies is set up here, so the program around it stays as it was.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { sentError } from '../../base/failure/sent-error.ts';
import type { ResearchResult } from '../../report/document/research/research-document.ts';
import type { RunReport } from '../../report/run-report.ts';
import { guardThread, onStrayPromises, strayFailure } from '../../run/guard/guard.ts';
import type { StudyProgress } from '../../run/search/study/run-study.ts';
import { backtestOf } from '../backtest/backtest-command.ts';
import { optimizeOptions } from '../search/optimize-command.ts';
import { walkForwardOptions } from '../search/walk-forward-command.ts';
import { configOf, withParams } from '../shell/cli-context.ts';
import { NO_TERMINAL as context } from './no-terminal.ts';
import type { ResearchAnswer, ResearchJob } from './research-job.ts';

const PROGRESS_MS = 100;

const job = workerData as ResearchJob;
const port = parentPort!;

function post(answer: ResearchAnswer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
  port.postMessage(answer);
}

async function resultOf(): Promise<RunReport | ResearchResult> {
  guardThread(await configOf(job.flags, context));
  if (job.command === 'backtest') return run(job);
  const stop = new AbortController();
  const { signal } = stop;
  // Whatever it is told ends the search: its own threads end first, and its study is closed.
  port.on('message', () => stop.abort());
  if (job.command === 'optimize') {
    const { optimize } = await import('../../run/search/optimize.ts');
    const options = await optimizeOptions(job.flags, context, signal);
    return watched((tell) => optimize({ ...options, progress: (now) => tell(now, 1) }));
  }
  const { walkForward } = await import('../../run/search/walk-forward.ts');
  const options = await walkForwardOptions(job.flags, context, signal);
  return watched((tell) => walkForward({ ...options, progress: tell }));
}

function run({ flags, isLogged }: ResearchJob & { readonly command: 'backtest' }): Promise<RunReport> {
  let next = 0;
  return backtestOf(flags, context, {
    guard: guardThread,
    progress: (rows, share) => {
      if (performance.now() < next) return;
      next = performance.now() + PROGRESS_MS;
      post({ kind: 'rows', rows, share });
    },
    strategyLog: isLogged ? (time, fields) => post({ kind: 'log', time, fields }) : undefined,
  });
}

type TellSearch = (now: () => StudyProgress, window: number) => void;

/** Posts how far the search is, as long as it goes on. */
async function watched<T>(work: (tell: TellSearch) => Promise<T>): Promise<T> {
  let told: [() => StudyProgress, number] | null = null;
  let last = '';
  const tellNow = (): void => {
    if (told === null) return;
    const { settled, trials, best } = told[0]();
    const shown = best === null ? null : { trial: best.number, figures: best.outcome?.figures ?? {} };
    const now = { trials: settled, of: trials, best: shown, window: told[1] };
    const text = JSON.stringify(now);
    if (text !== last) post({ kind: 'search', now });
    last = text;
  };
  const timer = setInterval(tellNow, PROGRESS_MS);
  try {
    const result = await work((now, window) => void (told = [now, window]));
    tellNow();
    return result;
  } finally {
    clearInterval(timer);
  }
}

onStrayPromises((error) => post({ kind: 'failed', error: sentError(strayFailure(error)) }));
const { param, symbol, config } = job.flags;
const named = { ...(param && { param }), ...(symbol && { symbol }), ...(config !== undefined && { config }) };
await withParams(named, resultOf).then(
  (result) => post({ kind: 'result', result }),
  (error: unknown) => post({ kind: 'failed', error: sentError(error) }),
);
