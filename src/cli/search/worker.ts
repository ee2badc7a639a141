/** `worker`: runs jobs of searches that other processes put on a Redis. */
import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { programVersion } from '../../run/setup/version.ts';
import { folderToBe, requireFlag, type CliContext } from '../shell/context.ts';
import { addOptions, EXITS, helpText, withOtherHelp, type HelpParts } from '../shell/help.ts';
import type { OptionGroup } from '../shell/plain.ts';
import { wholeNumber } from '../shell/values.ts';

interface WorkerFlags {
  readonly redis?: string;
  readonly workers?: number;
  readonly cache: string;
}

const OPTIONS: readonly OptionGroup[] = [
  {
    title: 'Options:',
    options: [
      {
        flags: '--redis <url>',
        description: 'the Redis of the searches, redis://[user:password@]host[:port][/database] or rediss://… (needed)',
      },
      { flags: '--workers <count>', description: 'worker threads', usual: 'one for each processor', parse: wholeNumber(1, 256) },
      {
        flags: '--cache <folder>',
        description: 'where tapes and strategies are kept by the digest of their content',
        fallback: 'var/worker',
      },
    ],
  },
];

const PARTS: HelpParts = {
  examples: [
    ['tickwright worker --redis redis://10.0.0.5', 'on as many machines as wanted'],
    ['tickwright optimize --redis redis://10.0.0.5 --strategy my.ts --tape tapes/btc', 'the search itself'],
  ],
  notes: [
    'A worker runs the code of the strategies that it is sent. Whoever can write to the Redis can run code on every worker: protect it with a password and a private network.',
    'All must be the same version of tickwright: a worker does not take jobs of another, and says so.',
  ],
  files: [['--cache FOLDER', 'tapes and strategies; it may be deleted when no worker runs']],
  exits: [['0', 'stopped by a signal; the jobs that ran were finished'], EXITS.usage, EXITS.occupied],
};

export function addWorker(program: Command, context: CliContext): void {
  const command = program
    .command('worker')
    .summary('run trials of searches from Redis')
    .description(
      'Take the trials of `optimize --redis` from a Redis and run them, until it is stopped. A worker may be killed at any time.',
    );
  withOtherHelp(addOptions(command, OPTIONS))
    .addHelpText('after', helpText(PARTS))
    .action((flags: WorkerFlags) => run(flags, context));
}

async function run(flags: WorkerFlags, context: CliContext): Promise<void> {
  const url = requireFlag(flags.redis, '--redis URL');
  const cache = folderToBe(flags.cache, '--cache');
  const [{ work }, { programId }, { setRuntimeFlags }, { untilStopped }] = await Promise.all([
    import('../../run/search/remote/worker.ts'),
    import('../../run/search/remote/program.ts'),
    import('../../run/backtest/runtime-flags.ts'),
    import('../../run/setup/signals.ts'),
  ]);
  setRuntimeFlags();
  const stopping = new AbortController();
  void untilStopped().then(() => stopping.abort());
  await work({
    url,
    program: programId(programVersion()),
    workers: flags.workers ?? availableParallelism(),
    cache,
    signal: stopping.signal,
    tell: (line) => void context.io.stderr.write(`${line}\n`),
  });
}
