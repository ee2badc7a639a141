/**
 * Computes what a leg can still lose from the current price, if its stop-losses at the venue or its liquidation are hit, before slippage
 * and fees.
 */

export interface LossTerms {
  readonly isLong: boolean;
  /** Prices in quote coin, NaN if unknown. */
  readonly price: number;
  /** NaN or 0 if the venue names none, or if it has not been read: a loss is then bounded by a price of 0 alone. */
  readonly liquidationPrice: number;
  /** In base coin. */
  readonly size: number;
  /** Stop-losses that the venue holds. What the bot watches does not count: it does not work while the bot is off. */
  readonly stops: readonly { readonly price: number; readonly size: number }[];
  /** Size for which the venue holds no stop-loss. */
  readonly unprotected: number;
}

/**
 * In quote coin, below zero if even the worst exit is a gain. The furthest stops count for the protected size, and liquidation for the rest; a
 * long position without a liquidation price can lose all its value. NaN if it has no bound, or if a price is unknown.
 */
export function worstLoss({ isLong, price, liquidationPrice, size, stops, unprotected }: LossTerms): number {
  const sign = isLong ? 1 : -1;
  const lossAt = (exit: number, amount: number): number => (price - exit) * sign * amount;
  const furthest = [...stops].sort((a, b) => (a.price - b.price) * sign);
  let left = Math.max(0, size - unprotected);
  let loss = 0;
  for (const stop of furthest) {
    const amount = Math.min(left, stop.size);
    if (amount <= 0) break;
    loss += lossAt(stop.price, amount);
    left -= amount;
  }
  const bare = unprotected + left;
  if (bare <= 0) return loss;
  if (liquidationPrice > 0) return loss + lossAt(liquidationPrice, bare);
  return isLong ? loss + lossAt(0, bare) : NaN;
}
