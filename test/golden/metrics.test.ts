/** Every metric of a synthetic run equals what empyrical, quantstats, arch and numpy say of it, to 10 digits. metrics.py wrote the values. */
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/base/time/time-spans.ts';
import { ONE } from '../../src/domain/amounts/units.ts';
import type { MetricFacts } from '../../src/report/metrics/facts.ts';
import { METRICS, metricsOf, type MetricKey } from '../../src/report/metrics/metrics.ts';
import { blockLength } from '../../src/statistics/bootstrap.ts';
import { joined } from '../../src/statistics/columns.ts';
import { drawdowns, underwater } from '../../src/statistics/drawdown.ts';
import { normalCdf, normalQuantile } from '../../src/statistics/normal.ts';
import { growth } from '../../src/statistics/returns.ts';
import { pagedOf } from '../support/tape/paged.ts';
import golden from './metrics.json' with { type: 'json' };

const DAYS = 400;
const TRADES = 240;
const START = 10_000;

/** The generator of metrics.py. */
function lehmer(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

function madeRun(): MetricFacts {
  const draw = lehmer(7);
  const benchmark = Float64Array.from({ length: DAYS }, () => (draw(8001) - 3950) / 100_000);
  const returns = new Float64Array(DAYS);
  for (let k = 0; k < DAYS; k++) {
    const noise = (draw(4001) - 1900) / 100_000;
    returns[k] = 0.3 * benchmark[k]! + 0.25 * (k > 0 ? returns[k - 1]! : 0) + noise;
  }
  const exposure = Float64Array.from({ length: DAYS + 1 }, () => (draw(4) === 0 ? 0 : draw(30_000)) * ONE);
  const trades = Array.from({ length: TRADES }, (_, k) => {
    const net = k % 24 === 0 ? 0 : ((draw(20_001) - 9_500) / 100) * ONE;
    return { net, side: draw(3) === 0 ? -1 : 1, heldMs: 1000 + draw(9_000_000), mae: draw(3000) / 1e5, mfe: draw(4000) / 1e5 };
  });
  const equity = growth(returns).map((value) => value * START * ONE);
  const falls = drawdowns(equity);
  const column = (name: 'net' | 'side' | 'heldMs' | 'mae' | 'mfe'): Float64Array => Float64Array.from(trades, (one) => one[name]);
  return {
    totals: {
      start: START * ONE,
      end: equity.at(-1)!,
      fees: 123.5 * ONE,
      funding: -7.25 * ONE,
      turnover: 250_000 * ONE,
      spanMs: DAYS * DAY_MS,
    },
    periods: { perYear: 365, periodMs: DAY_MS, returns, benchmark, sorted: returns.slice().sort() },
    curve: {
      time: Float64Array.from({ length: DAYS + 1 }, (_, k) => k * DAY_MS),
      equity,
      exposure,
      underwater: underwater(equity),
      drawdowns: falls,
      maxDrawdown: Math.max(...falls.map(({ amount }) => amount)),
      maxDrawdownShare: Math.max(...falls.map(({ share }) => share)),
      maxExposure: Math.max(...exposure),
      exposedShare: exposure.filter((one) => one > 0).length / exposure.length,
    },
    trades: { net: column('net'), side: column('side'), heldMs: column('heldMs'), mae: column('mae'), mfe: column('mfe') },
    orders: {
      placed: 500,
      modified: 100,
      cancelled: 125,
      filled: 350,
      rejected: 20,
      refused: 50,
      fills: 400,
      makerFills: 100,
      markouts: [1, 2, 3].map((bp) => ({ fills: 400, share: bp / 1e4 })),
      slippage: { fills: 400, share: -0.0002, amount: -25 * ONE },
      timeToFill: { orders: 350, meanMs: 120, maxMs: 5000 },
    },
  };
}

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
