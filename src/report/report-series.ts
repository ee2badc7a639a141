/** The series of a report: equity, returns of periods and of days, and the deepest drawdowns. */
import { DAY_MS } from '../base/time/time-spans.ts';
import { drawdowns, underwater } from '../statistics/drawdown.ts';
import { compounded, simpleReturns } from '../statistics/returns.ts';
import { ONE } from '../domain/amounts/units.ts';
import { thinned, type EquityCurve } from './equity/equity-curve.ts';
import type { PeriodSeries } from './equity/period-series.ts';
import type { DaySeries, DrawdownEpisode, EquitySeries, ReturnSeries } from './run-report.ts';

const POINTS_MAX = 2_000;
const EPISODES_MAX = 10;

const coins = (money: number): number => money / ONE;

export function equitySeries(curve: EquityCurve): EquitySeries {
  const { time, equity, exposure } = curve.columns;
  const falls = underwater(equity);
  const rows = thinned(time.length, POINTS_MAX);
  let from = 0;
  const deepest = rows.map((row) => {
    let most = 0;
    for (; from <= row; from++) most = Math.max(most, falls[from]!);
    return most;
  });
  return {
    time: rows.map((k) => time[k]!),
    equity: rows.map((k) => coins(equity[k]!)),
    exposure: rows.map((k) => coins(exposure[k]!)),
    drawdown: deepest,
  };
}

export function returnSeries(periods: PeriodSeries): ReturnSeries {
  return {
    periodMs: periods.ms,
    time: periods.time.slice(1),
    equity: periods.equity.slice(1).map(coins),
    strategy: [...simpleReturns(periods.equity)],
    hold: periods.hold.slice(1).map(coins),
    benchmark: [...simpleReturns(periods.hold)],
  };
}

export function daySeries({ time, strategy, benchmark }: ReturnSeries): DaySeries {
  const days: { time: number; strategy: number[]; benchmark: number[] }[] = [];
  for (let k = 0; k < time.length; k++) {
    // A period that ends at midnight belongs to the day before.
    const day = Math.floor((time[k]! - 1) / DAY_MS) * DAY_MS;
    if (days.at(-1)?.time !== day) days.push({ time: day, strategy: [], benchmark: [] });
    days.at(-1)!.strategy.push(strategy[k]!);
    days.at(-1)!.benchmark.push(benchmark[k]!);
  }
  return {
    time: days.map((day) => day.time),
    strategy: days.map((day) => compounded(day.strategy)),
    benchmark: days.map((day) => compounded(day.benchmark)),
  };
}

export function deepestDrawdowns(curve: EquityCurve): DrawdownEpisode[] {
  const { time, equity } = curve.columns;
  const sorted = drawdowns(equity).toSorted((a, b) => b.share - a.share || b.amount - a.amount);
  return sorted.slice(0, EPISODES_MAX).map(({ from, trough, to, amount, share }) => {
    return { from: time[from]!, trough: time[trough]!, to: to === -1 ? null : time[to]!, amount: coins(amount), share };
  });
}
