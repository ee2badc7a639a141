/** `tickwright/research`: commands of research as functions. Each runs in a thread of its own, with the code of the command. */
import type { Worker } from 'node:worker_threads';
import { defined } from '../../base/defined.ts';
import { Failure } from '../../base/failure/failure.ts';
import { receivedError, type SentError } from '../../base/failure/sent-error.ts';
import type { ResearchResult } from '../../report/document/research/research-document.ts';
import type { SearchResult } from '../../report/research/search-result.ts';
import type { WalkForwardResult } from '../../report/research/walk-forward-result.ts';
import type { RunReport } from '../../report/run-report.ts';
import { openColumns, type OpenedTape } from '../../run/market/tape-columns.ts';
import { readResult } from '../../run/report/report-files.ts';
import { startThread } from '../../run/setup/threads.ts';
import { SEARCH_DEFAULTS } from '../../search/defaults.ts';
import type { BacktestFlags } from '../backtest/backtest-command.ts';
import type { OptimizeFlags } from '../search/optimize-flags.ts';
import { asOptions, settingsOf } from './option-names.ts';
import type { ResearchAnswer, ResearchJob } from './research-job.ts';
import type { BacktestOptions, MarketOptions, Moment, OptimizeOptions, SearchOptions, WalkForwardOptions } from './research-options.ts';
import { resultOf, type AnyResult, type RunResult, type SearchOutcome, type WalkForwardOutcome } from './results.ts';

/**
 * Runs strategies on a tape: `tickwright backtest`, in a thread. The same options give the same report, except `performance`.
 * @throws Failure, with the code and the problems that the command would print
 */
export async function backtest(options: BacktestOptions): Promise<RunResult> {
  const { strategy, log } = options;
  const flags: BacktestFlags = defined({
    ...marketFlags(options),
    strategy: typeof strategy === 'string' ? [strategy] : strategy,
    study: options.study,
    botFrom: momentOf(options.botFrom),
    insideBars: options.insideBars === true ? true : undefined,
    speed: options.speed ?? 1,
    bracket: options.bracket ?? true,
  });
  const report = await done({ command: 'backtest', flags, isLogged: log !== undefined }, options.signal, (answer) => {
    if (answer.kind === 'rows') options.progress?.(answer.rows, answer.share);
    if (answer.kind === 'log') log?.(answer.time, answer.fields);
  });
  return resultOf(report as RunReport);
}

/**
 * Searches the parameters of a strategy: `tickwright optimize`, in threads. A study file keeps each trial when it has ended.
 * @throws Failure
 */
export async function optimize(options: OptimizeOptions): Promise<SearchOutcome> {
  const { holdout = SEARCH_DEFAULTS.holdout, study } = options;
  const flags = defined({ ...searchFlags(options), holdout, study });
  const result = await done({ command: 'optimize', flags }, options.signal, searchTold(options));
  return resultOf(result as SearchResult);
}

/**
 * Searches parameters on the past and judges them on what follows, again and again: `tickwright walk-forward`, in threads.
 * @throws Failure
 */
export async function walkForward(options: WalkForwardOptions): Promise<WalkForwardOutcome> {
  const { folds = SEARCH_DEFAULTS.folds, train = SEARCH_DEFAULTS.train, rolling, purgeMs: purge = 0 } = options;
  const flags = defined({
    ...searchFlags(options),
    holdout: 0,
    folds,
    train,
    purge,
    rolling: rolling === true ? (true as const) : undefined,
  });
  const result = await done({ command: 'walk-forward', flags }, options.signal, searchTold(options));
  return resultOf(result as WalkForwardResult);
}

/** Opens a tape, whose rows can then be read as columns. @throws Failure (tape-…) */
export function loadTape(folder: string): OpenedTape {
  return openColumns(folder);
}

/** Reads a result that a command wrote with `--out FILE`, or the file of a complete study. @throws Failure (report-unreadable) */
export function readReport(file: string): AnyResult {
  return resultOf<RunReport | ResearchResult, AnyResult['tables']>(readResult(file));
}

function marketFlags({ params, symbols, set, from, to, everyTick, ...options }: MarketOptions & Pick<BacktestOptions, 'params'>) {
  return {
    tape: options.tape,
    param: params && (Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)])) as Record<string, string>),
    symbol: symbols,
    ...settingsOf({ config: options.config, set }),
    from: momentOf(from),
    to: momentOf(to),
    seed: options.seed,
    everyTick: everyTick === true ? (true as const) : undefined,
    spread: options.spread,
    detail: options.detail,
    signals: options.signals,
  };
}

function searchFlags(options: SearchOptions): Omit<OptimizeFlags, 'holdout'> {
  return defined({
    ...marketFlags(options),
    strategy: options.strategy,
    trials: options.trials ?? SEARCH_DEFAULTS.trials,
    by: options.by ?? SEARCH_DEFAULTS.by,
    sampler: options.sampler ?? SEARCH_DEFAULTS.sampler,
    constraint: options.constraints,
    prune: options.prune === true ? (true as const) : undefined,
    workers: options.workers,
  });
}

function searchTold({ progress }: SearchOptions): (answer: ResearchAnswer) => void {
  return (answer) => {
    if (answer.kind === 'search') progress?.(answer.now);
  };
}

function momentOf(moment: Moment | undefined): number | undefined {
  return moment instanceof Date ? moment.getTime() : moment;
}

/** The result of a job. The thread ends with it, and at once when the signal aborts. */
function done(
  job: ResearchJob,
  signal: AbortSignal | undefined,
  told: (answer: ResearchAnswer) => void,
): Promise<RunReport | ResearchResult> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason as Error);
    const worker: Worker = startThread(new URL('./research-thread.ts', import.meta.url), { workerData: job });
    const end = (settle: () => void): void => {
      signal?.removeEventListener('abort', abort);
      worker.removeAllListeners();
      // A thread that is ended may still fail in what it began.
      worker.on('error', () => undefined);
      void worker.terminate();
      settle();
    };
    const abort = (): void => {
      if (job.command === 'backtest') return end(() => reject(signal?.reason as Error));
      reject(signal?.reason as Error);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
      worker.postMessage('stop');
    };
    signal?.addEventListener('abort', abort, { once: true });
    worker.on('message', (answer: ResearchAnswer) => {
      if (answer.kind === 'result') return end(() => resolve(answer.result));
      if (answer.kind === 'failed') return end(() => reject(errorOf(answer.error)));
      try {
        told(answer);
      } catch (error) {
        end(() => reject(error));
      }
    });
    worker.on('error', (error) => end(() => reject(error as Error)));
    worker.on('exit', () =>
      end(() => reject(new Failure('program-fault', { what: 'the thread of the run ended early', where: job.command }))),
    );
  });
}

/** The error of the thread; what a flag caused names the option. */
function errorOf(sent: SentError): Error {
  const error = receivedError(sent);
  return error instanceof Failure ? asOptions(error) : error;
}
