/** Conversions of decimal text without float arithmetic: digits are moved, never computed. */
import type { DecimalString } from '../domain/amounts/units.ts';

const PLAIN = /^-?\d+(?:\.\d+)?$/;
const SCIENTIFIC = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,3})$/;

export function isPlainDecimal(text: string): text is DecimalString {
  return PLAIN.test(text);
}

/** "1e-7" → "0.0000001"; plain notation is unchanged; null for anything else, and beyond 60 places. */
export function plainDecimal(text: string): DecimalString | null {
  if (isPlainDecimal(text)) return text;
  const parts = SCIENTIFIC.exec(text);
  if (parts === null) return null;
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = parts;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > 60) return null;
  const digits = whole + fraction;
  const point = whole.length + exponent;
  const before = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  const after = point > 0 ? digits.slice(point) : '0'.repeat(-point) + digits;
  const kept = after.replace(/0+$/, '');
  const body = before.replace(/^0+(?=\d)/, '') + (kept === '' ? '' : `.${kept}`);
  return `${sign}${body}` as DecimalString;
}
