/**
 * The floors of the live figures, measured in the same run: one durable SQLite commit and one bare POST by the same HTTP library, and
 * `JSON.parse` of the answer to a poll. The live figures are ratios to them.
 */
import diagnostics from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

/** As often as the live path sends an order. */
const EVERY_MS = 5;
const BODY = JSON.stringify({ clientOid: 'bench-1-1', symbol: 'BTCUSDT', side: 'BUY', price: '60000.0', size: '0.001' });
const RECORD = 'x'.repeat(160);

/** Microseconds from before the commit to the header in the socket, of `count` orders after a warm-up. */
export async function orderFloor(port: number, count: number): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-floor-'));
  const database = new DatabaseSync(join(folder, 'floor.db'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; CREATE TABLE t (x TEXT)');
  const insert = database.prepare('INSERT INTO t VALUES (?)');
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 8 });
  const times: number[] = [];
  let started = 0;
  const sent = (): void => void times.push((performance.now() - started) * 1000);
  diagnostics.subscribe('undici:client:sendHeaders', sent);
  for (let k = 0; k < count + 50; k++) {
    await sleep(EVERY_MS);
    started = performance.now();
    insert.run(RECORD);
    const { body } = await pool.request({ method: 'POST', path: '/floor', body: BODY, headers: { 'content-type': 'application/json' } });
    await body.text();
  }
  diagnostics.unsubscribe('undici:client:sendHeaders', sent);
  await pool.close();
  database.close();
  rmSync(folder, { recursive: true });
  return times.slice(50);
}

/** Milliseconds of `JSON.parse` of the text at `url`, of `count` runs after a warm-up. */
export async function parseFloor(url: string, count: number): Promise<number[]> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin);
  const text = await (await pool.request({ method: 'GET', path: pathname })).body.text();
  await pool.close();
  const times: number[] = [];
  for (let k = 0; k < count + 20; k++) {
    const started = performance.now();
    JSON.parse(text);
    times.push(performance.now() - started);
  }
  return times.slice(20);
}
