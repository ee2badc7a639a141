/**
 * Runs a command line and gives its exit code: 0 done, 1 failed, 2 the command line is wrong or names a missing file, 75 another process
 * holds a lock or port, 78 the configuration is wrong.
 */
import { exitCode as exitCodes } from '../base/failure/exit-codes.ts';
import { Failure } from '../base/failure/failure.ts';
import type { Io } from '../run/setup/options.ts';
import { exitCodeOf, printError } from './shell/print-error.ts';
import { StatusLine } from './terminal/status-line.ts';
import { fitting, painter, sized } from './terminal/terminal.ts';

/** Runs one command line. Never throws; errors are printed to stderr. */
export async function main(args: readonly string[], io: Io = processIo()): Promise<number> {
  let exitCode = 0;
  try {
    const sizedIo = { ...io, stdout: sized(io.stdout), stderr: fitting(io.stderr) };
    const context = { io: sizedIo, env: process.env, exit: (code: number) => void (exitCode = code) };
    const { buildProgram } = await import('./program.ts');
    const program = await buildProgram(args, context);
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    io.live.end();
    printError(error, fitting(io.stderr), process.env, args);
    return exitCodeOf(error);
  }
}

/** What could not be written to stdout: "" for all written, and if only its reader has ended (`… | head`). */
let unwritten = '';

/** The exit code after all output was handed over: what `code` says, or a failure if the answer of a command was lost. */
export async function afterOutput(code: number): Promise<number> {
  // An empty write fails as well on a device that is full, though nothing was lost: a bot that has printed nothing stops with its own code.
  for (const stream of [process.stdout, process.stderr])
    if (stream.writableLength > 0) await new Promise((done) => void stream.write('', done));
  // The error of a last write arrives after its callback.
  await new Promise((done) => void setImmediate(done));
  if (unwritten === '' || code !== exitCodes.done) return code;
  printError(new Failure('output-unwritable', { what: `the output could not be written: ${unwritten}` }), process.stderr, process.env);
  return exitCodes.failed;
}

function processIo(): Io {
  // Output ends no work: a bot trades on, and a command says so at its end.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') unwritten = error.message;
  });
  process.stderr.on('error', () => undefined);
  const isTty = process.stderr.isTTY;
  const live = new StatusLine(sized(process.stderr), isTty, painter(isTty, process.env));
  return { stdout: process.stdout, stderr: process.stderr, isTty, live };
}
