/** Runs the pessimistic and the optimistic reading of a backtest beside it, in threads: one for each if there are processors for all three runs. */
import { availableParallelism } from 'node:os';
import { grouped } from '../../base/text/figures.ts';
import { bracketOf, readingOf } from '../../report/bracket.ts';
import type { Reading } from '../../report/reading.ts';
import type { RunReport } from '../../report/run-report.ts';
import { readManifest } from '../../tape/read.ts';
import type { BacktestOptions } from '../setup/options.ts';
import { playsBars } from './inputs/on-bars.ts';
import { runBacktest } from './backtest.ts';
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
  const jobs = (['pessimistic', 'optimistic'] as const).map((name): ReadingJob => {
    const reading = termsOf(name, simulation, isOnBars);
    return { name, words: reading.words, options: { ...copied, reading } };
  });
  // Without a processor for each, one thread runs both: it loads the program once, and the second run finds its code compiled.
  const started = (cores < RUNS ? [jobs] : jobs.map((job) => [job])).map(startReadings);
  try {
    const report = await runBacktest(options);
    const [low, high] = (await Promise.all(started.map(({ answers }) => answers))).flat();
    const timed = { performance: { ...report.performance, bracketMs: Math.round(performance.now() - began) } };
    return changed(report, { ...timed, ...bracketFor(report, isOnBars, simulation.fillModel, [low!, high!]) });
  } finally {
    await Promise.all(started.map(({ stop }) => stop()));
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

interface StartedReadings {
  /** In the order of the jobs. */
  readonly answers: Promise<readonly ReadingAnswer[]>;
  readonly stop: () => Promise<unknown>;
}

function startReadings(jobs: readonly ReadingJob[]): StartedReadings {
  const worker = startThread(new URL('./reading-thread.ts', import.meta.url), {
    workerData: jobs,
    // What a strategy prints, it prints once.
    stdout: true,
    stderr: true,
  });
  const answers = new Promise<readonly ReadingAnswer[]>((resolve) => {
    const fail = (error: string): void => resolve(jobs.map(() => ({ error })));
    worker.on('message', resolve);
    worker.on('error', (error) => fail(error instanceof Error ? error.message : String(error)));
    worker.on('exit', () => fail('its thread ended early'));
  });
  return { answers, stop: () => worker.terminate() };
}
