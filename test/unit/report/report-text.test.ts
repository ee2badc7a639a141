/** The report as text. */
import { describe, expect, test } from 'vitest';
import type { BacktestReport } from '../../../src/report/backtest-report.ts';
import { documentText } from '../../../src/report/document/document-text.ts';
import { comparisonDocument } from '../../../src/report/document/run/comparison-document.ts';
import { runDocument } from '../../../src/report/document/run/run-document.ts';
import type { MetricResult } from '../../../src/report/metrics/results.ts';

const metric: MetricResult = {
  name: 'profit factor',
  unit: 'ratio',
  value: 1134.7221,
  sample: 31,
  least: 30,
  of: 'trades',
  interval: null,
};

const report: BacktestReport = {
  kind: 'backtest',
  failed: [],
  tape: { rows: 87_402, symbols: ['BTCUSDT'], from: Date.UTC(2024, 7, 8, 23, 54, 16), to: Date.UTC(2024, 7, 9, 0, 0, 0) },
  config: { strategies: [{ name: 'ema-cross', params: { fast: 5, slow: 20, size: '0.01' } }] },
  orders: {
    placed: 1204,
    modified: 0,
    cancelled: 3,
    filled: 1190,
    rejected: 11,
    unsent: 0,
    refused: { flood: 12, 'bad-amount': 2, 'max-position': 1 },
  },
  fills: Array.from({ length: 1190 }, () => ({
    time: 0,
    symbol: '',
    side: '',
    positionSide: '',
    price: '',
    size: '',
    fee: '',
    liquidity: '',
    strategy: '',
    reason: '',
  })),
  trades: [
    trade('LONG', '0.010', 61_681.3, 61_661.5, '-0.93805680'),
    trade('SHORT', '1.250', 61_655.333_33, 61_600, '1069.16333333'),
    trade('LONG', '0.010', 0.000_123_456, 0.02, '-0.00400000'),
  ],
  reasons: [{ strategy: 'ema-cross', reason: 'crossed', orders: 1204, fills: 1190, net: '-7.87699999' }],
  pnl: { realised: '0.64000000', unrealised: '-0.00400000', fees: '8.51699999', funding: '0.00000000', net: '-7.88099999' },
  equity: {
    start: '100000.00000000',
    end: '99992.11900001',
    maxDrawdown: '7.88000000',
    maxDrawdownShare: 0.000_078_8,
    curve: Array.from({ length: 48 }, (_, k): [number, string] => [k, String(k)]),
  },
  exposure: { timeShare: 0.9159, largest: '618.34600000', turnover: '14195099.00' },
  stats: { trades: 3, wins: 1, losses: 2, makerFills: 1000, takerFills: 190 },
  series: { time: [], equity: [], exposure: [], drawdown: [] },
  returns: { periodMs: 1000, time: [], equity: [], strategy: [], hold: [], benchmark: [] },
  days: { time: [], strategy: [], benchmark: [] },
  drawdowns: [],
  breakdowns: { symbol: [], strategy: [], reason: [], side: [], hour: [], weekday: [] },
  funnel: [],
  parameters: [],
  bracket: null,
  portfolio: null,
  market: [],
  execution: {
    markouts: [],
    slippage: { fills: 0, share: null, amount: '0' },
    timeToFill: { orders: 0, meanMs: null, maxMs: null },
  },
  metrics: {
    profitFactor: metric,
    averageLoss: { ...metric, name: 'average loss', unit: 'money', value: '-0.47102840' },
    sharpe: { ...metric, name: 'Sharpe ratio', value: 1.2345, of: 'periods', interval: [-0.5, 2.25] },
    winRate: { ...metric, name: 'win rate', unit: 'share', value: null, sample: 3 },
    mar: { ...metric, name: 'MAR ratio', value: null, of: 'days' },
    ulcerIndex: { ...metric, name: 'Ulcer index', unit: 'share', value: 0.00012 },
    longestHolding: { ...metric, name: 'longest holding time', unit: 'ms', value: 61_000 },
    trades: { ...metric, name: 'trades', unit: 'count', value: 31 },
  },
  noteTopics: [],
  search: null,
  notes: [
    'a short one.',
    'a long one that does not fit on a single line of eighty columns, so that it is broken at a blank and goes on below.',
  ],
  hash: 'ec2a744847223569d426c2ab99d14861',
  performance: { rows: 87_402, wallMs: 266.94, rowsPerSecond: 327_416 },
};

