/** A thread that runs the seeds it is given until it is given none. */
import { parentPort } from 'node:worker_threads';
import { batch, type WorldName } from './batch.ts';

const port = parentPort!;
port.on('message', (range: readonly [WorldName, number, number] | null) => {
  if (range === null) port.close();
  else void batch(...range).then((sum) => port.postMessage(sum));
});
