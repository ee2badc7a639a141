/** Funding rates on a tape: whole numbers of 10^-12, moved up by one so that none is below zero. */
import { pow10 } from '../../domain/amounts/scale.ts';

const DECIMALS = 12;
/** The unit of rates: 10^-12 of 1. */
export const RATE_UNITS = 1e12;
const ZERO = 1e12;

/** The stored form of a rate of `digits` at `decimals`; NaN for a rate beyond ±100 %. */
export function storedRate(digits: number, decimals: number): number {
  const rate = decimals <= DECIMALS ? digits * pow10(DECIMALS - decimals) : Math.round(digits / pow10(decimals - DECIMALS));
  return Math.abs(rate) < ZERO ? rate + ZERO : Number.NaN;
}

/** The rate in 10^-12. */
export function rateOf(stored: number): number {
  return stored - ZERO;
}
