/** Metrics of the drawdowns of the equity as it stood at every sample. A drawdown lasts from a peak until equity is back at it. */
import { YEAR_MS } from '../../base/time/time-spans.ts';
import * as columns from '../../statistics/samples/columns.ts';
import { underwater } from '../../statistics/drawdown.ts';
import { mean } from '../../statistics/samples/moments.ts';
import { annualised, over, rootOfSquares, ulcerIndex } from '../../statistics/ratios.ts';
import type { CurveFacts, MetricFacts } from './facts.ts';
import { ENOUGH, type MetricTable } from './metric.ts';
import { growthRate } from './result-metrics.ts';

/** Number of the deepest drawdowns that Sterling's and Burke's ratios use. */
const DEEPEST = 5;

const deepest = ({ drawdowns }: CurveFacts): number[] =>
  drawdowns
    .map(({ share }) => share)
    .toSorted((a, b) => b - a)
    .slice(0, DEEPEST);

/** Milliseconds of each drawdown, from its peak to the new one or to the end of the run. */
function lengths({ drawdowns, time }: CurveFacts): number[] {
  return drawdowns.map(({ from, to }) => (to === -1 ? time.at(-1)! : time[to]!) - time[from]!);
}

const largest = (values: readonly number[]): number => values.reduce((most, one) => Math.max(most, one), 0);

const CALMAR_MS = 3 * YEAR_MS;

/** Growth a year of the last 36 months by their deepest drawdown. Of a shorter run it is the MAR ratio. */
function calmar(facts: MetricFacts): number {
  const { time, equity } = facts.curve;
  const last = time.length - 1;
  if (facts.totals.spanMs <= CALMAR_MS) return over(growthRate(facts), facts.curve.maxDrawdownShare);
  const first = Math.max(
    0,
    time.findIndex((at) => at >= time[last]! - CALMAR_MS),
  );
  const span = equity.subarray(first);
  const years = (time[last]! - time[first]!) / YEAR_MS;
  return over(annualised(span.at(-1)! / span[0]! - 1, years), columns.largest(underwater(span)));
}

export const DRAWDOWN_METRICS = {
  maxDrawdown: {
    name: 'largest drawdown',
    unit: 'money',
    formula: 'largest fall of the equity from its highest value so far',
    source: '',
    of: 'samples',
    least: 2,
    isLessBetter: true,
    value: ({ curve }) => curve.maxDrawdown,
  },
  maxDrawdownShare: {
    name: 'largest drawdown, share',
    unit: 'share',
    formula: 'largest fall of the equity as a share of its highest value so far',
    source: '',
    of: 'samples',
    least: 2,
    isLessBetter: true,
    value: ({ curve }) => curve.maxDrawdownShare,
  },
  averageDrawdown: {
    name: 'average drawdown',
    unit: 'share',
    formula: 'average depth of all drawdowns as a share of their peaks',
    source: '',
    of: 'drawdowns',
    least: 1,
    isLessBetter: true,
    value: ({ curve }) => mean(curve.drawdowns.map(({ share }) => share)),
  },
  longestDrawdown: {
    name: 'longest drawdown',
    unit: 'ms',
    formula: 'longest time from a peak to the next one, or to the end of the run',
    source: '',
    of: 'drawdowns',
    least: 1,
    isLessBetter: true,
    value: ({ curve }) => largest(lengths(curve)),
  },
  averageDrawdownTime: {
    name: 'average drawdown time',
    unit: 'ms',
    formula: 'average time from a peak to the next one, or to the end of the run',
    source: '',
    of: 'drawdowns',
    least: 1,
    isLessBetter: true,
    value: ({ curve }) => mean(lengths(curve)),
  },
  recoveryTime: {
    name: 'longest recovery',
    unit: 'ms',
    formula: 'longest time from the lowest point of a drawdown to the next peak, of the drawdowns that ended',
    source: '',
    of: 'drawdowns',
    least: 1,
    isLessBetter: true,
    value: ({ curve: { drawdowns, time } }) => {
      const ended = drawdowns.filter(({ to }) => to !== -1);
      return ended.length === 0 ? null : largest(ended.map(({ trough, to }) => time[to]! - time[trough]!));
    },
  },
  underwaterTime: {
    name: 'time under water',
    unit: 'share',
    formula: 'share of the samples at which equity is below its highest value so far',
    source: '',
    of: 'samples',
    least: 2,
    isLessBetter: true,
    value: ({ curve: { underwater: falls } }) => falls.filter((share) => share > 0).length / falls.length,
  },
  ulcerIndex: {
    name: 'Ulcer index',
    unit: 'share',
    formula: 'root of the mean square of the distance from the highest equity so far, as a share of it, over all samples',
    source: 'Martin & McCann 1989',
    of: 'samples',
    least: ENOUGH,
    isLessBetter: true,
    value: ({ curve }) => ulcerIndex(curve.underwater),
  },
  painIndex: {
    name: 'pain index',
    unit: 'share',
    formula: 'mean distance from the highest equity so far, as a share of it, over all samples',
    source: 'Becker 2006',
    of: 'samples',
    least: ENOUGH,
    isLessBetter: true,
    value: ({ curve }) => mean(curve.underwater),
  },
  ulcerPerformance: {
    name: 'Ulcer performance (UPI)',
    unit: 'ratio',
    formula: 'growth a year divided by the Ulcer index',
    source: 'Martin & McCann 1989',
    of: 'days',
    least: ENOUGH,
    value: (facts) => over(growthRate(facts), ulcerIndex(facts.curve.underwater)),
  },
  painRatio: {
    name: 'pain ratio',
    unit: 'ratio',
    formula: 'growth a year divided by the pain index',
    source: 'Becker 2006',
    of: 'days',
    least: ENOUGH,
    value: (facts) => over(growthRate(facts), mean(facts.curve.underwater)),
  },
  calmar: {
    name: 'Calmar ratio',
    unit: 'ratio',
    formula: 'growth a year of the last 36 months divided by their largest drawdown',
    source: 'Young 1991',
    of: 'days',
    least: ENOUGH,
    value: calmar,
  },
  mar: {
    name: 'MAR ratio',
    unit: 'ratio',
    formula: 'growth a year of the whole run divided by its largest drawdown',
    source: 'Managed Account Reports 1978',
    of: 'days',
    least: ENOUGH,
    value: (facts) => over(growthRate(facts), facts.curve.maxDrawdownShare),
  },
  sterling: {
    name: 'Sterling ratio',
    unit: 'ratio',
    formula: `growth a year divided by the average of the ${DEEPEST} deepest drawdowns`,
    source: 'Kestner 1996; Bacon 2008',
    of: 'days',
    least: ENOUGH,
    value: (facts) => over(growthRate(facts), mean(deepest(facts.curve))),
  },
  burke: {
    name: 'Burke ratio',
    unit: 'ratio',
    formula: `growth a year divided by the root of the sum of squares of the ${DEEPEST} deepest drawdowns`,
    source: 'Burke 1994',
    of: 'days',
    least: ENOUGH,
    value: (facts) => over(growthRate(facts), rootOfSquares(deepest(facts.curve))),
  },
  recoveryFactor: {
    name: 'recovery factor',
    unit: 'ratio',
    formula: 'net profit divided by the largest drawdown, both as amounts',
    source: '',
    of: 'samples',
    least: ENOUGH,
    value: ({ totals: { start, end }, curve }) => over(end - start, curve.maxDrawdown),
  },
} as const satisfies MetricTable;
