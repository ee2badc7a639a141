/** Making, importing and loading tapes, and cold starts on them. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../src/cli/table/command-rows.ts';
import { defaultConfig } from '../../src/config/defaults.ts';
import { synthSymbols } from '../../src/run/market/synthetic.ts';
import { withSynthetic } from '../../src/run/setup/instruments/synthetic-instruments.ts';
import { instrumentsOf } from '../../src/run/setup/instruments/instruments.ts';
import { exportTape } from '../../src/tape/export/export.ts';
import { importFiles } from '../../src/tape/import/import.ts';
import { SynthMarket, synthTape } from '../../src/tape/synth/synth.ts';
import { generateBars, generateMarket, generateTrades } from '../generate.ts';
import { here, isQuick, jsonLines, judgedAbove, millions, node, tell } from './table.ts';

const ROWS = isQuick ? 2_000_000 : 10_000_000;

/** Size of rows on disk and in memory. Leaves the tapes `w1` and `w2` in the folder. */
export function tapes(folder: string): void {
  const { w1, w2 } = { w1: join(folder, 'w1'), w2: join(folder, 'w2') };
  const manifest = generateTrades(w1, { rows: ROWS, seed: 1 });
  generateMarket(w2, { rows: ROWS / 2, seed: 1 });
  const trades = manifest.streams[0];
  const perRow = trades === undefined ? Number.NaN : trades.bytes / trades.rows;
  tell('a trade on disk, random walk', `${perRow.toFixed(2)} bytes`, '≤ 4', perRow <= 4);
  for (const [name, path] of [
    ['W1', w1],
    ['W2', w2],
  ] as const) {
    const [loaded] = jsonLines<{ bytesPerRow: number }>(node([here('memory.ts'), 'load', path]));
    tell(
      `a row in memory, ${name} loaded whole`,
      `${(loaded?.bytesPerRow ?? Number.NaN).toFixed(1)} bytes`,
      '≤ 20',
      (loaded?.bytesPerRow ?? 99) <= 20,
    );
    const [streamed] = jsonLines<{ peakMb: number }>(node([here('memory.ts'), 'stream', path]));
    tell(`peak memory, ${name} streamed`, `${Math.round(streamed?.peakMb ?? Number.NaN)} MB`, '< 200 MB', (streamed?.peakMb ?? 999) < 200);
  }
}

/** Memory of a run with a fill for each book ticker of W2: fills and trades leave it. */
export function manyFills(folder: string): void {
  const [run] = jsonLines<{ fills: number; peakMb: number }>(node([here('memory.ts'), 'fills', join(folder, 'w2')]));
  const { fills = 0, peakMb = Number.NaN } = run ?? {};
  tell(`peak memory of a run with ${fills} fills`, `${Math.round(peakMb)} MB`, '≤ 150 MB', peakMb <= 150);
}

/** Rows of the synthetic market of 50 symbols: as an exchange takes them, and as a tape. */
export function making(folder: string): void {
  const instruments = instrumentsOf(withSynthetic(defaultConfig().instruments, 50)).filter((i) => i.product === 'futures');
  const symbols = synthSymbols(instruments);
  const market = new SynthMarket({ symbols, seed: 1, start: 1_700_000_000_000 });
  const rows = isQuick ? 1_000_000 : 10_000_000;
  const started = performance.now();
  for (let row = 0; row < rows; row++) market.next();
  const speed = (rows / (performance.now() - started)) * 1000;
  tell('synthetic market of 50 symbols, rows a second', millions(speed), '≥ 1.0 M/s', speed >= 1e6);
  const written = performance.now();
  const manifest = synthTape(join(folder, 'made'), { symbols, seed: 1, start: 1_700_000_000_000, seconds: isQuick ? 300 : 1800 });
  tell('the same written as a tape, rows a second', millions((manifest.rows / (performance.now() - written)) * 1000), '', null);
}

