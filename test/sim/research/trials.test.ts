/** Trials over a tape that is loaded once: the same reports as separate backtests, in this thread and in others. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadMarket, openTrials, type TrialOptions } from '../../../src/run/backtest/trials.ts';
import { runBacktest, type BacktestReport } from '../../../src/run/backtest/backtest.ts';
import { numbersOf } from '../../../src/report/backtest-report.ts';
import { METRICS, type MetricKey } from '../../../src/report/metrics/metrics.ts';
import { TapeWriter } from '../../../src/tape/write.ts';
import { configWith } from '../../support/backtest/reference-backtest.ts';
import { TAPE_START, writeRandomTape } from '../../support/backtest/reference-strategy.ts';

let folder = '';
let ticks = '';
let bars = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trials-'));
  ticks = join(folder, 'ticks');
  writeRandomTape(ticks, { seed: 5, rows: 20_000, symbols: 1, stepMs: 50 });
  bars = join(folder, 'bars');
  const writer = new TapeWriter(bars);
  const stream = writer.stream('BTCUSDT', 'bars', { priceDecimals: 1, sizeDecimals: 3 }, 60_000);
  let price = 600_000;
  for (let k = 0; k < 150; k++) {
    const open = price;
    price += Math.round(Math.sin(k / 30) * 120 + Math.sin(k * 1.7) * 60);
    stream.bar(TAPE_START + k * 60_000, open, Math.max(open, price) + 40, Math.min(open, price) - 40, price, 5000);
  }
  writer.finish();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function optionsOf(everyTick: boolean): TrialOptions {
  const strategies = [{ file: resolve(import.meta.dirname, '../../../strategies/ema-cross.ts'), params: { fast: '5' }, symbols: [] }];
  return { strategies, config: configWith(), everyTick, speed: 1, seed: 1 };
}

const ON_BARS = 'the market is bars';

/** Everything but the speed, and on bars the note that names the result of the other order, which the hash covers. */
function comparable({ performance: _speed, notes, hash, ...report }: BacktestReport): unknown {
  const isOnBars = notes.some((note) => note.startsWith(ON_BARS));
  return structuredClone({ ...report, hash: isOnBars ? '' : hash, notes: notes.filter((note) => !note.startsWith(ON_BARS)) });
}

const SETS = [{ slow: '20' }, { slow: '60' }, { fast: '12', slow: '40' }, { slow: '20' }];

describe.each([true, false])('with every tick %s', (everyTick) => {
  test.each([
    ['ticks', () => ticks],
    ['bars', () => bars],
  ])('trials on %s give the reports of separate backtests', async (_, tape) => {
    const options = optionsOf(everyTick);
    const trials = await openTrials(loadMarket(tape(), options.config), options);
    for (const params of SETS) {
      const { file, symbols } = options.strategies[0]!;
      const alone = await runBacktest({ ...options, tape: tape(), strategies: [{ file, params: { fast: '5', ...params }, symbols }] });
      const trial = trials.run([params]);
      expect(trial.trades.length).toBeGreaterThan(0);
      expect(comparable(trial)).toEqual(comparable(alone));
    }
  });
});

test.each([
  ['ticks', () => ticks],
  ['bars', () => bars],
])('a trial on %s that watches no prices after fills has all metrics but those that need them', async (_, tape) => {
  const options = optionsOf(true);
  const trials = await openTrials(loadMarket(tape(), options.config), options);
  const keys = Object.keys(METRICS) as MetricKey[];
  const whole = trials.run([{ slow: '20' }]);
  const blind = trials.run([{ slow: '20' }], { hooks: { isWatched: false } });
  expect(blind.hash).toBe(whole.hash);
  const seen = numbersOf(whole, keys);
  const known = numbersOf(blind, keys);
  const needing = keys.filter((key) => METRICS[key].needsWatch === true);
  expect(needing.filter((key) => known[key] !== null)).toEqual([]);
  expect(needing.filter((key) => seen[key] !== null).length).toBeGreaterThan(2);
  for (const key of keys) if (!needing.includes(key)) expect([key, known[key]]).toEqual([key, seen[key]]);
});

test('a range and a seed of a trial', async () => {
  const options = optionsOf(true);
  const trials = await openTrials(loadMarket(ticks, options.config), options);
  const range = { from: TAPE_START + 100_000, to: TAPE_START + 300_000 };
  const alone = await runBacktest({ ...options, tape: ticks, ...range, seed: 7 });
  expect(comparable(trials.run([{}], { ...range, seed: 7 }))).toEqual(comparable(alone));
  expect(() => trials.run([{}], { from: 0, to: 1 })).toThrow(/no row of the tape/);
  expect(() => trials.run([])).toThrow(/expected parameters for each of 1 strategies, found 0/);
  expect(() => trials.run([{ slow: 'many' }])).toThrow(/slow/);
});

test('a posted market shares its rows, and another thread finds the same', async () => {
  const options = optionsOf(true);
  const market = loadMarket(bars, options.config);
  for (const { blocks } of market.rows.streams) {
    for (const { columns, times } of blocks) for (const one of [times, ...columns]) expect(one.buffer).toBeInstanceOf(SharedArrayBuffer);
  }
  const script = `
    const { parentPort, workerData } = require('node:worker_threads');
    import(workerData.module).then(async ({ openTrials }) => {
      const trials = await openTrials(workerData.market, workerData.options);
      parentPort.postMessage(trials.run([{ slow: '20' }]));
    });`;
  const module = new URL('../../../src/run/backtest/trials.ts', import.meta.url).href;
  const worker = new Worker(script, { eval: true, workerData: { module, market, options } });
  const [found] = (await new Promise((done, fail) => {
    worker.once('message', (report: BacktestReport) => done([report]));
    worker.once('error', fail);
  })) as [BacktestReport];
  const trials = await openTrials(market, options);
  // What is posted has no hidden parts of the process that made it.
  expect(comparable(found)).toEqual(comparable(structuredClone(trials.run([{ slow: '20' }]))));
});
