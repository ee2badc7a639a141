/**
 * An amount a strategy states → whole ticks or lots. Prices of buying orders round down and of selling orders up, so a price is
 * never worse than stated; the exit of a LONG leg sells and of a SHORT leg buys, so its triggers follow the same rule (a stop acts
 * a little earlier, a profit is taken a little later). Sizes round down.
 */
import { BUY } from '../domain/codes.ts';
import { lotsOf, parseLots, parseTicks, ticksOf, type Instrument } from '../domain/instrument.ts';
import { ScaleError } from '../domain/scale.ts';
import type { Amount } from './types.ts';

/** A price for an order in `direction`, in ticks above zero. @throws ScaleError when it is not a number or not above zero */
export function priceTicks(price: Amount, instrument: Instrument, direction: number): number {
  const rounding = direction === BUY ? 'down' : 'up';
  const ticks = typeof price === 'number' ? ticksOf(price, instrument, rounding) : parseTicks(asText(price), instrument, rounding);
  if (ticks <= 0) throw new ScaleError('range', 'a price of at least ' + instrument.tickSize + ' was expected, found ' + price);
  return ticks;
}

/** A size in lots above zero. @throws ScaleError when it is not a number, not above zero, or below one lot */
export function sizeLots(size: Amount, instrument: Instrument): number {
  const lots = typeof size === 'number' ? lotsOf(size, instrument, 'down') : parseLots(asText(size), instrument, 'down');
  if (lots <= 0) throw new ScaleError('range', 'a size of at least ' + instrument.lotSize + ' was expected, found ' + size);
  return lots;
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new ScaleError('syntax', 'a number or a decimal string was expected, found ' + String(value));
}
