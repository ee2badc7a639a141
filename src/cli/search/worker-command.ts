/** `worker`: runs jobs of searches that other processes put on a Redis. */
import { availableParallelism } from 'node:os';
import { programVersion } from '../../run/setup/version.ts';
import { folderToBe, type CliContext } from '../shell/cli-context.ts';

interface WorkerFlags {
  readonly redis: string;
  readonly workers?: number;
  readonly cache: string;
}

export async function runWorker(flags: WorkerFlags, context: CliContext): Promise<void> {
  const cache = folderToBe(flags.cache, '--cache');
  const [{ work }, { programId }, { setRuntimeFlags }, { untilStopped }] = await Promise.all([
    import('../../run/search/remote/remote-worker.ts'),
    import('../../run/search/remote/program-digest.ts'),
    import('../../run/backtest/runtime-flags.ts'),
    import('../../run/setup/signals.ts'),
  ]);
  setRuntimeFlags('search');
  const stopping = new AbortController();
  void untilStopped().then(() => stopping.abort());
  await work({
    url: flags.redis,
    program: programId(programVersion()),
    workers: flags.workers ?? availableParallelism(),
    cache,
    signal: stopping.signal,
    tell: (line) => void context.io.stderr.write(`${line}\n`),
  });
}
