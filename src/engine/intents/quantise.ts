/**
 * Converts the amounts of intents to whole ticks and lots. Prices of buy orders round down and of sell orders up, so a price is never worse
 * than requested. A bracket sells a LONG leg and buys a SHORT leg, and its triggers follow the same rule: a stop fires slightly earlier, a
 * take-profit slightly later. Sizes round down.
 */
import { BUY, CLOSE, directionOf } from '../../domain/codes.ts';
import type { Command } from '../../domain/orders/command.ts';
import { isValued, lotsForMoney, lotsOfAmount, moneyOfAmount } from '../../domain/amount.ts';
import { formatLots, lotsOf, parseTicks, ticksOf, type Instrument } from '../../domain/instrument.ts';
import { parseScaled, ScaleError } from '../../domain/amounts/scale.ts';
import { MONEY_DECIMALS } from '../../domain/amounts/units.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import type { Log } from '../../ports/log.ts';
import type { Owner } from '../state/records/owner.ts';
import { highestPrice } from '../state/account/highest-price.ts';
import type { Amount, BracketPrice } from './market-types.ts';
import * as units from '../../domain/amounts/units.ts';

const { ONE } = units;

/** What sizes in money and in percent need. */
export interface Sizing {
  /** The equity that a strategy sees: its share, or the whole. Money; NaN if unknown. */
  equityOf(owner: Owner): number;
  readonly log: Log;
}

/** A price in ticks above zero for an order in `direction`. @throws ScaleError that names the field if it is not a number above zero */
export function priceTicks(price: Amount, instrument: Instrument, direction: number, field: PriceField = 'limit'): number {
  if (typeof price === 'number') {
    const whole = wholeTicks(price, instrument);
    if (whole > 0) return whole;
  }
  const rounding = direction === BUY ? 'down' : 'up';
  let ticks: number;
  try {
    ticks = typeof price === 'number' ? ticksOf(price, instrument, rounding) : parseTicks(asText(price), instrument, rounding);
  } catch (error) {
    throw ofField(error, field + ' is a price');
  }
  if (ticks <= 0) throw new ScaleError('range', field + ' is a price: at least ' + instrument.tickSize + ' was expected, found ' + price);
  return ticks;
}

/** The fields of intents that are prices. */
type PriceField = 'limit' | 'trigger' | 'price' | ExitField | `${ExitField}.limit`;
type ExitField = 'takeProfit' | 'stopLoss';

/** The same error with the name of the field that has the wrong value. */
function ofField(error: unknown, field: string): unknown {
  return error instanceof ScaleError ? new ScaleError(error.reason, field + ': ' + error.message) : error;
}

/** The ticks of a price that lies exactly on the grid, the usual case; 0 for all others. */
export function wholeTicks(price: number, instrument: Instrument): number {
  return wholeAt((price * instrument.priceScale) / instrument.tickStep);
}

/** A size in lots above zero. @throws ScaleError if it is not a number, not above zero, or below one lot */
function sizeLots(size: Amount, instrument: Instrument): number {
  if (typeof size === 'number') {
    const whole = wholeAt((size * instrument.sizeScale) / instrument.lotStep);
    if (whole > 0) return whole;
  }
  let lots: number;
  try {
    lots = typeof size === 'number' ? lotsOf(size, instrument, 'down') : lotsOfAmount(asText(size), instrument);
  } catch (error) {
    throw ofField(error, 'size');
  }
  if (lots <= 0) throw new ScaleError('range', 'a size of at least ' + instrument.lotSize + ' was expected, found ' + size);
  return lots;
}

/** The grid position of a number that lies on the grid (32-bit range), equal to the result of `ticksOf` and `lotsOf`. 0 otherwise. */
function wholeAt(position: number): number {
  const nearest = (position + 0.5) | 0;
  return nearest > 0 && Math.abs(position - nearest) <= 1e-9 ? nearest : 0;
}

/**
 * A size of any form in lots above zero, for the prepared command `c` with side, effect and price. "100 USDT" and "2%" of the equity become
 * the most lots worth no more than that at the highest price at which the order would fill.
 * @throws ScaleError as sizeLots, and if price or equity are needed and unknown
 */
