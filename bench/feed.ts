/**
 * What an open dashboard costs: a million changes of a bot go through its feed and its socket to the read model of a monitor in another
 * process, and once to nobody. `node --expose-gc bench/feed.ts [changes]` prints both as JSON: processor time of the bot for a change, and by how much the
 * heaps grow.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Change, OrderRow } from '../src/control/changes.ts';
import { streamControl } from '../src/edge/control/control-client.ts';
import { startControl } from '../src/edge/control/control-server.ts';
import { ReadModel } from '../src/monitor/model/read-model.ts';
import { ChangeFeed, type FedBot } from '../src/run/bot/changes/change-feed.ts';

const BATCH = 100;
/** The feed writes what is noted after ten milliseconds. */
const PAUSE_MS = 11;
/** Heaps are looked at so often; the first looks are before the rings and shelves are full. */
const LOOKS = 20;

interface Seen {
  readonly taken: number;
  readonly heap: number;
}

function heapNow(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed;
}

/** Growth in kB for 1,000 changes, from the half on: a line through the looks. */
function slopeOf(heaps: readonly number[], changes: number): number {
  const late = heaps.slice(Math.floor(heaps.length / 2));
  const middle = (late.length - 1) / 2;
  const mean = late.reduce((sum, one) => sum + one, 0) / late.length;
  const top = late.reduce((sum, one, k) => sum + (k - middle) * (one - mean), 0);
  const below = late.reduce((sum, _, k) => sum + (k - middle) ** 2, 0);
  return (top / below / 1_000) * ((1_000 * LOOKS) / changes);
}

async function read(folder: string): Promise<void> {
  const model = new ReadModel(0);
  let taken = 0;
  process.on('message', () => process.send!({ taken, heap: heapNow() } satisfies Seen));
  const onLine = (line: string): void => {
    taken++;
    model.take(JSON.parse(line) as Change);
  };
  const call = { method: 'GET', name: 'events', given: {} } as const;
  for (;;) {
    await streamControl(folder, call, onLine, new AbortController().signal, () => false);
    await sleep(50);
  }
}

function fakeBot(): FedBot {
  const order = (number: number): OrderRow =>
    ({
      number,
      clientId: `b-1-${number}`,
      venueId: `fu-${number}`,
      symbol: 'BTCUSDT',
      strategy: 's',
      kind: 'futures',
      side: 'LONG',
      effect: 'OPEN',
      type: 'LIMIT',
      price: '60000.10',
      size: '0.010',
      filled: '0.000',
      state: 'working',
      createdAt: Date.now(),
    }) as unknown as OrderRow;
  const status = (): object => ({ positions: [], halts: [], strategies: [], time: Date.now(), equity: '1', readAt: { positions: 1 } });
  const bot = { now: () => Date.now(), status, health: () => ({}), orders: () => [], order, reasons: () => ({}), quotes: () => [] };
  return { ...bot, listen: () => () => undefined } as unknown as FedBot;
}

function ask(reader: ChildProcess): Promise<Seen> {
  return new Promise((resolve) => {
    reader.once('message', (seen) => resolve(seen as Seen));
    reader.send({});
  });
}

async function untilHeard(reader: ChildProcess): Promise<void> {
  while ((await ask(reader)).taken === 0) await sleep(50);
}

async function measure(changes: number, isRead: boolean): Promise<object> {
  const folder = mkdtempSync(join(tmpdir(), 'feed-'));
  const feed = new ChangeFeed(fakeBot());
  const server = await startControl({
    folder,
    port: null,
    handler: () => Promise.resolve(feed.open('')),
    now: () => performance.now(),
    onError: (error) => console.error(error),
  });
  const reader = isRead ? fork(fileURLToPath(import.meta.url), ['read', folder], { execArgv: ['--expose-gc'] }) : null;
  if (reader !== null) await untilHeard(reader);
  const [own, others]: [number[], number[]] = [[], []];
  let cpuUs = 0;
  for (let k = 0; k < changes; k += BATCH) {
    const before = process.cpuUsage();
    for (let i = k; i < k + BATCH; i++) {
      const data = { kind: 0, symbol: 'BTCUSDT', side: 'LONG', effect: 'OPEN', size: '0.010', price: '60000.1', reason: '' };
      feed.record({ kind: i % 2 === 0 ? 'command' : 'fill', seq: 1 + (i % 97), time: Date.now(), data }, i + 1);
    }
    await sleep(PAUSE_MS);
    const { user, system } = process.cpuUsage(before);
    cpuUs += user + system;
    if (k % (changes / LOOKS) !== 0) continue;
    own.push(heapNow());
    if (reader !== null) others.push((await ask(reader)).heap);
  }
  const taken = reader === null ? 0 : (await ask(reader)).taken;
  reader?.kill();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
  return {
    cpuUs: cpuUs / changes,
    taken,
    slopeKb: slopeOf(own, changes),
    readerSlopeKb: reader === null ? 0 : slopeOf(others, changes),
  };
}

const [what = '1000000', folder = ''] = process.argv.slice(2);
if (what === 'read') await read(folder);
else {
  const changes = Number(what);
  console.log(JSON.stringify({ alone: await measure(changes, false), read: await measure(changes, true) }));
  process.exit();
}
