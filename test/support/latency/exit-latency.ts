/**
 * Measures the time from the decision to cancel or close until the request's head is written to a socket: with a real bot in this process
 * and a real exchange in another one, whose faults are set while the bot runs.
 */
import { spawn } from 'node:child_process';
import diagnostics from 'node:diagnostics_channel';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../../src/config/load.ts';
import { createLog } from '../../../src/edge/log/pino-log.ts';
import { monitorOf, type MonitorChild } from '../../../src/run/bot/monitor-child.ts';
import { openBot } from '../../../src/run/bot/open-bot.ts';
import { preflightOf } from '../../../src/run/bot/preflight.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TOKEN = 'token-of-the-measurement';

export interface Latencies {
  readonly name: string;
  /** Milliseconds from decision to head written, by kind. */
  readonly cancels: readonly number[];
  readonly closes: readonly number[];
  /** Both kinds in the order in which they were written: in which turn, and the processor time of the bot's thread from decision to head written. */
  readonly exits: readonly { readonly turn: number; readonly ms: number; readonly cpuMs: number }[];
  /** Exits decided more than a quarter of a second before the end of the measurement and not written by then. */
  readonly unsent: number;
  /** Number of faults that the exchange reports. */
  readonly faults: number;
  /** Processor time of the bot's process during the measurement. */
  readonly cpuMs: number;
}

interface FaultSet {
  readonly name: string;
  readonly rules: readonly object[];
}

const ALL_WRITES = { endpoints: 'writes' };
const OPENS = { endpoints: ['E12', 'E13', 'E14'] };
const LATE = { fault: 'status', phase: 'before', status: 429 };

/** Faults of the network and of the venue, as far as the exchange can simulate them. */
export const FAULT_SETS: readonly FaultSet[] = [
  { name: 'none', rules: [] },
  { name: 'N2 reset before the venue acts', rules: [{ fault: 'reset', phase: 'before', ...ALL_WRITES, probability: 0.3 }] },
  { name: 'N3 reset after it has acted', rules: [{ fault: 'reset', phase: 'after', ...ALL_WRITES, probability: 0.3 }] },
  { name: 'N4 opens hang', rules: [{ fault: 'drop', phase: 'before', ...OPENS }] },
  { name: 'N4 every write hangs', rules: [{ fault: 'drop', phase: 'before', ...ALL_WRITES }] },
  { name: 'N4 every read hangs', rules: [{ fault: 'drop', phase: 'before', endpoints: 'reads' }] },
  { name: 'N5 truncated answers', rules: [{ fault: 'truncate', how: 'close', endpoints: 'all', probability: 0.3 }] },
  { name: 'N6 huge answers', rules: [{ fault: 'huge', endpoints: 'reads', probability: 0.2 }] },
  {
    name: 'N6 HTML and JSON in pieces',
    rules: [
      { fault: 'html', ...ALL_WRITES, probability: 0.2 },
      { fault: 'malformed', endpoints: 'reads', probability: 0.3 },
    ],
  },
  { name: 'N7 opens are refused for a minute', rules: [{ ...LATE, ...OPENS, retryAfter: '60', count: 1 }] },
  { name: 'N7 reads are refused for a minute', rules: [{ ...LATE, endpoints: 'reads', retryAfter: '60' }] },
  { name: 'N7 some of all are refused', rules: [{ ...LATE, endpoints: 'all', retryAfter: '60', probability: 0.1 }] },
  { name: 'N7 writes are refused in bursts', rules: [{ ...LATE, ...ALL_WRITES, retryAfter: '60', every: 10 }] },
  { name: 'N4 everything hangs', rules: [{ fault: 'drop', phase: 'before', endpoints: 'all' }] },
  { name: 'N11 writes are sent elsewhere', rules: [{ fault: 'status', status: 307, ...ALL_WRITES, probability: 0.3 }] },
  { name: 'N13 sockets are closed when idle', rules: [{ fault: 'reset', phase: 'after', endpoints: 'all', probability: 0.3 }] },
  { name: 'N8 faults of the venue', rules: [{ fault: 'status', status: 503, endpoints: 'all', probability: 0.3 }] },
  { name: 'N9 requests come twice', rules: [{ fault: 'duplicate', ...ALL_WRITES, probability: 0.5 }] },
  { name: 'N10 answers are mixed up', rules: [{ fault: 'mixup', ...ALL_WRITES, probability: 0.3 }] },
  { name: 'N12 the clock of the venue is off', rules: [{ fault: 'skew', endpoints: 'all', ms: 3_600_000 }] },
  { name: 'N14 lists of orders hang', rules: [{ fault: 'drop', phase: 'before', endpoints: ['E17', 'E18'] }] },
  { name: 'N14 positions hang', rules: [{ fault: 'drop', phase: 'before', endpoints: ['E19', 'E20'] }] },
];

class Exchange {
  readonly #child: ReturnType<typeof spawn>;
  #out = '';

  constructor() {
    const args = ['src/tickwright.js', 'exchange', '--synth', '--seed', '9', '--port', '0', '--admin-port', '0'];
    const env = { PATH: process.env['PATH'] ?? '', TICKWRIGHT_ADMIN_TOKEN: TOKEN };
    this.#child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.on('data', (bytes: Buffer) => (this.#out += bytes.toString()));
  }

