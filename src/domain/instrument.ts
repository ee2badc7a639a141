/** Instruments and their grid: every price is a whole number of ticks, every size a whole number of lots. */
import * as scale from './amounts/scale.ts';
import { decimalsOf, formatScaled, formatScaledShort, parseScaled, pow10, ScaleError, type Rounding } from './amounts/scale.ts';
import { createTiers, type Tier, type TierSpec } from './tiers.ts';
import {
  MONEY_DECIMALS,
  RATE_DECIMALS,
  type DecimalString,
  type InstrumentIndex,
  type Lots,
  type Money,
  type Rate,
  type Ticks,
} from './amounts/units.ts';
import * as units from './amounts/units.ts';

const { ONE } = units;

const { mulDivCeil } = scale;

/** Largest funding rate of an interval, positive or negative, in 10^-8: 0.75 %. */
export const FUNDING_MAX = 750_000;

/** An instrument in the configuration. All amounts are decimal strings. */
export interface InstrumentSpec {
  readonly symbol: string;
  readonly product: 'futures' | 'spot';
  readonly baseCoin: string;
  readonly quoteCoin: string;
  /** Smallest price step, for example "0.1". */
  readonly tickSize: string;
  /** Smallest size step in base coin, for example "0.001". */
  readonly lotSize: string;
  /** Decimals of a price on the wire; at least those of tickSize. Default: those of tickSize. */
  readonly priceDecimals?: number | undefined;
  readonly minSize: string;
  readonly maxSize: string;
  /** Smallest order value in the quote coin. Default "0". */
  readonly minNotional?: string | undefined;
  readonly makerFeeRate: string;
  readonly takerFeeRate: string;
  /** A single tier for legs of any value: highest leverage, and maintenance margin as a share of the value. Defaults 125 and "0.004". */
  readonly maxLeverage?: number | undefined;
  readonly maintenanceRate?: string | undefined;
  /** Several tiers instead, the smallest first. */
  readonly tiers?: readonly TierSpec[] | undefined;
  /** Funding rate per interval if it differs from the simulator's: a signed share of a leg's value, at most "0.0075". */
  readonly fundingRate?: string | undefined;
}

/** An instrument inside the program: the spec, its index, and the grid as integers. */
export interface Instrument {
  readonly index: InstrumentIndex;
  readonly symbol: string;
  readonly product: 'futures' | 'spot';
  readonly baseCoin: string;
  readonly quoteCoin: string;
  readonly tickSize: DecimalString;
  readonly lotSize: DecimalString;
  /** Decimals of a price and of a size on the wire. */
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
  /** price = ticks · tickStep / priceScale; size = lots · lotStep / sizeScale. */
  readonly tickStep: number;
  readonly priceScale: number;
  readonly lotStep: number;
  readonly sizeScale: number;
  /** Money (10^-8 quote) of one lot at one tick: notional = ticks · lots · unitValue. */
  readonly unitValue: number;
  readonly minSize: Lots;
  readonly maxSize: Lots;
  readonly minNotional: Money;
  readonly makerFeeRate: Rate;
  readonly takerFeeRate: Rate;
  /** Highest leverage, that of the first tier. */
  readonly maxLeverage: number;
  /** Maintenance margin tiers by value of a leg; at least one. */
  readonly tiers: readonly Tier[];
  /** null if the simulator's common rate applies. */
  readonly fundingRate: Rate | null;
}

