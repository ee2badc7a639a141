/**
 * An amount a strategy states → whole ticks or lots. Prices of buying orders round down and of selling orders up, so a price is
 * never worse than stated; the exit of a LONG leg sells and of a SHORT leg buys, so its triggers follow the same rule (a stop acts
 * a little earlier, a profit is taken a little later). Sizes round down.
 */
import { BUY, CLOSE, directionOf } from '../../domain/codes.ts';
import type { Command } from '../../domain/command.ts';
import { isValued, lotsForMoney, lotsOfAmount, moneyOfAmount } from '../../domain/amount.ts';
import { lotsOf, parseTicks, ticksOf, type Instrument } from '../../domain/instrument.ts';
import { parseScaled, ScaleError } from '../../domain/scale.ts';
import { MONEY_DECIMALS } from '../../domain/units.ts';
import type { InstrumentContext } from '../state/instrument-context.ts';
import type { Core } from '../state/core.ts';
import { highestPrice } from '../risk/rules/highest-price.ts';
import type { Amount, Exit } from './types.ts';

/** A price for an order in `direction`, in ticks above zero. @throws ScaleError when it is not a number or not above zero */
export function priceTicks(price: Amount, instrument: Instrument, direction: number): number {
  if (typeof price === 'number') {
    const whole = wholeTicks(price, instrument);
    if (whole > 0) return whole;
  }
  const rounding = direction === BUY ? 'down' : 'up';
  const ticks = typeof price === 'number' ? ticksOf(price, instrument, rounding) : parseTicks(asText(price), instrument, rounding);
  if (ticks <= 0) throw new ScaleError('range', 'a price of at least ' + instrument.tickSize + ' was expected, found ' + price);
  return ticks;
}

/** The ticks of a price that is a place on the grid, as nearly every stated one is; 0 for all others. */
export function wholeTicks(price: number, instrument: Instrument): number {
  return wholeAt((price * instrument.priceScale) / instrument.tickStep);
}

/** A size in lots above zero. @throws ScaleError when it is not a number, not above zero, or below one lot */
function sizeLots(size: Amount, instrument: Instrument): number {
  if (typeof size === 'number') {
    const whole = wholeAt((size * instrument.sizeScale) / instrument.lotStep);
    if (whole > 0) return whole;
  }
  const lots = typeof size === 'number' ? lotsOf(size, instrument, 'down') : lotsOfAmount(asText(size), instrument);
  if (lots <= 0) throw new ScaleError('range', 'a size of at least ' + instrument.lotSize + ' was expected, found ' + size);
  return lots;
}

/** The place on the grid, of 32 bits, that a number is at: what `ticksOf` and `lotsOf` give, whatever they would round. 0 for none. */
function wholeAt(position: number): number {
  const nearest = (position + 0.5) | 0;
  return nearest > 0 && Math.abs(position - nearest) <= 1e-9 ? nearest : 0;
}

/**
 * A size of any kind in lots above zero, for the order that `c` is becoming: its side, effect and price are set. "100 USDT" and "2%" of
 * the equity become the lots that are worth no more than that at the highest price at which the order would fill.
 * @throws ScaleError as sizeLots, and when price or equity are needed and not known
 */
export function sizeFor(size: Amount, c: Command, context: InstrumentContext, core: Core): number {
  const { instrument } = context;
  if (typeof size !== 'string' || !isValued(size, instrument)) return sizeLots(size, instrument);
  const money = moneyOfAmount(size, instrument.quoteCoin, core.equity);
  const lots = lotsForMoney(money, highestPrice(c, context), instrument);
  if (lots <= 0) throw new ScaleError('range', 'a size worth at least ' + instrument.lotSize + ' was expected, found ' + size);
  return lots;
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new ScaleError('syntax', 'a number or a decimal string was expected, found ' + String(value));
}

/** Preset exits of an order command: they sell a LONG leg and buy a SHORT one. @throws ScaleError */
export function setExits(c: Command, instrument: Instrument, takeProfit: Exit | undefined, stopLoss: Exit | undefined): void {
  const direction = directionOf(c.side, CLOSE);
  if (takeProfit !== undefined) {
    c.takeProfit = priceTicks(typeof takeProfit === 'object' ? takeProfit.trigger : takeProfit, instrument, direction);
    c.takeProfitLimit = executeTicks(takeProfit, instrument, direction);
  }
  if (stopLoss !== undefined) {
    c.stopLoss = priceTicks(typeof stopLoss === 'object' ? stopLoss.trigger : stopLoss, instrument, direction);
    c.stopLossLimit = executeTicks(stopLoss, instrument, direction);
  }
}

function executeTicks(exit: Exit, instrument: Instrument, direction: number): number {
  return typeof exit === 'object' && exit.limit !== undefined ? priceTicks(exit.limit, instrument, direction) : 0;
}

/** An amount of the quote coin in money, rounded down; null when it is not a number of at least zero. */
export function moneyOf(amount: Amount): number | null {
  if (typeof amount === 'number') {
    const units = amount * 100_000_000;
    const nearest = Math.round(units);
    // What is off by the last bits of a double alone was meant: 0.29 is not 0.28999999.
    const money = Math.abs(units - nearest) <= nearest * 4 * Number.EPSILON ? nearest : Math.floor(units);
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
