/** A process of this program beside the bot, such as the monitor: started again when it dies, never waited for, without keys of the venue. */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitCode } from '../../base/failure/exit-codes.ts';
import { STATE_HOME_VARIABLES } from '../../edge/file/account-lock.ts';

const PROGRAM = fileURLToPath(new URL('../../tickwright.js', import.meta.url));
/** First and longest pause before a process that died is started again; each is twice the one before. */
const AGAIN_FIRST_MS = 500;
const AGAIN_LONGEST_MS = 60_000;
/** One that ran so long is started again after the first pause. */
const WELL_MS = 60_000;
/** A log of more bytes is put aside as NAME.log.1 when the process starts. */
const LOG_MAX = 8 << 20;
/** What of the environment it gets: nothing that may be a secret. */
const ENVIRONMENT = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'SystemRoot', 'USERPROFILE', 'TEMP', ...STATE_HOME_VARIABLES];

export interface KeptProcess {
  readonly name: 'monitor' | 'webhooks';
  readonly args: readonly string[];
  /** The bot's state folder. The process writes `NAME.log` in it. */
  readonly folder: string;
  /** Says that it has ended, why, and when it is started again. */
  readonly onEnded: (facts: Readonly<Record<string, unknown>>) => void;
  /** One line for its standard input, which then stays open: it ends when the bot has died. Null: it outlives the bot, and reads nothing. */
  readonly given: string | null;
  /** Called with the first text that it prints, after each start. */
  readonly onPrinted: (text: string) => void;
}

export interface Keeper {
  /** Starts it no more, and ends one that lives no longer than the bot. */
  stop(): void;
}

/** Starts the process. A failure is logged, and the bot trades on. */
export function keepProcess(kept: KeptProcess): Keeper {
  let [pause, isOver] = [AGAIN_FIRST_MS, false];
  let timer: NodeJS.Timeout | undefined;
  let child: ChildProcess | null = null;
  let hasPrinted = false;
  const start = (): void => {
    const begun = performance.now();
    const again = (cause: Record<string, unknown>): void => {
      if (isOver) return;
      if (performance.now() - begun > WELL_MS) pause = AGAIN_FIRST_MS;
      // Another one of this folder goes on: that of the bot before, which died.
      if (cause['code'] !== exitCode.occupied) kept.onEnded({ ...cause, again: `in ${pause} ms` });
      timer = setTimeout(start, pause).unref();
      pause = Math.min(2 * pause, AGAIN_LONGEST_MS);
    };
    try {
      hasPrinted = false;
      child = spawned(kept);
      child.once('error', (error) => again({ error }));
      child.once('exit', (code, signal) => again({ code, signal }));
      child.stdout?.setEncoding('utf8').once('data', (text: string) => {
        hasPrinted = true;
        kept.onPrinted(text.trim());
      });
    } catch (error) {
      again({ error });
    }
  };
  start();
  return {
    stop() {
      isOver = true;
      clearTimeout(timer);
      child?.stdin?.end();
      // One that outlives the bot ends by its last word, which one that only starts would not hear.
      if (!hasPrinted) child?.kill();
    },
  };
}

function spawned({ name, args, folder, given }: KeptProcess): ChildProcess {
  const file = join(folder, `${name}.log`);
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LOG_MAX) renameSync(file, `${file}.1`);
  const errors = openSync(file, 'a', 0o600);
  try {
    const env = Object.fromEntries(ENVIRONMENT.flatMap((one) => (process.env[one] === undefined ? [] : [[one, process.env[one]]])));
    // In a group of its own, so that Ctrl-C in the terminal ends the bot alone, and this process with its last word.
    const options = { env, detached: true, stdio: [given === null ? 'ignore' : 'pipe', 'pipe', errors] } as const;
    const child = spawn(process.execPath, [PROGRAM, name, ...args], { ...options, stdio: [...options.stdio] });
    child.unref();
    for (const pipe of [child.stdin, child.stdout]) (pipe as unknown as { unref(): void } | null)?.unref();
    child.stdin?.on('error', () => undefined);
    if (given !== null) child.stdin?.write(`${given}\n`);
    return child;
  } finally {
    closeSync(errors);
  }
}