/** @throws ScaleError if a field is not a decimal, a tier is invalid, or the grid does not fit the money scale of 10^-8. */
export function createInstrument(spec: InstrumentSpec, index: number): Instrument {
  const tickDecimals = decimalsOf(spec.tickSize);
  const lotDecimals = decimalsOf(spec.lotSize);
  const priceDecimals = spec.priceDecimals ?? tickDecimals;
  if (priceDecimals < tickDecimals) {
    throw new ScaleError('precision', `${spec.symbol}: priceDecimals ${priceDecimals} cannot show tickSize ${spec.tickSize}`);
  }
  if (tickDecimals + lotDecimals > MONEY_DECIMALS) {
    throw new ScaleError(
      'precision',
      `${spec.symbol}: decimals of tickSize and lotSize together are at most ${MONEY_DECIMALS}, found ${tickDecimals} + ${lotDecimals}`,
    );
  }
  const tickStep = parseScaled(spec.tickSize, priceDecimals);
  const lotStep = parseScaled(spec.lotSize, lotDecimals);
  if (tickStep <= 0 || lotStep <= 0) throw new ScaleError('range', `${spec.symbol}: tickSize and lotSize must be above zero`);
  const tiers = createTiers(spec.symbol, tierSpecsOf(spec));
  const priceScale = pow10(priceDecimals);
  const sizeScale = pow10(lotDecimals);
  const lots = (text: string, rounding: Rounding): Lots => {
    const scaled = parseScaled(text, lotDecimals, rounding);
    return (rounding === 'up' ? Math.ceil(scaled / lotStep) : Math.floor(scaled / lotStep)) as Lots;
  };
  return {
    index: index as InstrumentIndex,
    symbol: spec.symbol,
    product: spec.product,
    baseCoin: spec.baseCoin,
    quoteCoin: spec.quoteCoin,
    tickSize: spec.tickSize as DecimalString,
    lotSize: spec.lotSize as DecimalString,
    priceDecimals,
    sizeDecimals: lotDecimals,
    tickStep,
    priceScale,
    lotStep,
    sizeScale,
    unitValue: parseScaled(spec.tickSize, tickDecimals) * lotStep * pow10(MONEY_DECIMALS - tickDecimals - lotDecimals),
    minSize: lots(spec.minSize, 'up'),
    maxSize: lots(spec.maxSize, 'down'),
    minNotional: parseScaled(spec.minNotional ?? '0', MONEY_DECIMALS) as Money,
    makerFeeRate: parseScaled(spec.makerFeeRate, RATE_DECIMALS) as Rate,
    takerFeeRate: parseScaled(spec.takerFeeRate, RATE_DECIMALS) as Rate,
    maxLeverage: tiers[0]!.maxLeverage,
    tiers,
    fundingRate: spec.fundingRate === undefined ? null : fundingRateOf(spec.symbol, spec.fundingRate),
  };
}

function fundingRateOf(symbol: string, text: string): Rate {
  const rate = parseScaled(text, RATE_DECIMALS);
  if (Math.abs(rate) > FUNDING_MAX)
    throw new ScaleError('range', `${symbol}: fundingRate: from "-0.0075" to "0.0075" was expected, found "${text}"`);
  return rate as Rate;
}

function tierSpecsOf({ symbol, tiers, maxLeverage, maintenanceRate }: InstrumentSpec): readonly TierSpec[] {
  if (tiers === undefined) return [{ maintenanceRate: maintenanceRate ?? '0.004', maxLeverage: maxLeverage ?? 125 }];
  if (maxLeverage === undefined && maintenanceRate === undefined) return tiers;
  throw new ScaleError('range', `${symbol}: maxLeverage and maintenanceRate stand in each of the tiers, not beside them`);
}

/** Converts a price string to ticks. `exact` refuses a price off the grid; `down`/`up` round to the grid. @throws ScaleError */
export function parseTicks(text: string, instrument: Instrument, rounding: Rounding = 'exact'): Ticks {
  return toGrid(parseScaled(text, instrument.priceDecimals, rounding), instrument.tickStep, rounding, text, instrument.tickSize) as Ticks;
}

/** Converts a size string to lots. @throws ScaleError */
export function parseLots(text: string, instrument: Instrument, rounding: Exclude<Rounding, 'up'> = 'exact'): Lots {
  return toGrid(parseScaled(text, instrument.sizeDecimals, rounding), instrument.lotStep, rounding, text, instrument.lotSize) as Lots;
}

export function formatTicks(ticks: number, instrument: Instrument): DecimalString {
  return formatScaled(ticks * instrument.tickStep, instrument.priceDecimals);
}

export function formatLots(lots: number, instrument: Instrument): DecimalString {
  return formatScaled(lots * instrument.lotStep, instrument.sizeDecimals);
}

