/** Reads times: seconds, milliseconds, microseconds or nanoseconds since 1970, told apart by their size, or dates of a known form. */
import { DAY_MS } from '../../../base/time/time-spans.ts';
import { offsetMs, type TimeZone } from './time-zone.ts';

/** `auto`: by the number of digits, row by row. */
export type TimeUnit = 'auto' | 's' | 'ms' | 'us' | 'ns';
/** What a time was seen to be written in. `synthetic`: milliseconds of 1970, which no recording has. */
export type SeenUnit = Exclude<TimeUnit, 'auto'> | 'date' | 'synthetic';

/** Forms of dates. Between year, month and day is the same one of "-", "." and "/"; a time of the day and a zone may follow. */
export const DATE_FORMS = ['YYYY-MM-DD', 'DD/MM/YYYY', 'MM/DD/YYYY', 'DD/MM/YY', 'MM/DD/YY', 'YYYYMMDD'] as const;
export type DateForm = (typeof DATE_FORMS)[number];

/** How the times of a file are written. */
export interface TimeReading {
  readonly unit: TimeUnit;
  /** Null: numbers. */
  readonly form: DateForm | null;
  /** Of dates without one. Null: UTC. */
  readonly zone: TimeZone | null;
  /** The time of the day is in a column of its own. */
  readonly isSplit: boolean;
}

/** What `read` and `readTimeOfDay` give for what is no time. */
export const NO_TIME = -1;

/**
 * Milliseconds of today have 13 digits. Seconds in the first day of 1970 cannot be real times: such times are synthetic and taken as
 * milliseconds, as they are.
 */
export const SYNTHETIC_MAX_MS = 1e8;
const KEPT_DIGITS = 16;
/** Years of two digits up to this one are of this century. */
const CENTURY_TURN = 69;

export class TimeReader {
  /** What the last time that was read was written in. */
  seen: SeenUnit = 'ms';
  readonly #unit: TimeUnit;
  readonly form: DateForm | null;
  readonly #zone: TimeZone | null;
  readonly #isSplit: boolean;
  #at = 0;

  constructor({ unit, form, zone, isSplit }: TimeReading) {
    this.#unit = unit;
    this.form = form;
    this.#zone = zone;
    this.#isSplit = isSplit;
  }

  /** Whole milliseconds, cut off; NO_TIME for what is no time. Of a split time only the date, to which `joined` adds the time of the day. */
  read(bytes: Uint8Array, start: number, end: number): number {
    return this.form === null ? this.#number(bytes, start, end) : this.#date(bytes, start, end);
  }

  /** Milliseconds since midnight; NO_TIME for what is no time of a day. */
  readTimeOfDay(bytes: Uint8Array, start: number, end: number): number {
    this.#at = start;
    const time = this.#timeOfDay(bytes, end);
    return this.#at === end ? time : NO_TIME;
  }

  joined(date: number, timeOfDay: number): number {
    return this.#toUtc(date + timeOfDay);
  }

