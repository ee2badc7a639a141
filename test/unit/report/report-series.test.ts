/** The series, breakdowns and the funnel of a report. */
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../src/base/time/time-spans.ts';
import { breakdownsOf, funnelOf, parametersOf } from '../../../src/report/breakdowns.ts';
import { EquityCurve } from '../../../src/report/equity/equity-curve.ts';
import { periodColumns } from '../../../src/report/equity/metric-facts.ts';
import { periodFor, PeriodSeries } from '../../../src/report/equity/period-series.ts';
import type { TradeParts } from '../../../src/report/trades/trade.ts';
import { daySeries, deepestDrawdowns, equitySeries, returnSeries } from '../../../src/report/report-series.ts';

const USDT = 100_000_000;

test('a period is the longest of which 30 fit into the run', () => {
  const minute = 60_000;
  expect([30 * DAY_MS, 30 * DAY_MS - 1, 30 * 60 * minute - 1, 30 * minute - 1, 0].map(periodFor)).toEqual([
    DAY_MS,
    60 * minute,
    minute,
    1000,
    1000,
  ]);
});

describe('the series of periods', () => {
  /** Periods of a second from 500 to 3200 with these prices of two symbols. */
  function taken(): PeriodSeries {
    const prices = [0, 0];
    const series = new PeriodSeries({ ms: 1000, from: 500, start: 100 * USDT, symbols: 2, priceOf: (k) => prices[k]! });
    prices[0] = 10;
    expect(series.nextAt).toBe(501);
    series.take(501, 100 * USDT);
    expect(series.nextAt).toBe(1000);
    prices[0] = 11;
    series.take(1000, 110 * USDT);
    prices[1] = 50;
    series.take(2000, 99 * USDT);
    prices[1] = 25;
    series.take(3000, 99 * USDT);
    series.end(3200, 100 * USDT);
    return series;
  }

  test('has returns beside those of buying and holding each symbol from its first price on', () => {
    const close = (values: readonly number[]): unknown[] => values.map((value) => expect.closeTo(value, 12) as unknown);
    expect(returnSeries(taken())).toEqual({
      periodMs: 1000,
      time: [1000, 2000, 3000, 3200],
      equity: [110, 99, 99, 100],
      strategy: close([0.1, -0.1, 0, 1 / 99]),
      hold: close([105, 105, 80, 80]),
      benchmark: close([0.05, 0, 80 / 105 - 1, 0]),
    });
  });

  test('adds up to days', () => {
    const returns = { periodMs: 3_600_000, equity: [], hold: [] };
    const time = [DAY_MS - 1, DAY_MS, DAY_MS + 1, 3 * DAY_MS];
    expect(daySeries({ ...returns, time, strategy: [0.5, 0.5, -0.5, 0.25], benchmark: [0, 0, 0, 0.5] })).toEqual({
      time: [0, DAY_MS, 2 * DAY_MS],
      strategy: [1.25, -0.5, 0.25],
      benchmark: [0, 0, 0.5],
    });
  });
});

test('equity is thinned to 2,000 points, of which each shows the deepest drawdown since the one before', () => {
  const curve = new EquityCurve(100 * USDT);
  for (let k = 0; k < 40_000; k++) curve.sample(k, (k === 31_336 ? 60 : k >= 20_000 ? 80 : 100) * USDT, 5 * USDT);
  const { time, equity, exposure, drawdown } = equitySeries(curve);
  expect([time.length, time.at(-1), equity.at(-1), exposure[0]]).toEqual([1251, 39_999, 80, 5]);
  expect(Math.max(...drawdown)).toBe(0.4);
  expect(deepestDrawdowns(curve)).toEqual([{ from: 19_998, trough: 31_336, to: null, amount: 40, share: 0.4 }]);
});

function trade({ reason = '', ...given }: Partial<TradeParts> & { readonly reason?: string }): TradeParts {
  const { net = 0, fees = 0 } = given;
  const exits = [[reason, { size: 1, pnl: net + fees, fees }]] as const;
  return { symbol: 'BTCUSDT', positionSide: 'LONG', openedAt: 0, strategy: 's', entryReason: '', net, fees, exits, ...given };
}

test('trades are broken down by symbol, strategy, reason, side, hour and weekday', () => {
  const sunday = Date.UTC(2024, 7, 11, 23);
  const { symbol, side, reason, hour, weekday, strategy } = breakdownsOf([
    trade({ net: 1.5 * USDT, fees: 0.1 * USDT, openedAt: sunday }),
    trade({ net: -USDT, fees: 0.2 * USDT, openedAt: sunday, positionSide: 'SHORT' }),
    trade({ net: 2 * USDT, symbol: 'ETHUSDT', reason: 'stop-loss', openedAt: sunday + 3_600_000 }),
  ]);
  const total = { trades: 3, wins: 2, net: '2.50000000', fees: '0.30000000' };
  expect(strategy).toEqual([{ key: 's', ...total }]);
  expect(symbol).toEqual([
    { key: 'BTCUSDT', trades: 2, wins: 1, net: '0.50000000', fees: '0.30000000' },
    { key: 'ETHUSDT', trades: 1, wins: 1, net: '2.00000000', fees: '0.00000000' },
  ]);
  expect(side.map(({ key, trades }) => [key, trades])).toEqual([
    ['LONG', 2],
    ['SHORT', 1],
  ]);
  expect(reason.map(({ key }) => key)).toEqual(['', 'stop-loss']);
  expect(hour.map(({ key }) => key)).toEqual(['00', '23']);
  expect(weekday.map(({ key }) => key)).toEqual(['Mon', 'Sun']);
});

test('the parts of each step of the funnel add up to it', () => {
  const steps = funnelOf({ placed: 10, modified: 3, cancelled: 2, filled: 4, rejected: 1, unsent: 1, refused: { flood: 2, size: 3 } });
  for (const { key, count } of steps) {
    const parts = steps.filter(({ of }) => of === key).map((part) => part.count);
    if (parts.length > 0) expect([key, parts.reduce((sum, n) => sum + n)]).toEqual([key, count]);
  }
  expect(steps.map(({ count }) => count)).toEqual([15, 5, 10, 1, 1, 8, 2, 4, 2]);
});

test('parameters are listed by strategy', () => {
  expect(parametersOf({ strategies: [{ name: 'a', params: { fast: 5 } }, { name: 'b' }] })).toEqual([
    { strategy: 'a', name: 'fast', value: '5' },
  ]);
  expect(parametersOf({})).toEqual([]);
});

test('31.27 days have 365 returns a year by their time, not by the number of midnights', () => {
  const from = Date.UTC(2024, 0, 1, 21);
  const series = new PeriodSeries({ ms: 86_400_000, from, start: 100 * USDT, symbols: 0, priceOf: () => 0 });
  const to = from + 31.27 * 86_400_000;
  for (let time = from; time < to; time += 3_600_000) if (time >= series.nextAt) series.take(time, 100 * USDT);
  series.end(to, 101 * USDT);
  // Three hours, 31 days, and the rest of a day.
  expect(series.time).toHaveLength(34);
  const { perYear, periodMs } = periodColumns(series);
  expect(perYear).toBeCloseTo((33 / 31.27) * 365, 9);
  expect(periodMs).toBeCloseTo((31.27 / 33) * 86_400_000, 3);
});
