/** `monte-carlo` end to end: each way to draw another course against arithmetic written out here. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import type { MonteCarloResult } from '../../../src/report/research/monte-carlo-result.ts';
import { runBacktest, type BacktestReport } from '../../../src/run/backtest/backtest.ts';
import { loadMarket } from '../../../src/run/backtest/trials.ts';
import { barDraws } from '../../../src/run/monte-carlo/drawn-bars.ts';
import { monteCarlo, type MonteCarloOptions } from '../../../src/run/monte-carlo/monte-carlo.ts';
import { blockLength } from '../../../src/statistics/bootstrap.ts';
import { readManifest } from '../../../src/tape/read.ts';
import { tapeStatistics } from '../../../src/tape/statistics/statistics.ts';
import { fittedMarket } from '../../../src/tape/synth/fit.ts';
import { profileOf } from '../../../src/tape/synth/profile.ts';
import { synthTape } from '../../../src/tape/synth/synth.ts';
import { TapeWriter } from '../../../src/tape/write.ts';
import { configWith } from '../../support/backtest/reference-backtest.ts';

const START = Date.UTC(2024, 0, 1);
const GRID = { priceDecimals: 1, tickStep: 1, sizeDecimals: 3, lotStep: 1 };
let folder = '';
let ticks = '';
let bars = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'monte-carlo-'));
  [ticks, bars] = [join(folder, 'ticks'), join(folder, 'bars')];
  const profile = profileOf('BTCUSDT');
  // Three times as wild and deep as what is learnt for the name, with a third of the rows.
  const other = { ...profile, events: profile.events / 3, walkScale: profile.walkScale * 3, unit: profile.unit * 3 };
  synthTape(ticks, { symbols: [{ symbol: 'BTCUSDT', grid: GRID, price: 600_000, profile: other }], seed: 3, start: START, seconds: 400 });
  const writer = new TapeWriter(bars);
  for (const symbol of ['BTCUSDT', 'ETHUSDT']) {
    const stream = writer.stream(symbol, 'bars', { priceDecimals: 1, sizeDecimals: 3 }, 60_000);
    let price = 600_000;
    for (let k = 0; k < 200; k++) {
      const open = price;
      price += Math.round(Math.sin(k / 20) * 400 + Math.sin(k * 1.7) * 200);
      stream.bar(START + k * 60_000, open, Math.max(open, price) + 40 + (k % 7), Math.min(open, price) - 40, price, 5000 + k);
    }
  }
  writer.finish();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function optionsOf(tape: string, changes: Partial<MonteCarloOptions> = {}): MonteCarloOptions {
  const params: Record<string, string> = tape === bars ? { bar: '1m', fast: '2', slow: '5' } : { bar: '500ms', fast: '2', slow: '5' };
  const strategies = [{ file: resolve(import.meta.dirname, '../../../strategies/ema-cross.ts'), params, symbols: ['BTCUSDT'] }];
  const some = { curves: 400, runs: 2, markets: 0, delaysMs: [], missed: [] };
  return { strategies, config: configWith(), everyTick: true, speed: 1, seed: 1, tape, ...some, ...changes };
}

describe('of the trades and returns of one run', () => {
  let result: MonteCarloResult;
  let report: BacktestReport;
  let nets: number[] = [];
  beforeAll(async () => {
    const options = optionsOf(ticks);
    result = await monteCarlo(options);
    report = await runBacktest(options);
    nets = report.trades.map(({ net }) => Number(net));
  });

  it('a shuffle ends where the trades add up to, and its drawdowns are those of the shuffled sums', () => {
    expect(nets.length).toBeGreaterThan(20);
    const sum = nets.reduce((all, one) => all + one, 0);
    expect(result.shuffled?.final.p5).toBeCloseTo(result.start + sum, 6);
    expect(result.shuffled?.final.p95).toBeCloseTo(result.start + sum, 6);
    // Fisher and Yates from the end, as many orders as curves, drawn from the same seed.
    const random = new Random(1);
    const order = [...nets];
    const falls = Array.from({ length: 400 }, () => {
      for (let i = order.length - 1; i > 0; i--) {
        const j = random.below(i + 1);
        [order[i], order[j]] = [order[j]!, order[i]!];
      }
      const path = order.map((_, k) => result.start + order.slice(0, k + 1).reduce((all, one) => all + one, 0));
      const peaks = [result.start, ...path].map((_, k, all) => Math.max(...all.slice(0, k + 1)));
      return Math.max(...[result.start, ...path].map((value, k) => (peaks[k]! - value) / peaks[k]!));
    }).sort((a, b) => a - b);
    // The median of 400 lies between the two in the middle.
    expect(result.shuffled?.maxDrawdown.p50).toBeCloseTo((falls[199]! + falls[200]!) / 2, 12);
  });

  it('trades drawn again end around the sum, as wide as their deviation says', () => {
    const mean = nets.reduce((all, one) => all + one, 0) / nets.length;
    const deviation = Math.sqrt(nets.reduce((all, one) => all + (one - mean) ** 2, 0) / nets.length);
    const error = deviation * Math.sqrt(nets.length);
    const { p5 = 0, p50 = 0, p95 = 0 } = result.redrawn?.final ?? {};
    expect(Math.abs(p50 - result.start - mean * nets.length)).toBeLessThan(0.25 * error);
    expect((p95 - p5) / (2 * 1.645 * error)).toBeGreaterThan(0.8);
    expect((p95 - p5) / (2 * 1.645 * error)).toBeLessThan(1.2);
  });

  it('returns in blocks compound to the curves that the stationary bootstrap draws', () => {
    const returns = [...report.returns.strategy];
    const restart = 1 / blockLength(Float64Array.from(returns));
    const random = new Random(1);
    const ends = Array.from({ length: 400 }, () => {
      let equity = result.start;
      let place = 0;
      for (let i = 0; i < returns.length; i++) {
        place = i === 0 || random.uniform() < restart ? random.below(returns.length) : (place + 1) % returns.length;
        equity *= 1 + returns[place]!;
      }
      return equity;
    }).sort((a, b) => a - b);
    expect(result.blocks?.final.p50).toBeCloseTo((ends[199]! + ends[200]!) / 2, 6);
    expect(result.blocks?.lossProbability).toBe(ends.filter((end) => end < result.start).length / 400);
  });
});

describe('of entries', () => {
  it('that are not late at all, the run is the same; that come after the end, there is none', async () => {
    const { delays, net, trades } = await monteCarlo(optionsOf(ticks, { curves: 10, delaysMs: [0, 2_000] }));
    expect(delays[0]).toEqual({ delayMs: 0, net, trades });
    expect(delays[1]?.net).not.toBe(net);
  });
  it('that are all missed, nothing is traded; that are never missed, the run is the same', async () => {
    const { missed, net } = await monteCarlo(optionsOf(ticks, { curves: 10, missed: [0, 1, 0.5], runs: 3 }));
    expect(missed[0]?.net).toEqual({ p5: net, p25: net, p50: net, p75: net, p95: net });
    expect(missed[1]?.net).toEqual({ p5: 0, p25: 0, p50: 0, p75: 0, p95: 0 });
    expect(missed[2]!.net.p95).toBeGreaterThan(missed[2]!.net.p5);
  });

  it('on bars, late ones meet a later open and missed ones are tried again: the strategy trades on', async () => {
    const changes = { curves: 10, delaysMs: [0, 1, 59_999, 60_000], missed: [0, 0.2], runs: 3 };
    const { delays, missed, net, trades } = await monteCarlo(optionsOf(bars, changes));
    expect(delays[0]).toEqual({ delayMs: 0, net, trades });
    // A bar lasts 60 s: whatever is late by a part of it meets the open after the next one.
    for (const late of delays.slice(1)) expect([late.trades, late.net]).toEqual([delays[3]!.trades, delays[3]!.net]);
    expect(delays[3]!.trades).toBeGreaterThan(trades / 2);
    expect(delays[3]!.net).not.toBe(net);
    expect(missed[0]!.net.p50).toBe(net);
    expect(missed[1]!.net.p50).not.toBe(0);
  });
});

describe('re-drawn bars', () => {
  it('have the shape of a bar of the tape, beside the close before; volumes and times are of the tape', () => {
    const { rows } = loadMarket(bars, configWith());
    const drawn = barDraws(rows)(5);
    const [open = [], high = [], low = [], close = [], volume = []] = columnsOf(rows.streams[0]!);
    const [o = [], h = [], l = [], c = [], v = []] = columnsOf(drawn.streams[0]!);
    expect(drawn.streams[0]!.blocks[0]!.times).toBe(rows.streams[0]!.blocks[0]!.times);
    expect([o[0], h[0], l[0], c[0]]).toEqual([open[0], high[0], low[0], close[0]]);
    const places: number[] = [];
    for (let k = 1; k < o.length; k++) {
      // Volumes count up, so they name the bar.
      const from = volume.indexOf(v[k]!);
      places.push(from);
      const scaled = (price: number): number => Math.round((price * c[k - 1]!) / close[from - 1]!);
      expect([o[k], h[k], l[k], c[k]]).toEqual([open[from]!, high[from]!, low[from]!, close[from]!].map(scaled));
    }
    expect(new Set(places).size).toBeGreaterThan(50);
    // Blocks: most bars are followed by the one that followed them.
    const follows = places.filter((place, k) => k > 0 && place === places[k - 1]! + 1).length;
    expect(follows).toBeGreaterThan(places.length / 2);
    // Both symbols have the same bars at the same time.
    expect(columnsOf(drawn.streams[1]!)[4]).toEqual(v);
    expect(columnsOf(barDraws(rows)(6).streams[0]!)[4]).not.toEqual(v);
  });

  it('are markets on which the strategy runs; the same seed gives the same fan', async () => {
    const options = optionsOf(bars, { curves: 10, markets: 6 });
    const [one, two] = [await monteCarlo(options), await monteCarlo(options)];
    expect(one.markets).toEqual(two.markets);
    const fan = one.markets!.fan!;
    expect(fan.runs).toBe(6);
    expect(fan.final.p95).toBeGreaterThan(fan.final.p5);
    expect(fan.lines.map((line) => line.length)).toEqual([101, 101, 101, 101, 101]);
    for (const line of fan.lines) expect(line[0]).toBe(one.start);
    expect(fan.lines[2]!.at(-1)).toBe(fan.final.p50);
  });
});

describe('synthetic markets fitted to a tape', () => {
  it('have its rows a second, depth and volatility in the middle of many', () => {
    const [wanted] = tapeStatistics(ticks);
    const fitted = fittedMarket(ticks, join(folder, 'scratch'), 9)!;
    const plain = { symbols: [{ symbol: 'BTCUSDT', grid: GRID, price: 600_000 }], shared: 0 };
    const keys = ['volatility', 'quotesPerSecond', 'depth50'] as const;
    const middles = (market: typeof plain | typeof fitted): number[] => {
      const drawn = Array.from({ length: 21 }, (_, k) => {
        const tape = join(folder, 'drawn');
        synthTape(tape, { ...market, seed: 1000 + k, start: START, seconds: 40, overwrite: true });
        return tapeStatistics(tape)[0]!.figures;
      });
      return keys.map((key) => drawn.map((figures) => figures[key] / wanted!.figures[key]).sort((x, y) => x - y)[10]!);
    };
    const [near, far] = [middles(fitted), middles(plain)];
    for (const [k, key] of keys.entries()) {
      expect([key, Math.abs(Math.log(near[k]!)) < Math.log(1.8)]).toEqual([key, true]);
      // What is learnt for the name alone is further away.
      expect([key, Math.abs(Math.log(far[k]!)) > Math.abs(Math.log(near[k]!))]).toEqual([key, true]);
    }
  });

  it('last as long as the tape, and give the same fan for the same seed', async () => {
    const options = optionsOf(ticks, { curves: 10, markets: 3 });
    const [one, two] = [await monteCarlo(options), await monteCarlo(options)];
    expect(one.markets).toEqual(two.markets);
    expect(one.markets?.words).toContain('synthetic');
    expect(one.markets!.fan!.final.p95).not.toBe(one.markets!.fan!.final.p5);
  });

  it('are not drawn for a tape without quotes, and the result says why', async () => {
    const trades = join(folder, 'trades');
    const writer = new TapeWriter(trades);
    const stream = writer.stream('BTCUSDT', 'trades', { priceDecimals: 1, sizeDecimals: 3 });
    for (let k = 0; k < 200; k++) stream.trade(START + k * 500, k + 1, 600_000 + (k % 9) * 50, 10, k % 2);
    writer.finish();
    expect(readManifest(trades).symbols).toHaveLength(1);
    const { markets } = await monteCarlo(optionsOf(trades, { curves: 10, markets: 2 }));
    expect(markets).toEqual({ fan: null, words: 'a symbol has no quotes or no change of price to fit a synthetic market to' });
  });
});

/** The columns of bars: open, high, low, close, volume. */
function columnsOf({ blocks }: ReturnType<typeof loadMarket>['rows']['streams'][number]): number[][] {
  return blocks[0]!.columns.map((_, k) => blocks.flatMap(({ columns, rows }) => [...columns[k]!.subarray(0, rows)]));
}
