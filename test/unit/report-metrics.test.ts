/** Metrics of closed trades, each by hand. */
import { expect, test } from 'vitest';
import { tradeColumns } from '../../src/report/trade-columns.ts';
import { METRICS, metricsOf } from '../../src/report/metrics/metrics.ts';
import type { MetricResult } from '../../src/report/metrics/results.ts';
import type { RoundTrip } from '../../src/report/round-trips.ts';

/** Trades with these results, one after the other, each a minute long. */
function trades(...nets: readonly string[]): RoundTrip[] {
  return nets.map((net, k) => ({
    symbol: 'BTCUSDT',
    positionSide: 'LONG',
    openedAt: k * 60_000,
    closedAt: (k + 1) * 60_000,
    size: '1',
    entryPrice: 1,
    exitPrice: 1,
    pnl: net,
    fees: '0',
    net,
    strategy: '',
    entryReason: '',
    reason: '',
    mae: null,
    mfe: null,
    stopLoss: null,
    takeProfit: null,
  }));
}

type Value = MetricResult['value'];

/** Each metric of no trade, of wins alone, of losses alone, and of some of each. */
const SHOWS: Readonly<Record<string, readonly [none: Value, wins: Value, losses: Value, mixed: Value]>> = {
  profitFactor: [null, null, 0, 1.8],
  averageWin: [null, '1.50000000', null, '4.50000000'],
  averageLoss: [null, null, '-1.50000000', '-2.50000000'],
  longestLosingRun: [null, 0, 2, 2],
};

const MIXED = trades('6', '-4', '-1', '3', '0');

test.each(Object.keys(METRICS))('%s', (name) => {
  const valueOf = (given: readonly RoundTrip[]): Value => metricsOf({ trades: tradeColumns(given) })[name]!.value;
  expect([valueOf([]), valueOf(trades('1', '2')), valueOf(trades('-1', '-2')), valueOf(MIXED)]).toEqual(SHOWS[name]);
});
