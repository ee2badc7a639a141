/** What the metrics of a run are computed from, as columns. */
import { YEAR_MS } from '../base/time-spans.ts';
import { parseScaled } from '../domain/scale.ts';
import { MONEY_DECIMALS } from '../domain/units.ts';
import { drawdowns, underwater } from '../statistics/drawdown.ts';
import { simpleReturns } from '../statistics/returns.ts';
import type { EquityCurve } from './equity-curve.ts';
import type { CurveFacts, PeriodColumns, TradeColumns } from './metrics/facts.ts';
import type { PeriodSeries } from './period-series.ts';
import type { RoundTrip } from './round-trips.ts';

export function tradeColumns(trades: readonly RoundTrip[]): TradeColumns {
  const column = (of: (trade: RoundTrip) => number): Float64Array => Float64Array.from(trades, of);
  return {
    net: column(({ net }) => parseScaled(net, MONEY_DECIMALS)),
    side: column(({ positionSide }) => (positionSide === 'SHORT' ? -1 : 1)),
    heldMs: column(({ openedAt, closedAt }) => closedAt - openedAt),
    mae: column(({ mae }) => mae ?? Number.NaN),
    mfe: column(({ mfe }) => mfe ?? Number.NaN),
  };
}

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
