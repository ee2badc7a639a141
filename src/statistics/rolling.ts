/** Statistics over a window that moves along a series of returns. */
import * as benchmarks from './benchmark.ts';
import type { Sample } from './samples/moments.ts';
import * as ratios from './ratios.ts';
import { sharpe } from './sharpe-ratio.ts';

/** Values by the last return of their window: null before the first whole window, and where the value does not exist. */
export type Rolling = readonly (number | null)[];

/** A window of a fifth of the periods, but of at least 10 and at most 90 of them; 0 if there are too few periods. */
export function windowFor(periods: number): number {
  const size = Math.min(90, Math.max(10, Math.floor(periods / 5)));
  return periods < 2 * size ? 0 : size;
}

/** Sharpe ratio of a year; null for returns that do not vary. */
export function rollingSharpe(returns: Sample, window: number, perYear: number): Rolling {
  return rolled(returns, window, (part) => (isConstant(part) ? Number.NaN : sharpe(part, perYear)));
}

/** Sortino ratio of a year; null for a window without a loss. */
export function rollingSortino(returns: Sample, window: number, perYear: number): Rolling {
  return rolled(returns, window, (part) => ratios.sortino(part, perYear));
}

/** Standard deviation of a year. */
export function rollingVolatility(returns: Sample, window: number, perYear: number): Rolling {
  return rolled(returns, window, (part) => ratios.volatility(part, perYear));
}

/** Slope of the returns over those of the benchmark; null where the benchmark does not vary. */
export function rollingBeta(returns: Sample, benchmark: Sample, window: number): Rolling {
  const market = Float64Array.from(benchmark);
  return rolled(returns, window, (part, from) => {
    const beside = market.subarray(from, from + window);
    return isConstant(beside) ? Number.NaN : benchmarks.beta(part, beside);
  });
}

function rolled(returns: Sample, window: number, valueOf: (part: Float64Array, from: number) => number): Rolling {
  const column = Float64Array.from(returns);
  return Array.from(column, (_, k) => {
    const from = k + 1 - window;
    if (window < 2 || from < 0) return null;
    const value = valueOf(column.subarray(from, k + 1), from);
    return Number.isFinite(value) ? value : null;
  });
}

function isConstant(values: Float64Array): boolean {
  return values.every((value) => value === values[0]);
}
