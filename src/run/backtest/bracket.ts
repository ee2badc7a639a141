/** Runs the pessimistic and the optimistic reading of a backtest beside it, each in a thread of its own. */
import { availableParallelism } from 'node:os';
import { grouped } from '../../base/figures.ts';
import { bracketOf, readingOf } from '../../report/bracket.ts';
import type { Reading } from '../../report/reading.ts';
import type { RunReport } from '../../report/run-report.ts';
import { readManifest } from '../../tape/read.ts';
import type { BacktestOptions } from '../setup/options.ts';
import { hasBarMarket } from './bar-order.ts';
import { runBacktest } from './backtest.ts';
import { marketOf } from '../setup/detail.ts';
import { startThread } from '../setup/threads.ts';
import { termsOf } from './readings.ts';
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
  const hasBars = hasBarMarket(marketOf(readManifest(options.tape), options.detail));
  const { simulation } = options.config;
  // Neither a function nor secrets can be copied to a thread.
  const { progress: _, ...copied } = { ...options, config: { ...options.config, credentials: null } };
  const started = (['pessimistic', 'optimistic'] as const).map((name) => {
    const reading = termsOf(name, simulation, hasBars);
    return startReading({ name, words: reading.words, options: { ...copied, reading } });
  });
  try {
    const report = await runBacktest(options);
    const [low, high] = await Promise.all(started.map(({ answer }) => answer));
    const timed = { performance: { ...report.performance, bracketMs: Math.round(performance.now() - began) } };
    return changed(report, { ...timed, ...bracketFor(report, hasBars, simulation.fillModel, [low!, high!]) });
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
  hasBars: boolean,
  fillModel: string,
  answers: readonly [ReadingAnswer, ReadingAnswer],
): Pick<RunReport, 'bracket'> | Pick<RunReport, 'notes'> {
  const errors = answers.flatMap((one) => ('error' in one ? [one.error] : []));
  const [low, high] = answers;
  if ('error' in low || 'error' in high) return { notes: [...report.notes, `there is no bracket of readings: ${errors.join('; ')}.`] };
  const words = `fills by the "${hasBars ? 'through' : fillModel}" model, latency and spread as configured`;
  const readings: readonly Reading[] = [low.reading, readingOf('as reported', words, report), high.reading];
  return { bracket: bracketOf(readings, (amount) => `${amount < 0 ? '−' : ''}${grouped(Math.abs(amount).toFixed(2))}`) };
}

interface StartedReading {
  readonly answer: Promise<ReadingAnswer>;
  readonly stop: () => Promise<unknown>;
}

function startReading(job: ReadingJob): StartedReading {
  const worker = startThread(new URL('./reading-thread.ts', import.meta.url), {
    workerData: job,
    // What a strategy prints, it prints once.
    stdout: true,
    stderr: true,
  });
  const answer = new Promise<ReadingAnswer>((resolve) => {
    worker.on('message', resolve);
    worker.on('error', (error) => resolve({ error: error instanceof Error ? error.message : String(error) }));
    worker.on('exit', () => resolve({ error: 'its thread ended early' }));
  });
  return { answer, stop: () => worker.terminate() };
}
