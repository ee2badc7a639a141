/**
 * Converts decimal strings to scaled integers and back, without floats in between. The rounding is always explicit: `exact` refuses, `down`
 * rounds toward minus infinity, `up` toward plus infinity.
 */
import type { DecimalString } from './units.ts';

export type Rounding = 'exact' | 'down' | 'up';

/** An invalid number; the message says what was expected and found. */
export class ScaleError extends Error {
  override readonly name = 'ScaleError';
  readonly reason: 'syntax' | 'precision' | 'range';
  constructor(reason: 'syntax' | 'precision' | 'range', message: string) {
    super(message);
    this.reason = reason;
  }
}

/** 10^0 … 10^15, each exact as a double. */
export const POW10: readonly number[] = Array.from({ length: 16 }, (_, i) => 10 ** i);

/** 10^n for 0 ≤ n ≤ 15. */
export function pow10(n: number): number {
  const p = POW10[n];
  if (p === undefined) throw new ScaleError('range', `a scale of 0 to 15 decimals was expected, found ${n}`);
  return p;
}

/** Greatest common divisor of two integers of at least 0; for 0 and another number, the other. */
export function greatestCommonDivisor(a: number, b: number): number {
  let x = a;
  let y = b;
  while (y !== 0) {
    const rest = x % y;
    x = y;
    y = rest;
  }
  return x;
}

/**
 * Parses "12.34" at 3 decimals to 12340. Only `-`, digits and one point are allowed: no exponent, plus sign, space or separator.
 * More digits than `decimals` are an error under `exact` unless they are zeros.
 * @throws ScaleError syntax | precision | range (beyond ±(2^53 − 1))
 */
export function parseScaled(text: string, decimals: number, rounding: Rounding = 'exact'): number {
  const n = text.length;
  let i = 0;
  const negative = n > 0 && text.charCodeAt(0) === 45;
  if (negative) i = 1;
  let value = 0;
  let digits = 0;
  let fraction = -1;
  let cut = false;
  for (; i < n; i++) {
    const c = text.charCodeAt(i);
    if (c === 46) {
      if (fraction >= 0) return syntax(text);
      fraction = 0;
      continue;
    }
    const d = c - 48;
    if (d < 0 || d > 9) return syntax(text);
    digits++;
    if (fraction >= 0) {
      if (fraction >= decimals) {
        if (d !== 0) cut = true;
        continue;
      }
      fraction++;
    }
    if (value > 900719925474098) {
      if (value > 900719925474099 || d > 1) return range(text, decimals);
    }
    value = value * 10 + d;
  }
  if (digits === 0 || text.charCodeAt(n - 1) === 46 || text.charCodeAt(negative ? 1 : 0) === 46) return syntax(text);
  for (let k = Math.max(fraction, 0); k < decimals; k++) value *= 10;
  if (!(value <= Number.MAX_SAFE_INTEGER)) return range(text, decimals);
  if (cut) {
    if (rounding === 'exact') {
      throw new ScaleError('precision', `at most ${decimals} decimals were expected, found "${text}"`);
    }
    if ((rounding === 'up') !== negative) value += 1;
  }
  return negative && value !== 0 ? -value : value;
}

/** Formats 12340 at 3 decimals as "12.340". All decimals are written, as on the wire. */
export function formatScaled(value: number, decimals: number): DecimalString {
  if (!Number.isSafeInteger(value)) throw new ScaleError('range', `a safe integer was expected, found ${value}`);
  const digits = String(Math.abs(value));
  const sign = value < 0 ? '-' : '';
  if (decimals === 0) return (sign + digits) as DecimalString;
  if (digits.length <= decimals) return `${sign}0.${digits.padStart(decimals, '0')}` as DecimalString;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}` as DecimalString;
}

/** As formatScaled, without trailing zeros: 12340 at 3 decimals gives "12.34". */
export function formatScaledShort(value: number, decimals: number): DecimalString {
  const text = formatScaled(value, decimals);
  if (decimals === 0) return text;
  let end = text.length;
  while (text.charCodeAt(end - 1) === 48) end--;
  if (text.charCodeAt(end - 1) === 46) end--;
  return text.slice(0, end) as DecimalString;
}

/** Number of decimals that "0.050" has: 3. */
export function writtenDecimals(text: string): number {
  return text.split('.')[1]?.length ?? 0;
}

/** Number of decimals that "0.050" needs: 2. Trailing zeros do not count. */
export function decimalsOf(text: string): number {
  const point = text.indexOf('.');
  if (point < 0) return 0;
  let end = text.length;
  while (end > point + 1 && text.charCodeAt(end - 1) === 48) end--;
  return end - point - 1;
}

/**
 * Fallback with BigInt. V8 treats a call site that it has never seen as a deoptimisation point, so this rare work sits behind a property.
 */
const wide = {
  floor: (a: number, b: number, d: number): number => Number((BigInt(a) * BigInt(b)) / BigInt(d)),
  ceil: (a: number, b: number, d: number): number => Number((BigInt(a) * BigInt(b) + BigInt(d) - 1n) / BigInt(d)),
};

/** floor(a · b / d) for safe integers a ≥ 0, b ≥ 0, d > 0, exact even if a · b exceeds the safe range. */
export function mulDivFloor(a: number, b: number, d: number): number {
  const product = a * b;
  if (product <= Number.MAX_SAFE_INTEGER) return Math.floor(product / d);
  const whole = Math.floor(a / d);
  const rest = (a - whole * d) * b;
  if (rest <= Number.MAX_SAFE_INTEGER && whole * b <= Number.MAX_SAFE_INTEGER) return whole * b + Math.floor(rest / d);
  return wide.floor(a, b, d);
}

/** ceil(a · b / d) for the same arguments. */
export function mulDivCeil(a: number, b: number, d: number): number {
  const product = a * b;
  if (product <= Number.MAX_SAFE_INTEGER) return Math.ceil(product / d);
  const whole = Math.floor(a / d);
  const rest = (a - whole * d) * b;
  if (rest <= Number.MAX_SAFE_INTEGER && whole * b <= Number.MAX_SAFE_INTEGER) return whole * b + Math.ceil(rest / d);
  return wide.ceil(a, b, d);
}

function syntax(text: string): never {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  throw new ScaleError('syntax', `a plain decimal such as "12.5" was expected, found ${JSON.stringify(shown)}`);
}

function range(text: string, decimals: number): never {
  throw new ScaleError('range', `"${text.slice(0, 40)}" at ${decimals} decimals is beyond the exact range of ±(2^53 − 1)`);
}
