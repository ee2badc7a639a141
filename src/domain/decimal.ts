/**
 * The one configured Decimal. Money at the edges (config, limits, reports) is a Decimal; inside it is an integer of scale.ts.
 * Nothing else imports decimal.js, so precision and rounding are decided once.
 */
import { Decimal as Base } from 'decimal.js';

export const Decimal = Base.clone({
  precision: 40,
  rounding: Base.ROUND_HALF_EVEN,
  toExpNeg: -40,
  toExpPos: 60,
});
export type Decimal = InstanceType<typeof Decimal>;
