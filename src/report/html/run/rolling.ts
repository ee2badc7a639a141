/** Statistics over a window that moves along the returns. */

/** A window of a fifth of the periods, but of at least 10 and at most 90 of them; 0 if there are too few periods. */
export function windowFor(periods: number): number {
  const size = Math.min(90, Math.max(10, Math.floor(periods / 5)));
  return periods < 2 * size ? 0 : size;
}

/**
 * Sharpe ratio of each window: mean ÷ standard deviation (n − 1) of its returns × √`perYear`, the returns in a year by the time that
 * they took. Entry k is that of the window which ends with return k; null before the first whole window, and where all its returns are equal.
 */
export function rollingSharpe(returns: readonly number[], window: number, perYear: number): (number | null)[] {
  const scale = Math.sqrt(perYear);
  return returns.map((_, k) => {
    if (window < 2 || k + 1 < window) return null;
    let sum = 0;
    for (let j = k + 1 - window; j <= k; j++) sum += returns[j]!;
    const mean = sum / window;
    let squares = 0;
    for (let j = k + 1 - window; j <= k; j++) squares += (returns[j]! - mean) ** 2;
    const deviation = Math.sqrt(squares / (window - 1));
    return deviation <= 1e-15 ? null : (mean / deviation) * scale;
  });
}
