/** Finer data inside bars: where it is whole the run is that of the finer tape, elsewhere that of the bars. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareBacktest } from '../../../src/run/backtest/backtest.ts';
import { loadMarket, openTrials } from '../../../src/run/backtest/trials.ts';
import { readDetail } from '../../../src/run/setup/instruments/detail.ts';
import type { BacktestOptions } from '../../../src/run/setup/options.ts';
import { coverageOf } from '../../../src/tape/coverage.ts';
import { cutTape } from '../../../src/tape/edit/cut.ts';
import { resampleTape } from '../../../src/tape/edit/resample.ts';
import { MANIFEST_FILE } from '../../../src/tape/file/manifest.ts';
import { formatManifest, openTape, readManifest, tapeOf } from '../../../src/tape/read.ts';
import { withOtherFuture } from '../../../src/run/verify/changed-market.ts';
import { TapeWriter } from '../../../src/tape/write.ts';
import { fillsOf } from '../../support/backtest/fill-columns.ts';
import { configWith, strategyFile } from '../../support/backtest/reference-backtest.ts';
import { TAPE_START, writeRandomTape } from '../../support/backtest/reference-strategy.ts';
import { mergedByRuns, rowsOf } from '../../support/tape/tape-rows.ts';

const BAR = 5000;
const MINUTE = 60_000;
let folder = '';
/** Trades and quotes; bars of 5 s of them; bars of 1 s of them. */
let ticks = '';
let bars = '';
let short = '';
let strategy = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'detail-'));
  [ticks, bars, short] = ['ticks', 'bars', 'short'].map((name) => join(folder, name)) as [string, string, string];
  writeRandomTape(ticks, { seed: 11, rows: 12_000, symbols: 1, stepMs: 20 });
  resampleTape(ticks, bars, BAR);
  resampleTape(ticks, short, 1000);
  strategy = strategyFile(
    folder,
    `const act = (market: any, ctx: any, chance: number) => {
      if (!market.hasQuote || ctx.random() * 100 > chance) return;
      const side = ctx.random() < 0.5 ? 'LONG' : 'SHORT';
      const near = market.mid + Math.floor(ctx.random() * 9 - 4) * market.tick;
      const pick = Math.floor(ctx.random() * 4);
      if (pick === 0) ctx.limit(market, side, 'OPEN', near, 0.01);
      else if (pick === 1) ctx.open(market, side, { size: 0.01, stopLoss: near - 20 * market.tick, takeProfit: near + 20 * market.tick });
      else if (pick === 2) ctx.close(market, side);
      else for (const order of market.orders) ctx.cancel(order.number);
    };
    return { needs: { bars: { [params.bar]: 1 } },
      onQuote(market: any, ctx: any) { act(market, ctx, 5); },
      ...(params.bar === '1s' ? { onTrade(trade: any, market: any, ctx: any) { void trade; act(market, ctx, 5); } } : {}),
      onBar(bar: any, market: any, ctx: any) { void bar; act(market, ctx, 50); },
    };`,
    `bar: param.text('1s', { doc: 'x' })`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(tape: string, given: Partial<BacktestOptions> & { finer?: string; bar?: string } = {}) {
  const { finer, bar = '1s', ...more } = given;
  const base = { tape, config: configWith(), everyTick: true, speed: 1, seed: 1, ...more };
  const detail = finer === undefined ? undefined : readDetail(tape, finer, base);
  const opened = await prepareBacktest({ ...base, strategies: [{ file: strategy, params: { bar }, symbols: [] }], detail });
  const report = opened.run();
  const { pnl, orders, tape: rows, config, notes } = report;
  return { fills: fillsOf(opened.fills), totals: { pnl, orders, rows }, config, notes };
}

const stale = (ms: number): BacktestOptions['config'] => {
  const config = configWith();
  return {
    ...config,
    simulation: { ...config.simulation, fillModel: 'through' },
    risk: { ...config.risk, staleAfterMs: Math.max(ms, 5000) },
  };
};

describe.each([true, false])('with every tick %s', (everyTick) => {
  test.each([
    ['trades and quotes', '1s'],
    // Bars show neither single trades nor shorter ones.
    ['shorter bars', '5s'],
    ['shorter bars', '2s'],
  ])('%s of every bar, timeframe %s: the run of the finer tape, to the last fill', async (kind, bar) => {
    const finer = kind === 'shorter bars' ? short : ticks;
    const alone = await run(finer, { everyTick, bar });
    const inside = await run(bars, { everyTick, finer, bar });
    expect(alone.fills.length).toBeGreaterThan(everyTick && bar === '1s' ? 30 : 4);
    expect(inside.fills).toEqual(alone.fills);
    expect(inside.totals).toEqual(alone.totals);
    expect(inside.config).toEqual(alone.config);
    const count = readManifest(bars).rows;
    expect(inside.notes.join('\n')).toContain(`${count} of ${count} bars ran on the finer data of the detail tape.`);
    expect((await run(bars, { everyTick, bar: '5s' })).fills).not.toEqual(alone.fills);
  });

  test('the first half of the bars covered by shorter ones: a timeframe that the other half does not show is refused', async () => {
    const half = join(folder, `short-half-${everyTick}`);
    cutTape(short, half, { to: TAPE_START + 10 * BAR });
    await expect(run(bars, { everyTick, finer: half, bar: '2s' })).rejects.toMatchObject({
      problems: [{ what: expect.stringMatching(/wants bars of 2s of BTCUSDT, and the tape has bars of 5s and 1s alone/) as string }],
    });
    expect((await run(bars, { everyTick, finer: half, bar: '10s' })).fills.length).toBeGreaterThan(0);
  });

  test('the first half of the bars covered: its fills are those of the finer tape, the other half is drawn', async () => {
    const middle = TAPE_START + 10 * BAR;
    const half = join(folder, `half-${everyTick}`);
    cutTape(ticks, half, { to: middle });
    const inside = await run(bars, { everyTick, finer: half });
    const before = <T extends { readonly time: number }>(fills: readonly T[]): T[] => fills.filter(({ time }) => time < middle);
    const alone = await run(ticks, { everyTick, config: stale(2 * BAR) });
    expect(before(inside.fills).length).toBeGreaterThan(5);
    expect(before(inside.fills)).toEqual(before(alone.fills));
    const rest = { everyTick, from: middle, to: readManifest(bars).to + BAR };
    const plain = await run(bars, { ...rest, insideBars: true });
    const uncovered = await run(bars, { ...rest, finer: half });
    expect(plain.fills.length).toBeGreaterThan(5);
    expect(uncovered.fills).toEqual(plain.fills);
    const { rows } = readManifest(bars);
    expect(inside.notes.join('\n')).toMatch(
      new RegExp(`\\b\\d+ of ${rows} bars ran on the finer data of the detail tape; prices were drawn in \\d+ without`),
    );
  });
});

test('rows: of covered bars those of the finer tape, of the others those of the path', () => {
  const [from, to] = [TAPE_START + 4 * BAR, TAPE_START + 12 * BAR];
  for (const [name, source] of [
    ['ticks', ticks],
    ['bars', short],
  ] as const) {
    const part = join(folder, `part-${name}`);
    cutTape(source, part, { from, to });
    const { covers, times } = coverageOf(bars, part, 'BTCUSDT');
    const isCovered = (time: number): boolean => {
      const k = times.findLastIndex((start) => start <= time);
      return covers[k] === 1 || covers[k] === 2;
    };
    expect([...covers].filter((one) => one === 1 || one === 2)).toHaveLength(times.filter((time) => time >= from && time < to).length);
    const detail = { folder: part, covers: new Map([['BTCUSDT', covers]]) };
    const gridOf = (): { priceDecimals: number; tickStep: number; sizeDecimals: number; lotStep: number } => ({
      priceDecimals: 1,
      tickStep: 1,
      sizeDecimals: 3,
      lotStep: 1,
    });
    const rows = (tape: string, more = {}): (readonly number[])[][] =>
      openTape(tape, { gridOf, hasIds: false, ...more })
        .open()
        .map((stream) => rowsOf(stream).map((row) => row.filter((value) => value !== undefined)));
    const [mixed, fine, path] = [rows(bars, { detail }), rows(part), rows(bars)];
    // Each of the two streams may be ahead of the other one.
    const [trades, quotes] = openTape(bars, { gridOf, detail }).open();
    let count = 0;
    while (quotes!.next()) if (count === 0 && trades!.next()) count = trades!.length;
    while (trades!.next()) count += trades!.length;
    expect(count).toBe(mixed[0]!.length);
    for (const k of [0, 1]) {
      const wanted = [...fine[k]!.filter(([time]) => isCovered(time!)), ...path[k]!.filter(([time]) => !isCovered(time!))];
      expect(mixed[k]).toEqual(wanted.toSorted((a, b) => a[0]! - b[0]!));
      expect(mixed[k]).not.toEqual(path[k]);
    }
  }
});

/** Bars of a minute from 60,000 to 60,010 with a volume of 4. */
function minuteBars(name: string, symbol = 'BTCUSDT', count = 6): string {
  const path = join(folder, name);
  const writer = new TapeWriter(path, { overwrite: true });
  const stream = writer.stream(symbol, 'bars', { priceDecimals: 1, sizeDecimals: 3 }, MINUTE);
  for (let k = 0; k < count; k++) stream.bar(TAPE_START + k * MINUTE, 600_000, 600_100, 600_000, 600_000, 4000);
  writer.finish();
  return path;
}

type Made = readonly (readonly [price: number, size: number])[];
const WHOLE: Made = [
  [600_000, 1000],
  [600_100, 2000],
  [600_000, 1000],
];

function tradesOf(name: string, minutes: readonly Made[], { symbol = 'BTCUSDT', at = TAPE_START, quotes = true } = {}): string {
  const path = join(folder, name);
  const writer = new TapeWriter(path, { overwrite: true });
  const scale = { priceDecimals: 1, sizeDecimals: 3 };
  const trades = writer.stream(symbol, 'trades', scale);
  const book = quotes ? writer.stream(symbol, 'quotes', scale) : null;
  let id = 0;
  for (const [minute, made] of minutes.entries()) {
    for (const [k, [price, size]] of made.entries()) {
      const time = at + minute * MINUTE + 1 + k * 1000;
      trades.trade(time, ++id, price, size, 0);
      book?.quote(time, price - 1, 10, price, 10);
    }
  }
  writer.finish();
  return path;
}

test('a bar counts as covered only where all of it is there and agrees', async () => {
  const tape = minuteBars('checked');
  const finer = tradesOf('checked-by', [
    WHOLE,
    WHOLE.slice(0, 2),
    [],
    [[600_000, 1000], [600_101, 2000], ...WHOLE.slice(2)],
    [...WHOLE, [600_000, 500]],
    [...WHOLE.slice(0, 2), [600_000, 990]],
  ]);
  const { covers } = coverageOf(tape, finer, 'BTCUSDT');
  expect([...covers]).toEqual([2, 3, 0, 4, 4, 2]);
  expect((await run(tape, { finer })).notes).toContain(
    '2 of 6 bars ran on the finer data of the detail tape; prices were drawn in 1 without finer data, 1 of which it has only a part, 2 with prices outside the bar or more volume than it has.',
  );
});

test('a time without bars, and bars without volume: the rows and the grid are those of the finer tape', async () => {
  const [fine, shorter, sparse] = ['thin', 'thin-short', 'thin-long'].map((name) => join(folder, name)) as [string, string, string];
  const scale = { priceDecimals: 2, sizeDecimals: 1 };
  const symbol = 'XYZUSDT';
  const start = Math.ceil(TAPE_START / MINUTE) * MINUTE;
  const writer = new TapeWriter(fine, { overwrite: true });
  const [trades, quotes] = [writer.stream(symbol, 'trades', scale), writer.stream(symbol, 'quotes', scale)];
  for (let k = 0; k < 300; k++) {
    const time = start + k * 1000;
    const minute = Math.floor((time - start) / MINUTE);
    const price = 10_000 + 5 * (k % 7);
    quotes.quote(time, price - 5, 20, price, 20);
    if (minute !== 1 && minute !== 3) trades.trade(time + 1, k + 1, price, 20, k & 1);
  }
  writer.finish();
  resampleTape(fine, sparse, MINUTE);
  expect(readManifest(sparse).rows).toBe(3);
  resampleTape(fine, shorter, 10_000);
  const flat = join(folder, 'thin-flat');
  const flats = new TapeWriter(flat, { overwrite: true });
  const minutes = flats.stream(symbol, 'bars', scale, MINUTE);
  for (let k = 0; k < 5; k++) {
    const isQuiet = k === 1 || k === 3;
    minutes.bar(start + k * MINUTE, 10_000, isQuiet ? 10_000 : 10_030, 10_000, 10_000, isQuiet ? 0 : 1200);
  }
  flats.finish();
  for (const [coarse, finer] of [
    [sparse, fine],
    [flat, fine],
    [sparse, shorter],
    [flat, shorter],
  ] as const) {
    const { covers } = coverageOf(coarse, finer, symbol);
    expect([...covers].every((one) => one === 2)).toBe(true);
    const merged = (tape: string, more = {}): unknown[] => {
      const streams = openTape(tape, more).open();
      return mergedByRuns(streams).map(({ stream, time }) => [stream, time]);
    };
    expect(merged(coarse, { detail: { folder: finer, covers: new Map([[symbol, covers]]) } })).toEqual(merged(finer));
    const bar = finer === shorter ? '1m' : '1s';
    const [alone, inside] = [await run(finer, { bar }), await run(coarse, { finer, bar })];
    expect(inside.config).toEqual(alone.config);
    expect(inside.fills).toEqual(alone.fills);
  }
});

describe('trials', () => {
  const strategies = (): BacktestOptions['strategies'] => [{ file: strategy, params: {}, symbols: [] }];

  test.each([true, false])('with finer data are those of the finer tape, with every tick %s', async (everyTick) => {
    const options = { strategies: strategies(), config: configWith(), everyTick, speed: 1, seed: 1 };
    const { config } = options;
    // Threads get a market as a clone.
    const trialsOn = (tape: string, detail?: string): ReturnType<typeof openTrials> =>
      openTrials(structuredClone(loadMarket(tape, config, { detail })), options);
    const [alone, inside] = [await trialsOn(ticks), await trialsOn(bars, ticks)];
    const [one, two] = [alone, inside].map((trials) => trials.open([{}]));
    expect(one!.run().orders).toEqual(two!.run().orders);
    expect(fillsOf(one!.fills).length).toBeGreaterThan(10);
    expect(fillsOf(two!.fills)).toEqual(fillsOf(one!.fills));
  });

  test('of another future differ inside the bars too', () => {
    const market = loadMarket(bars, configWith(), { detail: ticks });
    const time = TAPE_START + 10 * BAR + 1234;
    const [given, changed] = [market, withOtherFuture(market, time)].map(({ detail }) =>
      tapeOf(detail!.rows!, { hasIds: true }).open().map(rowsOf),
    );
    for (const [k, rows] of given!.entries()) {
      const first = rows.findIndex(([at]) => at >= time);
      expect(first).toBeGreaterThan(100);
      expect(changed![k]!.slice(0, first)).toEqual(rows.slice(0, first));
      expect(changed![k]!.slice(first).filter(([, , price], row) => price === rows[first + row]![2])).toEqual([]);
    }
  });
});

test('a bar in which the finer tape notes a gap is not covered', () => {
  const tape = minuteBars('gapped');
  const finer = tradesOf('gapped-by', [WHOLE, WHOLE, WHOLE, WHOLE, WHOLE, WHOLE]);
  const gap = {
    symbol: 'BTCUSDT',
    kind: 'trades',
    cause: 'missed',
    from: TAPE_START + MINUTE + 5000,
    to: TAPE_START + 2 * MINUTE + 1,
  } as const;
  const recording = { log: 1, spans: [], gaps: [gap, { ...gap, symbol: 'ETHUSDT', to: gap.to + 3 * MINUTE }], gapCount: 2, lastIds: {} };
  writeFileSync(join(finer, MANIFEST_FILE), formatManifest({ ...readManifest(finer), recording }));
  expect([...coverageOf(tape, finer, 'BTCUSDT').covers]).toEqual([2, 3, 3, 2, 2, 2]);
});

describe('what is refused', () => {
  test.each<[string, () => readonly [tape: string, finer: string], RegExp]>([
    [
      'no symbol of the bars',
      () => [minuteBars('a'), tradesOf('a1', [WHOLE], { symbol: 'BTCUSDC' })],
      /\(BTCUSDT\), found BTCUSDC.*did you mean "BTCUSDC"/s,
    ],
    [
      'another time',
      () => [minuteBars('b'), tradesOf('b1', [WHOLE], { at: TAPE_START + 86_400_000 })],
      /data of 2023-11-14T22:13:20.000Z to .* was expected, found data of 2023-11-15/,
    ],
    ['longer bars', () => [short, bars], /fit a whole number of times into 1 s were expected, found bars of 5 s.*swap/s],
    ['bars as long', () => [bars, bars], /found bars of 5 s.*shorter bars/s],
    ['a tape that is no bars', () => [ticks, short], /--detail needs a tape of bars.*leave --detail out/s],
    [
      'trades without quotes',
      () => [minuteBars('c'), tradesOf('c1', [WHOLE], { quotes: false })],
      /trades and quotes, or bars, were expected, found trades.*tape resample/s,
    ],
    ['another market', () => [minuteBars('d'), tradesOf('d1', [[[610_000, 4000]]])], /same market.*spot, futures/s],
  ])('%s', (_, made, message) => {
    const [tape, finer] = made();
    let text = '';
    try {
      readDetail(tape, finer, {});
    } catch (error) {
      text = JSON.stringify((error as { problems: unknown }).problems).replaceAll('\\"', '"');
    }
    expect(text).toMatch(message);
  });
});
