/** Metrics of how long trades were held, and of how far the price went during that time. */
import { largest, meanWhere, type Column } from '../../statistics/samples/columns.ts';
import { mean, median } from '../../statistics/samples/moments.ts';
import { over } from '../../statistics/ratios.ts';
import { isLoss, isWin } from '../../statistics/trades.ts';
import { ENOUGH, type MetricTable } from './metric.ts';

const isKnown = (value: number): boolean => !Number.isNaN(value);
const meanKnown = (column: Column): number => meanWhere(column, isKnown);

export const HOLDING_METRICS = {
  averageHolding: {
    name: 'average holding time',
    unit: 'ms',
    formula: 'average time from the first fill of a trade to its last',
    source: '',
    of: 'trades',
    least: 1,
    value: ({ trades: { heldMs } }) => mean(heldMs),
  },
  medianHolding: {
    name: 'median holding time',
    unit: 'ms',
    formula: 'holding time that half of the trades exceed',
    source: '',
    of: 'trades',
    least: 1,
    value: ({ trades: { heldMs } }) => median(heldMs),
  },
  longestHolding: {
    name: 'longest holding time',
    unit: 'ms',
    formula: 'time of the trade that was held longest',
    source: '',
    of: 'trades',
    least: 1,
    value: ({ trades: { heldMs } }) => largest(heldMs),
  },
  winHolding: {
    name: 'holding time of profits',
    unit: 'ms',
    formula: 'average holding time of the trades with a profit',
    source: '',
    of: 'wins',
    least: 1,
    value: ({ trades: t }) => meanWhere(t.heldMs, isWin, t.net),
  },
  lossHolding: {
    name: 'holding time of losses',
    unit: 'ms',
    formula: 'average holding time of the trades with a loss',
    source: '',
    of: 'losses',
    least: 1,
    value: ({ trades: t }) => meanWhere(t.heldMs, isLoss, t.net),
  },
  averageMae: {
    name: 'average MAE',
    unit: 'share',
    formula: 'average of the largest move against a trade while it was open, as a share of its entry price',
    source: 'Sweeney 1996',
    of: 'trades',
    least: 1,
    needsWatch: true,
    value: ({ trades: { mae } }) => meanKnown(mae),
  },
  averageMfe: {
    name: 'average MFE',
    unit: 'share',
    formula: 'average of the largest move in favour of a trade while it was open, as a share of its entry price',
    source: 'Sweeney 1996',
    of: 'trades',
    least: 1,
    needsWatch: true,
    value: ({ trades: { mfe } }) => meanKnown(mfe),
  },
  winMae: {
    name: 'average MAE of profits',
    unit: 'share',
    formula: 'the average MAE of the trades with a profit: what a stop must leave room for',
    source: 'Sweeney 1996',
    of: 'wins',
    least: 1,
    needsWatch: true,
    value: ({ trades: t }) => meanWhere(t.mae, (net, mae) => isWin(net) && isKnown(mae), t.net),
  },
  edgeRatio: {
    name: 'edge ratio',
    unit: 'ratio',
    formula: 'average MFE divided by the average MAE, both as shares of the entry price',
    source: 'Faith 2007, who divides both by the average true range',
    of: 'trades',
    least: ENOUGH,
    draws: 'trades',
    needsWatch: true,
    value: ({ trades: { mfe, mae } }) => over(meanKnown(mfe), meanKnown(mae)),
  },
} as const satisfies MetricTable;
