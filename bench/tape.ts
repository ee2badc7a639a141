/**
 * Measures tapes: bytes per row on disk and in memory, and rows a second written, read, merged and imported. Each reading runs in its own
 * process. `node bench/tape.ts [million rows]`, default 10.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFiles } from '../src/tape/import/import.ts';
import { TapeMerge } from '../src/tape/merge.ts';
import { loadTape, openTape } from '../src/tape/read.ts';
import { generateMarket, generateTrades } from './generate.ts';
import { peakMb } from './peak-memory.ts';

const [mode = '10', path = ''] = process.argv.slice(2);

const millions = (rows: number, ms: number): string => `${(rows / ms / 1000).toFixed(1)} M rows/s`;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

function tell(what: string, ...figures: string[]): void {
  console.log(`${what.padEnd(44)} ${figures.join('   ')}`);
}

/** Reads all rows `count` times and prints the first and the best time. */
function passes(what: string, count: number, body: () => number): void {
  const times: number[] = [];
  let rows = 0;
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    rows = body();
    times.push(performance.now() - start);
  }
  tell(
    what,
    `first ${millions(rows, times[0]!)}`,
    `best ${millions(rows, Math.min(...times))}`,
    `peak memory ${megabytes(peakMb() * 2 ** 20)}`,
  );
}

function readAll(open: () => ReturnType<ReturnType<typeof openTape>['open']>): number {
  let rows = 0;
  for (const stream of open()) while (stream.next()) rows += stream.length;
  return rows;
}

function mergeAll(open: () => ReturnType<ReturnType<typeof openTape>['open']>): number {
  const merge = new TapeMerge(open());
  let rows = 0;
  while (merge.next()) rows += merge.to - merge.from;
  return rows;
}

function writeCsv(file: string, rows: number): void {
  writeFileSync(file, 'symbol,tradeId,price,size,side,ts,recvTs\n');
  let text = '';
  for (let i = 0; i < rows; i++) {
    const time = 1_723_161_256_322 + i * 3;
    text += `BTCUSDT,${5_266_583_935 + i},${61_800 + (i % 97)}.${i % 10}0,0.${100 + ((i * 37) % 900)},${i % 3 === 0 ? 'BUY' : 'SELL'},${time},${time - 1200}\n`;
    if (text.length > 1 << 20) {
      appendFileSync(file, text);
      text = '';
    }
  }
  appendFileSync(file, text);
}

async function measure(rows: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-tape-'));
  try {
    for (const [name, generate, each] of [
      ['trades', generateTrades, rows],
      ['market', generateMarket, rows / 2],
    ] as const) {
      const start = performance.now();
      const manifest = generate(join(folder, name), { rows: each, seed: 1 });
      tell(
        `write ${name}`,
        millions(manifest.rows, performance.now() - start),
        ...manifest.streams.map((s) => `${s.kind} ${(s.bytes / s.rows).toFixed(2)} B/row`),
      );
      for (const reading of ['stream', 'load', 'merge']) {
        if (name === 'market' || reading !== 'merge')
          execFileSync(process.execPath, [import.meta.filename, reading, join(folder, name)], { stdio: 'inherit' });
      }
    }
    const csv = join(folder, 'trades.csv');
    writeCsv(csv, 2_000_000);
    const start = performance.now();
    const summary = await importFiles([csv], join(folder, 'imported'));
    tell(
      'import CSV',
      millions(summary.rowsIn, performance.now() - start),
      `${((summary.manifest.streams[0]?.bytes ?? 0) / summary.rowsOut).toFixed(2)} B/row`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (mode === 'stream') passes('  read from disk, decoded by block', 5, () => readAll(() => openTape(path).open()));
else if (mode === 'merge') passes('  merged from disk', 5, () => mergeAll(() => openTape(path).open()));
else if (mode === 'csv') writeCsv(path, Number(process.argv[4] ?? 2_000_000));
else if (mode === 'load') {
  const before = process.memoryUsage.rss();
  const start = performance.now();
  const tape = loadTape(path);
  const ms = performance.now() - start;
  const { rows } = tape.manifest;
  const { rss, arrayBuffers } = process.memoryUsage();
  tell(
    '  loaded',
    millions(rows, ms),
    `${(arrayBuffers / rows).toFixed(1)} B/row in arrays`,
    `${((rss - before) / rows).toFixed(1)} B/row of process`,
  );
  passes('  read from memory', 5, () => readAll(() => tape.open()));
} else await measure(Number(mode) * 1_000_000);
