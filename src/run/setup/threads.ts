/** Threads of this program. */
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { ownModule } from '../../base/own-module.ts';

const FIRST_FILE = new URL('../../thread.js', import.meta.url);

/** Starts a thread that runs the module whose source file is `source`. */
export function startThread(source: URL, options: Omit<WorkerOptions, 'argv'>): Worker {
  return new Worker(FIRST_FILE, { ...options, argv: [ownModule(source)] });
}
