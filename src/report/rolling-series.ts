/** Statistics of a run over a window that moves along the returns of its periods. */
import { DAY_MS, YEAR_MS } from '../base/time/time-spans.ts';
import * as rolling from '../statistics/rolling.ts';
import { YEAR_RATIO_DAYS } from './metrics/metric.ts';
import type { RunReport } from './run-report.ts';

/** Columns as long as the returns. */
export interface RollingSeries {
  /** Periods in a window. */
  readonly window: number;
  readonly sharpe: rolling.Rolling;
  readonly sortino: rolling.Rolling;
  readonly volatility: rolling.Rolling;
  /** Of buying and holding. */
  readonly holdVolatility: rolling.Rolling;
  readonly beta: rolling.Rolling;
}

/** Null for a run that is too short: figures of a year need a day, and two windows. */
export function rollingSeries({ returns, tape }: Pick<RunReport, 'returns' | 'tape'>): RollingSeries | null {
  const { strategy, benchmark, time } = returns;
  const window = tape.to - tape.from < YEAR_RATIO_DAYS * DAY_MS ? 0 : rolling.windowFor(strategy.length);
  if (window === 0) return null;
  // As for the metrics: the first and the last period may be a part of one, and a gap makes a long one.
  const perYear = (time.length * YEAR_MS) / (time.at(-1)! - tape.from);
  return {
    window,
    sharpe: rolling.rollingSharpe(strategy, window, perYear),
    sortino: rolling.rollingSortino(strategy, window, perYear),
    volatility: rolling.rollingVolatility(strategy, window, perYear),
    holdVolatility: rolling.rollingVolatility(benchmark, window, perYear),
    beta: rolling.rollingBeta(strategy, benchmark, window),
  };
}
