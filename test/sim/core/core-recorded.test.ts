/** Recorded mark prices and funding rates in the simulator, against the arithmetic by hand. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUY, CLOSE, LONG, SHORT } from '../../../src/domain/codes.ts';
import { formatMoney } from '../../../src/domain/instrument.ts';
import type { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { storedRate } from '../../../src/tape/file/funding-rates.ts';
import { TapeWriter } from '../../../src/tape/write.ts';
import { backtest, configWith, strategyFile } from '../../support/backtest/reference-backtest.ts';
import { instrumentsOf, BTC, order, venueOf } from '../../support/sim/sim-kit.ts';

const SECOND = 1_000;
const END = 40 * SECOND;

/** Value of a lot at one tick, in 10⁻⁸ of the quote coin. */
const UNIT = instrumentsOf(BTC)[0]!.unitValue;

interface Row {
  readonly time: number;
  readonly value: number;
}

const rowsOf = (value: fc.Arbitrary<number>): fc.Arbitrary<Row[]> =>
  fc
    .uniqueArray(fc.record({ time: fc.integer({ min: 1, max: END }), value }), { selector: ({ time }) => time, maxLength: 12 })
    .map((rows) => rows.toSorted((a, b) => a.time - b.time));

/** The last value at or before a time; undefined before the first. */
const at = (rows: readonly Row[], time: number): number | undefined => rows.findLast((row) => row.time <= time)?.value;

const marks = rowsOf(fc.integer({ min: 95_000, max: 105_000 }));
const rates = rowsOf(fc.integer({ min: -300_000, max: 300_000 }));

test('value, profit and funding of a leg follow the recorded marks, second by second', () => {
  fc.assert(
    fc.property(marks, rates, fc.constantFrom(LONG, SHORT), fc.integer({ min: 1, max: 50 }), (markRows, rateRows, side, size) => {
      const { sim, log } = venueOf({
        marks: [
          {
            instrument: 0,
            time: Float64Array.from(markRows, ({ time }) => time),
            ticks: Float64Array.from(markRows, ({ value }) => value),
          },
        ],
        funding: {
          model: 'recorded',
          everyMs: SECOND,
          rate: '0.0001',
          recorded: rateRows.map(({ time, value }) => ({ symbol: 'BTCUSDT', time, rate: value })),
        },
      });
      // A book that stands still: without recorded marks the mark would be 100,000.
      sim.quote(0, 99_999, 1_000, 100_001, 1_000, 0);
      sim.trade(0, 100_000, 1, BUY, 0, 1);
      sim.place(0, order({ side, size }), 1, 0);
      const entry = side === LONG ? 100_001 : 99_999;
      let paid = 0;
      for (let now = SECOND; now <= END; now += SECOND) {
        sim.advance(now);
        const mark = at(markRows, now) ?? 100_000;
        expect(sim.markPrice(0)).toBe(mark);
        // Payments that fell due since the last second are made at the mark of this one.
        for (const { time, value } of rateRows) {
          if (time <= now - SECOND || time > now) continue;
          const exact = (BigInt(size * mark * UNIT) * BigInt(Math.abs(value))) / 100_000_000n;
          const isWhole = (BigInt(size * mark * UNIT) * BigInt(Math.abs(value))) % 100_000_000n === 0n;
          const isPayer = value > 0 === (side === LONG);
          paid += isPayer ? -(Number(exact) + (isWhole ? 0 : 1)) : Number(exact);
        }
        const profit = (side === LONG ? mark - entry : entry - mark) * size * UNIT;
        expect(sim.positions(0, 0)[0]).toMatchObject({ unrealised: profit, funding: paid });
      }
      const moved = log.moves.filter(({ why }) => why === 'funding').reduce((sum, { amount }) => sum + amount, 0);
      expect(moved).toBe(paid);
      sim.audit();
    }),
    { numRuns: 200 },
  );
});

function everySecond(sim: VenueSim): void {
  for (let now = SECOND; now <= END; now += SECOND) sim.advance(now);
}

describe('liquidation', () => {
  const liquidatedAt = (markRows: readonly Row[]): number | undefined => {
    const { sim, log } = venueOf({
      leverage: 100,
      accounts: [{ name: 'demo', futures: '200', spot: {} }],
      marks: [
        { instrument: 0, time: Float64Array.from(markRows, ({ time }) => time), ticks: Float64Array.from(markRows, ({ value }) => value) },
      ],
    });
    sim.quote(0, 99_999, 1_000, 100_001, 1_000, 0);
    sim.trade(0, 100_000, 1, BUY, 0, 1);
    sim.place(0, order({ size: 1_000 }), 1, 0);
    expect(sim.positions(0, 0)).toHaveLength(1);
    everySecond(sim);
    sim.audit();
    return log.steps.find(({ step }) => step === 'close')?.time;
  };

  test('happens at the first second whose recorded mark is too low, while the market stands still', () => {
    expect(liquidatedAt([])).toBeUndefined();
    // One whole coin at 10,000.1 with 200 − fees: 1.5 % lower leaves less than the maintenance of 0.5 %.
    expect(liquidatedAt([{ time: 5_500, value: 98_500 }])).toBe(6 * SECOND);
    // Back before the venue looks: nothing.
    expect(
      liquidatedAt([
        { time: 5_100, value: 98_500 },
        { time: 5_900, value: 100_000 },
      ]),
    ).toBeUndefined();
  });

  test('a stop by mark fires at the recorded mark', () => {
    const { sim, log } = venueOf({
      bracketsBy: 'mark',
      marks: [{ instrument: 0, time: Float64Array.of(7_200), ticks: Float64Array.of(99_000) }],
    });
    sim.quote(0, 99_999, 1_000, 100_001, 1_000, 0);
    sim.trade(0, 100_000, 1, BUY, 0, 1);
    sim.place(0, order({ size: 10, stopLoss: 99_500 }), 1, 0);
    everySecond(sim);
    expect(log.fills.filter(({ effect }) => effect === CLOSE).map(({ time }) => time)).toEqual([8 * SECOND]);
  });
});

