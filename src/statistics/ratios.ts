/** Ratios and risks of a series of simple returns. `perYear` is the number of periods in a year. Risk-free rate and required return are 0. */
import { deviation, mean, quantileOfSorted, sum, type Sample } from './samples/moments.ts';
import { compounded } from './returns.ts';

/** Return of a year that compounds to the whole: (1 + total)^(1 / years) − 1. −1 after a total loss. */
export function annualised(total: number, years: number): number {
  return years > 0 ? Math.max(0, 1 + total) ** (1 / years) - 1 : Number.NaN;
}

/** Standard deviation of a year. */
export function volatility(returns: Sample, perYear: number): number {
  return deviation(returns) * Math.sqrt(perYear);
}

/** Root of the mean square of the negative returns over all periods, of a year. Sortino & van der Meer 1991. */
export function downsideDeviation(returns: Sample, perYear: number): number {
  let squares = 0;
  for (let k = 0; k < returns.length; k++) {
    const loss = Math.min(0, returns[k]!);
    squares += loss * loss;
  }
  return Math.sqrt(squares / returns.length) * Math.sqrt(perYear);
}

/** Mean return of a year by its downside deviation. Sortino & Price 1994. */
export function sortino(returns: Sample, perYear: number): number {
  return over(mean(returns) * perYear, downsideDeviation(returns, perYear));
}

/** Sum of the positive returns by that of the negative ones. Keating & Shadwick 2002, with threshold 0. */
export function omega(returns: Sample): number {
  let gains = 0;
  let losses = 0;
  for (let k = 0; k < returns.length; k++) {
    if (returns[k]! > 0) gains += returns[k]!;
    else losses -= returns[k]!;
  }
  return over(gains, losses);
}

/** Sum of all returns by that of the negative ones without sign. Schwager 2012. */
export function gainToPain(returns: Sample): number {
  const ratio = omega(returns);
  return ratio - 1;
}

/** Mean return by the cube root of the third lower partial moment. Kaplan & Knowles 2004. */
export function kappaThree(returns: Sample): number {
  let cubes = 0;
  for (let k = 0; k < returns.length; k++) {
    const loss = Math.max(0, -returns[k]!);
    cubes += loss * loss * loss;
  }
  return over(mean(returns), Math.cbrt(cubes / returns.length));
}

/** Loss that a share `tail` of the periods exceeds, positive for a loss: the historical value at risk. J.P. Morgan 1996. */
export function valueAtRisk(sorted: Sample, tail: number): number {
  return -quantileOfSorted(sorted, tail);
}

/** Mean loss of the worst ⌊(n − 1) · tail⌋ + 1 periods: the expected shortfall. Rockafellar & Uryasev 2000. `sorted` upwards. */
export function expectedShortfall(sorted: Sample, tail: number): number {
  const count = Math.floor((sorted.length - 1) * tail) + 1;
  let all = 0;
  for (let k = 0; k < count; k++) all += sorted[k]!;
  return -all / count;
}

/** 95 % quantile by the 5 % quantile, both without sign. `sorted` upwards. */
export function tailRatio(sorted: Sample): number {
  return over(Math.abs(quantileOfSorted(sorted, 0.95)), Math.abs(quantileOfSorted(sorted, 0.05)));
}

/** R² of a straight line through the logarithm of the growth: 1 is steady growth (or decay). */
export function stability(returns: Sample): number {
  const n = returns.length;
  let level = 0;
  let meanLevel = 0;
  const levels = new Float64Array(n);
  for (let k = 0; k < n; k++) {
    level += Math.log1p(returns[k]!);
    levels[k] = level;
    meanLevel += level / n;
  }
  const middle = (n - 1) / 2;
  let [xx, xy, yy] = [0, 0, 0];
  for (let k = 0; k < n; k++) {
    xx += (k - middle) ** 2;
    xy += (k - middle) * (levels[k]! - meanLevel);
    yy += (levels[k]! - meanLevel) ** 2;
  }
  return over(xy * xy, xx * yy);
}

/** Root mean square of the drawdowns of all points. Martin & McCann 1989. `underwater` as shares of the peak. */
export function ulcerIndex(underwater: Sample): number {
  let squares = 0;
  for (let k = 0; k < underwater.length; k++) squares += underwater[k]! ** 2;
  return Math.sqrt(squares / underwater.length);
}

/** Geometric mean of the periods in which `of` is positive (or negative): the return by that of `of`. Morningstar's capture ratio. */
export function capture(returns: Sample, of: Sample, sign: 1 | -1): number {
  const rows = Array.from({ length: returns.length }, (_, k) => k).filter((k) => of[k]! * sign > 0);
  const [own, other] = [rows.map((k) => returns[k]!), rows.map((k) => of[k]!)];
  return over(annualised(compounded(own), rows.length), annualised(compounded(other), rows.length));
}

/** NaN instead of a division by 0. */
export function over(above: number, below: number): number {
  return below === 0 ? Number.NaN : above / below;
}

/** Mean square root of a sum of squares is what Burke divides by: √ Σ Dⱼ². Burke 1994. */
export function rootOfSquares(values: Sample): number {
  return Math.sqrt(sum(Array.from(values, (value) => value * value)));
}