  #toUtc(local: number): number {
    return this.#zone === null ? local : this.#zone.toUtc(local);
  }

  #number(bytes: Uint8Array, start: number, end: number): number {
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

  /** "2024-01-31", "31.01.2024 12:34:56.789", "20240131 123456", with "T", "AM", "Z" or an offset. */
  #date(bytes: Uint8Array, start: number, end: number): number {
    this.seen = 'date';
    this.#at = start;
    const day = this.#day(bytes, end);
    if (day === NO_TIME) return NO_TIME;
    if (this.#at === end) return this.#isSplit ? day : this.#toUtc(day);
    if (this.#isSplit) return NO_TIME;
    const isSpaced = bytes[this.#at] === 32 || (bytes[this.#at]! | 32) === 116;
    if (!isSpaced && this.form !== 'YYYYMMDD') return NO_TIME;
    if (isSpaced) this.#at++;
    const time = this.#timeOfDay(bytes, end);
    if (time === NO_TIME) return NO_TIME;
    if (this.#at < end && bytes[this.#at] === 32) this.#at++;
    if (this.#at === end) return this.#toUtc(day + time);
    const offset = zoneMs(bytes, this.#at, end);
    return Number.isNaN(offset) ? NO_TIME : day + time - offset;
  }

  /** Midnight of the date at #at, which moves to the place after it. */
  #day(bytes: Uint8Array, end: number): number {
    switch (this.form) {
      case 'YYYYMMDD': {
        const year = this.#digits(bytes, end, 4, 4);
        const month = this.#digits(bytes, end, 2, 2);
        return dayOf(year, month, this.#digits(bytes, end, 2, 2));
      }
      case 'YYYY-MM-DD': {
        const year = this.#digits(bytes, end, 4, 4);
        const separator = this.#separator(bytes, 0);
        const month = this.#digits(bytes, end, 1, 2);
        return this.#separator(bytes, separator) === 0 ? NO_TIME : dayOf(year, month, this.#digits(bytes, end, 1, 2));
      }
      default: {
        const first = this.#digits(bytes, end, 1, 2);
        const separator = this.#separator(bytes, 0);
        const second = this.#digits(bytes, end, 1, 2);
        if (this.#separator(bytes, separator) === 0) return NO_TIME;
        const isShort = this.form === 'DD/MM/YY' || this.form === 'MM/DD/YY';
        const year = this.#digits(bytes, end, isShort ? 2 : 4, isShort ? 2 : 4);
        const fullYear = !isShort || year < 0 ? year : year + (year < CENTURY_TURN ? 2000 : 1900);
        const isDayFirst = this.form === 'DD/MM/YYYY' || this.form === 'DD/MM/YY';
        return isDayFirst ? dayOf(fullYear, second, first) : dayOf(fullYear, first, second);
      }
    }
  }

  /** The byte between two parts of a date, which must be `same` if that is not 0; 0 if there is none. */
  #separator(bytes: Uint8Array, same: number): number {
    const byte = bytes[this.#at]!;
    if ((byte !== 45 && byte !== 46 && byte !== 47) || (same !== 0 && byte !== same)) return 0;
    this.#at++;
    return byte;
  }

  /** The number of `least` to `most` digits at #at, which moves on; −1 if there is none. */
  #digits(bytes: Uint8Array, end: number, least: number, most: number): number {
    const start = this.#at;
    let value = 0;
    for (; this.#at < end && this.#at - start < most; this.#at++) {
      const digit = bytes[this.#at]! - 48;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    return this.#at - start < least ? -1 : value;
  }

  /** "9:30", "12:34:56.789", "1234", "123456", "123456789", with AM or PM, at #at, which moves on. */
  #timeOfDay(bytes: Uint8Array, end: number): number {
    const isColon = bytes[this.#at + 1] === 58 || bytes[this.#at + 2] === 58;
    let hour = this.#digits(bytes, end, isColon ? 1 : 2, 2);
    const minute = this.#part(bytes, end, isColon);
    let second = 0;
    let thousandths = 0;
    if (this.#at < end && (isColon ? bytes[this.#at] === 58 : isDigit(bytes[this.#at]!))) {
      second = this.#part(bytes, end, isColon);
      if (this.#at < end && bytes[this.#at] === 46) {
        let stop = this.#at + 1;
        while (stop < end && isDigit(bytes[stop]!)) stop++;
        thousandths = fraction(bytes, this.#at, stop);
        this.#at = stop;
      } else if (!isColon && this.#at < end && isDigit(bytes[this.#at]!)) thousandths = this.#digits(bytes, end, 3, 3);
    }
    const half = this.#half(bytes, end);
    if (half >= 0) {
      if (hour < 1 || hour > 12) return NO_TIME;
      hour = (hour % 12) + half;
    }
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60 || thousandths < 0) return NO_TIME;
    return hour * 3_600_000 + minute * 60_000 + second * 1000 + thousandths;
  }

  #part(bytes: Uint8Array, end: number, isColon: boolean): number {
    if (isColon && bytes[this.#at++] !== 58) return -1;
    return this.#digits(bytes, end, 2, 2);
  }

  /** Hours to add for AM or PM; −1 where neither is there. */
  #half(bytes: Uint8Array, end: number): number {
    const at = bytes[this.#at] === 32 ? this.#at + 1 : this.#at;
    if (at + 1 >= end || (bytes[at + 1]! | 32) !== 109) return -1;
    const letter = bytes[at]! | 32;
    if (letter !== 97 && letter !== 112) return -1;
    this.#at = at + 2;
    return letter === 112 ? 12 : 0;
  }
}

function unitOf(value: number): SeenUnit {
  if (value < SYNTHETIC_MAX_MS) return 'synthetic';
  if (value < 1e11) return 's';
  if (value < 1e14) return 'ms';
  return value < 1e17 ? 'us' : 'ns';
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}

/** The end of ".digits" when that is all there is, else −1. */
function fractionEnd(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] !== 46 || start + 1 === end) return -1;
  for (let at = start + 1; at < end; at++) if (!isDigit(bytes[at]!)) return -1;
  return end;
}

/** Thousandths of ".123456", cut off. */
function fraction(bytes: Uint8Array, point: number, end: number): number {
  let value = 0;
  for (let k = 1; k <= 3; k++) value = value * 10 + (point + k < end ? bytes[point + k]! - 48 : 0);
  return value;
}

/** How far "Z", "UTC", "GMT", "+02", "+0200", "+02:00" or "GMT+0200" is ahead of UTC, milliseconds; NaN for what is no zone. */
function zoneMs(bytes: Uint8Array, start: number, end: number): number {
  const text = Buffer.from(bytes.subarray(start, end)).toString('latin1');
  const found = /^(?:Z|UTC|GMT)?(?:([+-])(\d\d)(?::?(\d\d))?)?$/.exec(text);
  if (found === null) return Number.NaN;
  const [, sign, hours = '0', minutes = '0'] = found;
  return offsetMs(sign, Number(hours), Number(minutes));
}

/** Midnight UTC of a day of the Gregorian calendar, NO_TIME for a day that it does not have. */
function dayOf(year: number, month: number, day: number): number {
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return NO_TIME;
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return (era * 146_097 + dayOfEra - 719_468) * DAY_MS;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
