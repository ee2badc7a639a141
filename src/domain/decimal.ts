/**
 * The configured Decimal class. Money at the edges (config, limits, reports) is a Decimal; inside it is a scaled integer of scale.ts. No
 * other module imports decimal.js, so precision and rounding are defined once.
 */
import { Decimal as Base } from 'decimal.js';

export const Decimal = Base.clone({
  precision: 40,
  rounding: Base.ROUND_HALF_EVEN,
  toExpNeg: -40,
  toExpPos: 60,
});
export type Decimal = InstanceType<typeof Decimal>;
