/** Money of forecasts and of what became of them, as text: decimal strings, "" for unknown. */
import { parseScaled } from '../../../domain/amounts/scale.ts';
import { MONEY_DECIMALS } from '../../../domain/amounts/units.ts';
import { LONG } from '../../../domain/codes.ts';
import { formatMoneyShort } from '../../../domain/instrument.ts';
import type { InstrumentContext } from '../../state/records/instrument-context.ts';
import type { Leg } from '../../state/records/leg.ts';

/** `money` in 10^-8 of the quote coin; NaN is unknown. */
export function moneyText(money: number): string {
  return Number.isFinite(money) ? formatMoneyShort(Math.round(money)) : '';
}

/** "" if one of them is unknown. */
export function sumText(amounts: readonly string[]): string {
  if (amounts.includes('')) return '';
  return formatMoneyShort(amounts.reduce((sum, one) => sum + parseScaled(one, MONEY_DECIMALS), 0));
}

/** Sum of bid and ask in ticks; 0 if one is unknown. */
export function bothSides({ market: { bid, ask } }: InstrumentContext): number {
  return bid > 0 && ask > 0 ? bid + ask : 0;
}

/**
 * Money by which closing `lots` of the leg for `worth` (price × lots, in ticks) is worse than the middle of bid and ask. `both`: twice that
 * middle in ticks; NaN if it is unknown.
 */
export function slippageOf(context: InstrumentContext, leg: Leg, worth: number, lots: number, both = bothSides(context)): number {
  if (both === 0 || worth <= 0) return Number.NaN;
  const middle = (both * lots) / 2;
  return ((leg.index & 1) === LONG ? middle - worth : worth - middle) * context.instrument.unitValue;
}
