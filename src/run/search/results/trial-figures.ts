/** What a search keeps of a run: figures to judge it by, which are metrics of its report, and its returns. */
import { numbersOf, type BacktestReport } from '../../../report/backtest-report.ts';
import { METRICS } from '../../../report/metrics/metrics.ts';
import { ALIASES, metricOf } from '../../../report/research/search-figures.ts';
import { USUAL_FIGURES } from '../../../report/research/usual-figures.ts';
import type { Figures } from '../../../search/trial.ts';

/** Spans into which a run is divided for its returns. */
export const SPANS = 64;

interface Figure {
  readonly better: 'max' | 'min';
}

/** Every figure by name. */
export const FIGURES: Readonly<Record<string, Figure>> = Object.fromEntries(
  Object.keys({ ...METRICS, ...ALIASES }).map((name): [string, Figure] => [
    name,
    { better: METRICS[metricOf(name)].isLessBetter === true ? 'min' : 'max' },
  ]),
);

/** True for a figure that needs the prices after fills. The usual figures do not. */
export function needsWatch(name: string): boolean {
  return METRICS[metricOf(name)].needsWatch === true;
}

/** The usual figures of a report and those named in `extra`; null where one does not exist. */
export function figuresOf(report: BacktestReport, extra: readonly string[]): Figures {
  const names = [...new Set([...USUAL_FIGURES, ...extra])];
  const numbers = numbersOf(report, [...new Set(names.map(metricOf))]);
  return Object.fromEntries(names.map((name) => [name, numbers[metricOf(name)] ?? null]));
}

/** Returns of 64 equal spans of the run, as shares of the equity before each. */
export function returnsOf({ tape, equity }: BacktestReport): number[] {
  const length = (tape.to - tape.from) / SPANS;
  const returns: number[] = [];
  let at = 0;
  let before = Number(equity.start);
  for (let k = 1; k <= SPANS; k++) {
    const end = k === SPANS ? Infinity : tape.from + k * length;
    let last = before;
    for (; at < equity.curve.length && equity.curve[at]![0] <= end; at++) last = Number(equity.curve[at]![1]);
    returns.push(before > 0 ? last / before - 1 : 0);
    before = last;
  }
  return returns;
}
