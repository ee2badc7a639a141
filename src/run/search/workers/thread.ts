/** A worker thread of a search: loads the strategy, then runs one job after the other on the shared tape. */
import { parentPort, workerData } from 'node:worker_threads';
import { sentError } from '../../../base/failure/sent-error.ts';
import type { LoadedMarket } from '../../backtest/trials.ts';
import { cells } from '../../../engine/strategy/definition/running.ts';
import { onStrayPromises, strayFailure } from '../../guard/guard.ts';
import { openRunner } from './runner.ts';
import type { RunJob, SearchSetup } from './worker-setup.ts';

export interface ThreadData {
  readonly market: LoadedMarket;
  readonly setup: SearchSetup;
}

const { market, setup } = workerData as ThreadData;
const port = parentPort!;
// oxlint-disable unicorn/require-post-message-target-origin -- a worker thread, not a window
onStrayPromises((error) => port.postMessage(sentError(strayFailure(error))));
const run = await openRunner(market, setup);
port.on('message', (job: RunJob) => port.postMessage(run(job)));
// The other side sees by these cells whether a call of the strategy returns.
port.postMessage(cells);
