/** Simple returns of an equity curve. */

/**
 * Relative change from each value to the next; one entry fewer than values. After a value of 0 or less nothing can be earned any more, so
 * the return to it is counted down to −1 and all later ones are 0.
 */
export function simpleReturns(equity: ArrayLike<number>): Float64Array {
  const out = new Float64Array(Math.max(0, equity.length - 1));
  for (let k = 0; k < out.length; k++) {
    const before = equity[k]!;
    out[k] = before > 0 ? Math.max(-1, equity[k + 1]! / before - 1) : 0;
  }
  return out;
}

/** Growth of 1 by these returns: a curve with one value more than returns, beginning with 1. */
export function growth(returns: ArrayLike<number>): Float64Array {
  const out = new Float64Array(returns.length + 1);
  out[0] = 1;
  for (let k = 0; k < returns.length; k++) out[k + 1] = out[k]! * (1 + returns[k]!);
  return out;
}

/** Return of all periods together. */
export function compounded(returns: ArrayLike<number>): number {
  let value = 1;
  for (let k = 0; k < returns.length; k++) value *= 1 + returns[k]!;
  return value - 1;
}
