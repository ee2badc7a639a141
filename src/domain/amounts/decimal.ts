/**
 * The configured Decimal class. It computes value, fees and profit of fills from the decimal strings of the journal, for log lines, the status
 * and the commands `fills` and `profit`. Everything else counts in scaled integers (scale.ts). No other module imports decimal.js, so
 * precision and rounding are defined once.
 */
import { Decimal as Base } from 'decimal.js';

export const Decimal = Base.clone({
  precision: 40,
  rounding: Base.ROUND_HALF_EVEN,
  toExpNeg: -40,
  toExpPos: 60,
});
export type Decimal = InstanceType<typeof Decimal>;
