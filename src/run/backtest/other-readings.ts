/** Runs the pessimistic and the optimistic reading of a backtest beside it, in threads: one for each if there are processors for all three runs. */
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { messageOf } from '../../base/failure/message-of.ts';
import { grouped } from '../../base/text/figures.ts';
import { bracketOf, readingOf } from '../../report/three-readings.ts';
import type { Reading } from '../../report/reading.ts';
import type { RunReport } from '../../report/run-report.ts';
import { readManifest } from '../../tape/read.ts';
import type { BacktestOptions } from '../setup/options.ts';
import { playsBars } from './inputs/runs-on-bars.ts';
import { prepareBacktest, runBacktest } from './backtest.ts';
import { startThread } from '../setup/threads.ts';
import { termsOf } from './inputs/readings.ts';
import type { ReadingAnswer, ReadingJob } from './reading-thread.ts';

/** Threads that this machine runs at a time. */
const CORES = availableParallelism();
/** The run itself and its two readings. */
const RUNS = 3;

/**
 * The report of the options, with its bracket. If a reading fails, there is no bracket and a note says why; neither is there one where it would
 * take twice as long or more: three runs on `cores` processors. @throws as runBacktest
 */
export async function runWithBracket(options: BacktestOptions, cores = CORES): Promise<RunReport> {
  if (RUNS / cores >= 2) {
    const report = await runBacktest(options);
    return changed(report, {
      notes: [...report.notes, 'there is no bracket of readings: on one processor it would take three times as long.'],
    });
  }
  const began = performance.now();
  const isOnBars = playsBars(readManifest(options.tape), options);
  const { simulation } = options.config;
  // Neither a function nor secrets can be copied to a thread.
  const { progress: _, strategyLog: __, ...copied } = { ...options, config: { ...options.config, credentials: null } };
  const jobFor = (name: 'pessimistic' | 'optimistic'): ReadingJob => {
    const reading = termsOf(name, simulation, isOnBars);
    return { name, words: reading.words, options: { ...copied, reading } };
  };
  const [pessimistic, optimistic] = [jobFor('pessimistic'), jobFor('optimistic')];
  const thread = new ReadingThread();
  // Without a processor for each, one thread runs both: it loads the program once, and the second run finds its code compiled.
  const other = cores < RUNS ? null : new ReadingThread();
  const [low, early] = [thread.run(pessimistic), other?.run(optimistic)];
  try {
    const backtest = await prepareBacktest(options);
    const report = backtest.run();
    const isSame = backtest.ambiguity?.choices === 0;
    const first = await low;
    const same = isSame ? { reading: readingOf('optimistic', optimistic.words, report) } : null;
    const answers = [first, await (early ?? same ?? thread.run(optimistic))] as const;
    const timed = { performance: { ...report.performance, bracketMs: Math.round(performance.now() - began) } };
    return changed(report, { ...timed, ...bracketFor(report, isOnBars, simulation.fillModel, answers) });
  } finally {
    await Promise.all([thread.stop(), other?.stop()]);
  }
}

/** The report with some parts replaced. Its getters stay unread until somebody asks for them. */
function changed(report: RunReport, more: Partial<RunReport>): RunReport {
  return Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(report), ...Object.getOwnPropertyDescriptors(more) },
  ) as RunReport;
}

function bracketFor(
  report: RunReport,
  isOnBars: boolean,
  fillModel: string,
  answers: readonly [ReadingAnswer, ReadingAnswer],
): Pick<RunReport, 'bracket'> | Pick<RunReport, 'notes'> {
  const errors = answers.flatMap((one) => ('error' in one ? [one.error] : []));
  const [low, high] = answers;
  if ('error' in low || 'error' in high) return { notes: [...report.notes, `there is no bracket of readings: ${errors.join('; ')}.`] };
  const words = isOnBars
    ? 'of all orders of prices inside a bar the one with the lowest equity, cancels come too late at the open, the spread is as stated'
    : `fills by the "${fillModel}" model, latency and spread as configured`;
  const readings: readonly Reading[] = [low.reading, readingOf('as reported', words, report), high.reading];
  return { bracket: bracketOf(readings, (amount) => `${amount < 0 ? '−' : ''}${grouped(Math.abs(amount).toFixed(2))}`) };
}

/** A thread that runs readings, one after the other. */
class ReadingThread {
  readonly #worker: Worker;

  constructor() {
    // What a strategy prints, it prints once.
    this.#worker = startThread(new URL('./reading-thread.ts', import.meta.url), { stdout: true, stderr: true });
  }

  /** Begin the next one after the answer. */
  run(job: ReadingJob): Promise<ReadingAnswer> {
    const worker = this.#worker;
    return new Promise((resolve) => {
      worker.once('message', resolve);
      worker.once('error', (error) => resolve({ error: messageOf(error) }));
      worker.once('exit', () => resolve({ error: 'its thread ended early' }));
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      worker.postMessage(job);
    });
  }

  stop(): Promise<unknown> {
    return this.#worker.terminate();
  }
}
