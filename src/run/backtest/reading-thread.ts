/** A worker thread that runs readings of a backtest, one for each message. It sends back the reading, or the reason why there is none. */
import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../base/failure/message-of.ts';
import { readingOf } from '../../report/three-readings.ts';
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
    const backtest = await prepareBacktest(options, { isWatched: false, isDrawn: false });
    return { reading: readingOf(name, words, backtest.run()) };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

parentPort!.on('message', (job: ReadingJob) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  void answer(job).then((one) => parentPort!.postMessage(one));
});
