/** Checks distances of stops and targets from the best or the average price, and computes them. */
import { AWAY_FIELDS, TRAILING_FIELDS } from './trade-fields.ts';
import { unknownField } from '../intents/fields.ts';
import type { FromAverage, Trailing } from './saved-trade.ts';

/** Describes what is wrong with a trailing stop; "" if nothing is. */
export function trailingProblem(trailing: Trailing): string {
  const unknown = unknownField(trailing, TRAILING_FIELDS, 'trailing');
  if (unknown !== '') return unknown;
  const { after = 0 } = trailing;
  if (!Number.isFinite(after) || after < 0) return `trailing.after is a percent of at least 0, found ${after}`;
  const isOne = (trailing.distance === undefined) !== (trailing.percent === undefined);
  return isOne && (trailing.distance ?? trailing.percent ?? 0) > 0 ? '' : 'trailing has distance or percent, above 0';
}

/** Describes what is wrong with a distance from the average; "" if nothing is. */
export function awayProblem(away: FromAverage, within: string): string {
  const unknown = unknownField(away, AWAY_FIELDS, within);
  if (unknown !== '') return unknown;
  const { distance, percent } = away;
  if ((distance === undefined) === (percent === undefined)) return `${within} has distance or percent from the average price, one of them`;
  if (distance !== undefined && !(Number.isFinite(distance) && distance > 0))
    return `${within}.distance is an amount of quote coin above 0, found ${JSON.stringify(distance)}`;
  if (percent !== undefined && !(percent > 0 && percent < 100))
    return `${within}.percent is above 0 and below 100, found ${JSON.stringify(percent)}`;
  return '';
}

/** How far behind `price` a trailing stop is, in quote coin. */
export function trailingDistance({ distance, percent = 0 }: Trailing, price: number): number {
  return distance ?? (price * percent) / 100;
}
