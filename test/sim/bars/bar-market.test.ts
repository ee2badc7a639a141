/** Backtests on a tape of bars that was imported: prices drawn inside, excursions, the mark, the grid of the data. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importFiles } from '../../../src/tape/import/import.ts';
import { openTape } from '../../../src/tape/read.ts';
import { backtest, strategyFile } from '../../support/backtest/reference-backtest.ts';
import { rowsOf } from '../../support/tape/tape-rows.ts';

const MINUTE = 60_000;
const START = 1_735_689_600_000;
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bars-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Bar = readonly [open: number, high: number, low: number, close: number, volume: number];

let made = 0;
async function tapeOf(bars: readonly Bar[], symbol = 'BTCUSDT'): Promise<string> {
  const file = join(folder, `${++made}.csv`);
  const rows = bars.map((bar, k) => `${symbol},${START + k * MINUTE},${bar.join(',')}`);
  writeFileSync(file, ['symbol,ts,open,high,low,close,volume', ...rows, ''].join('\n'));
  const tape = join(folder, `tape-${made}`);
  await importFiles([file], tape);
  return tape;
}

const FLAT: Bar = [60_000, 60_000, 60_000, 60_000, 10];
const AROUND = FLAT.map((value, k) => value + [0, 1000, -1000, 0, 0][k]!) as unknown as Bar;

describe('a bar as a market', () => {
  test('its trades make the bar again: open, high, low, close and volume', async () => {
    const bars: Bar[] = [
      [60_000, 60_010, 59_990, 60_005.1, 1.234],
      [60_005.1, 60_005.1, 60_005.1, 60_005.1, 0],
      [60_000, 60_300, 60_000, 60_300, 0.002],
      [60_300, 60_310.7, 60_100, 60_100, 7],
    ];
    for (const seed of [1, 2, 3]) {
      const options = { bars: { spread: { kind: 'fixed', value: 0.2 } as const, seed } };
      const [trades, quotes] = openTape(await tapeOf(bars), options).open();
      const rows = rowsOf(trades!);
      for (const [k, bar] of bars.entries()) {
        const own = rows.filter(([time]) => time >= START + k * MINUTE && time < START + (k + 1) * MINUTE);
        if (bar[4] === 0) {
          expect(own).toEqual([]);
          continue;
        }
        const prices = own.map(([, , price]) => price / 10);
        const volume = own.reduce((sum, [, , , size]) => sum + size, 0) / 1000;
        expect([prices[0], Math.max(...prices), Math.min(...prices), prices.at(-1)]).toEqual(bar.slice(0, 4));
        // So little volume that it is a lot at open, high, low and close.
        if (bar[4] === 0.002) expect(volume).toBeLessThanOrEqual(0.004);
        else expect(volume).toBeCloseTo(bar[4], 9);
      }
      for (const [, bid, , ask] of rowsOf(quotes!)) expect(ask - bid).toBe(2);
      expect(rows.every(([time], k) => k === 0 || time >= rows[k - 1]![0])).toBe(true);
    }
  });

  test('excursions are those of the path, and the mark price is that of the bar', async () => {
    const strategy = strategyFile(
      folder,
      `    let bars = 0;
    return {
        needs: { bars: { '1m': 1 } },
        onBar(bar: any, market: any, ctx: any) {
          if (++bars === 1) ctx.open(market, 'SHORT', { size: '0.01' });
          if (bars === 4) ctx.close(market, 'SHORT');
        },
      };`,
    );
    const report = await backtest(await tapeOf([FLAT, FLAT, AROUND, FLAT, FLAT, FLAT]), strategy, { everyTick: false });
    const { entryPrice, mae, mfe } = report.trades[0]!;
    // A short closes at the ask: 0.005 % above the mid, moved up to the grid.
    const asks = [61_000, 59_000].map((mid) => Math.ceil(mid * 1.00005 * 10 - 1e-6) / 10);
    expect(mae! * entryPrice).toBeCloseTo(asks[0]! - entryPrice, 0);
    expect(mfe! * entryPrice).toBeCloseTo(entryPrice - asks[1]!, 0);
    expect(report.execution.markouts.map(({ fills }) => fills)).toEqual([0, 0, 0]);
    expect(report.notes.filter((note) => note.includes('mark price is'))).toEqual([
      'without recorded ones the mark price is the price of the bar itself; funding within a bar is paid at its open; liquidation is looked at along its path.',
    ]);
  });

  test('a limit order fills only when the bar trades through it', async () => {
    const strategy = strategyFile(
      folder,
      `    let done = false;
    return {
      onQuote(market: any, ctx: any) {
          if (done) return;
          done = true;
          ctx.limit(market, 'LONG', 'OPEN', 59900, '0.01');
        },
      };`,
    );
    const at = await backtest(await tapeOf([FLAT, [60_000, 60_000, 59_900, 60_000, 10], FLAT]), strategy, { everyTick: true });
    expect(at.fills).toEqual([]);
    const through = await backtest(await tapeOf([FLAT, [60_000, 60_000, 59_890, 60_000, 10], FLAT]), strategy, { everyTick: true });
    expect(through.fills.map(({ price, liquidity }) => [Number(price), liquidity])).toEqual([[59_900, 'maker']]);
  });

  test('the same inputs give the same report', async () => {
    const tape = await tapeOf(Array.from({ length: 60 }, (_, k) => [60_000 + k, 60_020 + k, 59_980 + k, 60_001 + k, 5] as const));
    const first = await backtest(tape, 'strategies/ema-cross.ts', { everyTick: false });
    expect((await backtest(tape, 'strategies/ema-cross.ts', { everyTick: false })).hash).toBe(first.hash);
    expect(first.tape).toMatchObject({ rows: 60, isBars: true });
    expect(first.notes.join('\n')).toContain('ema-cross runs on bars of 1m, those of the tape: its parameter "bar" is shorter by default.');
  });
});

describe('instruments come from the data', () => {
  test('a spot recording with another tick than the built-in row runs without a configuration, and the report says so', async () => {
    const tape = await tapeOf([FLAT, [60_000, 60_000.03, 59_999.97, 60_000.01, 1.00001], FLAT]);
    const report = await backtest(tape, 'strategies/ema-cross.ts', { everyTick: true });
    expect(report.notes.join('\n')).toContain('the built-in row says tickSize 0.1, and the tape moves in steps of 0.01');
  });
});

describe('a trailing stop', () => {
  /** Enters at the first bar, 200 behind the best price. Gives the prices of the exits, as those of a long trade. */
  async function exits(side: 'LONG' | 'SHORT', bars: readonly Bar[]): Promise<number[]> {
    const body = `return { needs: { bars: { '1m': 1 } }, onQuote() {}, onBar(_bar: any, market: any, ctx: any) {
      if (ctx.trades(market).length === 0) { ctx.enter({ market, side: '${side}', size: 1, trailing: { distance: 200 } }); } } };`;
    const turned = side === 'LONG' ? bars : bars.map(([o, h, l, c, v]): Bar => [120_000 - o, 120_000 - l, 120_000 - h, 120_000 - c, v]);
    const { fills } = await backtest(await tapeOf(turned), strategyFile(folder, body), { everyTick: true });
    // The first fill is the entry.
    return fills.slice(1).map(({ price }) => (side === 'LONG' ? Number(price) : 120_000 - Number(price)));
  }

  const BEFORE: Bar[] = [
    [60_000, 60_000, 60_000, 60_000, 100],
    [60_000, 60_010, 59_990, 60_000, 100],
    [60_000, 60_010, 59_990, 60_000, 100],
  ];
  /** The low stays above the stop of 59,8xx; from the high of 60,400 it is more than 200 down; the close is near the high. */
  const SHAKES: Bar = [60_000, 60_400, 59_950, 60_390, 100];
  const AFTER: Bar = [60_390, 60_400, 60_380, 60_390, 100];

  test.each(['LONG', 'SHORT'] as const)('of a %s is reached at the worst price that any order of prices brings', async (side) => {
    // Up to 60,150, where the stop reaches the low, and down to it.
    const [price] = await exits(side, [...BEFORE, SHAKES, AFTER]);
    expect(price).toBeGreaterThan(59_940);
    expect(price).toBeLessThan(59_970);
  });

  test.each(['LONG', 'SHORT'] as const)('of a %s whose present stop the bar reaches counts there', async (side) => {
    const prices = await exits(side, [...BEFORE, [60_000, 60_400, 59_700, 60_390, 100], AFTER]);
    expect(prices[0]).toBeLessThan(59_850);
  });
});
