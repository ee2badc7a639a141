/** Metrics of the whole run: profit, costs, growth and exposure. */
import { sumWhere, type Column } from '../../statistics/samples/columns.ts';
import { mean } from '../../statistics/samples/moments.ts';
import { annualised, over } from '../../statistics/ratios.ts';
import { compounded } from '../../statistics/returns.ts';
import { isLoss, isWin } from '../../statistics/trades.ts';
import { DAY_MS, YEAR_MS } from '../../base/time/time-spans.ts';
import type { MetricFacts } from './facts.ts';
import { ENOUGH, type MetricTable } from './metric.ts';

const positive = (net: Column): number => sumWhere(net, isWin);
const negative = (net: Column): number => sumWhere(net, isLoss);

/** Growth of the equity in a year, from the drawn returns if the bootstrap drew some. */
export function growthRate({ totals, periods }: MetricFacts): number {
  return annualised(compounded(periods.returns), totals.spanMs / YEAR_MS);
}

function leverages({ curve }: MetricFacts): Float64Array {
  return curve.exposure.map((value, k) => (curve.equity[k]! > 0 ? value / curve.equity[k]! : 0));
}

export const RESULT_METRICS = {
  netProfit: {
    name: 'net profit',
    unit: 'money',
    formula: 'equity at the end less equity at the start: after fees and funding, with open positions at the mark price',
    source: '',
    of: 'samples',
    least: 1,
    value: ({ totals: { start, end } }) => end - start,
  },
  totalReturn: {
    name: 'total return',
    unit: 'share',
    formula: 'net profit divided by the equity at the start',
    source: '',
    of: 'samples',
    least: 1,
    value: ({ totals: { start, end } }) => over(end - start, start),
  },
  grossProfit: {
    name: 'gross profit',
    unit: 'money',
    formula: 'sum of the results of the trades with a profit, after fees',
    source: '',
    of: 'trades',
    least: 1,
    value: ({ trades: { net } }) => positive(net),
  },
  grossLoss: {
    name: 'gross loss',
    unit: 'money',
    formula: 'sum of the results of the trades with a loss, after fees',
    source: '',
    of: 'trades',
    least: 1,
    value: ({ trades: { net } }) => negative(net),
  },
  cagr: {
    name: 'growth a year (CAGR)',
    unit: 'share',
    formula: '(1 + total return) to the power of 1 divided by the years of the run, less 1; a year has 365 days',
    source: '',
    of: 'days',
    least: ENOUGH,
    draws: 'periods',
    value: growthRate,
  },
  holdReturn: {
    name: 'buy and hold',
    unit: 'share',
    formula: 'return of the start equity spread evenly over the traded symbols, bought at their first price, without costs',
    source: '',
    of: 'periods',
    least: 1,
    value: ({ periods: { benchmark } }) => compounded(benchmark),
  },
  excessReturn: {
    name: 'beyond buy and hold',
    unit: 'share',
    formula: 'total return less the return of buying and holding',
    source: '',
    of: 'periods',
    least: 1,
    value: ({ totals: { start, end }, periods: { benchmark } }) => over(end - start, start) - compounded(benchmark),
  },
  fees: {
    name: 'fees',
    unit: 'money',
    formula: 'sum of all fees',
    source: '',
    of: 'fills',
    least: 1,
    isLessBetter: true,
    value: ({ totals }) => totals.fees,
  },
  feeShare: {
    name: 'fees of gross profit',
    unit: 'share',
    formula: 'fees divided by the sum of the profitable trades before their fees are taken off: gross profit plus all fees',
    source: '',
    of: 'trades',
    least: 1,
    isLessBetter: true,
    value: ({ totals: { fees }, trades: { net } }) => over(fees, positive(net) + fees),
  },
  feeRate: {
    name: 'fees of turnover',
    unit: 'share',
    formula: 'fees divided by turnover: the average fee rate',
    source: '',
    of: 'fills',
    least: 1,
    isLessBetter: true,
    value: ({ totals: { fees, turnover } }) => over(fees, turnover),
  },
  funding: {
    name: 'funding',
    unit: 'money',
    formula: 'sum of all funding, positive if it was received',
    source: '',
    of: 'samples',
    least: 1,
    value: ({ totals }) => totals.funding,
  },
  fundingShare: {
    name: 'funding of net profit',
    unit: 'share',
    formula: 'funding divided by the net profit without its sign',
    source: '',
    of: 'trades',
    least: 1,
    value: ({ totals: { start, end, funding } }) => over(funding, Math.abs(end - start)),
  },
  exposureTime: {
    name: 'time in the market',
    unit: 'share',
    formula: 'share of the samples with an open position',
    source: '',
    of: 'samples',
    least: 1,
    isLessBetter: true,
    value: ({ curve }) => curve.exposedShare,
  },
  averageExposure: {
    name: 'average exposure',
    unit: 'money',
    formula: 'average value of all open positions over all samples',
    source: '',
    of: 'samples',
    least: 1,
    isLessBetter: true,
    value: ({ curve }) => mean(curve.exposure),
  },
  maxExposure: {
    name: 'largest exposure',
    unit: 'money',
    formula: 'largest value of all open positions at a sample',
    source: '',
    of: 'samples',
    least: 1,
    isLessBetter: true,
    value: ({ curve }) => curve.maxExposure,
  },
  averageLeverage: {
    name: 'average leverage',
    unit: 'ratio',
    formula: 'average of exposure divided by equity over all samples',
    source: '',
    of: 'samples',
    least: 1,
    isLessBetter: true,
    value: (facts) => mean(leverages(facts)),
  },
  maxLeverage: {
    name: 'largest leverage',
    unit: 'ratio',
    formula: 'largest exposure divided by equity at a sample',
    source: '',
    of: 'samples',
    least: 1,
    isLessBetter: true,
    value: (facts) => leverages(facts).reduce((most, one) => Math.max(most, one), 0),
  },
  turnover: {
    name: 'turnover',
    unit: 'money',
    formula: 'sum of price times size of all fills',
    source: '',
    of: 'fills',
    least: 1,
    isLessBetter: true,
    value: ({ totals }) => totals.turnover,
  },
  turnoverPerDay: {
    name: 'turnover a day',
    unit: 'ratio',
    formula: 'turnover divided by the average equity and by the days of the run: how often the equity is turned over in a day',
    source: '',
    of: 'fills',
    least: 1,
    isLessBetter: true,
    value: ({ totals: { turnover, spanMs }, curve }) => over(turnover, mean(curve.equity) * (spanMs / DAY_MS)),
  },
} as const satisfies MetricTable;