  async find(pattern: RegExp): Promise<string> {
    for (let k = 0; k < 1_000; k++) {
      const found = pattern.exec(this.#out)?.[1];
      if (found !== undefined) return found;
      await sleep(20);
    }
    throw new Error(`the exchange did not say ${String(pattern)}: ${this.#out}`);
  }

  /** Sets the faults, or ends them with null. Returns their number. */
  async faults(rules: readonly object[] | null): Promise<number> {
    const admin = await this.find(/^admin:?\s+(http:\/\/\S+)/m);
    const body = rules === null ? {} : { body: JSON.stringify({ rules }) };
    const reply = await fetch(`${admin}/faults`, {
      method: rules === null ? 'DELETE' : 'PUT',
      headers: { authorization: `Bearer ${TOKEN}` },
      ...body,
    });
    const told = (await reply.json()) as { rules?: readonly { struck: number }[] };
    return (told.rules ?? []).reduce((sum, { struck }) => sum + struck, 0);
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }
}

/** The measurement in turns: `begin` is called before each. */
export interface Turns {
  readonly count: number;
  begin(turn: number): void;
}

interface ExitOptions {
  /** Its file of channels, with a monitor beside it and each fill an alert; null for no monitor and no log lines of fills. */
  readonly channels?: string | null;
  readonly turns?: Turns;
  /** How often it cancels, and in every third turn closes a little. Default: 100. */
  readonly everyMs?: number;
}

/** Runs a bot under the faults for `forMs` milliseconds, or for so many in each turn. */
export async function exitLatency(
  { name, rules }: FaultSet,
  forMs: number,
  { channels = null, turns = { count: 1, begin: () => undefined }, everyMs = 100 }: ExitOptions = {},
): Promise<Latencies> {
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-exits-'));
  const file = join(folder, 'alerts.yaml');
  if (channels) writeFileSync(file, channels, { mode: 0o600 });
  const exchange = new Exchange();
  const decided = new Map<string, { readonly turn: number; readonly at: number; readonly cpu: number }>();
  const cancels: number[] = [];
  const closes: number[] = [];
  const exits: { turn: number; ms: number; cpuMs: number }[] = [];
  let turn = 0;
  const probe = {
    isOn: false,
    isReady: false,
    everyMs,
    decided: (number: number) => void decided.set(number.toString(36), { turn, at: performance.now(), cpu: threadMs() }),
  };
  Object.assign(globalThis, { exitProbe: probe });
  const onSend = (message: unknown): void => {
    const { request } = message as { request: { path: string; body: unknown } };
    const isCancel = request.path.includes('cancel');
    if (!isCancel && !request.path.endsWith('/place-order')) return;
    const id = /"clientOid":"[^"]*-([0-9a-z]+)"/.exec(String(request.body))?.[1] ?? '';
    const decision = decided.get(id);
    if (decision === undefined) return;
    decided.delete(id);
    const ms = performance.now() - decision.at;
    (isCancel ? cancels : closes).push(ms);
    exits.push({ turn: decision.turn, ms, cpuMs: threadMs() - decision.cpu });
  };
  let monitor: MonitorChild | null = null;
  diagnostics.subscribe('undici:client:sendHeaders', onSend);
  try {
    const url = await exchange.find(/listening on (http:\/\/\S+)/);
    const set = [
      `venue.baseUrl=${url}`,
      'store.kind=embedded',
      `store.folder=${join(folder, 'bot')}`,
      'risk.maxOpenOrders=200',
      'risk.maxNotionalOrder=off',
      'risk.maxNotionalPosition=off',
      'risk.maxNotionalTotal=off',
      ...(channels ? [`alerts.file=${file}`, 'alerts.collapseMs=1000'] : []),
    ];
    const env = { TICKWRIGHT_KEY: 'demo-key', TICKWRIGHT_SECRET: 'demo-secret', TICKWRIGHT_PASSPHRASE: 'demo-pass' };
    const { config } = loadConfig({ file: join(ROOT, 'config/paper.yaml'), env, set });
    const strategies = [{ file: join(ROOT, 'test/support/latency/exit-probe.ts'), params: {}, symbols: ['BTCUSDT'] }];
    const lines: string[] = [];
    const log = createLog({ level: channels === null ? 'warn' : 'info', form: 'json', sink: { write: (line) => void lines.push(line) } });
    const chosen = { ...config, strategies, alerts: { ...config.alerts, rules: { fill: 'critical' as const } } };
    const bot = await openBot(chosen, await preflightOf(chosen), log);
    monitor = channels ? monitorOf(chosen, log, 'run') : null;
    await monitor?.url(10_000);
    for (let k = 0; k < 1_500 && !probe.isReady; k++) await sleep(20);
    if (!probe.isReady) throw new Error(`the bot did not get ready: ${bot.kernel.phase}\n${lines.slice(-20).join('')}`);
    await exchange.faults(rules);
    const before = process.cpuUsage();
    probe.isOn = true;
    for (; turn < turns.count; turn++) {
      turns.begin(turn);
      await sleep(forMs);
    }
    probe.isOn = false;
    const { user, system } = process.cpuUsage(before);
    const faults = await exchange.faults(null);
    await sleep(300);
    const unsent = decided.size;
    await bot.stop();
    monitor?.stop();
    return { name, cancels, closes, exits, unsent, faults, cpuMs: (user + system) / 1_000 };
  } finally {
    diagnostics.unsubscribe('undici:client:sendHeaders', onSend);
    exchange.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Processor time of this thread. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN;
}