function trade(positionSide: string, size: string, entryPrice: number, exitPrice: number, net: string): BacktestReport['trades'][number] {
  const openedAt = Date.UTC(2024, 7, 8, 23, 58, 1);
  return {
    symbol: 'BTCUSDT',
    positionSide,
    openedAt,
    closedAt: openedAt + 61_000,
    size,
    entryPrice,
    exitPrice,
    pnl: '0',
    fees: '0',
    net,
    strategy: 'ema-cross',
    entryReason: '',
    reason: '',
    mae: null,
    mfe: null,
    stopLoss: null,
    takeProfit: null,
  };
}

/** Non-breaking spaces shown as ordinary ones. */
const shown = (given: BacktestReport): string => documentText(runDocument(given), 80).replaceAll('\u00a0', ' ');

test('symbols that a universe left out are one row for each reason', () => {
  const young = ['AAA', 'BBB', 'CCC'].map((symbol, k) => ({
    symbol,
    choices: 5 + k,
    why: `it has ${k} bars of 9`,
    lack: 'young' as const,
  }));
  const rules = Array.from({ length: 12 }, (_, k) => ({ symbol: `X${k}`, choices: null, why: 'none', lack: 'rules' as const }));
  const gone = { symbol: 'DDD', choices: 2, why: 'it has not traded since May', lack: 'gone' as const };
  const universe = { strategy: 'ranks', choices: [], excluded: [gone, ...young, ...rules] };
  const text = documentText(runDocument({ ...report, universes: [universe] }), 200);
  const rows = text.slice(text.indexOf('Could not be chosen')).split('\n').slice(2, 5);
  expect(rows.map((row) => row.trim().split(/ {2,}/))).toEqual([
    ['X0 X1 X2 X3 X4 X5 X6 X7 and 4 more', 'all', 'their rules (tick, lot, fees) are not known'],
    ['AAA BBB CCC', '5 to 7', 'they had fewer bars than are ranked'],
    ['DDD', '2', 'it has not traded since May'],
  ]);
});

