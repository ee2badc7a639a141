/** The equity as it is shown: whole cents, rounded down. A change that is shown is the difference of two of these. */
import { Decimal } from '../../../domain/amounts/decimal.ts';
import { ONE } from '../../../domain/amounts/units.ts';

/** `money` in 10⁻⁸ of the quote coin. */
export function shownEquity(money: number | string): Decimal {
  return new Decimal(money).div(ONE).toDecimalPlaces(2, Decimal.ROUND_DOWN);
}
