/** Parsers for flag values. A wrong value is a usage error that says what was expected. */

/** A wrong value. Commander recognises its code and adds the name of the flag. */
export class ValueError extends Error {
  readonly code = 'commander.invalidArgument';
  readonly exitCode = 1;
}

/** A whole number in a range. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || !(value >= min && value <= max)) throw new ValueError(`Expected a whole number from ${min} to ${max}.`);
    return value;
  };
}

/** A number of at least `min`. */
export function numberFrom(min: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isFinite(value) || value < min) throw new ValueError(`Expected a number of at least ${min}.`);
    return value;
  };
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration with its unit ("90m", "1.5h") in milliseconds: above zero, at most ten years. */
export function duration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text);
  const value = match === null ? 0 : Math.round(Number(match[1]) * (UNITS[match[2] ?? ''] ?? 0));
  if (!(value > 0 && value <= 3650 * 86_400_000)) throw new ValueError('Expected a length of time such as 500ms, 30s, 90m, 12h or 7d.');
  return value;
}

/** A number in a range. */
export function numberBetween(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= min && value <= max)) throw new ValueError(`Expected a number from ${min} to ${max}.`);
    return value;
  };
}

/** Milliseconds since 1970, or a date and time such as "2024-08-08T23:55"; UTC unless it has a zone. */
export function moment(text: string): number {
  if (/^\d{10,14}$/.test(text)) return Number(text);
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2})?)?$/.exec(text);
  const time = match === null ? Number.NaN : Date.parse(`${match[1]}T${match[2] ?? '00:00'}${match[3] ?? 'Z'}`);
  if (Number.isNaN(time)) throw new ValueError('Expected milliseconds since 1970 or a UTC time such as 2024-08-08T23:55:00.');
  return time;
}

/** Collects a repeatable "name=value" into one object. */
export function pair(text: string, so: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const equals = text.indexOf('=');
  if (equals < 1) throw new ValueError('Expected name=value.');
  const name = text.slice(0, equals);
  if (Object.hasOwn(so, name)) throw new ValueError(`${name} is given twice.`);
  return { ...so, [name]: text.slice(equals + 1) };
}

/** Collects a repeatable flag into a list. */
export function each(text: string, so: readonly string[] = []): readonly string[] {
  return [...so, text];
}

/** "30%" or "0.3" as a share, at most 90 %. */
export function share(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(%?)$/.exec(text);
  const value = match === null ? Number.NaN : Number(match[1]) / (match[2] === '%' ? 100 : 1);
  if (!(value >= 0 && value <= 0.9)) throw new ValueError('Expected a share from 0% to 90%, such as 30%.');
  return value;
}

/** A price, a share of the price in percent, or a multiple of the average true range. */
export interface SpreadModel {
  readonly kind: 'fixed' | 'percent' | 'atr';
  readonly value: number;
}

/** "0.5" → a price, "0.02%" → a share, "0.1atr" → a multiple of the average true range. */
export function spread(text: string): SpreadModel {
  const found = /^(\d+(?:\.\d+)?)(%|atr)?$/.exec(text);
  if (found === null) throw new ValueError('Expected a price, a share such as 0.02% or a multiple such as 0.1atr.');
  const kind = found[2] === '%' ? 'percent' : found[2] === 'atr' ? 'atr' : 'fixed';
  return { kind, value: Number(found[1]) };
}