/** Speed of the import of CSV, and size of recorded trades on disk. */
export async function importing(folder: string): Promise<void> {
  const csv = join(folder, 'big.csv');
  const rows = isQuick ? 1_000_000 : 2_000_000;
  node([here('tape.ts'), 'csv', csv, String(rows)]);
  const started = performance.now();
  await importFiles([csv], join(folder, 'imported'), {});
  const speed = (rows / (performance.now() - started)) * 1000;
  tell('CSV import, rows a second', millions(speed), '≥ 1.0 M/s', speed >= 1e6);
  await importingBars(folder);
  const recordings = here('../../shared/data');
  if (!existsSync(recordings)) return tell('recordings on disk', 'no recordings here', '', null);
  const files = readdirSync(recordings)
    .filter((f) => f.includes('USDT-perp-2024'))
    .map((f) => join(recordings, f));
  const { manifest } = await importFiles(files, join(folder, 'recorded'), {});
  for (const s of manifest.streams.filter((one) => one.kind === 'trades')) {
    tell(`a trade on disk, recording of ${s.symbol}`, `${(s.bytes / s.rows).toFixed(2)} bytes`, '≤ 4', s.bytes / s.rows <= 4);
  }
}

/** A tape of bars, exported and imported again. */
async function importingBars(folder: string): Promise<void> {
  const rows = isQuick ? 200_000 : 1_000_000;
  const tape = join(folder, 'bars');
  generateBars(tape, { rows, seed: 1 });
  for (const [format, least, wanted] of [
    ['csv', 0.4e6, 1],
    ['parquet', 0.4e6, 2],
  ] as const) {
    const files = exportTape(tape, join(folder, format), { format }).map(({ file }) => file);
    const started = performance.now();
    await importFiles(files, join(folder, `bars-${format}`), {});
    const speed = (rows / (performance.now() - started)) * 1000;
    tell(`import of bars, ${format}, rows a second`, millions(speed), `≥ ${millions(least)} (wanted ${wanted})`, judgedAbove(speed, least));
  }
}

/**
 * Cold starts of whole processes in turn: a backtest of 100,000 dense rows, and Node.js doing nothing. The report is text, as a person reads it;
 * that as JSON computes every metric with its interval.
 */
export function coldStart(folder: string): void {
  const tape = join(folder, 'small');
  const instruments = instrumentsOf(defaultConfig().instruments);
  const symbols = synthSymbols(instruments).slice(0, 1);
  synthTape(tape, { symbols, seconds: 480, seed: 1, start: 1_700_000_000_000 });
  for (const [how, flags, goal] of [
    ['every tick', ['--every-tick'], 5],
    ['by polls', [], 5],
    ['every tick, every metric as JSON', ['--every-tick', '--json'], null],
  ] as const) {
    const program = [
      here('../src/tickwright.js'),
      'backtest',
      '--no-bracket',
      '--tape',
      tape,
      '--strategy',
      here('../strategies/ema-cross.ts'),
      ...flags,
    ];
    const { rows } = (JSON.parse(node([...program, '--json'])) as { performance: { rows: number } }).performance;
    const cold = JSON.parse(node([here('cold.ts'), isQuick ? '5' : '11', ...program])) as { ratio: number; wallMs: number };
    const { ratio, wallMs } = cold;
    tell(
      `cold backtest of ${rows} rows, ${how}, against node -e 0`,
      `${ratio.toFixed(2)} × (${Math.round(wallMs)} ms)`,
      goal === null ? '' : `≤ ${goal} ×`,
      goal === null ? null : ratio <= goal,
    );
  }
}

/** Help texts and the version, against Node.js doing nothing: every command in turn, and the slowest one is the figure. */
export function helpStart(): void {
  const program = here('../src/tickwright.js');
  const measured = ['', ...COMMANDS.map(({ name }) => name)].map((name) => {
    const words = name === '' ? [] : name.split(' ');
    const text = node([here('cold.ts'), isQuick ? '3' : '9', program, ...words, '--help']);
    return { name, ...(JSON.parse(text) as { cpuBeyondMs: number | null; wallMs: number }) };
  });
  const beyond = ({ cpuBeyondMs }: (typeof measured)[number]): number => cpuBeyondMs ?? 0;
  const slowest = measured.toSorted((a, b) => beyond(b) - beyond(a))[0]!;
  tell(
    `--help of ${measured.length} commands, the slowest (${slowest.name}), processor time beyond node -e 0`,
    slowest.cpuBeyondMs === null ? 'not measured here' : `${Math.round(slowest.cpuBeyondMs)} ms`,
    '≤ 60 ms',
    slowest.cpuBeyondMs === null ? null : slowest.cpuBeyondMs <= 60,
  );
  const { ratio } = JSON.parse(node([here('cold.ts'), isQuick ? '5' : '11', program, '--version'])) as { ratio: number };
  tell('--version, against node -e 0', `${ratio.toFixed(2)} ×`, '≤ 2 ×', ratio <= 2);
}
