/** Signals in searches: a trial hears what a backtest with the same file hears. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Failure } from '../../../../src/base/failure/failure.ts';
import { backtest, optimize, walkForward } from '../../../../src/research.ts';
import { writeRows } from '../../../../src/run/testing/written-rows.ts';
import { readManifest } from '../../../../src/tape/read.ts';
import { strategyFile } from '../../../support/backtest/reference-backtest.ts';
import { writeRandomTape } from '../../../support/backtest/reference-strategy.ts';

/** Each signal opens a position, or closes one after so many of them. */
const SIGNALLED = `    let heard = 0;
    return {
      onQuote() {},
      onSignal(signal: any, ctx: any) {
        const market = ctx.market('BTCUSDT');
        if (market.long.free > 0) { if (++heard % params.every === 0) ctx.close(market, 'LONG', { reason: 'out' }); }
        else ctx.open(market, 'LONG', { size: '0.01', reason: 'in' });
      },
    };`;

let folder = '';
let tape = '';
let strategy = '';
let signals = '';
let times: readonly number[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-signals-'));
  tape = join(folder, 'tape');
  writeRandomTape(tape, { seed: 5, rows: 400, symbols: 1, stepMs: 400 });
  strategy = strategyFile(folder, SIGNALLED, `every: param.integer(1, { min: 1, max: 4 })`);
  const { from, to } = readManifest(tape);
  signals = join(folder, 'signals.csv');
  times = Array.from({ length: 40 }, (_, k) => Math.round(from + ((to - from) * (k + 0.5)) / 40));
  writeFileSync(signals, ['time,text', ...times.map((time) => `${time},go`)].join('\n'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a trial has the hash of the backtest with the same signals and parameters', async () => {
  const run = { tape, strategy, signals };
  const { report } = await optimize({ ...run, trials: 4, sampler: 'grid', holdout: 0, workers: 1 });
  expect(report.trials.length).toBe(4);
  const { from, to } = report.searched;
  for (const { params, hash, figures } of report.trials) {
    expect(figures['trades']).toBeGreaterThan(1);
    expect((await backtest({ ...run, params, bracket: false })).report.hash).toBe(hash);
  }
  const [first] = report.trials;
  expect((await backtest({ ...run, params: first?.params, from, to, bracket: false })).report.hash).toBe(first?.hash);
  expect(new Set(report.trials.map(({ hash }) => hash)).size).toBe(4);
  expect((await optimize({ tape, strategy, trials: 1, holdout: 0, workers: 1 })).report.trials[0]?.figures['trades']).toBe(0);
});

test('a trial of a tape of bars has all of them, as its backtest does', async () => {
  const bars = join(folder, 'bars');
  const made = Array.from({ length: 60 }, (_, k) => ({
    at: k * 60_000,
    open: 1_000 + k,
    high: 1_003 + k,
    low: 998 + k,
    close: 1_001 + k,
    volume: 5,
  }));
  writeRows(bars, { rows: made, symbol: 'BTCUSDT', start: Date.UTC(2024, 0, 1), barMs: 60_000 });
  const { report } = await optimize({ tape: bars, strategy, trials: 1, holdout: 0, workers: 1 });
  const [trial] = report.trials;
  const alone = await backtest({ tape: bars, strategy, params: trial?.params, bracket: false });
  expect(alone.report.tape.rows).toBe(60);
  expect(trial?.hash).toBe(alone.report.hash);
});

test('each window of a walk-forward hears the signals of its own time', async () => {
  const search = { tape, strategy, signals, by: 'netProfit', trials: 3, sampler: 'random' as const, workers: 1 };
  const { report } = await walkForward({ ...search, folds: 2, rolling: true });
  for (const { searched, judged, hash, best } of report.folds) {
    const alone = await optimize({ ...search, from: searched.from, to: searched.to, holdout: 0 });
    expect(alone.report.hash).toBe(hash);
    const judgedAlone = await backtest({ tape, strategy, signals, ...judged, params: best?.params ?? {}, bracket: false });
    expect(Number(judgedAlone.report.pnl.net)).toBe(best?.holdout?.['netProfit']);
  }
});

test('a signal for another strategy is refused before the first trial', async () => {
  const wrong = join(folder, 'wrong.csv');
  writeFileSync(wrong, `time,strategy,text\n${times[0]},other,go\n`);
  const failed = await optimize({ tape, strategy, signals: wrong, trials: 1, workers: 1 }).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(Failure);
  expect((failed as Failure).failure).toBe('signals-unreadable');
});
