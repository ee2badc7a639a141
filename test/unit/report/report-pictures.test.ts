/** Charts and tables of a report's page show the same figures, and both are those of a slow definition. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseScaled } from '../../../src/domain/amounts/scale.ts';
import type { Section, Table } from '../../../src/report/document/document.ts';
import { metricText, moment } from '../../../src/report/document/figures.ts';
import { exitMatrix } from '../../../src/report/document/run/trades/exit-matrix.ts';
import { sidesSection } from '../../../src/report/document/run/trades/sides-section.ts';
import { equitySections } from '../../../src/report/document/returns/equity-sections.ts';
import { chartDataOf, type ChartData } from '../../../src/report/html/run/chart-data.ts';
import type { MetricFacts } from '../../../src/report/metrics/facts.ts';
import { resultsOf } from '../../../src/report/metrics/metrics.ts';
import { SIDE_METRICS } from '../../../src/report/metrics/side-metrics.ts';
import type { PathRow, RunReport } from '../../../src/report/run-report.ts';
import { pageOf } from '../../../src/run/report/report-files.ts';
import { busyRun, heldRun } from '../../support/backtest/report-runs.ts';

const units = (text: string): number => parseScaled(text, 8);

let folder = '';
let report: RunReport;
let data: ChartData;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'report-pictures-'));
  // Three days, in steps of two minutes.
  report = await busyRun(folder, 2200, 120_000);
  data = chartDataOf(report, []);
});
afterAll(() => rmSync(folder, { recursive: true }));

const tablesOf = (section: Section): Table[] =>
  section.blocks.flatMap((block) =>
    block.kind === 'table' ? [block] : block.kind === 'beside' ? block.blocks.filter((one) => one.kind === 'table') : [],
  );

describe('long and short', () => {
  test('have every metric of trades, as computed from the trades of their side alone', () => {
    for (const [name, isOwn] of [
      ['long', (side: string) => side !== 'SHORT'],
      ['short', (side: string) => side === 'SHORT'],
    ] as const) {
      const own = report.trades.filter(({ positionSide }) => isOwn(positionSide));
      expect(own.length).toBeGreaterThan(30);
      const facts = {
        totals: { start: units(report.equity.start), spanMs: report.tape.to - report.tape.from },
        trades: {
          net: Float64Array.from(own, ({ net }) => units(net)),
          side: Float64Array.from(own, () => (name === 'long' ? 1 : -1)),
          heldMs: Float64Array.from(own, ({ openedAt, closedAt }) => closedAt - openedAt),
          mae: Float64Array.from(own, ({ mae }) => mae ?? Number.NaN),
          mfe: Float64Array.from(own, ({ mfe }) => mfe ?? Number.NaN),
        },
      } as MetricFacts;
      const withoutPeriods = SIDE_METRICS.map((key) => [key, resultsOf(facts, [key])[key]!.value]);
      expect(SIDE_METRICS.map((key) => [key, report.sides![name][key]!.value])).toEqual(withoutPeriods);
    }
  });

  test('add up to all, in net, fees and number', () => {
    const [table] = tablesOf(sidesSection(report)[0]!) as [Table];
    const values = (title: string): number[] =>
      table.rows
        .find(([name]) => name === title)!
        .slice(1)
        .map((cell) => (typeof cell === 'string' ? Number.NaN : Number(cell.value)));
    for (const title of ['net of closed trades', 'fees of closed trades', 'gross profit', 'gross loss', 'trades']) {
      const [all = 0, long = 0, short = 0] = values(title);
      expect(long + short).toBeCloseTo(all, 7);
    }
    expect(values('net of closed trades')[0]).toBeCloseTo(report.trades.reduce((sum, { net }) => sum + units(net), 0) / 1e8, 8);
    expect(table.rows.length).toBe(SIDE_METRICS.length + 2);
  });
});

test('the cumulative profit is the running sum of the results, and ends at the net of the table', () => {
  const { trade, all, long, short } = data.profit;
  const sums = [0];
  for (const { net } of report.trades) sums.push(sums.at(-1)! + units(net));
  expect(all).toEqual(trade.map((n) => sums[n]! / 1e8));
  expect(trade.at(-1)).toBe(report.trades.length);
  for (const [k, sum] of all.entries()) expect(long[k]! + short[k]!).toBeCloseTo(sum, 7);
  const net = (side: string): number => Number(report.breakdowns.side.find(({ key }) => key === side)!.net);
  expect([long.at(-1), short.at(-1)]).toEqual([net('LONG'), net('SHORT')]);
});

test('the drawdowns that are shaded are the first rows of the table', () => {
  const [table] = tablesOf(equitySections(report).find(({ id }) => id === 'drawdowns')!) as [Table];
  expect(data.worst.length).toBe(Math.min(5, report.drawdowns.length));
  for (const [k, { from, to }] of data.worst.entries()) {
    const end = report.drawdowns[k]!.to === null ? 'not yet' : moment(to * 1000);
    const row = table.rows[k]!;
    expect([row[0], row[3], row[5]]).toEqual([String(k + 1), moment(from * 1000), end]);
  }
});

test('the losses on the chart of the distribution are those of the list of metrics', () => {
  const page = pageOf(report);
  const chartOf = (id: string): string => new RegExp(`<div id="${id}">[^]*?</p>`).exec(page)?.[0] ?? '';
  const chart = chartOf('chart-distribution');
  for (const [key, name] of [
    ['valueAtRisk', 'value at risk 95 % (VaR)'],
    ['expectedShortfall', 'expected shortfall 95 % (CVaR)'],
  ] as const) {
    expect(report.metrics[key]!.value).not.toBeNull();
    expect(chart).toContain(`${name} ${metricText(report.metrics[key]!)}`);
  }
  // Each bar says how many periods it has; together they are all.
  const counted = (text: string): number =>
    [...text.matchAll(/: ([\d,]+) of ([\d,]+)/g)].reduce((sum, [, count = '']) => sum + Number(count.replace(',', '')), 0);
  expect(counted(chart)).toBe(report.returns.strategy.length);
  expect(counted(chartOf('chart-results'))).toBe(report.trades.length);
});

describe('the matrix of entries and exits', () => {
  const row = (entry: string, exit: string, trades: number, net: string): PathRow => ({
    key: `${entry} → ${exit}`,
    entry,
    exit,
    trades,
    wins: 0,
    net,
    fees: '0',
  });
  const paths = [row('a → b', 'stop', 3, '-1.50000000'), row('a → b', 'target', 2, '4.25000000'), row('c', 'stop', 1, '-0.25000000')];

  test('has what each path made, and sums of rows and columns', () => {
    const { columns, rows } = exitMatrix(paths)!;
    expect(columns.map(({ title }) => title)).toEqual(['', 'stop', 'target', 'all']);
    expect(rows.map((cells) => cells.map((cell) => (typeof cell === 'string' ? cell : `${cell.text} ${cell.words ?? ''}`.trim())))).toEqual(
      [
        ['a → b', '−1.50 3 ×', '4.25 2 ×', '2.75 5 ×'],
        ['c', '−0.25 1 ×', '', '−0.25 1 ×'],
        ['all', '−1.75 4 ×', '4.25 2 ×', '2.50 6 ×'],
      ],
    );
  });

  test('is a list for a stored report without the names, for one reason, and for too many', () => {
    expect(exitMatrix(paths.map(({ key, trades, wins, net, fees }) => ({ key, trades, wins, net, fees })))).toBe(null);
    expect(exitMatrix(paths.slice(0, 2))).toBe(null);
    expect(exitMatrix([...paths, ...Array.from({ length: 8 }, (_, k) => row('c', `exit ${k}`, 1, '0'))])).toBe(null);
  });

  test('of a run is that of its trades', () => {
    const of = (entry: string, exit: string): number =>
      report.trades.filter((one) => one.entryReason === entry && one.exits!.some(({ reason }) => reason === exit)).length;
    expect(report.breakdowns.path!.length).toBeGreaterThan(1);
    for (const { entry, exit, trades } of report.breakdowns.path!) expect(trades).toBe(of(entry!, exit!));
  });
});

test('a position that is open at the end is on the chart up to its last bar, and in no other picture', async () => {
  const held = await heldRun(folder);
  expect(held.trades.map(({ reason }) => reason)).toEqual(['out']);
  const { side, price } = held.fills.findLast(({ reason }) => reason === 'in')!;
  expect(side).toBe('BUY');
  const [market] = held.market;
  expect(market!.held).toMatchObject([{ positionSide: 'LONG', size: '0.020', entryPrice: Number(price), entryReason: 'in' }]);
  const { markets, profit } = chartDataOf(held, []);
  const [row] = markets[0]!.open;
  const { openedAt, stopLoss } = market!.held![0]!;
  const end = market!.time.at(-1)! + market!.barMs - 1;
  expect(row).toEqual([openedAt, end, Number(price), market!.close.at(-1), 1, stopLoss, 0, '', 'in', '']);
  expect([markets[0]!.trades.length, profit.trade.at(-1)]).toEqual([1, 1]);
  expect(chartDataOf(JSON.parse(JSON.stringify(held)) as RunReport, []).markets[0]!.open).toEqual([row]);
});

test('objects that a strategy feeds with bars are drawn, and a value that is not finite breaks its line', async () => {
  const [market] = (await heldRun(folder)).market;
  const { lines } = market!.drawing!;
  const names = ['Middle 5m', 'Ends 5m: top', 'Ends 5m: low', 'Middle 2 5m', 'holes', 'own'];
  expect(lines.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  const of = (name: string): (typeof lines)[number] => lines.find((line) => line.name === name)!;
  const top = of('Ends 5m: top');
  expect(market!.barMs).toBe(300_000);
  for (const [k, at] of top.time.entries()) expect(top.value[k]).toBe(market!.high[market!.time.indexOf(at)]);
  const { time, breaks } = of('holes');
  expect(breaks).toEqual(time.slice(1).filter((at, k) => at - time[k]! > 300_000));
  expect(breaks!.length).toBeGreaterThan(70);
  expect(of('own').breaks, 'was not drawn at all').toBe(undefined);
});
