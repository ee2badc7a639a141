/** The figures of a backtest report, from fills and equity samples with obvious results. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUY, CLOSE, LONG, MAKER, OPEN, SELL, SHORT, TAKER } from '../../../src/domain/codes.ts';
import { createInstrument, formatMoney } from '../../../src/domain/instrument.ts';
import { breakdownsOf } from '../../../src/report/breakdowns.ts';
import { exitWords } from '../../../src/report/trades/trip-exits.ts';
import { backtestReport, type BacktestReport, type ReportInputs } from '../../../src/report/backtest-report.ts';
import { EquityCurve } from '../../../src/report/equity/equity-curve.ts';
import { documentText } from '../../../src/report/document/document-text.ts';
import { runDocument } from '../../../src/report/document/run/run-document.ts';
import { PeriodSeries } from '../../../src/report/equity/period-series.ts';
import { FillLabels } from '../../../src/report/fills/fill-labels.ts';
import { FillLog } from '../../../src/report/fills/fill-log.ts';
import { OrderBrackets } from '../../../src/report/fills/order-brackets.ts';
import { fillsOf, roundTrips } from '../../support/backtest/fill-columns.ts';
import { BTC, ETH, SPOT_BTC } from '../../support/sim/sim-kit.ts';

const INSTRUMENTS = [BTC, ETH, SPOT_BTC].map((spec, index) => createInstrument(spec, index));
const USDT = 100_000_000;

interface Fill {
  readonly at: number;
  readonly i?: number;
  readonly side?: number;
  readonly effect: number;
  readonly price: number;
  readonly size: number;
  readonly fee?: number;
  readonly realised?: number;
  readonly liquidity?: number;
}

function logOf(fills: readonly Fill[]): FillLog {
  const log = new FillLog();
  for (const { at, i = 0, side = LONG, effect, price, size, fee = 0, realised = 0, liquidity = TAKER } of fills) {
    log.add(at, i, side, effect, price, size, fee, realised, liquidity, 1);
  }
  return log;
}

function curveOf(start: number, samples: readonly (readonly [equity: number, exposure?: number])[]): EquityCurve {
  const curve = new EquityCurve(start);
  samples.forEach(([equity, exposure = 0], k) => curve.sample(k * 1000, equity, exposure));
  return curve;
}

describe('drawdown', () => {
  test('is the largest fall from a peak, neither the last nor the one from the start', () => {
    const { maxDrawdown, maxDrawdownShare, end } = curveOf(100, [[120], [90], [130], [110], [140]]);
    expect([maxDrawdown, maxDrawdownShare, end]).toEqual([30, 0.25, 140]);
  });

  test('in money and as a share may come from two different falls', () => {
    const { maxDrawdown, maxDrawdownShare } = curveOf(10, [[5], [1000], [900]]);
    expect([maxDrawdown, maxDrawdownShare]).toEqual([100, 0.5]);
  });

  test('counts a fall below the start, and none if equity only rises', () => {
    expect(curveOf(100, [[80]]).maxDrawdown).toBe(20);
    expect(curveOf(100, [[101], [102]]).maxDrawdown).toBe(0);
    expect(curveOf(100, []).maxDrawdown).toBe(0);
  });

  test('of an account without equity has no share', () => {
    expect(curveOf(0, [[-5]])).toMatchObject({ maxDrawdown: 5, maxDrawdownShare: 0 });
  });
});

describe('exposure', () => {
  test('is the share of samples with a position, and the largest value held', () => {
    expect(
      curveOf(1, [
        [1, 0],
        [1, 500],
        [1, 200],
        [1, 0],
      ]),
    ).toMatchObject({ samples: 4, exposed: 2, maxExposure: 500 });
  });
});

describe('the thinned curve', () => {
  test('keeps at most 2,001 points in order, including the first and the newest', () => {
    for (const length of [1, 2, 2000, 2001, 4001, 12_345, 100_000]) {
      const curve = new EquityCurve(0);
      for (let k = 0; k < length; k++) curve.sample(k, k * 10, 0);
      const { points } = curve;
      expect(points.length).toBeLessThanOrEqual(2001);
      expect(points.length).toBeGreaterThanOrEqual(Math.min(length, 1000));
      expect(points[0]).toEqual({ time: 0, equity: 0 });
      expect(points.at(-1)).toEqual({ time: length - 1, equity: (length - 1) * 10 });
      for (let k = 1; k < points.length; k++) expect(points[k]!.time).toBeGreaterThan(points[k - 1]!.time);
    }
  });

  test('loses no drawdown between its points', () => {
    const curve = new EquityCurve(1000);
    for (let k = 0; k < 50_000; k++) curve.sample(k, k === 31_337 ? 1 : 1000, 0);
    expect(curve.maxDrawdown).toBe(999);
  });
});

describe('round trips', () => {
  test('go from flat to flat, however many fills are between', () => {
    const { trades, wins, losses } = roundTrips(
      logOf([
        { at: 1, effect: OPEN, price: 600_000, size: 10, fee: 100 },
        { at: 2, effect: OPEN, price: 600_030, size: 20, fee: 200 },
        { at: 3, effect: CLOSE, price: 600_100, size: 5, fee: 50, realised: 4_000 },
        { at: 4, effect: CLOSE, price: 600_200, size: 25, fee: 250, realised: 45_000 },
      ]),
      INSTRUMENTS,
    );
    expect(trades).toEqual([
      {
        symbol: 'BTCUSDT',
        positionSide: 'LONG',
        openedAt: 1,
        closedAt: 4,
        size: '0.030',
        // (10 · 60000.0 + 20 · 60003.0) / 30 and (5 · 60010.0 + 25 · 60020.0) / 30
        entryPrice: 60_002,
        exitPrice: expect.closeTo(60_018.333_333, 5) as number,
        pnl: '0.00049000',
        fees: '0.00000600',
        net: '0.00048400',
        strategy: '',
        entryReason: '',
        reason: '',
        exits: [{ reason: '', size: '0.030', net: '0.00048400', fees: '0.00000600' }],
        mae: null,
        mfe: null,
        stopLoss: null,
        takeProfit: null,
      },
    ]);
    expect([wins, losses]).toEqual([1, 0]);
  });

  test('a trade that was closed in parts has each reason with its size and its share of the fees', () => {
    const log = new FillLog();
    const [target, other, stop] = [['one', 'target'] as const, ['two', 'target'] as const, ['one', 'stop-loss'] as const];
    const labels = [target, other, stop].map(([strategy, reason]) => log.labels.number(strategy, reason));
    log.add(1, 0, LONG, OPEN, 600_000, 30, 100, 0, TAKER, 1);
    for (const [at, k, size, realised] of [
      [2, 0, 10, 4_000],
      [3, 1, 5, 3_000],
      [4, 2, 15, -9_000],
    ] as const)
      log.add(at, 0, LONG, CLOSE, 600_100, size, 10, realised, TAKER, -labels[k]!);
    log.add(5, 0, LONG, OPEN, 600_000, 1, 7, 0, TAKER, 5);
    log.add(6, 0, LONG, CLOSE, 600_000, 1, 7, 0, TAKER, -labels[2]!);
    const { trades, parts } = roundTrips(log, INSTRUMENTS);
    // 15 of 30 lots each: 50 of the 100 that the entry cost, and 20 or 10 of their own.
    expect(trades.map(({ exits }) => exits)).toEqual([
      [
        { reason: 'target', size: '0.015', net: '0.00006930', fees: '0.00000070' },
        { reason: 'stop-loss', size: '0.015', net: '-0.00009060', fees: '0.00000060' },
      ],
      [{ reason: 'stop-loss', size: '0.001', net: '-0.00000014', fees: '0.00000014' }],
    ]);
    expect(trades.map(({ net }) => net)).toEqual(['-0.00002130', '-0.00000014']);
    expect(trades.map(exitWords)).toEqual(['target 0.015, stop-loss 0.015', 'stop-loss']);
    expect(breakdownsOf(parts).reason).toEqual([
      { key: 'stop-loss', trades: 2, wins: 0, net: '-0.00009074', fees: '0.00000074' },
      { key: 'target', trades: 1, wins: 1, net: '0.00006930', fees: '0.00000070' },
    ]);
  });

  test('of both position sides and of other symbols are counted separately', () => {
    const { trades } = roundTrips(
      logOf([
        { at: 1, effect: OPEN, price: 600_000, size: 10 },
        { at: 2, side: SHORT, effect: OPEN, price: 600_100, size: 4 },
        { at: 3, i: 1, effect: OPEN, price: 260_000, size: 7 },
        { at: 4, effect: CLOSE, price: 600_000, size: 10 },
        { at: 5, side: SHORT, effect: CLOSE, price: 600_000, size: 4, realised: 40_000 },
        { at: 6, i: 1, effect: CLOSE, price: 260_100, size: 7, realised: 7_000 },
      ]),
      INSTRUMENTS,
    );
    expect(trades.map((t) => [t.symbol, t.positionSide, t.openedAt, t.closedAt, t.size])).toEqual([
      ['BTCUSDT', 'LONG', 1, 4, '0.010'],
      ['BTCUSDT', 'SHORT', 2, 5, '0.004'],
      ['ETHUSDT', 'LONG', 3, 6, '0.007'],
    ]);
  });

  test('restart after flat, have the largest size held, and are no trade while open', () => {
    const { trades } = roundTrips(
      logOf([
        { at: 1, effect: OPEN, price: 1000, size: 10 },
        { at: 2, effect: CLOSE, price: 1000, size: 6 },
        { at: 3, effect: OPEN, price: 1000, size: 7 },
        { at: 4, effect: CLOSE, price: 1000, size: 11 },
        { at: 5, effect: OPEN, price: 1000, size: 2 },
        { at: 6, effect: CLOSE, price: 1000, size: 1 },
      ]),
      INSTRUMENTS,
    );
    expect(trades.map((t) => [t.openedAt, t.closedAt, t.size])).toEqual([[1, 4, '0.011']]);
  });

  test('are wins only if something is left after fees', () => {
    const trip = (at: number, fee: number): Fill[] => [
      { at, effect: OPEN, price: 1000, size: 1 },
      { at: at + 1, effect: CLOSE, price: 1001, size: 1, realised: 10_000, fee },
    ];
    const { wins, losses } = roundTrips(logOf([...trip(1, 9_999), ...trip(3, 10_000), ...trip(5, 10_001)]), INSTRUMENTS);
    expect([wins, losses]).toEqual([1, 2]);
  });

  test('of spot go from the first coin bought to the last one sold', () => {
    const spot = { i: 2, effect: OPEN };
    const fills: Fill[] = [
      { at: 1, ...spot, side: BUY, price: 6_000_000, size: 3_000, fee: 18_000 },
      { at: 2, ...spot, side: BUY, price: 6_000_100, size: 1_000, fee: 6_001 },
      { at: 3, ...spot, side: SELL, price: 6_000_300, size: 1_500, fee: 9_001 },
    ];
    expect(roundTrips(logOf(fills), INSTRUMENTS).trades).toEqual([]);
    const { trades, wins, losses } = roundTrips(
      logOf([...fills, { at: 4, ...spot, side: SELL, price: 6_000_500, size: 4_000, fee: 24_002 }]),
      INSTRUMENTS,
    );
    // A unit is 10^-8 of a tick's lot: bought for 3,000 · 6,000,000 + 1,000 · 6,000,100 = 24,000,100,000. Sold 1,500 · 6,000,300 + 2,500 ·
    // 6,000,500 = 24,001,700,000: 1,600,000 more. 2,500 of 4,000 lots have 15,001 of the last fee.
    expect(trades).toMatchObject([
      {
        symbol: 'BTCUSDT',
        positionSide: 'SPOT',
        openedAt: 1,
        closedAt: 4,
        size: '0.004000',
        entryPrice: 60_000.25,
        pnl: '0.01600000',
        fees: formatMoney(18_000 + 6_001 + 9_001 + 15_001),
      },
    ]);
    expect([wins, losses]).toEqual([1, 0]);
  });

  test('of spot may start with a sell from a deposit', () => {
    const spot = { i: 2, effect: OPEN };
    const { trades } = roundTrips(
      logOf([
        { at: 1, ...spot, side: SELL, price: 6_000_000, size: 100 },
        { at: 2, ...spot, side: BUY, price: 5_999_000, size: 60 },
        { at: 3, ...spot, side: BUY, price: 6_002_000, size: 40 },
      ]),
      INSTRUMENTS,
    );
    // 60 · 1,000 − 40 · 2,000
    expect(trades).toMatchObject([{ positionSide: 'SPOT', pnl: '-0.00020000' }]);
  });
});

describe('labels of fills', () => {
  test('distinguish strategy and reason, and are recognised again', () => {
    const labels = new FillLabels();
    const numbers = [
      labels.number('a', 'x'),
      labels.number('b', 'x'),
      labels.number('a', 'y'),
      labels.number('a', 'x'),
      labels.number('', ''),
    ];
    expect(new Set(numbers).size).toBe(4);
    expect(numbers[3]).toBe(numbers[0]);
    expect([labels.all[numbers[1]!], numbers[4]]).toEqual([{ strategy: 'b', reason: 'x' }, 0]);
  });

  test('equal those of a list of every order, however late the second label comes', () => {
    const step = fc.record({ owner: fc.constantFrom('a', 'a', 'a', 'b'), reason: fc.constantFrom('', '', 'in'), back: fc.nat(6) });
    fc.assert(
      fc.property(fc.nat(40), fc.array(step, { maxLength: 60 }), (alike, steps) => {
        const labels = new FillLabels();
        const kept: { label: string; isFirst: boolean }[] = [];
        const all = [...Array.from({ length: alike }, (_, k) => ({ owner: 'a', reason: '', back: k % 3 })), ...steps];
        all.forEach(({ owner, reason, back }, k) => {
          const replaced = k - back;
          if (back > 0 && replaced >= 0) labels.modified(k + 7, owner, reason, replaced + 7);
          else labels.placed(k + 7, owner, reason);
          const inherits = back > 0 && replaced >= 0 && reason === '';
          kept.push({ label: inherits ? kept[replaced]!.label : owner + ' ' + reason, isFirst: !(back > 0 && replaced >= 0) });
        });
        const said = (n: number): string => labels.all[n]!.strategy + ' ' + labels.all[n]!.reason;
        expect(kept.map((_, k) => said(labels.of(k + 7)))).toEqual(kept.map(({ label }) => label));
        const orders = labels.orders();
        for (const [n, count] of orders.entries()) {
          expect(count).toBe(kept.filter(({ label, isFirst }) => isFirst && label === said(n)).length);
        }
      }),
    );
  });

  test('belong to orders by number; a replacement keeps its reason unless it has its own', () => {
    const labels = new FillLabels();
    labels.placed(3, 'a', 'in');
    labels.modified(4, 'a', '', 3);
    labels.modified(5000, 'a', '', 4);
    labels.modified(5001, 'a', 'moved', 5000);
    labels.modified(5002, 'a', '', 5001);
    const reasons = (): string[] => [1, 3, 5002, 5001, 5000, 4, 1e6].map((seq) => labels.all[labels.of(seq)]!.reason);
    expect(reasons()).toEqual(['', 'in', 'moved', 'moved', 'in', 'in', '']);
    expect(reasons()).toEqual(['', 'in', 'moved', 'moved', 'in', 'in', '']);
    labels.placed(5003, 'a', 'in');
    labels.count(labels.number('a', 'out'));
    const orders = labels.orders();
    expect(labels.all.map(({ reason }, n) => [reason, orders[n]])).toEqual([
      ['', 0],
      ['in', 2],
      ['moved', 0],
      ['out', 1],
    ]);
  });

  test('that are always different stay limited', () => {
    const labels = new FillLabels();
    for (let k = 0; k < 70_000; k++) labels.placed(k, 'a', `at ${k}`);
    expect(labels.all.length).toBe(65_536);
    expect([labels.of(65_533), labels.of(65_534), labels.of(69_999)].map((n) => labels.all[n]!.reason)).toEqual([
      'at 65533',
      '(too many different reasons)',
      '(too many different reasons)',
    ]);
  });
});

describe('the fill log', () => {
  test('grows without losing anything', () => {
    const log = new FillLog();
    for (let k = 0; k < 5000; k++) log.add(k, k % 3, k & 1, (k >> 1) & 1, k * 3, k + 1, -k, k * 5, (k >> 2) & 1, k * 7);
    expect(log.length).toBe(5000);
    for (const k of [0, 1023, 1024, 2047, 2048, 4999]) {
      const { time, instrument, side, effect, price, size, fee, realised, liquidity, order } = fillsOf(log)[k]!;
      const row = [time, instrument, side, effect, price, size, fee, realised, liquidity, order];
      expect(row).toEqual([k, k % 3, k & 1, (k >> 1) & 1, k * 3, k + 1, k === 0 ? -0 : -k, k * 5, (k >> 2) & 1, k * 7]);
    }
  });

  test('has another digest in another order', () => {
    const [a, b]: Fill[] = [
      { at: 1, effect: OPEN, price: 10, size: 1 },
      { at: 1, effect: OPEN, price: 11, size: 1 },
    ];
    expect(logOf([a!, b!]).digest()).not.toBe(logOf([b!, a!]).digest());
    expect(logOf([a!, b!]).digest()).toBe(logOf([a!, b!]).digest());
  });
});

describe('the report', () => {
  const inputs: ReportInputs = {
    failed: [],
    tape: { rows: 1000, symbols: ['BTCUSDT'], from: 0, to: 5000 },
    config: { seed: 1 },
    orders: { placed: 2, modified: 0, cancelled: 0, filled: 2, rejected: 0, unsent: 0, refused: {} },
    instruments: INSTRUMENTS,
    fills: logOf([
      { at: 1, effect: OPEN, price: 600_000, size: 100, fee: 1.2 * USDT, liquidity: MAKER },
      { at: 2, effect: CLOSE, price: 600_100, size: 100, fee: 3.6006 * USDT, realised: USDT },
    ]),
    brackets: new OrderBrackets(),
    market: () => [],
    curve: curveOf(1000 * USDT, [[1000.5 * USDT, 6000 * USDT], [996.1994 * USDT]]),
    periods: new PeriodSeries({ ms: 1000, from: 0, start: 1000 * USDT, symbols: 0, priceOf: () => 0 }),
    realised: USDT,
    unrealised: 0,
    fees: 4.8006 * USDT,
    funding: 0,
    notes: [{ topic: 'run', text: 'one' }],
    wallMs: 12.5,
  };

  test('has amounts as decimal strings and shares as numbers', () => {
    const report = backtestReport(inputs);
    expect(report.fills[1]).toEqual({
      time: 2,
      symbol: 'BTCUSDT',
      side: 'SELL',
      positionSide: 'LONG',
      price: '60010.0',
      size: '0.100',
      fee: '3.60060000',
      liquidity: 'taker',
      strategy: '',
      reason: '',
    });
    expect(report.pnl).toEqual({
      realised: '1.00000000',
      unrealised: '0.00000000',
      fees: '4.80060000',
      funding: '0.00000000',
      net: '-3.80060000',
    });
    expect(report.exposure).toEqual({ timeShare: 0.5, largest: '6000.00000000', turnover: '12001.00' });
    expect(report.stats).toEqual({ trades: 1, wins: 0, losses: 1, makerFills: 1, takerFills: 1 });
    expect(report.performance).toEqual({ rows: 1000, wallMs: 12.5, rowsPerSecond: 80_000 });
  });

  test('has the turnover exact to the cent, however large', () => {
    // One tick of one lot is a hundredth of a cent.
    const units = 899_999_999 * 999;
    const many = Array.from({ length: 20_001 }, (_, k): Fill => ({ at: k, effect: OPEN, price: 899_999_999, size: 999 }));
    const cents = String((BigInt(units) * 20_001n + 50n) / 100n);
    expect(backtestReport({ ...inputs, fills: logOf(many) }).exposure.turnover).toBe(`${cents.slice(0, -2)}.${cents.slice(-2)}`);
  });

  test('warns of few trades', () => {
    expect(backtestReport(inputs).notes).toEqual(['one', '1 trade was closed: too few to tell skill from luck.']);
    const many = Array.from({ length: 30 }, (_, k): Fill[] => [
      { at: k, effect: OPEN, price: 1, size: 1 },
      { at: k, effect: CLOSE, price: 1, size: 1 },
    ]).flat();
    expect(backtestReport({ ...inputs, fills: logOf(many) }).notes).toEqual(['one']);
  });

  test('says the same of its metrics as its stored JSON, and computes only those that it shows', () => {
    const periods = new PeriodSeries({ ms: 1000, from: 0, start: 1000 * USDT, symbols: 0, priceOf: () => 0 });
    for (let k = 1; k <= 60; k++) periods.take(k * 1000, (1000 + (k % 7) - (k % 3)) * USDT);
    const report = backtestReport({ ...inputs, periods });
    const stored = JSON.parse(JSON.stringify(report)) as BacktestReport;
    Object.defineProperty(report, 'metrics', { get: () => expect.unreachable('every metric was computed') });
    const textOf = (shown: typeof report): string => documentText(runDocument(shown), 80);
    expect(textOf(report)).toMatch(/volatility a year +\S+\s% {3}\(95/);
    expect(textOf(report)).toBe(textOf(stored));
  });

  test('has a hash of everything but its speed', () => {
    const { hash } = backtestReport(inputs);
    expect(backtestReport({ ...inputs, wallMs: 99 }).hash).toBe(hash);
    const others: Partial<ReportInputs>[] = [
      { notes: [{ topic: 'run', text: 'two' }] },
      { config: { seed: 2 } },
      { tape: { ...inputs.tape, rows: 1001 } },
      { orders: { ...inputs.orders, placed: 3 } },
      { fees: inputs.fees + 1 },
      { unrealised: 1 },
      { curve: curveOf(1000 * USDT, [[996 * USDT]]) },
      // All figures are equal; only the time of a fill differs.
      {
        fills: logOf([
          { at: 0, effect: OPEN, price: 600_000, size: 100, fee: 1.2 * USDT, liquidity: MAKER },
          { at: 2, effect: CLOSE, price: 600_100, size: 100, fee: 3.6006 * USDT, realised: USDT },
        ]),
      },
    ];
    const hashes = others.map((other) => backtestReport({ ...inputs, ...other }).hash);
    expect(new Set([hash, ...hashes]).size).toBe(others.length + 1);
  });
});
