/** Statistics of the results of trades, in order. A result above 0 is a win, one below 0 a loss. */
import { countWhere, meanWhere, partsOf, sumWhere, type Column } from './samples/columns.ts';
import { deviation, mean, variance, type LongSample } from './samples/moments.ts';
import { over } from './ratios.ts';

export const isWin = (result: number): boolean => result > 0;
export const isLoss = (result: number): boolean => result < 0;

/** Share of the results that are wins. */
export const winShare = (results: Column): number => countWhere(results, isWin) / results.length;

/** Profit factor: sum of the wins divided by the absolute sum of the losses. */
export function profitFactor(results: Column): number {
  return over(sumWhere(results, isWin), -sumWhere(results, isLoss));
}

/** Payoff: average win divided by the absolute average loss. */
export function payoff(results: Column): number {
  return over(meanWhere(results, isWin), -meanWhere(results, isLoss));
}

/** Share of the stake that makes the logarithm of the wealth grow fastest: W − (1 − W) / payoff. Kelly 1956. */
export function kelly(results: Column): number {
  const rate = winShare(results);
  return rate - (1 - rate) / payoff(results);
}

/** System quality number: √n · mean / standard deviation, n at most 100. Tharp 2008, with amounts instead of multiples of the risk. */
export function systemQuality(results: LongSample): number {
  const spread = deviation(results);
  return spread > 0 ? (Math.sqrt(Math.min(100, results.length)) * mean(results)) / spread : Number.NaN;
}

/**
 * Probability that the sum of further results ever falls by `capital`: exp(−2 · mean · capital / variance) for a random walk that drifts
 * upwards, else 1. Cox & Miller 1965, chapter 2.
 */
export function riskOfRuin(results: LongSample, capital: number): number {
  const drift = mean(results);
  const spread = variance(results);
  if (!(spread > 0)) return drift > 0 ? 0 : 1;
  return drift <= 0 ? 1 : Math.exp((-2 * drift * Math.max(0, capital)) / spread);
}

/** Length of the longest run of values for which `is` holds. */
export function longestRun(values: LongSample, is: (value: number) => boolean): number {
  let longest = 0;
  let run = 0;
  for (const part of partsOf(values)) {
    for (let k = 0; k < part.length; k++) {
      run = is(part[k]!) ? run + 1 : 0;
      if (run > longest) longest = run;
    }
  }
  return longest;
}

/**
 * How many standard deviations the number of runs of wins and of others is from that of a random order: below 0 when wins follow wins. Wald &
 * Wolfowitz 1940.
 */
export function runsScore(results: LongSample): number {
  const n = results.length;
  let won = 0;
  let runs = 0;
  let before: boolean | null = null;
  for (const part of partsOf(results)) {
    for (let k = 0; k < part.length; k++) {
      const is = isWin(part[k]!);
      if (is) won++;
      if (is !== before) runs++;
      before = is;
    }
  }
  const pairs = 2 * won * (n - won);
  const spread = (pairs * (pairs - n)) / (n * n * (n - 1));
  return spread > 0 ? (runs - pairs / n - 1) / Math.sqrt(spread) : Number.NaN;
}
