/** Collects what the metrics of a run are computed from, as columns. */
import { once } from '../../base/once.ts';
import { YEAR_MS } from '../../base/time/time-spans.ts';
import { drawdowns, underwater } from '../../statistics/drawdown.ts';
import { simpleReturns } from '../../statistics/returns.ts';
import type { EquityCurve } from './equity-curve.ts';
import type { CurveFacts, PeriodColumns } from '../metrics/facts.ts';
import type { PeriodSeries } from './period-series.ts';

export function periodColumns({ perYear, equity, hold }: PeriodSeries): PeriodColumns {
  const returns = simpleReturns(equity);
  return { perYear, periodMs: YEAR_MS / perYear, returns, benchmark: simpleReturns(hold), sorted: returns.slice().sort() };
}

/** What only some metrics need is computed when one asks for it. */
export function curveFacts(curve: EquityCurve): CurveFacts {
  const { maxDrawdown, maxDrawdownShare, maxExposure, exposed, samples } = curve;
  const columns = once(() => curve.columns);
  const falls = once(() => underwater(columns().equity));
  const episodes = once(() => drawdowns(columns().equity));
  return {
    get time() {
      return columns().time;
    },
    get equity() {
      return columns().equity;
    },
    get exposure() {
      return columns().exposure;
    },
    get underwater() {
      return falls();
    },
    get drawdowns() {
      return episodes();
    },
    maxDrawdown,
    maxDrawdownShare,
    maxExposure,
    exposedShare: samples === 0 ? 0 : exposed / samples,
  };
}
