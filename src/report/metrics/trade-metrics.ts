/** Metrics of the closed trades. A trade is a win if its result after fees is above 0, and a loss if it is below. */
import { mean, sum, type Sample } from '../../statistics/moments.ts';
import type { Metric } from './metric.ts';

const wins = (net: Float64Array): Float64Array => net.filter((one) => one > 0);
const losses = (net: Float64Array): Float64Array => net.filter((one) => one < 0);

/** The most values in a row for which `is` holds. */
function longestRun(values: Sample, is: (value: number) => boolean): number {
  let longest = 0;
  let run = 0;
  for (let k = 0; k < values.length; k++) {
    run = is(values[k]!) ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

export const TRADE_METRICS = {
  profitFactor: {
    name: 'profit factor',
    unit: 'ratio',
    formula: 'the sum of all profits divided by the sum of all losses',
    source: '',
    of: 'trades',
    least: 1,
    value: ({ trades: { net } }) => sum(wins(net)) / -sum(losses(net)),
  },
  averageWin: {
    name: 'average profit',
    unit: 'money',
    formula: 'the average result of the trades with a profit',
    source: '',
    of: 'trades',
    least: 1,
    value: ({ trades: { net } }) => mean(wins(net)),
  },
  averageLoss: {
    name: 'average loss',
    unit: 'money',
    formula: 'the average result of the trades with a loss',
    source: '',
    of: 'trades',
    least: 1,
    value: ({ trades: { net } }) => mean(losses(net)),
  },
  longestLosingRun: {
    name: 'losses in a row',
    unit: 'count',
    formula: 'the most trades in a row that closed with a loss: what a limit such as maxConsecutiveLosses must allow',
    source: '',
    of: 'trades',
    least: 1,
    value: ({ trades: { net } }) => longestRun(net, (one) => one < 0),
  },
} as const satisfies Readonly<Record<string, Metric>>;
