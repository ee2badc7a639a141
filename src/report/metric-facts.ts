/** What the metrics of a run are computed from, as columns. */
import { YEAR_MS } from '../base/time-spans.ts';
import { drawdowns, underwater } from '../statistics/drawdown.ts';
import { simpleReturns } from '../statistics/returns.ts';
import type { EquityCurve } from './equity-curve.ts';
import type { CurveFacts, PeriodColumns } from './metrics/facts.ts';
import type { PeriodSeries } from './period-series.ts';

export function periodColumns({ ms, equity, hold }: PeriodSeries): PeriodColumns {
  const returns = simpleReturns(equity);
  return { perYear: YEAR_MS / ms, periodMs: ms, returns, benchmark: simpleReturns(hold), sorted: returns.slice().sort() };
}

export function curveFacts(curve: EquityCurve): CurveFacts {
  const { columns, maxDrawdown, maxDrawdownShare, maxExposure, exposed, samples } = curve;
  return {
    ...columns,
    underwater: underwater(columns.equity),
    drawdowns: drawdowns(columns.equity),
    maxDrawdown,
    maxDrawdownShare,
    maxExposure,
    exposedShare: samples === 0 ? 0 : exposed / samples,
  };
}
