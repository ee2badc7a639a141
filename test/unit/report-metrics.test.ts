/** Figures of closed trades, each by hand. */
import { expect, test } from 'vitest';
import { METRICS, metricsOf, metricTexts, type MetricName, type MetricValue } from '../../src/report/metrics.ts';
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
    reason: '',
  }));
}

/** Each figure of no trade, of wins alone, of losses alone, and of some of each. */
const SHOWS: Readonly<Record<MetricName, readonly [none: MetricValue, wins: MetricValue, losses: MetricValue, mixed: MetricValue]>> = {
  profitFactor: [null, null, 0, 1.8],
  averageWin: [null, '1.50000000', null, '4.50000000'],
  averageLoss: [null, null, '-1.50000000', '-2.50000000'],
  longestLosingRun: [null, 0, 2, 2],
};

const MIXED = trades('6', '-4', '-1', '3', '0');

test.each(Object.keys(METRICS) as MetricName[])('%s', (name) => {
  const [none, wins, losses, mixed] = SHOWS[name];
  expect(metricsOf([])[name]).toBe(none);
  expect(metricsOf(trades('1', '2'))[name]).toBe(wins);
  expect(metricsOf(trades('-1', '-2'))[name]).toBe(losses);
  expect(metricsOf(MIXED)[name]).toBe(mixed);
});

test('each figure that exists is a line of the text', () => {
  const titles = metricTexts(metricsOf(MIXED)).map(([title]) => title);
  expect(titles).toEqual(Object.values(METRICS).map(({ title }) => title));
  for (const { title, doc } of Object.values(METRICS)) expect([title.length <= 18, doc.length > 10]).toEqual([true, true]);
  expect(metricTexts(metricsOf(MIXED))).toContainEqual(['average loss', '−2.50']);
  expect(metricTexts(metricsOf([]))).toEqual([]);
});
