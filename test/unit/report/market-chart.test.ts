/** The chart of prices: bars of each length are those of a slow definition, and indicators are drawn as the strategy saw them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChartCollector, windowsOf } from '../../../src/report/market/chart-collector.ts';
import { barLengthFor, chartLevels, joinedBars, type BarColumns, type PackedBars } from '../../../src/report/market/chart-bars.ts';
import { packedBars, packedPoints } from '../../../src/report/market/packed-bars.ts';
import type { RunReport } from '../../../src/report/run-report.ts';
import { indicatorRun, type SeenLines } from '../../support/backtest/report-runs.ts';
import { NOISE_START, type NoiseBar } from '../../support/tape/noise-bars.ts';
import { unpackedBars, unpackedPoints } from '../../support/tape/unpacked.ts';

const MINUTE = 60_000;

/** Bars of a length from prices in order, one by one. */
function slowBars(prices: readonly (readonly [time: number, price: number])[], barMs: number): BarColumns {
  const starts = [...new Set(prices.map(([time]) => Math.floor(time / barMs) * barMs))];
  const within = starts.map((start) => prices.filter(([time]) => time >= start && time < start + barMs).map(([, price]) => price));
  return {
    barMs,
    time: starts,
    open: within.map((one) => one[0]!),
    high: within.map((one) => Math.max(...one)),
    low: within.map((one) => Math.min(...one)),
    close: within.map((one) => one.at(-1)!),
  };
}

const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: -50, max: 50 })), { minLength: 1, maxLength: 200 });
/** Prices in order of time, of at most two decimals, many of them at the edges of bars. */
const prices = steps.map((all) => {
  let [time, price] = [1_700_000_000_000, 5_000];
  return all.map(([halves, ticks]): readonly [number, number] => [(time += halves * 500), (price = Math.max(1, price + ticks)) / 4]);
});

describe('bars', () => {
  test('are the same as text, to the last digit', () => {
    fc.assert(
      fc.property(prices, fc.constantFrom(1_000, 5_000, MINUTE), (some, barMs) => {
        const bars = slowBars(some, barMs);
        expect(unpackedBars(packedBars(bars, bars.time[0]!, bars.time.at(-1)! + barMs))).toEqual(bars);
      }),
    );
  });

  test('that are collected, and longer ones that are joined, are those of the prices', () => {
    fc.assert(
      fc.property(prices, (some) => {
        const collector = new ChartCollector({ barMs: 15 * MINUTE, finerMs: MINUTE, leastMs: 1_000 });
        for (const [time, price] of some) collector.add(time, price);
        const { symbol, finer, ...coarse } = collector.chart('X', (price) => price);
        expect(symbol).toBe('X');
        expect(coarse).toEqual(slowBars(some, 15 * MINUTE));
        expect(unpackedBars(finer!)).toEqual(slowBars(some, MINUTE));
        expect(joinedBars(slowBars(some, MINUTE), 5 * MINUTE)).toEqual(slowBars(some, 5 * MINUTE));
      }),
    );
  });

  test('around trades are those of the prices of their time alone, also where they overlap', () => {
    fc.assert(
      fc.property(prices, fc.array(fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 60 })), { maxLength: 6 }), (some, spans) => {
        const first = Math.floor(some[0]![0] / 1_000) * 1_000;
        const windows = spans
          .map(([after, seconds]) => ({ from: first + after * 1_000, to: first + (after + seconds) * 1_000, barMs: 1_000 }))
          .sort((a, b) => a.from - b.from);
        const collector = new ChartCollector({ barMs: MINUTE, finerMs: MINUTE, leastMs: 1_000 }, windows);
        for (const [time, price] of some) collector.add(time, price);
        const found = (collector.chart('X', (price) => price).windows ?? []).map((one) => unpackedBars(one));
        expect(found).toEqual(
          windows.map(({ from, to }) =>
            slowBars(
              some.filter(([time]) => time >= from && time < to),
              1_000,
            ),
          ),
        );
      }),
    );
  });

  test('have a usual length that is a multiple of those of the tape, and at most so many', () => {
    const day = 1440 * MINUTE;
    expect(chartLevels(366 * day, 1, MINUTE)).toEqual({ barMs: 480 * MINUTE, finerMs: 30 * MINUTE, leastMs: MINUTE });
    expect(chartLevels(366 * day, 2, MINUTE).finerMs).toBe(60 * MINUTE);
    expect(chartLevels(366 * day, 60, MINUTE).finerMs).toBe(480 * MINUTE);
    expect(chartLevels(day, 1, MINUTE)).toEqual({ barMs: MINUTE, finerMs: MINUTE, leastMs: MINUTE });
    expect(chartLevels(day, 1, 0)).toEqual({ barMs: MINUTE, finerMs: 5_000, leastMs: 1_000 });
    expect([barLengthFor(10 * day, 100, 3 * MINUTE), barLengthFor(3000 * day, 100, MINUTE)]).toEqual([240 * MINUTE, 30 * day]);
  });

  test('around trades have room for the first ones, and none where those of the run are as fine', () => {
    const levels = { barMs: 480 * MINUTE, finerMs: 60 * MINUTE, leastMs: MINUTE };
    const trade = (k: number, minutes: number) => ({ symbol: 'X', openedAt: k * 1e7, closedAt: k * 1e7 + minutes * MINUTE });
    expect(windowsOf([trade(1, 10_000)], levels).size).toBe(0);
    const [one] = windowsOf([trade(1, 60)], levels).get('X')!;
    expect(one).toMatchObject({ barMs: 2 * MINUTE });
    expect(one!.from).toBeLessThan(1e7);
    expect(one!.to).toBeGreaterThan(1e7 + 60 * MINUTE);
    const many = windowsOf(
      Array.from({ length: 5_000 }, (_, k) => trade(5_000 - k, 60)),
      levels,
    ).get('X')!;
    expect(many.reduce((bars, { from, to, barMs }) => bars + (to - from) / barMs, 0)).toBeLessThan(40_000);
    // The first of the list, which is from the newest to the oldest, are there; they come in order of time.
    expect([many.length > 500, many.length < 5_000, many.at(-1)!.from > 4_999e7 / 1e3]).toEqual([true, true, true]);
    expect(many.map(({ from }) => from)).toEqual(many.map(({ from }) => from).toSorted((a, b) => a - b));
  });
});

