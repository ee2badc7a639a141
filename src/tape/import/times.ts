/** Reads times: seconds, milliseconds, microseconds or nanoseconds since 1970, told apart by their size, or ISO 8601 in UTC. */

/** `auto`: by the number of digits, row by row. */
export type TimeUnit = 'auto' | 's' | 'ms' | 'us' | 'ns';
/** What a time was seen to be written in. `synthetic`: milliseconds of 1970, which no recording has. */
export type SeenUnit = Exclude<TimeUnit, 'auto'> | 'iso' | 'synthetic';

/** What `read` gives for what is no time. */
export const NO_TIME = -1;

/**
 * Milliseconds of today have 13 digits. Seconds in the first day of 1970 cannot be real times: such times are synthetic and taken as
 * milliseconds, as they are.
 */
export const SYNTHETIC_MAX_MS = 1e8;
const KEPT_DIGITS = 16;

export class TimeReader {
  /** What the last time that was read was written in. */
  seen: SeenUnit = 'ms';
  readonly #unit: TimeUnit;

  constructor(unit: TimeUnit) {
    this.#unit = unit;
  }

  /** Whole milliseconds, cut off; NO_TIME for what is no time. */
  read(bytes: Uint8Array, start: number, end: number): number {
    if (end - start >= 10 && bytes[start + 4] === 45 && bytes[start + 7] === 45) {
      this.seen = 'iso';
      return isoTime(bytes, start, end);
    }
    let at = start;
    let value = 0;
    let dropped = 0;
    for (; at < end; at++) {
      const digit = bytes[at]! - 48;
      if (digit < 0 || digit > 9) break;
      if (at - start < KEPT_DIGITS) value = value * 10 + digit;
      else dropped++;
    }
    if (at === start || dropped > 3) return NO_TIME;
    const scale = 10 ** dropped;
    const unit = this.#unit === 'auto' ? unitOf(value * scale) : this.#unit;
    let thousandths = 0;
    if (at < end) {
      // A fraction of seconds is kept; one of smaller units must be zero, as a number that was written as a float has it.
      const stop = fractionEnd(bytes, at, end);
      if (stop < 0) return NO_TIME;
      thousandths = fraction(bytes, at, end);
      if (unit !== 's' && (thousandths !== 0 || this.#unit !== 'auto')) return NO_TIME;
    }
    this.seen = unit;
    if (unit === 's') return value * scale * 1000 + thousandths;
    if (unit === 'us') return Math.floor((value * scale) / 1000);
    if (unit === 'ns') return dropped === 3 ? Math.floor(value / 1000) : Math.floor((value * scale) / 1_000_000);
    return value * scale;
  }
}

function unitOf(value: number): SeenUnit {
  if (value < SYNTHETIC_MAX_MS) return 'synthetic';
  if (value < 1e11) return 's';
  if (value < 1e14) return 'ms';
  return value < 1e17 ? 'us' : 'ns';
}

/** The end of ".digits" when that is all there is, else −1. */
function fractionEnd(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] !== 46 || start + 1 === end) return -1;
  for (let at = start + 1; at < end; at++) if (bytes[at]! < 48 || bytes[at]! > 57) return -1;
  return end;
}

/** Thousandths of ".123456", cut off. */
function fraction(bytes: Uint8Array, point: number, end: number): number {
  let value = 0;
  for (let k = 1; k <= 3; k++) value = value * 10 + (point + k < end ? bytes[point + k]! - 48 : 0);
  return value;
}

/** "2024-01-31", "2024-01-31 12:34:56.789", with "T", "Z" or an offset; without a zone it is UTC. */
function isoTime(bytes: Uint8Array, start: number, end: number): number {
  const year = digits(bytes, start, 4);
  const month = digits(bytes, start + 5, 2);
  const day = digits(bytes, start + 8, 2);
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > 31) return NO_TIME;
  let time = daysOf(year, month, day) * 86_400_000;
  let at = start + 10;
  if (at === end) return time;
  if ((bytes[at] !== 32 && bytes[at] !== 84) || end - at < 6 || bytes[at + 3] !== 58) return NO_TIME;
  const hour = digits(bytes, at + 1, 2);
  const minute = digits(bytes, at + 4, 2);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return NO_TIME;
  time += hour * 3_600_000 + minute * 60_000;
  at += 6;
  if (at < end && bytes[at] === 58) {
    const second = end - at >= 3 ? digits(bytes, at + 1, 2) : -1;
    if (second < 0 || second > 60) return NO_TIME;
    time += second * 1000;
    at += 3;
    if (at < end && bytes[at] === 46) {
      let stop = at + 1;
      while (stop < end && bytes[stop]! >= 48 && bytes[stop]! <= 57) stop++;
      time += fraction(bytes, at, stop);
      at = stop;
    }
  }
  if (at < end && bytes[at] === 32) at++;
  return at === end ? time : zoned(bytes, at, end, time);
}

function zoned(bytes: Uint8Array, at: number, end: number, time: number): number {
  if (end - at === 1 && bytes[at] === 90) return time;
  if (end - at === 3 && bytes[at] === 85 && bytes[at + 1] === 84 && bytes[at + 2] === 67) return time;
  if (end - at < 5 || (bytes[at] !== 43 && bytes[at] !== 45)) return NO_TIME;
  const hours = digits(bytes, at + 1, 2);
  const minutes = digits(bytes, bytes[at + 3] === 58 ? at + 4 : at + 3, 2);
  if (hours < 0 || minutes < 0 || end - at > 6) return NO_TIME;
  const offset = hours * 3_600_000 + minutes * 60_000;
  return bytes[at] === 45 ? time + offset : time - offset;
}

function digits(bytes: Uint8Array, start: number, count: number): number {
  let value = 0;
  for (let at = start; at < start + count; at++) {
    const digit = (bytes[at] ?? 0) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** Days since 1970-01-01 of a day of the Gregorian calendar. */
function daysOf(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}
