/** `tickwright/research`: what a program gets is what the command has, from a thread that it can end. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { backtest, Failure, loadTape, optimize, readReport, walkForward } from '../../../../src/research.ts';
import { defaultConfig } from '../../../../src/config/defaults.ts';
import { formatScaled } from '../../../../src/domain/amounts/scale.ts';
import { readManifest } from '../../../../src/tape/read.ts';
import { streamsOf } from '../../../../src/tape/streams-of.ts';
import { runBacktest } from '../../../../src/run/backtest/backtest.ts';
import { strategyFile } from '../../../support/backtest/reference-backtest.ts';
import { writeRandomTape } from '../../../support/backtest/reference-strategy.ts';

const ALTERNATING = `    let calls = 0;
    return {
      onQuote(market: any, ctx: any) {
        calls++;
        if (calls % params.every !== 0) return;
        if (market.long.free > 0) ctx.close(market, 'LONG', { reason: 'out' });
        else ctx.open(market, 'LONG', { size: '0.01', reason: 'in' });
        ctx.log('call', { calls });
      },
    };`;

let folder = '';
let tape = '';
let strategy = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-research-'));
  tape = join(folder, 'tape');
  writeRandomTape(tape, { seed: 5, rows: 400, symbols: 1, stepMs: 400 });
  strategy = strategyFile(
    folder,
    ALTERNATING,
    `every: param.integer(3, { min: 1, max: 20 }), unused: param.number(0.5, { min: 0, max: 1 })`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function failure(work: Promise<unknown>): Promise<Failure> {
  return work.then(
    () => expect.fail('it did not fail'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(Failure);
      return error as Failure;
    },
  );
}

function nameOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'it did not fail',
    (error: unknown) => (error as Error).name,
  );
}

test('a backtest has the hash of the command, says how far it is, and gives the lines of the strategy', async () => {
  const shares: number[] = [];
  const lines: unknown[] = [];
  const { report, tables } = await backtest({
    tape,
    strategy,
    params: { every: 4 },
    everyTick: true,
    bracket: false,
    progress: (_, share) => shares.push(share),
    log: (_, fields) => lines.push(fields['calls']),
  });
  const config = defaultConfig();
  const strategies = [{ file: strategy, params: { every: '4' }, symbols: [] }];
  const same = await runBacktest({ strategies, tape, config, everyTick: true, speed: 1, seed: config.seed });
  expect(report.hash).toBe(same.hash);
  expect(report.trades).toEqual(same.trades);
  expect(tables.fills.time.length).toBe(report.fills.length);
  expect(report.fills.length).toBeGreaterThan(3);
  expect(shares.length).toBeGreaterThan(0);
  expect(lines.slice(0, 2)).toEqual([4, 8]);
});

test('each option acts', async () => {
  const market = { tape, strategy, everyTick: true, bracket: false };
  const { report } = await backtest(market);
  const half = await backtest({ ...market, to: new Date((report.tape.from + report.tape.to) / 2) });
  expect(half.report.tape.rows).toBeLessThan(report.tape.rows);
  const late = await backtest({ ...market, set: { 'simulation.upMs': 20_000 } });
  expect(late.report.hash).not.toBe(report.hash);
  expect((await failure(backtest({ ...market, symbols: ['NONEUSDT'] }))).failure).toBe('symbol-flag');
  const written = join(folder, 'report.json');
  half.writeJson(written);
  expect(readReport(written).report).toMatchObject({ kind: 'backtest', hash: half.report.hash });
});

describe('what is wrong is a Failure with its code, and names the option', () => {
  test.each([
    [{ tape: 'nowhere' }, 'path-missing', 'option tape'],
    [{ params: { evry: 3 } }, 'parameter-flag', 'option params'],
    [{ set: { 'risk.nothing': 1 } }, 'config-flag', 'option set'],
  ] as const)('%j', async (wrong, code, where) => {
    const { failure: found, problems } = await failure(backtest({ tape, strategy, ...wrong }));
    expect([found, problems[0]?.where]).toEqual([code, where]);
  });
});

test('a search tells its trials, and a signal ends it at once', async () => {
  const told: number[] = [];
  const search = { tape, strategy, everyTick: true, by: 'netProfit', workers: 1 };
  const { report, tables } = await optimize({ ...search, trials: 3, constraints: ['trades>=1'], progress: (now) => told.push(now.of) });
  expect(report.trials.length).toBe(3);
  expect(tables.trials['param_every']).toEqual(Float64Array.from(report.trials, ({ point }) => Number(point['every'])));
  expect(new Set(told)).toEqual(new Set([3]));
  const stop = new AbortController();
  const endless = optimize({ ...search, sampler: 'random', trials: 1_000_000, signal: stop.signal, progress: () => stop.abort() });
  expect(await nameOf(endless)).toBe('AbortError');
  expect(await nameOf(backtest({ tape, strategy, signal: AbortSignal.abort() }))).toBe('AbortError');
});

test('a walk-forward has its windows as a table', async () => {
  const { report, tables } = await walkForward({ tape, strategy, everyTick: true, trials: 2, folds: 2, workers: 1, by: 'netProfit' });
  expect(report.folds.length).toBe(2);
  expect(tables.folds['fold']).toEqual(Float64Array.from([1, 1, 1, 1, 2, 2, 2, 2]));
});

test('a tape is read as columns, in whole or in part', () => {
  const opened = loadTape(tape);
  const { symbol, rows } = opened.streams.find(({ kind }) => kind === 'quotes')!;
  const quotes = opened.read(symbol, 'quotes')!;
  expect(quotes.ts.length).toBe(rows);
  const [stream] = streamsOf(tape, readManifest(tape), (info) => info.symbol === symbol && info.kind === 'quotes');
  stream!.next();
  expect(quotes.askPrice[0]).toBe(Number(formatScaled(stream!.ask[0]!, stream!.scale.priceDecimals)));
  stream!.close();
  const middle = quotes.ts[Math.floor(rows / 2)]!;
  const first = opened.read(symbol, 'quotes', { to: middle })!;
  expect([...first.ts]).toEqual([...quotes.ts].filter((time) => time < middle));
  expect(opened.read(symbol, 'funding')).toBeNull();
  expect(() => loadTape(folder)).toThrow(Failure);
});
