/** A worker thread of a search: loads the strategy, then runs one job after the other on the shared tape. */
import { parentPort, workerData } from 'node:worker_threads';
import type { LoadedMarket } from '../backtest/trials.ts';
import { openRunner } from './runner.ts';
import type { RunJob, SearchSetup } from './setup.ts';

export interface ThreadData {
  readonly market: LoadedMarket;
  readonly setup: SearchSetup;
}

const { market, setup } = workerData as ThreadData;
const port = parentPort!;
const run = await openRunner(market, setup);
port.on('message', (job: RunJob) => port.postMessage(run(job)));
port.postMessage(null);
