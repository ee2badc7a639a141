/** Amounts of the model: exact Decimals in whole coins. Rounded to the eighth decimal only where the venue does. */
import { Decimal } from '../../../src/domain/amounts/decimal.ts';

export { Decimal };

export const ZERO = new Decimal(0);

/** Rounded up at the eighth decimal. */
export const up8 = (x: Decimal): Decimal => x.toDecimalPlaces(8, Decimal.ROUND_CEIL);
/** Rounded down at the eighth decimal. */
export const down8 = (x: Decimal): Decimal => x.toDecimalPlaces(8, Decimal.ROUND_FLOOR);
export const least = (x: Decimal, y: Decimal): Decimal => (x.lt(y) ? x : y);
export const most = (x: Decimal, y: Decimal): Decimal => (x.gt(y) ? x : y);

export function sum(amounts: readonly Decimal[]): Decimal {
  let total = ZERO;
  for (const amount of amounts) total = total.plus(amount);
  return total;
}

/** In the venue's units of 10^-8. */
export const units = (x: Decimal): number => (x.isZero() ? 0 : x.times(1e8).toNumber());
export const coins = (amount: number): Decimal => (amount === 0 ? ZERO : new Decimal(amount).div(1e8));
