/**
 * Figures of the closed trades, one row each: name, meaning, value, text. The report's JSON has them under `metrics`, its text shows them
 * among the trades. They are no part of the result hash. To add one, add a row and its test.
 */
import { grouped } from '../base/figures.ts';
import { formatMoney } from '../domain/instrument.ts';
import { parseScaled } from '../domain/scale.ts';
import { MONEY_DECIMALS } from '../domain/units.ts';
import type { RoundTrip } from './round-trips.ts';

/** Null where the figure does not exist, such as an average of no trades. Amounts are decimal strings in the quote coin. */
export type MetricValue = string | number | null;

interface Metric {
  /** In the text of the report, at most 18 characters. */
  readonly title: string;
  readonly doc: string;
  /** `nets`: result of each closed trade after fees in money (10⁻⁸), in order of closing. */
  readonly of: (nets: readonly number[], trades: readonly RoundTrip[]) => MetricValue;
}

const isWin = (net: number): boolean => net > 0;
const isLoss = (net: number): boolean => net < 0;
const sum = (nets: readonly number[]): number => nets.reduce((all, net) => all + net, 0);
const mean = (nets: readonly number[]): string | null => (nets.length === 0 ? null : formatMoney(Math.round(sum(nets) / nets.length)));
const ratio = (above: number, below: number): number | null => (below === 0 ? null : Math.round((above / below) * 10_000) / 10_000);

/** The most trades in a row that are of this kind. */
function longestRun(nets: readonly number[], is: (net: number) => boolean): number {
  let longest = 0;
  let run = 0;
  for (const net of nets) {
    run = is(net) ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

export const METRICS = {
  profitFactor: {
    title: 'profit factor',
    doc: 'Sum of all profits divided by the sum of all losses',
    of: (nets) => ratio(sum(nets.filter(isWin)), -sum(nets.filter(isLoss))),
  },
  averageWin: { title: 'average profit', doc: 'Average result of the trades with a profit', of: (nets) => mean(nets.filter(isWin)) },
  averageLoss: { title: 'average loss', doc: 'Average result of the trades with a loss', of: (nets) => mean(nets.filter(isLoss)) },
  longestLosingRun: {
    title: 'losses in a row',
    doc: 'Most trades in a row that closed with a loss: what a limit such as maxConsecutiveLosses must allow',
    of: (nets) => (nets.length === 0 ? null : longestRun(nets, isLoss)),
  },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof METRICS;
export type Metrics = Readonly<Record<MetricName, MetricValue>>;

const ROWS = Object.entries(METRICS) as readonly (readonly [MetricName, Metric])[];

/** Every figure of the trades. */
export function metricsOf(trades: readonly RoundTrip[]): Metrics {
  const nets = trades.map(({ net }) => parseScaled(net, MONEY_DECIMALS));
  return Object.fromEntries(ROWS.map(([name, { of }]) => [name, of(nets, trades)])) as Metrics;
}

/** Title and text of each figure that exists. */
export function metricTexts(metrics: Metrics): (readonly [title: string, text: string])[] {
  return ROWS.flatMap(([name, { title }]) => {
    const value = metrics[name];
    if (value === null) return [];
    return [[title, typeof value === 'number' ? String(value) : grouped(Number(value).toFixed(2)).replace('-', '−')] as const];
  });
}
