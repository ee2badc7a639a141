/**
 * Measures what a person waits for while a bot trades all the time: the answer to `why`, and a parameter that `set` changes, until the last order of
 * the old size reached the exchange, by its ledger. Then `why --at` of a second an hour ago, in a session of six hours, as a person types it.
 * `node bench/answers.ts [rounds] [--json]`. Promised: `why` in 100 ms, `set` in effect within a second, `why --at` in two seconds.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOUR_MS } from '../src/base/time/time-spans.ts';
import { callControl, type ControlCall } from '../src/edge/control/control-client.ts';
import { machineNow } from '../src/edge/time/machine-clock.ts';
import { addressOf, cleanUp } from '../test/e2e/process.ts';
import { Scene } from '../test/e2e/scene.ts';
import { quantile } from '../test/support/latency/exit-latency.ts';
import { recordVirtualSession } from '../test/support/sessions/virtual-session.ts';

const HOURS = 6;
/** What an order sent before the answer may need to arrive. */
const ON_ITS_WAY_MS = 300;

const rounds = Number(process.argv[2] ?? 40);

interface Order {
  readonly createdAt: number;
  readonly size: number;
  readonly effect: number;
  readonly byVenue: boolean;
}

/** Opening orders of the bot that reached the exchange, in this order. */
function opens(scene: Scene): Order[] {
  const lines = readFileSync(join(scene.ledgerFolder, 'ledger.jsonl'), 'utf8').split('\n');
  const orders = lines.filter((line) => line.includes('"kind":"order"')).map((line) => (JSON.parse(line) as { order: Order }).order);
  return orders.filter(({ effect, byVenue }) => effect === 0 && !byVenue);
}

async function asked(): Promise<{ whyMs: number[]; setMs: number[]; effectMs: number[] }> {
  const scene = new Scene(36);
  const [whyMs, setMs, effectMs]: [number[], number[], number[]] = [[], [], []];
  try {
    const bot = scene.run(await addressOf(scene.exchange()));
    await bot.untilLogged('ready');
    const call = async (method: ControlCall['method'], name: ControlCall['name'], given: ControlCall['given']): Promise<number> => {
      const from = performance.now();
      const called = await callControl(scene.botFolder, { method, name, given });
      if (!called.isThere || called.status !== 200) throw new Error(`${name}: ${JSON.stringify(called)}`);
      return performance.now() - from;
    };
    for (let k = 0; k < rounds; k++) {
      const before = opens(scene).length;
      for (let n = 0; n < 500 && opens(scene).length < before + 2; n++) await sleep(20);
      whyMs.push(await call('GET', 'why', {}));
      const old = opens(scene).at(-1)!.size;
      const at = Date.now();
      const assignment = `size=${k % 2 === 0 ? '0.02' : '0.01'}`;
      setMs.push(await call('POST', 'set', { strategy: 'busy', assignment, by: 'bench', askedAt: machineNow() }));
      await sleep(ON_ITS_WAY_MS);
      const late = opens(scene).filter(({ createdAt, size }) => createdAt > at && size === old);
      effectMs.push(Math.max(0, ...late.map(({ createdAt }) => createdAt - at)));
    }
    await bot.kill('SIGTERM');
  } finally {
    await cleanUp();
  }
  return { whyMs, setMs, effectMs };
}

async function ofThePast(): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-answers-'));
  const startedAt = Date.parse('2026-11-30T03:00:00Z');
  try {
    await recordVirtualSession({
      sessions: join(folder, 'sessions'),
      startedAt,
      durationMs: HOURS * HOUR_MS,
      choices: [{ file: 'strategies/ema-cross.ts', symbols: ['BTCUSDT', 'ETHUSDT'], params: {} }],
    });
    return [7_000, 1_801_000, 3_000_000].map((ms) => {
      const at = new Date(startedAt + (HOURS - 1) * HOUR_MS - ms).toISOString().slice(0, 19);
      const from = performance.now();
      const { status, stderr } = spawnSync(process.execPath, ['src/tickwright.js', 'why', '--at', at, '--state', folder], {
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`why --at ${at}: ${stderr}`);
      return performance.now() - from;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const { whyMs, setMs, effectMs } = await asked();
const pastMs = await ofThePast();
const p95 = (ms: readonly number[]): number => quantile(ms, 0.95);
const figures = { whyMs: p95(whyMs), setMs: p95(setMs), effectMs: p95(effectMs), pastMs: Math.max(...pastMs) };
if (process.argv.includes('--json')) console.log(JSON.stringify(figures));
else {
  console.log(`why, the answer of the bot, p95:                              ${figures.whyMs.toFixed(1)} ms of 100`);
  console.log(`set, the durable answer, p95:                                 ${figures.setMs.toFixed(1)} ms`);
  console.log(`set, last open of the old size at the exchange, p95:          ${figures.effectMs.toFixed(1)} ms of 1000`);
  console.log(`why --at, an hour before the end of ${HOURS} hours, most of ${pastMs.length}:    ${figures.pastMs.toFixed(0)} ms of 2000`);
}
