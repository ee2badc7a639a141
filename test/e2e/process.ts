/** The program as a user starts it: a real process with its output, log lines and exit code. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { checkPrinted } from '../support/output-fits.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const DEMO = { TICKWRIGHT_KEY: 'demo-key', TICKWRIGHT_SECRET: 'demo-secret', TICKWRIGHT_PASSPHRASE: 'demo-pass' };

/** Exit codes of a requested stop: 0 if nothing is left, 3 if orders are still open at the venue. */
export const STOPPED: readonly (number | null)[] = [0, 3];

export interface LogLine {
  readonly event: string;
  readonly level: string;
  readonly time: number;
  readonly [field: string]: any;
}

/** Tests wait for the lines of single orders, and few of them need the process that shows the bot. */
const ORDER_LINES = { TICKWRIGHT_LOG_LEVEL: 'orders', TICKWRIGHT_MONITOR_ENABLED: 'never' };

const BACKSTOP_MS = 180_000;

const alive = new Set<Program>();
const folders: string[] = [];

/** Ends every process that a test left and removes its folders. For `afterEach`. */
export async function cleanUp(): Promise<void> {
  for (const program of alive) await program.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-e2e-'));
  folders.push(folder);
  return folder;
}

let state = '';

/** The folder of the account locks, shared by all programs of one test, so that nothing is written to the tester's home. */
function stateHome(): string {
  if (state === '' || !folders.includes(state)) state = freshFolder();
  return state;
}

/** How a program runs otherwise than alone, with its output read by the test. */
export interface Setting {
  /** Descriptors of the test to which it writes; what it writes there is not in `out` and `err`. */
  readonly out?: number | undefined;
  readonly err?: number | undefined;
  /** The program that runs it, with arguments, as `strace -D`. */
  readonly under?: readonly string[] | undefined;
}

/** Starts `tickwright ARGS` with only PATH and the variables of `env`. */
export function launch(args: readonly string[], env: Readonly<Record<string, string>> = {}, setting: Setting = {}): Program {
  return new Program(args, env, setting);
}

/** Runs `tickwright ARGS` to its end. */
export async function runToEnd(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Program> {
  const program = launch(args, env);
  await program.ended;
  return program;
}

export class Program {
  out = '';
  err = '';
  code: number | null = null;
  signal: NodeJS.Signals | null = null;
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #started = performance.now();

  constructor(args: readonly string[], env: Readonly<Record<string, string>>, { out = -1, err = -1, under = [] }: Setting = {}) {
    const all = {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      TICKWRIGHT_STATE_HOME: stateHome(),
      ...ORDER_LINES,
      ...env,
    };
    const [command = '', ...rest] = [...under, process.execPath, 'src/tickwright.js', ...args];
    this.#child = spawn(command, rest, { cwd: ROOT, env: all, stdio: ['ignore', out < 0 ? 'pipe' : out, err < 0 ? 'pipe' : err] });
    this.#child.stdout?.on('data', (bytes: Buffer) => (this.out += bytes.toString()));
    this.#child.stderr?.on('data', (bytes: Buffer) => (this.err += bytes.toString()));
    alive.add(this);
    this.ended = once(this.#child, 'close').then(([code, signal]) => {
      this.code = code as number | null;
      this.signal = signal as NodeJS.Signals | null;
      alive.delete(this);
      if (code !== null && out < 0) checkPrinted(args, this.out);
    });
  }

  /** Milliseconds since the start. */
  get age(): number {
    return performance.now() - this.#started;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get isRunning(): boolean {
    return alive.has(this);
  }

  /** The JSON lines of its log so far. */
  get log(): LogLine[] {
    const lines = [this.out, this.err].flatMap((text) => text.slice(0, text.lastIndexOf('\n') + 1).split('\n'));
    const parsed = lines
      .filter((line) => line.startsWith('{"event":'))
      .map((line) => JSON.parse(line) as LogLine & { readonly time: string });
    for (const line of parsed) {
      const raw = Object.keys(line).filter((name) => typeof line[name] === 'number' && line[name] > 1e12 && line[name] < 1e13);
      if (raw.length > 0) throw new Error(`${line.event}: times of the log are ISO texts, found numbers in ${raw.join(', ')}`);
    }
    return parsed.map((line) => ({ ...line, time: Date.parse(line.time) })).sort((a, b) => a.time - b.time);
  }

  /** The log lines of one event. */
  logged(event: string): LogLine[] {
    return this.log.filter((line) => line.event === event);
  }

  send(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends the signal and waits for the end. */
  async kill(signal: NodeJS.Signals): Promise<void> {
    this.#child.kill(signal);
    await this.ended;
  }

  /**
   * Waits until `test` returns true. @throws Error with the output if the program ends before, or after BACKSTOP_MS, which only ends a wait for
   * what never comes: a busy machine may need a minute to start a program
   */
  async until(what: string, test: () => boolean): Promise<void> {
    const end = performance.now() + BACKSTOP_MS;
    while (!test()) {
      if (!this.isRunning) throw new Error(`ended with ${this.code ?? this.signal} before: ${what}\n${this.#tail()}`);
      if (performance.now() > end) throw new Error(`not within ${BACKSTOP_MS} ms: ${what}\n${this.#tail()}`);
      await sleep(5);
    }
  }

  /** Waits for a log line of `event`. */
  async untilLogged(event: string, count = 1): Promise<void> {
    await this.until(`${count} × "${event}" in the log`, () => (this.out + this.err).split(`"event":"${event}"`).length > count);
  }

  #tail(): string {
    return `stdout: ${this.out.slice(-1_000)}\nstderr: ${this.err.slice(-4_000)}`;
  }
}

/** Resolves when the exchange has what other processes had written to it before: it reads all connections in each turn. */
export async function untilArrived(url: string): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await (await fetch(url)).arrayBuffer();
}

/** The address of the admin interface that an exchange printed. */
export async function adminOf(exchange: Program): Promise<string> {
  const pattern = /^admin:?\s+(http:\/\/\S+)/m;
  await exchange.until('an admin address', () => pattern.test(exchange.out + exchange.err));
  return pattern.exec(exchange.out + exchange.err)?.[1] ?? '';
}

/** The address that an exchange printed. */
export async function addressOf(exchange: Program): Promise<string> {
  const pattern = /listening on (http:\/\/\S+)/;
  await exchange.until('an address', () => pattern.test(exchange.out + exchange.err));
  return pattern.exec(exchange.out + exchange.err)?.[1] ?? '';
}
