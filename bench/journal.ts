/**
 * How long a start and the operator's questions take on the store of a stopped bot with many ended orders, before and after its records moved
 * to the archive and its sums were made: `node bench/journal.ts [orders …]`. Times of commands are of whole processes.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore } from '../src/edge/embedded/embedded-store.ts';
import { EMPTY_SNAPSHOT } from '../src/engine/recovery/registry.ts';
import { PROFIT_KEY, ProfitIndex } from '../src/run/bot/answers/profit.ts';
import { recover } from '../src/run/bot/store/recovered.ts';
import { longJournal } from '../test/support/stores/long-journal.ts';

const PROGRAM = join(import.meta.dirname, '../src/tickwright.js');
const COMMANDS = [['fills', '--last', '5'], ['pnl'], ['orders'], ['status']];
const START = Date.UTC(2026, 0, 1);
const MOST = 10_000;
const TIMES = 3;

/** Milliseconds, the fastest of three. */
async function timeOf(work: () => unknown): Promise<number> {
  let best = Infinity;
  for (let k = 0; k < TIMES; k++) {
    const begin = performance.now();
    await work();
    best = Math.min(best, performance.now() - begin);
  }
  return Math.round(best);
}

async function make(folder: string, orders: number): Promise<void> {
  const store = openEmbeddedStore({ folder });
  await recover(store, 'bot', START);
  let queued = 0;
  for (const record of longJournal(orders, START, 60_000)) {
    store.append(record);
    if (++queued % 50_000 === 0) await store.commit();
  }
  await store.commit();
  const kernel = { ...EMPTY_SNAPSHOT, nextSeq: orders + 1 };
  store.put(
    'snapshot',
    JSON.stringify({ after: await store.last(), kernel, fills: orders, placed: orders, startEquity: 0, hasBegun: true }),
  );
  await store.commit();
  await store.close();
}

async function compact(folder: string): Promise<void> {
  const store = openEmbeddedStore({ folder });
  const index = new ProfitIndex();
  for await (const record of store.read(1)) index.add(record);
  store.put(PROFIT_KEY, index.saved());
  await store.commit();
  while (store.archive!((await store.last()) - MOST, MOST) > 0);
  await store.close();
  await openEmbeddedStore({ folder }).close();
}

interface Measured {
  readonly times: Record<string, number>;
  /** What the commands printed. */
  readonly said: readonly string[];
}

async function measure(folder: string): Promise<Measured> {
  const start = async (): Promise<void> => {
    const store = openEmbeddedStore({ folder });
    await recover(store, 'bot', START);
    await store.close();
  };
  const times: Record<string, number> = { start: await timeOf(start) };
  const said: string[] = [];
  for (const command of COMMANDS) {
    times[command.join(' ')] = await timeOf(() => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...command, '--state', folder], { encoding: 'utf8' });
      if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}: ${stderr}`);
      said.push(stdout);
    });
  }
  return { times, said };
}

for (const orders of process.argv.slice(2).map(Number)) {
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-journal-'));
  const megabytes = (): number => Math.round(statSync(join(folder, 'store.sqlite')).size / 1e6);
  await make(folder, orders);
  const [before, size] = [await measure(folder), megabytes()];
  await compact(folder);
  const after = await measure(folder);
  if (JSON.stringify(after.said) !== JSON.stringify(before.said)) throw new Error('the commands say something else after the move');
  console.log(`${orders} ended orders: milliseconds; store.sqlite has ${size} MB before and ${megabytes()} MB after`);
  console.table({ before: before.times, after: after.times });
  rmSync(folder, { recursive: true });
}
