/** Every metric of a synthetic run equals what empyrical, quantstats, arch and numpy say of it, to 10 digits. metrics.py wrote the values. */
import { describe, expect, test } from 'vitest';
import { ONE } from '../../src/domain/amounts/units.ts';
import type { MetricFacts } from '../../src/report/metrics/facts.ts';
import { METRICS, metricsOf, type MetricKey } from '../../src/report/metrics/metrics.ts';
import { blockLength } from '../../src/statistics/bootstrap.ts';
import { joined } from '../../src/statistics/samples/columns.ts';
import { normalCdf, normalQuantile } from '../../src/statistics/samples/normal.ts';
import { pagedOf } from '../support/tape/paged.ts';
import { lehmer, madeRun } from './made-run.ts';
import golden from './metrics.json' with { type: 'json' };

/** Metrics of orders and fills are counts of what the run reported and quotients of them. */
const BY_HAND: Readonly<Partial<Record<MetricKey, number>>> = {
  orders: 500,
  fillRatio: 0.7,
  cancelRatio: 0.25,
  rejectRatio: 0.04,
  refusedRatio: 50 / 550,
  modifyRatio: 0.2,
  fills: 400,
  makerShare: 0.25,
  slippage: -0.0002,
  slippageAmount: -25,
  averageTimeToFill: 120,
  longestTimeToFill: 5000,
  markout1s: 0.0001,
  markout5s: 0.0002,
  markout30s: 0.0003,
};

/** Two numbers are the same in their first 10 digits. */
function expectSame(found: number, expected: number): void {
  if (expected === 0) expect(found).toBeCloseTo(0, 15);
  else expect(Math.abs(found / expected - 1)).toBeLessThan(5e-11);
}

const facts = madeRun();
const values: Readonly<Partial<Record<string, number>>> = { ...golden.values, ...BY_HAND };

test.each(Object.keys(METRICS))('%s', (key) => {
  const expected = values[key];
  expect(expected, `${key} has no golden value`).toBeDefined();
  const { unit, value } = METRICS[key as MetricKey];
  expectSame(value(facts)! / (unit === 'money' ? ONE : 1), expected!);
});

test('metrics of trades that are read part by part are the same to the last digit', () => {
  const parted = Object.entries(facts.trades).map(([name, column]) => [name, pagedOf(joined(column), 7)]);
  const paged: MetricFacts = { ...facts, trades: Object.fromEntries(parted) as MetricFacts['trades'] };
  expect(metricsOf(paged)).toEqual(metricsOf(facts));
});

test('there are at least 100 metrics, and no golden value without one', () => {
  expect(Object.keys(METRICS).length).toBeGreaterThanOrEqual(100);
  expect(Object.keys(values).filter((key) => !Object.hasOwn(METRICS, key))).toEqual([]);
});

describe('the parts', () => {
  test('the mean block length is that of the package arch', () => {
    const { periods, trades } = facts;
    const draw = lehmer(3);
    const autoregressive = [1];
    while (autoregressive.length < 1000) autoregressive.push(0.6 * autoregressive.at(-1)! + (draw(2001) - 1000) / 1000);
    expectSame(blockLength(periods.returns), golden.blockLengths.returns);
    expectSame(blockLength(joined(trades.net)), golden.blockLengths.trades);
    expectSame(blockLength(autoregressive), golden.blockLengths.autoregressive);
  });

  test('the normal distribution is that of scipy', () => {
    for (const [x, probability] of golden.normal) expectSame(normalCdf(x!), probability!);
    for (const [probability, x] of golden.quantiles) expectSame(normalQuantile(probability!), x!);
  });
});