test('the points of a line as text have six digits of the largest', () => {
  const time = [0, 5_000, 30_000];
  for (const value of [
    [123_456.78, -0.5, 3],
    [0, 0, 0],
    [1e-7, -2.345678e-6, 1e-6],
  ]) {
    const { time: at, value: found } = unpackedPoints(packedPoints(time, value, 5_000), 5_000);
    expect(at).toEqual(time);
    const largest = Math.max(...value.map(Math.abs));
    for (const [k, one] of found.entries()) expect(Math.abs(one - value[k]!)).toBeLessThanOrEqual(largest * 1e-5);
  }
});

describe('a run with declared indicators', () => {
  let folder = '';
  let report: RunReport;
  let tape: readonly NoiseBar[] = [];
  let seen: SeenLines = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'market-chart-'));
    ({ report, bars: tape, seen } = await indicatorRun(folder));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The last value in each bar of the chart. */
  const lastOf = (column: 1 | 2, barMs: number): Map<number, number> =>
    new Map(seen.map((row) => [Math.ceil(row[0] / barMs) * barMs - barMs, row[column]]));

  test('has the lines of each output as the strategy saw them, and its own', () => {
    const [{ drawing, barMs }] = report.market as [RunReport['market'][number]];
    expect(drawing!.lines.map(({ name }) => name)).toEqual([
      'ema(10) 5m',
      'donchian(8) 15m: upper',
      'donchian(8) 15m: middle',
      'donchian(8) 15m: lower',
      'own',
    ]);
    expect(barMs).toBe(10 * MINUTE);
    const [average, lower] = [lastOf(1, barMs), lastOf(2, barMs)];
    const [line] = drawing!.lines;
    expect(line!.time.length).toBeGreaterThan(1_000);
    for (const [at, value] of average) expect([at, line!.value[line!.time.indexOf(at)]]).toEqual([at, value]);
    for (const [k, at] of drawing!.lines[3]!.time.entries()) if (lower.has(at)) expect(drawing!.lines[3]!.value[k]).toBe(lower.get(at));
    // The own line is drawn in onBar, when the bar has ended: twice the average.
    const own = drawing!.lines[4]!;
    for (const [k, at] of own.time.entries()) expect(own.value[k]).toBe(2 * average.get(at)!);
    const finer = unpackedPoints(line!.finer!, line!.finer!.barMs);
    expect(line!.finer!.barMs).toBe(MINUTE);
    expect(finer.time.length).toBeGreaterThan(2 * line!.time.length - 3);
  });

  test('has each bar of the tape on the finer chart', () => {
    const { finer, windows } = report.market[0]!;
    const bars = unpackedBars(finer as PackedBars);
    expect(bars.time).toEqual(tape.map((_, k) => NOISE_START + k * MINUTE));
    expect(bars.high).toEqual(tape.map(({ high }) => high / 10));
    expect(bars.close).toEqual(tape.map(({ close }) => close / 10));
    // Nothing is finer than the tape.
    expect(windows).toBeUndefined();
  });
});
