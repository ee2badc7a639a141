/** A worker thread that runs readings of a backtest one after the other. It sends back each reading, or the reason why there is none. */
import { parentPort, workerData } from 'node:worker_threads';
import { readingOf } from '../../report/bracket.ts';
import type { Reading, ReadingName } from '../../report/reading.ts';
import { guardThread } from '../guard/guard.ts';
import type { BacktestOptions } from '../setup/options.ts';
import { prepareBacktest } from './backtest.ts';

export interface ReadingJob {
  readonly name: ReadingName;
  readonly words: string;
  readonly options: Omit<BacktestOptions, 'progress' | 'strategyLog'>;
}

export type ReadingAnswer = { readonly reading: Reading } | { readonly error: string };

async function answer({ name, words, options }: ReadingJob): Promise<ReadingAnswer> {
  try {
    guardThread(options.config);
    // No figure of a reading needs the prices after fills.
    const backtest = await prepareBacktest(options, { isWatched: false });
    return { reading: readingOf(name, words, backtest.run()) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

const answers: ReadingAnswer[] = [];
for (const job of workerData as readonly ReadingJob[]) answers.push(await answer(job));
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort!.postMessage(answers);
