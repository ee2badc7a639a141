/**
 * Figures by which a search can judge a run: those below, which each trial has, and every metric of a report, which is computed if an
 * objective or a constraint names it. And the returns that a search keeps of each run.
 */
import type { BacktestReport } from '../../report/backtest-report.ts';
import { METRICS } from '../../report/metrics/metrics.ts';
import type { Figures } from '../../search/trial.ts';

const YEAR_MS = 365.25 * 86_400_000;
/** Spans into which a run is divided for its returns. */
const SPANS = 64;

interface FigureRow {
  readonly doc: string;
  readonly better: 'max' | 'min';
  readonly of: (report: BacktestReport, returns: readonly number[]) => number | null;
}

const ratio = (above: number, below: number): number | null => (below === 0 ? null : above / below);

const FIGURES: Readonly<Record<string, FigureRow>> = {
  net: { doc: 'profit after fees and funding, in the quote coin', better: 'max', of: ({ pnl }) => Number(pnl.net) },
  totalReturn: {
    doc: 'profit as a share of the equity at the start',
    better: 'max',
    of: ({ pnl, equity }) => ratio(Number(pnl.net), Number(equity.start)),
  },
  sharpe: {
    doc: 'mean return divided by its standard deviation, of 64 equal spans, for a year of 365.25 days',
    better: 'max',
    of: ({ tape }, returns) => annualSharpe(returns, tape.to - tape.from),
  },
  calmar: {
    doc: 'yearly return without compounding, divided by the largest drawdown',
    better: 'max',
    of({ pnl, equity, tape }) {
      const years = (tape.to - tape.from) / YEAR_MS;
      return years > 0 && equity.maxDrawdownShare > 0 ? Number(pnl.net) / Number(equity.start) / years / equity.maxDrawdownShare : null;
    },
  },
  maxDrawdown: {
    doc: 'largest fall of the equity from a peak, as a share of it',
    better: 'min',
    of: ({ equity }) => equity.maxDrawdownShare,
  },
  winRate: { doc: 'share of the closed trades with a profit', better: 'max', of: ({ stats }) => ratio(stats.wins, stats.trades) },
  trades: { doc: 'number of closed trades', better: 'max', of: ({ stats }) => stats.trades },
  fees: { doc: 'fees paid, in the quote coin', better: 'min', of: ({ pnl }) => Number(pnl.fees) },
  turnover: { doc: 'value of all fills, in the quote coin', better: 'min', of: ({ exposure }) => Number(exposure.turnover) },
  exposure: { doc: 'share of the time with an open position', better: 'min', of: ({ exposure }) => exposure.timeShare },
};

/** Metrics of a report that are better when smaller. Of the others the search takes larger for better, unless it is told. */
const SMALLER = /drawdown|losing|ulcer|volatility|underWater|fees|ruin/i;

/** Every figure and metric by name. */
export const FIGURE_DOCS: Readonly<Record<string, Pick<FigureRow, 'doc' | 'better'>>> = {
  ...Object.fromEntries(Object.entries(METRICS).map(([name, { formula }]) => [name, { doc: formula, better: betterOf(name) }])),
  ...FIGURES,
};

/** Names of the figures that every trial has. */
export const FIGURE_NAMES: readonly string[] = Object.keys(FIGURES);

function betterOf(name: string): 'max' | 'min' {
  return SMALLER.test(name) ? 'min' : 'max';
}

/** The figures of the report, and the metrics of it named in `extra`; null where one does not exist. */
export function figuresOf(report: BacktestReport, returns: readonly number[], extra: readonly string[]): Figures {
  const own = Object.entries(FIGURES).map(([name, { of }]) => [name, finite(of(report, returns))] as const);
  const metrics = extra.filter((name) => !Object.hasOwn(FIGURES, name));
  return Object.fromEntries([...own, ...metrics.map((name) => [name, finite(report.metrics[name]?.value ?? null)] as const)]);
}

function finite(value: number | string | null): number | null {
  return value === null || !Number.isFinite(Number(value)) ? null : Number(value);
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

/** Sharpe 1966, without a risk-free rate. Null if the returns are all the same. */
function annualSharpe(returns: readonly number[], ms: number): number | null {
  const mean = returns.reduce((sum, r) => sum + r, 0) / returns.length;
  const variance = returns.reduce((sum, r) => sum + (r - mean) ** 2, 0) / (returns.length - 1);
  if (!(variance > 0) || ms <= 0) return null;
  return (mean / Math.sqrt(variance)) * Math.sqrt((YEAR_MS * returns.length) / ms);
}