/** The price as a number for signals: one correctly rounded division, so it equals Number(formatTicks(…)). */
export function priceOf(ticks: number, instrument: Instrument): number {
  return (ticks * instrument.tickStep) / instrument.priceScale;
}

/** The size as a number for signals. */
export function sizeOf(lots: number, instrument: Instrument): number {
  return (lots * instrument.lotStep) / instrument.sizeScale;
}

/**
 * Converts a number to ticks, for intents. A number within 1e-9 of a tick, relative to one tick, is that tick (so 0.1 + 0.2 means 0.3).
 * Otherwise `down`/`up` round and `exact` refuses. @throws ScaleError on NaN, infinity or a number beyond the range.
 */
export function ticksOf(price: number, instrument: Instrument, rounding: Rounding): Ticks {
  return gridOf((price * instrument.priceScale) / instrument.tickStep, price, rounding, instrument.tickSize) as Ticks;
}

/** Converts a number to lots, for intents; a size never rounds up. @throws ScaleError */
export function lotsOf(size: number, instrument: Instrument, rounding: Exclude<Rounding, 'up'>): Lots {
  return gridOf((size * instrument.sizeScale) / instrument.lotStep, size, rounding, instrument.lotSize) as Lots;
}

/** Name of an instrument for people: the symbol for futures, "spot:SYMBOL" for spot. */
export function tradedName({ product, symbol }: Pick<Instrument, 'product' | 'symbol'>): string {
  return product === 'spot' ? `spot:${symbol}` : symbol;
}

/** Average money per base coin if `lots` cost `value`: floor(value · sizeScale / (lots · lotStep)); 0 for no lots. */
export function unitPrice(instrument: Instrument, value: number, lots: number): number {
  if (lots === 0) return 0;
  return Number((BigInt(value) * BigInt(instrument.sizeScale)) / (BigInt(lots) * BigInt(instrument.lotStep)));
}

/** Ticks of `to` per tick of `from`: a whole number if one grid divides the other. */
export function tickRatio(from: Instrument, to: Instrument): number {
  return (from.tickStep * to.priceScale) / (from.priceScale * to.tickStep);
}

/** Fee on a notional ≥ 0, rounded up to 10^-8: never in the trader's favour. A negative rate is a rebate, rounded toward zero. */
export function feeOf(value: number, rate: number): Money {
  if (rate >= 0) return mulDivCeil(value, rate, ONE) as Money;
  const rebate = Math.floor(value / ONE) * -rate + Math.floor(((value % ONE) * -rate) / ONE);
  return (rebate === 0 ? 0 : -rebate) as Money;
}

/** Money as a decimal string with 8 decimals. */
export function formatMoney(money: number): DecimalString {
  return formatScaled(money, MONEY_DECIMALS);
}

/** Money, or a price or rate of 10^-8, without trailing zeros. */
export function formatMoneyShort(money: number): DecimalString {
  return formatScaledShort(money, MONEY_DECIMALS);
}

function toGrid(scaled: number, step: number, rounding: Rounding, text: string, grid: string): number {
  if (step === 1) return scaled;
  const whole = Math.floor(scaled / step);
  if (whole * step === scaled) return whole;
  if (rounding === 'exact') throw new ScaleError('precision', `a multiple of ${grid} was expected, found "${text}"`);
  return rounding === 'up' ? whole + 1 : whole;
}

function gridOf(position: number, given: number, rounding: Rounding, grid: string): number {
  if (!Number.isFinite(position) || Math.abs(position) > Number.MAX_SAFE_INTEGER) {
    throw new ScaleError('range', `a finite number on a grid of ${grid} was expected, found ${given}`);
  }
  const nearest = Math.round(position);
  if (Math.abs(position - nearest) <= 1e-9 * Math.max(1, Math.abs(position) * 2.5e-7)) return nearest === 0 ? 0 : nearest;
  if (rounding === 'exact') throw new ScaleError('precision', `a multiple of ${grid} was expected, found ${given}`);
  return rounding === 'up' ? Math.ceil(position) : Math.floor(position);
}
