/** A live run on a recording: the paper exchange and the bot as a user starts them, until the tape ends; and what they wrote down. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readLedger, type GroundTruth } from '../../src/edge/file/ledger/read-ledger.ts';
import { openEmbeddedStore } from '../../src/edge/embedded/embedded-store.ts';
import type { StoredRecord } from '../../src/ports/store.ts';
import { sessionsIn } from '../../src/edge/file/session-file.ts';

export interface CompareOptions {
  readonly strategy: string;
  readonly tape: string;
  readonly speed: number;
  readonly config: string;
  /** Symbols to trade, at least one. */
  readonly symbols: readonly string[];
  readonly params: Readonly<Record<string, string>>;
  /** Keys of the configuration, `path=value`, for both runs. */
  readonly set: readonly string[];
  /** Seconds of the recording from when the bot is armed; Infinity for all of it. */
  readonly seconds: number;
}

export interface LiveRun {
  /** Time when the tape's first row happened, and after which moment nothing is compared any more. */
  readonly start: number;
  readonly end: number;
  /** Time when the bot began to trade. */
  readonly armedAt: number;
  /** Folder of the session's recording. */
  readonly session: string;
  readonly truth: GroundTruth;
  readonly journal: readonly StoredRecord[];
  /** Warnings and errors of both processes, by event. */
  readonly complaints: ReadonlyMap<string, number>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DEMO = { TICKWRIGHT_KEY: 'demo-key', TICKWRIGHT_SECRET: 'demo-secret', TICKWRIGHT_PASSPHRASE: 'demo-pass' };

/** Keeps the stores of both processes in `folder`. @throws Error when a process ends before its time */
export async function runLive(options: CompareOptions, folder: string): Promise<LiveRun> {
  const { tape, speed, config, set, seconds } = options;
  const settings = set.flatMap((one) => ['--set', one]);
  const state = join(folder, 'exchange');
  const store = join(folder, 'bot');
  const exchange = new Program([
    'exchange',
    '--tape',
    tape,
    '--speed',
    String(speed),
    '--state',
    state,
    '--port',
    '0',
    '-c',
    config,
    ...settings,
  ]);
  const bot = { program: null as Program | null };
  try {
    const url = await exchange.until(() => /http:\/\/[0-9.:]+/.exec(exchange.out)?.[0]);
    const address = ['--set', `venue.baseUrl=${url}`, '--set', 'store.kind=embedded', '--set', `store.folder=${store}`];
    const symbols = options.symbols.flatMap((symbol) => ['--symbol', symbol]);
    const params = Object.entries(options.params).flatMap(([name, value]) => ['--param', `${name}=${value}`]);
    const chosen = ['--strategy', options.strategy, ...symbols, ...params];
    bot.program = new Program(['run', '-c', config, ...settings, ...address, ...chosen]);
    const start = timeOf(await exchange.until(() => exchange.line('market-started')), 'firstRowAt');
    const end = await ending(exchange, bot.program, (seconds * 1000) / speed);
    await bot.program.stop();
    await exchange.stop();
    const armedAt = timeOf(bot.program.line('armed'), 'time');
    const complaints = complaintsOf([...bot.program.lines(), ...exchange.lines()]);
    const session = sessionsIn(join(store, 'sessions'))[0]!;
    return { start, end, armedAt, session, truth: readLedger(state), journal: await journalOf(store), complaints };
  } finally {
    await bot.program?.stop('SIGKILL');
    await exchange.stop('SIGKILL');
  }
}

/** Waits for the end of the tape, or until the bot has been armed for so long. The last moment that counts. */
async function ending(exchange: Program, bot: Program, forMs: number): Promise<number> {
  let until = Infinity;
  for (;;) {
    if (exchange.isOver || bot.isOver) throw new Error(`a process ended early:\n${exchange.err}\n${bot.err}`);
    const ended = exchange.line('tape-ended');
    if (ended !== undefined) return timeOf(ended, 'time');
    const armed = until === Infinity ? bot.line('armed') : undefined;
    if (armed !== undefined) until = timeOf(armed, 'time') + forMs;
    if (Date.now() >= until) return until;
    await sleep(20);
  }
}

/** Milliseconds since the epoch. @throws Error when the line or its time is missing: what follows from it would be NaN. */
function timeOf(line: Line | undefined, field: string): number {
  const value = line?.[field];
  const time = typeof value === 'string' ? Date.parse(value) : Number(value);
  if (!Number.isFinite(time)) throw new Error(`expected a time in "${field}" of a line of the log, found ${JSON.stringify(line)}`);
  return time;
}

async function journalOf(folder: string): Promise<StoredRecord[]> {
  const store = openEmbeddedStore({ folder });
  const records: StoredRecord[] = [];
  for await (const record of store.read(1)) records.push(record);
  await store.close();
  return records;
}

function complaintsOf(lines: readonly Line[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { event, level } of lines) {
    if (level === 'warn' || level === 'error') counts.set(String(event), (counts.get(String(event)) ?? 0) + 1);
  }
  return counts;
}

type Line = Readonly<Record<string, unknown>>;

class Program {
  out = '';
  err = '';
  isOver = false;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor(args: readonly string[]) {
    const env = { PATH: process.env['PATH'] ?? '', ...DEMO };
    this.#child = spawn(process.execPath, ['src/tickwright.js', ...args], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stdout?.on('data', (bytes: Buffer) => (this.out += bytes.toString()));
    this.#child.stderr?.on('data', (bytes: Buffer) => (this.err += bytes.toString()));
    this.#ended = once(this.#child, 'close').then(() => (this.isOver = true));
  }

  lines(): Line[] {
    const whole = [this.out, this.err].flatMap((text) => text.slice(0, text.lastIndexOf('\n') + 1).split('\n'));
    return whole.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Line);
  }

  line(event: string): Line | undefined {
    return (this.out + this.err).includes(`"${event}"`) ? this.lines().find((line) => line['event'] === event) : undefined;
  }

  async until<T>(found: () => T | undefined): Promise<T> {
    for (;;) {
      const value = found();
      if (value !== undefined) return value;
      if (this.isOver) throw new Error(`a process ended early:\n${this.out}\n${this.err}`);
      await sleep(5);
    }
  }

  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
    if (!this.isOver) this.#child.kill(signal);
    await this.#ended;
  }
}
