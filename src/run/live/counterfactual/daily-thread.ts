/** A thread that computes the days of a bot for its monitor, which goes on meanwhile. */
import { parentPort, workerData } from 'node:worker_threads';
import { divergenceDays } from './daily.ts';

export interface DailyJob {
  /** State folder of the bot. */
  readonly folder: string;
  readonly from: number;
  readonly to: number;
}

const { folder, from, to } = workerData as DailyJob;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
parentPort!.postMessage(await divergenceDays(folder, { from, to, now: to, simulation: 'own' }));