describe('the text of a report', () => {
  test('complete', () => {
    expect(shown(report)).toBe(`Backtest of ema-cross on BTCUSDT
  tape               87,402 rows, 2024-08-08 23:54:16 to 2024-08-09 00:00:00
                     (5m 44s)
  ema-cross          fast=5 slow=20 size=0.01

Result
──────
  net profit         −7.88 = realised 0.64, open −0.004, fees −8.52
  equity             100,000.00 → 99,992.12   ▁▁▁▂▂▂▃▃▃▄▄▄▅▅▅▆▆▆▇▇▇███
  largest drawdown   7.88 (0.0079 %)
  exposure           91.59 % of the time, at most 618.35
  turnover           14,195,099.00

Trades
──────
  closed             3, 1 of them with a profit
  fills              1,190: 1,000 maker, 190 taker
  orders             1,204 placed, 1,190 filled, 3 cancelled, 11 rejected
  refused by risk    flood 12, max-position 1
  refused, invalid   bad-amount 2

  closed at            leg             size        entry       exit       net
  2024-08-08 23:59:02  BTCUSDT LONG   0.010    61,681.30  61,661.50     −0.94
  2024-08-08 23:59:02  BTCUSDT SHORT  1.250    61,655.33  61,600.00  1,069.16
  2024-08-08 23:59:02  BTCUSDT LONG   0.010  0.000123456  0.0200000    −0.004

Metrics
───────
  Sharpe ratio       1.234   (95 %: −0.500 to 2.250)
  MAR ratio          –
  win rate           too few (3 of 30 trades)
  profit factor      1,134.72
  average loss       −0.47

Read this before you believe it
───────────────────────────────
  • a short one.
  • a long one that does not fit on a single line of eighty columns, so that it
    is broken at a blank and goes on below.

  result hash        ec2a744847223569d426c2ab99d14861
  speed              327,416 rows a second (267 ms)
`);
  });

  test('with all that a page says: metrics by family with their definitions, costs, and trades', () => {
    const text = documentText(runDocument(report, { isAll: true }), 80).replaceAll('\u00a0', ' ');
    expect(text).toContain('\n  Drawdowns\n  MAR ratio                                      –                      31 days\n');
    expect(text).toContain('\n      definition: average result of the trades with a loss\n');
    expect(text).toMatch(/\n  Net profit +−7\.88  what is left\n/);
    expect(text).toMatch(/\nTrades, the best first\n[^]*SHORT 1\.250[^]*LONG  0\.010/);
  });

  test('shows the result by reason, with the strategy’s name if there are two', () => {
    const reasons = [
      { strategy: 'ema-cross', reason: 'crossed', orders: 1190, fills: 1150, net: '-7.11' },
      { strategy: 'ema-cross', reason: 'stop-loss', orders: 40, fills: 39, net: '-1234.5' },
      { strategy: 'ema-cross', reason: '', orders: 1, fills: 1, net: '0.004' },
    ];
    expect(shown({ ...report, reasons })).toContain(`
By reason
─────────
  reason             orders  fills        net
  crossed             1,190  1,150      −7.11
  stop-loss              40     39  −1,234.50
  (no reason given)       1      1      0.004
`);
    const strategies = [...(report.config['strategies'] as object[]), { name: 'other', params: {} }];
    const two = shown({
      ...report,
      config: { strategies },
      reasons: [...reasons, { ...reasons[0]!, strategy: '', reason: 'liquidation' }],
    });
    expect(two).toMatch(/^ {2}ema-cross: stop-loss +40/m);
    expect(two).toMatch(/^ {2}liquidation +1,190/m);
    const many = Array.from({ length: 14 }, (_, k) => ({ ...reasons[0]!, reason: `because of ${k} `.repeat(9) }));
    expect(shown({ ...report, reasons: many })).toContain('  and 2 more\n');
    for (const line of shown({ ...report, reasons: many }).split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('starts with a stopped strategy', () => {
    const failed = [{ strategy: 'ema-cross', why: 'after 10 errors: Error: no idea at mine.ts:7' }];
    expect(
      shown({ ...report, failed })
        .split('\n')
        .slice(0, 4),
    ).toEqual([
      'Backtest of ema-cross on BTCUSDT',
      '  STOPPED: strategy ema-cross was disabled after 10 errors: Error: no idea at',
      '  mine.ts:7',
      '',
    ]);
  });

  test('starts with what refused every order', () => {
    const none = { placed: 0, modified: 0, cancelled: 0, filled: 0, rejected: 0, unsent: 0 };
    const heading = (refused: Record<string, number>, placed = 0): string => shown({ ...report, orders: { ...none, placed, refused } });
    const [, second = ''] = heading({ 'bad-amount': 95 }).split('\n');
    expect(second).toBe('  NOTHING WAS PLACED: every order was refused (bad-amount), see the notes below');
    const keyed = heading({ 'max-open-orders': 2 }).replaceAll(/\n +/g, ' ');
    expect(keyed).toContain('every order was refused (max-open-orders: risk.maxOpenOrders)');
    expect(keyed).toContain(
      'see the notes below; allow more by --set risk.maxOpenOrders=…, or with the limits of a project by --config config/paper.yaml',
    );
    expect(heading({ 'bad-amount': 95 }, 1)).not.toContain('NOTHING WAS PLACED');
    expect(heading({})).not.toContain('NOTHING WAS PLACED');
  });

  test('of a run without a trade', () => {
    const text = shown({
      ...report,
      fills: [],
      trades: [],
      metrics: {},
      notes: [],
      stats: { trades: 0, wins: 0, losses: 0, makerFills: 0, takerFills: 0 },
      orders: { placed: 0, modified: 0, cancelled: 0, filled: 0, rejected: 0, unsent: 0, refused: {} },
      equity: { ...report.equity, curve: [[0, '5']] },
    });
    expect(text).toContain('  closed             none\n  fills              0\n  orders             0 placed\n');
    expect(text).not.toMatch(/closed at|believe|[▁-█]/);
  });

  test('of funding, a flat curve and a long tape', () => {
    const text = shown({
      ...report,
      tape: { ...report.tape, from: 0, to: 10 * 86_400_000 },
      pnl: { ...report.pnl, funding: '-1.25000000' },
      equity: {
        ...report.equity,
        curve: [
          [0, '5'],
          [1, '5'],
        ],
      },
    });
    expect(text).toMatch(/fees −8\.52, funding\s+−1\.25/);
    expect(text).toContain('▁'.repeat(24));
    expect(text).toContain('(10d 00h 00m)');
  });

  test('stays within 80 columns, and shows only the last five trades', () => {
    const long = {
      ...report,
      stats: { ...report.stats, trades: 40 },
      trades: Array.from({ length: 40 }, () => report.trades[0]!),
      notes: [`${'word '.repeat(100)}end.`],
    };
    const lines = shown(long).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines.filter((line) => line.includes('BTCUSDT LONG'))).toHaveLength(5);
    expect(lines).toContain('  the last 5 trades');
  });

  test('names the traded symbols, each once, not all on the tape', () => {
    const tape = { ...report.tape, symbols: ['BTCUSDT', 'ETHUSDT', 'XRPUSDT'] };
    const strategies = [
      { name: 'a', params: {}, symbols: ['ETHUSDT'] },
      { name: 'b', params: {}, symbols: ['BTCUSDT', 'ETHUSDT'] },
    ];
    expect(shown({ ...report, tape, config: { strategies } })).toMatch(/^Backtest of a, b on ETHUSDT, BTCUSDT\n/);
  });
});

describe('two reports side by side', () => {
  const other: BacktestReport = {
    ...report,
    parameters: [{ strategy: 'ema-cross', name: 'fast', value: '9' }],
    metrics: {
      ...report.metrics,
      sharpe: { ...report.metrics['sharpe']!, value: 0.5 },
      averageLoss: { ...report.metrics['averageLoss']!, value: '-1.00000000' },
      longestHolding: { ...report.metrics['longestHolding']!, value: null, sample: 0 },
    },
  };

  const compared = (first: BacktestReport, second: BacktestReport): string =>
    documentText(comparisonDocument(first, second), 80).replaceAll('\u00a0', ' ');

  test('show each metric that one of them has, and the second less the first', () => {
    const text = compared({ ...report, parameters: [{ strategy: 'ema-cross', name: 'fast', value: '5' }] }, other);
    expect(text).toContain('                  first  second\n  ema-cross fast  5           9\n'.replace('5           9', '    5       9'));
    expect(text).toMatch(/^ {2}Sharpe ratio +1.234 +0.500 +−0.734$/m);
    expect(text).toMatch(/^ {2}profit factor +1,134.72 +1,134.72 +0$/m);
    expect(text).toMatch(/^ {2}average loss +−0.47 +−1.00 +−0.53$/m);
    expect(text).toMatch(/^ {2}longest holding time +1m 01s +too few$/m);
    expect(text).not.toMatch(/MAR ratio|win rate/);
    expect(compared(report, report)).toContain('the same in both');
  });
});
