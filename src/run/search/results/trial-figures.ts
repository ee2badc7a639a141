/** The figures that a search keeps of a run: figures to judge it by, which are metrics of its report or made of them, and its returns. */
import { didYouMean } from '../../../base/text/suggest.ts';
import { numbersOf, type BacktestReport } from '../../../report/backtest-report.ts';
import { METRICS, type MetricKey } from '../../../report/metrics/metrics.ts';
import type { SearchRun } from '../../../report/search-run.ts';
import { ALIASES, metricOf } from '../../../report/research/search-figures.ts';
import { USUAL_FIGURES } from '../../../report/research/usual-figures.ts';
import { parseExpression, type Expression } from '../../../search/expression.ts';
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

/** The figure that the function `objective` of the strategy file gives. */
export const OWN = 'objective';

/** The function of the strategy file, for one run. */
export type OwnObjective = (run: SearchRun) => number | null;

/** Measures the figures of a search. */
export class Measures {
  /** True if a figure needs the prices after fills. The usual figures do not. */
  readonly isWatched: boolean;
  readonly #expressions: readonly Expression[];
  readonly #names: readonly string[];
  readonly #own: OwnObjective | null;

  /** `own` is null if no figure needs it. @throws ExpressionError */
  constructor(figures: readonly string[], own: OwnObjective | null) {
    this.#expressions = figures.map(parseExpression);
    const names = [...new Set([...USUAL_FIGURES, ...this.#expressions.flatMap((one) => one.names)])];
    this.#names = names.filter((name) => name !== OWN);
    this.#own = own;
    // What the function reads is not known before.
    this.isWatched = own !== null || this.#names.some((name) => METRICS[metricOf(name)].needsWatch === true);
  }

  /** The usual figures of a report, those of the search, and the metrics that they are made of; null where one does not exist. */
  of(report: BacktestReport): Figures {
    const numbers = numbersOf(report, [...new Set(this.#names.map(metricOf))]);
    const figures: Record<string, number | null> = Object.fromEntries(this.#names.map((name) => [name, numbers[metricOf(name)] ?? null]));
    if (this.#own !== null) figures[OWN] = this.#own(runOf(report));
    for (const { text, value } of this.#expressions) figures[text] = value((name) => figures[name] ?? null);
    return figures;
  }
}

/** True if a figure needs the function of the strategy file. */
export function needsOwn(figure: string): boolean {
  return parseExpression(figure).names.includes(OWN);
}

/** @throws Error from a metric that does not exist */
function runOf(report: BacktestReport): SearchRun {
  const metrics = new Proxy({} as SearchRun['metrics'], {
    get: (_, name) => {
      if (typeof name !== 'string' || !Object.hasOwn(FIGURES, name)) {
        const near = didYouMean(String(name), Object.keys(FIGURES));
        throw new Error(`there is no metric "${String(name)}"${near === undefined ? '' : ` (${near})`}`);
      }
      const key: MetricKey = metricOf(name);
      return numbersOf(report, [key])[key] ?? null;
    },
    has: (_, name) => typeof name === 'string' && Object.hasOwn(FIGURES, name),
    ownKeys: () => Object.keys(METRICS),
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
  const { from, to } = report.tape;
  return {
    metrics,
    get trades() {
      return report.trades;
    },
    get equity() {
      return report.series;
    },
    from,
    to,
  };
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
