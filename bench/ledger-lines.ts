/**
 * What an order costs that the exchange writes: its input and four lines of the ledger, appended to two files, or as one commit of SQLite.
 * `node bench/ledger-lines.ts [ORDERS]`: three turns of each, in alternation.
 */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const orders = Number(process.argv[2] ?? 20_000);
const folder = mkdtempSync(join(tmpdir(), 'ledger-lines-'));
const account = 'account-1';
const input = `${JSON.stringify({ k: 'request', n: 123_456, at: 1_700_000_000_000, account, endpoint: 'E12', body: 'x'.repeat(220) })}\n`;
const lines = ['request', 'order', 'fill', 'cash'].map(
  (kind, k) => `${JSON.stringify({ n: 100 + k, kind, at: 1_700_000_000_000, account, facts: 'y'.repeat(160) })}\n`,
);

/** Runs `write` once for each order; prints its times and the CPU that an order took. */
function measure(name: string, write: () => void): void {
  const times = new Float64Array(orders);
  const before = process.cpuUsage();
  for (let k = 0; k < orders; k++) {
    const start = performance.now();
    write();
    times[k] = (performance.now() - start) * 1000;
  }
  const { user, system } = process.cpuUsage(before);
  times.sort();
  const at = (share: number): string => times[Math.floor(share * (orders - 1))]!.toFixed(0);
  console.log(`${name.padEnd(26)} p50 ${at(0.5)} µs, p99 ${at(0.99)} µs, CPU ${((user + system) / orders).toFixed(1)} µs an order`);
}

function files(): void {
  const [inputs, ledger] = ['inputs', 'ledger'].map((name) => openSync(join(folder, name), 'a'));
  measure('two files', () => {
    writeSync(inputs!, input);
    writeSync(ledger!, lines.join(''));
  });
  for (const file of [inputs!, ledger!]) closeSync(file);
}

function sqlite(synchronous: 'OFF' | 'NORMAL'): void {
  const db = new DatabaseSync(join(folder, synchronous));
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous};
    CREATE TABLE IF NOT EXISTS inputs (n INTEGER PRIMARY KEY, text TEXT);
    CREATE TABLE IF NOT EXISTS lines (n INTEGER PRIMARY KEY, kind TEXT, text TEXT);`);
  const begin = db.prepare('BEGIN');
  const addInput = db.prepare('INSERT INTO inputs (text) VALUES (?)');
  const addLine = db.prepare('INSERT INTO lines (kind, text) VALUES (?, ?)');
  const commit = db.prepare('COMMIT');
  measure(`SQLite, synchronous ${synchronous}`, () => {
    begin.run();
    addInput.run(input);
    for (const line of lines) addLine.run('order', line);
    commit.run();
  });
  db.close();
}

try {
  for (let turn = 0; turn < 3; turn++) {
    files();
    sqlite('OFF');
    sqlite('NORMAL');
  }
} finally {
  rmSync(folder, { recursive: true });
}
