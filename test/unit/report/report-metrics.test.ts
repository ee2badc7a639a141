/** Metrics of small samples, their intervals, and their page. test/golden/metrics.test.ts has the values. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../../src/base/time/time-spans.ts';
import { Random } from '../../../src/base/random.ts';
import { metricsPage } from '../../../src/cli/pages/metrics-page.ts';
import { metricText } from '../../../src/report/document/figures.ts';
import { parseScaled } from '../../../src/domain/amounts/scale.ts';
import { MONEY_DECIMALS } from '../../../src/domain/amounts/units.ts';
import { curveFacts, periodColumns } from '../../../src/report/equity/metric-facts.ts';
import { EquityCurve } from '../../../src/report/equity/equity-curve.ts';
import type { MetricFacts, TradeColumns } from '../../../src/report/metrics/facts.ts';
import { METRICS, metricsOf, type MetricKey } from '../../../src/report/metrics/metrics.ts';
import { PeriodSeries } from '../../../src/report/equity/period-series.ts';

const USDT = 100_000_000;

/** Trades with these results, one after the other, each a minute long, long and short in turn. */
function trades(...nets: readonly string[]): TradeColumns {
  const unknown = Float64Array.from(nets, () => Number.NaN);
  return {
    net: Float64Array.from(nets, (net) => parseScaled(net, MONEY_DECIMALS)),
    side: Float64Array.from(nets, (_, k) => (k % 2 === 0 ? 1 : -1)),
    heldMs: Float64Array.from(nets, () => 60_000),
    mae: unknown,
    mfe: unknown,
  };
}

/** A run whose equity is this at each hour. */
function facts(equity: readonly number[], closed: TradeColumns = trades()): MetricFacts {
  const curve = new EquityCurve(equity[0]! * USDT);
  const periods = new PeriodSeries({ ms: HOUR_MS, from: 0, start: equity[0]! * USDT, symbols: 0, priceOf: () => 0 });
  equity.forEach((value, k) => {
    curve.sample(k * HOUR_MS, value * USDT, 0);
    if (k > 0) periods.take(k * HOUR_MS, value * USDT);
  });
  const unknown = { fills: 0, share: Number.NaN };
  return {
    totals: { start: equity[0]! * USDT, end: equity.at(-1)! * USDT, fees: 0, funding: 0, turnover: 0, spanMs: equity.length * HOUR_MS },
    periods: periodColumns(periods),
    curve: curveFacts(curve),
    trades: closed,
    orders: {
      placed: 0,
      modified: 0,
      cancelled: 0,
      filled: 0,
      rejected: 0,
      refused: 0,
      fills: 0,
      makerFills: 0,
      markouts: [unknown, unknown, unknown],
      slippage: { ...unknown, amount: Number.NaN },
      timeToFill: { orders: 0, meanMs: Number.NaN, maxMs: Number.NaN },
    },
  };
}

const walk = (n: number, seed = 1, drift = 0): number[] => {
  const random = new Random(seed);
  let value = 1000;
  return Array.from({ length: n }, () => (value *= 1 + drift + random.normal() / 100));
};

describe('metrics of small samples', () => {
  test('say how many are missing', () => {
    const found = metricsOf(facts([100, 101, 99], trades('1', '-2')));
    expect(metricText(found['autocorrelation']!).replaceAll('\u00a0', ' ')).toBe('too few (2 of 30 periods)');
    expect(metricText(found['sharpe']!).replaceAll('\u00a0', ' ')).toBe('too few (0 of 1 day)');
    expect(metricsOf(facts(walk(25)))['sharpe']).toMatchObject({ sample: 24, least: 30, of: 'periods' });
    expect(metricText(found['winRate']!).replaceAll('\u00a0', ' ')).toBe('too few (2 of 30 trades)');
    expect(found['cagr']).toMatchObject({ value: null, sample: 0, least: 30, of: 'days', interval: null });
    expect(found['averageWin']).toMatchObject({ value: '1.00000000', sample: 1 });
    expect(found['shortNet']).toMatchObject({ value: '-2.00000000', sample: 1 });
  });

  test('the Calmar ratio of a run of less than 36 months is its MAR ratio', () => {
    const found = metricsOf(facts(walk(24 * 40, 3, 0.0001)));
    expect(found['mar']!.value).not.toBeNull();
    expect(found['calmar']!.value).toBe(found['mar']!.value);
  });

  test('an amount beyond the exact range of integers is told to the cent', () => {
    const run = facts([1000, 1001]);
    const turnover = 148_221_267.38 * USDT;
    const found = metricsOf({ ...run, orders: { ...run.orders, fills: 1 }, totals: { ...run.totals, turnover } }, ['turnover']);
    expect(found.turnover).toMatchObject({ value: '148221267.38' });
  });

  test('are never NaN or infinite, whatever the run', () => {
    const lots = (net: string): TradeColumns => trades(...Array.from({ length: 40 }, () => net));
    const flat = Array.from({ length: 200 }, () => 1000);
    const ruined = [...flat.slice(100), ...flat.slice(100).map((_, k) => -k)];
    const runs = [facts([1000]), facts(flat), facts(ruined, lots('-1')), facts(walk(200), lots('1')), facts(walk(200), lots('0'))];
    for (const run of runs) {
      for (const [key, { value, interval }] of Object.entries(metricsOf(run))) {
        expect([key, value === null || Number.isFinite(Number(value))]).toEqual([key, true]);
        expect([key, interval?.every(Number.isFinite) ?? true]).toEqual([key, true]);
      }
    }
  });
});

describe('intervals', () => {
  const keys: readonly MetricKey[] = ['sharpe', 'volatility', 'averagePeriod'];

  test('are the same each time, and hold the value of the run', () => {
    const found = metricsOf(facts(walk(400)), keys);
    expect(metricsOf(facts(walk(400)), keys)).toEqual(found);
    for (const { value, interval } of Object.values(found)) {
      expect(interval![0]).toBeLessThan(value as number);
      expect(interval![1]).toBeGreaterThan(value as number);
    }
  });

  test('hold the true value of about 95 % of random runs', () => {
    const runs = 200;
    let held = 0;
    for (let seed = 1; seed <= runs; seed++) {
      const [low, high] = metricsOf(facts(walk(300, seed, 0.001)), ['averagePeriod'])['averagePeriod']!.interval!;
      if (low <= 0.001 && 0.001 <= high) held++;
    }
    expect(held / runs).toBeGreaterThan(0.9);
    expect(held / runs).toBeLessThan(0.985);
  });
});

test('each metric has a short name of its own, a formula and its place on the page', () => {
  const rows = Object.values(METRICS);
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  for (const { name, formula } of rows) expect([name, name.length <= 25, formula.length > 10]).toEqual([name, true, true]);
  const page = readFileSync(new URL('../../../docs/reference/metrics.md', import.meta.url), 'utf8');
  expect(page === metricsPage()).toBe(true);
});
