/**
 * Maintenance margin tiers: a larger leg has a higher rate and a lower maximum leverage. The deduction of a tier makes the margin
 * continuous between tiers.
 */
import { formatScaledShort, mulDivCeil, parseScaled, ScaleError } from './amounts/scale.ts';
import { MONEY_DECIMALS, RATE_DECIMALS, type Money, type Rate, ONE } from './amounts/units.ts';

/** A tier in the configuration; decimal strings. */
export interface TierSpec {
  /** Largest value of a leg in this tier, in quote coin; absent for the last tier. */
  readonly upTo?: string | undefined;
  /** Maintenance margin as a share of the leg's value. */
  readonly maintenanceRate: string;
  readonly maxLeverage: number;
}

export interface Tier {
  /** Infinity for the last tier. */
  readonly upTo: number;
  readonly rate: Rate;
  readonly maxLeverage: number;
  /** Money subtracted from value · rate: the sum over the tiers below of upTo times the step of the rate, which must be exact. */
  readonly deduction: Money;
}

/** Checks and completes the tiers, the smallest first. @throws ScaleError naming `symbol`, the tier and the problem */
export function createTiers(symbol: string, specs: readonly TierSpec[]): readonly Tier[] {
  const tiers: Tier[] = [];
  if (specs.length === 0) throw new ScaleError('range', `${symbol}: tiers: at least one was expected`);
  for (const [k, spec] of specs.entries()) {
    const refuse = (key: string, expected: string, found: unknown): never => {
      throw new ScaleError('range', `${symbol}: tiers: entry ${k + 1}: ${key}: ${expected} was expected, found ${JSON.stringify(found)}`);
    };
    const below = tiers.at(-1);
    const isLast = k === specs.length - 1;
    if ((spec.upTo === undefined) !== isLast) refuse('upTo', isLast ? 'none in the last tier' : 'a value', spec.upTo ?? 'none');
    const upTo = spec.upTo === undefined ? Infinity : parseScaled(spec.upTo, MONEY_DECIMALS);
    if (upTo <= (below?.upTo ?? 0))
      refuse('upTo', `more than ${below === undefined ? '0' : formatScaledShort(below.upTo, MONEY_DECIMALS)}`, spec.upTo);
    const rate = parseScaled(spec.maintenanceRate, RATE_DECIMALS);
    if (rate < (below?.rate ?? 0)) refuse('maintenanceRate', 'no less than in the tier below', spec.maintenanceRate);
    const { maxLeverage } = spec;
    if (!Number.isInteger(maxLeverage) || maxLeverage < 1) refuse('maxLeverage', 'a whole number of at least 1', maxLeverage);
    if (below !== undefined && maxLeverage > below.maxLeverage) refuse('maxLeverage', 'no more than in the tier below', maxLeverage);
    if (rate * maxLeverage >= ONE) {
      refuse('maintenanceRate', `less than the initial margin at ${maxLeverage}×`, spec.maintenanceRate);
    }
    const step = below === undefined ? 0n : BigInt(below.upTo) * BigInt(rate - below.rate);
    if (step % BigInt(ONE) !== 0n)
      refuse('maintenanceRate', 'a step that, times upTo of the tier below, ends at the 8th decimal', spec.maintenanceRate);
    const deduction = (below?.deduction ?? 0) + Number(step / BigInt(ONE));
    tiers.push({ upTo, rate: rate as Rate, maxLeverage, deduction: deduction as Money });
  }
  return tiers;
}

/** Index of the tier for a leg of this value: the first whose upTo is not below it. */
export function tierOf(tiers: readonly Tier[], value: number): number {
  let k = 0;
  while (value > tiers[k]!.upTo) k++;
  return k;
}

/** Maintenance margin of a leg of this value: ceil(value · rate / 10^8) − deduction of its tier. */
export function maintenanceMargin(tiers: readonly Tier[], value: number): Money {
  const tier = tiers[tierOf(tiers, value)]!;
  return (mulDivCeil(value, tier.rate, ONE) - tier.deduction) as Money;
}

/** A bound of `maintenanceMargin` that is cheaper: never below it, and above it by less than 10^-7 of a coin. */
export function maintenanceAtMost(tiers: readonly Tier[], value: number): number {
  const tier = tiers[tierOf(tiers, value)]!;
  return (value / ONE) * tier.rate + 4 - tier.deduction;
}

/** Largest value of a leg with this leverage; Infinity if no tier limits it. */
export function valueLimit(tiers: readonly Tier[], leverage: number): number {
  let limit = 0;
  for (const tier of tiers) if (tier.maxLeverage >= leverage) limit = tier.upTo;
  return limit;
}
