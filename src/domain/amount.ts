/**
 * Amounts with units, as used in configuration and intents: "0.5" or "0.5 BTC" is a size in the base coin, "100 USDT" a value in the quote
 * coin, "2%" a share of the account's equity. Sizes round down: an order is never larger than requested.
 */
import { formatMoneyShort, parseLots, type Instrument } from './instrument.ts';
import { formatScaledShort, mulDivFloor, parseScaled, ScaleError } from './amounts/scale.ts';
import { MONEY_DECIMALS } from './amounts/units.ts';

export const AMOUNT_PATTERN = /^(\d{1,15}(?:\.\d{1,15})?) ?(%|[A-Z0-9]{2,16})?$/;
/** Percentages are kept as integers of 10^-6 percent. */
const PERCENT_DECIMALS = 6;
const HUNDRED_PERCENT = 100 * 10 ** PERCENT_DECIMALS;

/** The parts of an amount; `plain` has no unit. */
export interface Amount {
  readonly figure: string;
  readonly unit: 'plain' | 'percent' | 'coin';
  /** The coin, "" for none. */
  readonly coin: string;
}

/** Splits "0.5", "100 USDT" or "2%" into its parts; null if the text is not an amount. */
export function splitAmount(text: string): Amount | null {
  const match = AMOUNT_PATTERN.exec(text);
  if (match === null) return null;
  const [, figure = '', coin = ''] = match;
  if (coin === '%') return { figure, unit: 'percent', coin: '' };
  return { figure, unit: coin === '' ? 'plain' : 'coin', coin };
}

/** True if the amount needs a price or the equity to be converted to lots. */
export function isValued(text: string, instrument: Instrument): boolean {
  const last = text.charCodeAt(text.length - 1);
  // Fast path: most sizes are plain digits.
  if (last >= 48 && last <= 57 && !text.includes(' ')) return false;
  const amount = splitAmount(text);
  return amount !== null && amount.unit !== 'plain' && amount.coin !== instrument.baseCoin;
}

/** A size of the base coin in lots, rounded down. @throws ScaleError if it is another kind of amount */
export function lotsOfAmount(text: string, instrument: Instrument): number {
  const amount = splitAmount(text);
  const isBase = amount !== null && (amount.unit === 'plain' || amount.coin === instrument.baseCoin);
  return parseLots(isBase ? amount.figure : text, instrument, 'down');
}

/**
 * A value in money, rounded down. A percentage refers to `equity`, which is in money and NaN if unknown.
 * @throws ScaleError if the text is not a value, names another coin, or needs an unknown equity
 */
export function moneyOfAmount(text: string, quoteCoin: string, equity: number): number {
  const amount = splitAmount(text);
  if (amount === null) throw new ScaleError('syntax', `an amount such as "100 ${quoteCoin}" or "2%" was expected, found "${text}"`);
  if (amount.unit !== 'percent') {
    if (amount.unit === 'plain' || amount.coin === quoteCoin) return parseScaled(amount.figure, MONEY_DECIMALS, 'down');
    throw new ScaleError('syntax', `an amount in ${quoteCoin} was expected, found "${text}"`);
  }
  if (!Number.isFinite(equity)) throw new ScaleError('range', `the equity is not known yet, so "${text}" of it is not known either`);
  return equity <= 0 ? 0 : mulDivFloor(equity, parseScaled(amount.figure, PERCENT_DECIMALS, 'down'), HUNDRED_PERCENT);
}

/** The lots that `money` buys at `ticks`, rounded down. @throws ScaleError if there is no price */
export function lotsForMoney(money: number, ticks: number, instrument: Instrument): number {
  if (ticks <= 0)
    throw new ScaleError('range', `no price of ${instrument.symbol} is known yet to turn ${formatMoneyShort(money)} into a size`);
  return Math.floor(money / (ticks * instrument.unitValue));
}

/** Converts "0.02" or "2%" to a share: 0.02. NaN if it is neither. */
export function shareOf(text: string): number {
  const amount = splitAmount(text);
  if (amount === null || amount.unit === 'coin') return Number.NaN;
  return amount.unit === 'percent' ? Number(amount.figure) / 100 : Number(amount.figure);
}

/** Percentages with a sign and at most this many decimals are converted exactly. */
const SHARE_DECIMALS = 10;
export const SHARE_PATTERN = /^-?\d{1,3}(\.\d{1,10})?%?$/;

/** "0.02%" → "0.0002", exactly; a text without % is returned as it is. The text matches SHARE_PATTERN. */
export function plainShare(text: string): string {
  return text.endsWith('%') ? formatScaledShort(parseScaled(text.slice(0, -1), SHARE_DECIMALS), SHARE_DECIMALS + 2) : text;
}
