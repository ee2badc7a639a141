/**
 * Runs a command line and gives its exit code: 0 done, 1 failed, 2 the command line is wrong or names a missing file, 75 another process
 * holds a lock or port, 78 the configuration is wrong.
 */
import type { Io } from '../run/setup/options.ts';
import { backtest, BACKTEST_OPTIONS, type BacktestFlags } from './backtest.ts';
import { readPlainly } from './plain.ts';
import { exitCodeOf, printError } from './print-error.ts';
import { StatusLine } from './status-line.ts';
import { painter } from './terminal.ts';

/** Runs one command line. Never throws; errors are printed to stderr. */
export async function main(args: readonly string[], io: Io = processIo()): Promise<number> {
  let exitCode = 0;
  try {
    const context = { io, env: process.env, exit: (code: number) => void (exitCode = code) };
    const flags = args[0] === 'backtest' ? readPlainly(args.slice(1), BACKTEST_OPTIONS) : null;
    if (flags !== null) {
      await backtest(flags as unknown as BacktestFlags, context);
      return exitCode;
    }
    const { buildProgram } = await import('./program.ts');
    const program = await buildProgram(args, context);
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    io.live.end();
    printError(error, io.stderr, process.env, args);
    return exitCodeOf(error);
  }
}

function processIo(): Io {
  // If the reader of stdout has ended (`… | head`), only the output stops.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const isTty = process.stderr.isTTY;
  const live = new StatusLine(process.stderr, isTty, painter(isTty, process.env));
  return { stdout: process.stdout, stderr: process.stderr, isTty, live };
}
