/** Bars in backtests: the same with history before `--from` as in a run over the whole tape. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BacktestOptions } from '../../../src/run/setup/options.ts';
import { backtest, configWith, strategyFile } from '../../support/backtest/reference-backtest.ts';
import { openTape } from '../../../src/tape/read.ts';
import { TapeWriter } from '../../../src/tape/write.ts';
import { TAPE_START, writeRandomTape } from '../../support/backtest/reference-strategy.ts';
import { rowsOf } from '../../support/tape/tape-rows.ts';

let folder = '';
let tape = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bars-'));
  tape = join(folder, 'tape');
  writeRandomTape(tape, { seed: 5, rows: 30_000, symbols: 1, stepMs: 20 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Seen = [end: number, timeframe: string, closes: number[]];
const results = globalThis as unknown as { seenBars?: Seen[] };

/** What a strategy sees at each bar: the closes of the last bars. */
async function seen(needs: string, given: Partial<BacktestOptions>): Promise<{ bars: Seen[]; notes: readonly string[] }> {
  const bars: Seen[] = [];
  results.seenBars = bars;
  const body = `return { needs: ${needs}, onBar(bar: any, market: any) {
    (globalThis as any).seenBars.push([bar.end, bar.timeframe, [...market.bars(bar.timeframe).close]]);
  } };`;
  const { notes } = await backtest(tape, strategyFile(folder, body), given);
  return { bars, notes };
}

describe.each([true, false])('with every tick %s', (everyTick) => {
  test.each(['1s', '5s', 'ha:2s'])('%s bars after --from equal those of the whole tape', async (timeframe) => {
    const needs = `{ bars: { '${timeframe}': 12 } }`;
    const whole = await seen(needs, { everyTick });
    const from = TAPE_START + 90_123;
    const part = await seen(needs, { everyTick, from });
    expect(part.bars.length).toBeGreaterThan(10);
    const digits = (bars: Seen[]): unknown[] =>
      bars.map(([end, , closes]) => [end, closes.map((close) => close.toPrecision(timeframe === 'ha:2s' ? 6 : 15))]);
    expect(digits(part.bars)).toEqual(digits(whole.bars.filter(([end]) => end > from)));
  });

  test('without history a strategy waits for its bars, and a run that is too short says so', async () => {
    const { bars } = await seen(`{ bars: { '5s': 4 } }`, { everyTick });
    expect(bars[0]![2]).toHaveLength(4);
    const short = await seen(`{ bars: { '1h': 3 } }`, { everyTick });
    expect(short.bars).toEqual([]);
    expect(short.notes[0]).toMatch(/^scripted never started, because it waits for bars: it had 0 of 3 1h bars of BTCUSDT/);
  });
});

describe('volumes of bars are no lots', () => {
  /** Bars of one minute: open, high, low and close in steps of 0.125, volume in steps of 0.0000125. */
  function barTape(name: string, symbol: string, volumes: readonly number[]): string {
    const path = join(folder, name);
    const writer = new TapeWriter(path, { overwrite: true });
    const bars = writer.stream(symbol, 'bars', { priceDecimals: 3, sizeDecimals: 7 }, 60_000);
    for (const [k, volume] of volumes.entries()) {
      const open = 46_000_000 + k * 1125;
      bars.bar(TAPE_START + k * 60_000, open, open + 2250, open - 1125, open + 1125, volume);
    }
    writer.finish();
    return path;
  }
  const futuresOf = (config: Readonly<Record<string, unknown>>): unknown => (config['instruments'] as unknown[])[0];
  const SHAPE = [12_500_012_500, 8_250_000, 9_125, 0, 125];

  test.each([
    ['a built-in row keeps its lot', 'BTCUSDT', '0.125', '0.001'],
    ['without a row the lot has what the price leaves of 8 decimals', 'XYZUSDT', '0.125', '0.00001'],
  ])('%s, in a run with %s', async (_, symbol, tickSize, lotSize) => {
    const path = barTape(symbol, symbol, SHAPE);
    const body = `let bought = false;
      return { onQuote(market: any, ctx: any) {
        if (bought) return;
        bought = true;
        ctx.place({ market, effect: 'OPEN', side: 'LONG', size: 0.01 });
      } };`;
    for (const everyTick of [true, false]) {
      const report = await backtest(path, strategyFile(folder, body), { everyTick });
      expect(futuresOf(report.config)).toMatchObject({ symbol, tickSize, lotSize });
      expect(report.orders.filled).toBe(1);
      expect(report.notes.join('\n')).toContain(
        `${symbol}: the volumes of its bars are no whole lots of ${lotSize}; what is less than a lot is left out.`,
      );
    }
  });

  test('a bar of less than a lot moves the price and prints no trade', () => {
    const path = barTape('thin', 'BTCUSDT', SHAPE);
    const grid = { priceDecimals: 3, tickStep: 125, sizeDecimals: 3, lotStep: 1 };
    const [trades, quotes] = openTape(path, { gridOf: () => grid })
      .open()
      .map((stream) => rowsOf(stream));
    const sumOf = (bar: number): number =>
      trades!.filter(([time]) => Math.floor((time - TAPE_START) / 60_000) === bar).reduce((sum, row) => sum + row[3], 0);
    expect([0, 1, 2, 3, 4].map(sumOf)).toEqual([1_250_001, 825, 0, 0, 0]);
    expect(quotes!.length).toBeGreaterThan(5 * 5);
  });

  test('prices stay exact: one off the grid is refused', () => {
    const path = barTape('off', 'BTCUSDT', SHAPE);
    const grid = { priceDecimals: 1, tickStep: 1, sizeDecimals: 3, lotStep: 1 };
    expect(() =>
      openTape(path, { gridOf: () => grid })
        .open()
        .map((stream) => rowsOf(stream)),
    ).toThrow(/every price was expected/);
  });

  test('a row that somebody wrote keeps its lot, and its tick must fit', async () => {
    const path = barTape('own', 'BTCUSDT', SHAPE);
    const strategy = strategyFile(folder, 'return {};');
    const own = { tickSize: '0.125', lotSize: '0.01' };
    const contract = { ...own, priceDecimals: 3, minSize: '0.01' };
    const { config } = await backtest(path, strategy, { everyTick: true, config: configWith({ contract }) });
    expect(futuresOf(config)).toMatchObject(own);
    const wrong = configWith({ contract: { ...contract, tickSize: '0.5' } });
    await expect(backtest(path, strategy, { everyTick: true, config: wrong })).rejects.toMatchObject({ code: 'off-grid' });
  });

  test('trades with more than 8 decimals together are refused with the way out', async () => {
    const path = join(folder, 'fine');
    const writer = new TapeWriter(path, { overwrite: true });
    writer.stream('BTCUSDT', 'trades', { priceDecimals: 3, sizeDecimals: 7 }).trade(TAPE_START, 1, 46_000_125, 12_345_671, 0);
    writer.finish();
    await expect(backtest(path, strategyFile(folder, 'return {};'), { everyTick: true })).rejects.toMatchObject({
      code: 'off-grid',
      problems: [{ what: expect.stringContaining('3 + 7'), hint: expect.stringContaining('at most 5 decimals') }],
    });
  });
});
