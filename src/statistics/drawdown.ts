/** Falls of an equity curve from its running peak. Curves are parallel columns in order of time. */

/** From a peak until equity is back at it. */
export interface Drawdown {
  /** Index of the peak, of the lowest point, and of the first point at or above the peak; `to` is -1 if there is none. */
  readonly from: number;
  readonly trough: number;
  readonly to: number;
  /** Largest fall, in the unit of the curve and as a share of the peak. The share is 0 for a peak of 0 or less. */
  readonly amount: number;
  readonly share: number;
}

/** Distance from the highest value so far, as a share of it: 0 to 1, more if the value is negative. 0 while the peak is not positive. */
export function underwater(equity: ArrayLike<number>): Float64Array {
  const out = new Float64Array(equity.length);
  let peak = -Infinity;
  for (let k = 0; k < out.length; k++) {
    const value = equity[k]!;
    if (value > peak) peak = value;
    out[k] = peak > 0 ? (peak - value) / peak : 0;
  }
  return out;
}

/** Every drawdown in order of time. The last one may be open. */
export function drawdowns(equity: ArrayLike<number>): Drawdown[] {
  const found: Drawdown[] = [];
  let from = 0;
  let trough = 0;
  const add = (to: number): void => {
    const peak = equity[from]!;
    const amount = peak - equity[trough]!;
    if (amount > 0) found.push({ from, trough, to, amount, share: peak > 0 ? amount / peak : 0 });
  };
  for (let k = 1; k < equity.length; k++) {
    const value = equity[k]!;
    if (value < equity[trough]!) trough = k;
    if (value < equity[from]!) continue;
    add(k);
    from = k;
    trough = k;
  }
  if (equity.length > 0) add(-1);
  return found;
}