describe('a backtest', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'recorded-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Three hours of quiet minutes at 10,000; marks of each minute, and funding at each hour and some milliseconds. */
  function tape(name: string, kinds: readonly string[], fallsAt = -1): string {
    const path = join(folder, name);
    const writer = new TapeWriter(path, { overwrite: true });
    const bars = writer.stream('BTCUSDT', 'bars', { priceDecimals: 1, sizeDecimals: 3 }, 60_000);
    for (let k = 0; k < 180; k++) bars.bar(T + k * 60_000, 100_000, 100_010, 99_990, 100_000, 50_000);
    const own = writer.stream('BTCUSDT', 'marks', { priceDecimals: 3, sizeDecimals: 0 });
    if (kinds.includes('marks'))
      for (let k = 0; k < 180; k++) {
        own.single(T + k * 60_000, markAt(k));
        if (k !== fallsAt) continue;
        // Within a bar, and over before it ends.
        own.single(T + k * 60_000 + 20_000, 8_900_000);
        own.single(T + k * 60_000 + 40_000, markAt(k));
      }
    const funding = writer.stream('BTCUSDT', 'funding', { priceDecimals: 0, sizeDecimals: 0 });
    if (kinds.includes('funding'))
      for (let hour = 1; hour < 3; hour++) funding.single(T + hour * 3_600_000 + 4, storedRate(RATES[hour]!, 8));
    writer.finish();
    return path;
  }

  const T = Date.UTC(2024, 0, 1);
  const RATES = [0, 12_345, -7_000];
  /** At three decimals, beside the grid of 0.1. */
  const markAt = (minute: number): number => 10_000_000 + ((minute * 7_919) % 4_000) + 33;
  const BODY = `let done = false; return { needs: { bars: { '1m': 1 } }, onBar(bar: any, market: any, ctx: any) {
    if (!done) { done = true; ctx.open(market, 'LONG', { size: '1' }); } } };`;
  const funding = { model: 'recorded', everyMs: 28_800_000, rate: '0.0001', file: '' } as const;

  test.each([true, false])('pays the funding of the tape at its marks (every tick: %s), and says so', async (everyTick) => {
    const config = configWith({ simulation: { funding } });
    const report = await backtest(tape('all', ['marks', 'funding']), strategyFile(folder, BODY), { everyTick, config });
    const paid = [1, 2].map((hour) => {
      const ticks = Math.round(markAt(hour * 60) / 100);
      const exact = (ticks * 1000 * UNIT * Math.abs(RATES[hour]!)) / 1e8;
      return RATES[hour]! > 0 ? -Math.ceil(exact) : Math.floor(exact);
    });
    expect(report.pnl.funding).toBe(formatMoney(paid[0]! + paid[1]!));
    expect(report.notes.join()).toContain('use the mark prices of the tape');
    expect(report.notes.join()).toContain('funding at the recorded rates of the tape, at their times');
  });

  test.each([true, false])('liquidates in a market that stands still when the recorded mark falls (plain: %s)', async (isPlain) => {
    const config = configWith({ simulation: { deposits: { USDT: '1000' }, funding: { ...funding, model: 'off' } } });
    const falls = tape('falls', ['marks'], 90);
    const report = await backtest(falls, strategyFile(folder, BODY), { everyTick: true, isPlain, config });
    expect(report.notes.join()).toContain('the venue liquidated');
    const calm = await backtest(tape('calm', ['marks']), strategyFile(folder, BODY), { everyTick: true, isPlain, config });
    expect(calm.notes.join()).not.toContain('the venue liquidated');
  });

  test('without rates on the tape is refused by name; without marks the book has the mark', async () => {
    const config = configWith({ simulation: { funding } });
    const strategy = strategyFile(folder, BODY);
    await expect(backtest(tape('marks', ['marks']), strategy, { config })).rejects.toThrow(
      'recorded rates were expected, found none on the tape',
    );
    const report = await backtest(tape('funding', ['funding']), strategy, { config });
    expect(report.notes.join()).not.toContain('mark prices of the tape');
    expect(Number(report.pnl.funding)).toBeLessThan(0);
  });
});