export function sizeFor(size: Amount, c: Command, context: InstrumentContext, sizing: Sizing, owner: Owner): number {
  const { instrument } = context;
  if (typeof size !== 'string' || !isValued(size, instrument)) {
    const asked = typeof size === 'number' ? size : parseFloat(asText(size));
    const lots = sizeLots(size, instrument);
    if (lots < (MUCH_ROUNDED * asked * instrument.sizeScale) / instrument.lotStep) tellRounded(size, lots, instrument, sizing, owner);
    return lots;
  }
  const money = moneyOfAmount(size, instrument.quoteCoin, sizing.equityOf(owner));
  const price = highestPrice(c, context);
  const lots = lotsForMoney(money, price, instrument);
  if (lots <= 0) throw new ScaleError('range', 'a size worth at least ' + instrument.lotSize + ' was expected, found ' + size);
  if (lots < (MUCH_ROUNDED * money) / (price * instrument.unitValue)) tellRounded(size, lots, instrument, sizing, owner);
  return lots;
}

/** A smaller share of a size than this is said: the lot is coarse for such sizes. */
const MUCH_ROUNDED = 0.9;

/** Digits of a size that is said. */
const SAID_DIGITS = 5;

/** Once for each strategy and symbol. */
function tellRounded(size: Amount, lots: number, instrument: Instrument, { log }: Sizing, owner: Owner): void {
  if (owner.toldRounding.has(instrument.index)) return;
  owner.toldRounding.add(instrument.index);
  const { symbol, lotSize } = instrument;
  // A number may be computed: its last digits are not what anybody wrote.
  const asked = typeof size === 'number' ? Number(size.toPrecision(SAID_DIGITS)) : size;
  log.warn('size-rounded', { strategy: owner.name, symbol, asked: String(asked), size: formatLots(lots, instrument), lot: lotSize });
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new ScaleError('syntax', 'a number or a decimal string was expected, found ' + String(value));
}

/** Sets the bracket prices of an order command; a bracket sells a LONG leg and buys a SHORT one. @throws ScaleError */
export function setBracket(
  c: Command,
  instrument: Instrument,
  takeProfit: BracketPrice | undefined,
  stopLoss: BracketPrice | undefined,
): void {
  const direction = directionOf(c.side, CLOSE);
  if (takeProfit !== undefined) {
    c.takeProfit = priceTicks(typeof takeProfit === 'object' ? takeProfit.trigger : takeProfit, instrument, direction, 'takeProfit');
    c.takeProfitLimit = bracketLimitTicks(takeProfit, instrument, direction, 'takeProfit.limit');
  }
  if (stopLoss !== undefined) {
    c.stopLoss = priceTicks(typeof stopLoss === 'object' ? stopLoss.trigger : stopLoss, instrument, direction, 'stopLoss');
    c.stopLossLimit = bracketLimitTicks(stopLoss, instrument, direction, 'stopLoss.limit');
  }
}

function bracketLimitTicks(exit: BracketPrice, instrument: Instrument, direction: number, field: PriceField): number {
  return typeof exit === 'object' && exit.limit !== undefined ? priceTicks(exit.limit, instrument, direction, field) : 0;
}

/** An amount of the quote coin in money units, rounded down; null if it is not a number of at least zero. */
export function moneyOf(amount: Amount): number | null {
  if (typeof amount === 'number') {
    const count = amount * ONE;
    const nearest = Math.round(count);
    // Corrects errors in the last bits of a double: 0.29 is not 0.28999999.
    const money = Math.abs(count - nearest) <= nearest * 4 * Number.EPSILON ? nearest : Math.floor(count);
    return amount >= 0 && Number.isSafeInteger(money) ? money : null;
  }
  try {
    const money = parseScaled(amount, MONEY_DECIMALS, 'down');
    return money >= 0 ? money : null;
  } catch (error) {
    if (error instanceof ScaleError) return null;
    throw error;
  }
}
