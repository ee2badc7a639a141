/** Scans lines of a recording in bytes: numbers become scaled integers by their digits, without strings and floats. @hot */
import { POW10 } from '../../../domain/amounts/scale.ts';
import { FIRST, SIDE, SLOTS, TIME } from '../../formats/format.ts';
import * as readings from './field-readings.ts';
import { BUY, SELL } from '../../../domain/codes.ts';
import { withoutNoise } from './noise.ts';
import { NO_TIME, TimeReader, type TimeReading } from '../times/times.ts';

/** Most decimals a number may have that are not zeros at its end. */
const DECIMALS_MAX = 15;
const POINT = 46;
const QUOTE = 34;
const DIGITS_EXACT = 900_719_925_474_099;
/** A number of 16 digits with more decimals than venues write has a rounding error at its end: floating point has 15 digits that are right. */
export const DIGITS_SURE = 1e15;
export const DECIMALS_SURE = 10;
/** A side that the file does not have. */
export const UNTOLD = 2;

/** How the fields of a line are read: a reading (field-readings.ts) and a slot for each, and the byte between them. */
export interface LineLayout {
  readonly readings: Uint8Array;
  readonly slots: Int32Array;
  readonly delimiter: number;
  /** The byte before decimals: a point, or a comma. */
  readonly point: number;
}

/** A scanned row: what every source of rows gives to StreamImport. */
export interface RowValues {
  /** Digits of each slot's number without its point and without zeros at the end of its fraction; NaN for an empty cell. Side: BUY, SELL or UNTOLD. Time: milliseconds. */
  readonly value: Float64Array;
  /** How many of those digits are decimals, and how many decimals were written. */
  readonly decimals: Int32Array;
  readonly written: Int32Array;
}

export class LineScanner implements RowValues {
  readonly value = new Float64Array(SLOTS);
  readonly decimals = new Int32Array(SLOTS);
  readonly written = new Int32Array(SLOTS);
  /** Where the symbol stands in the scanned bytes; both 0 where the line has none. */
  symbolStart = 0;
  symbolEnd = 0;
  /** After a failed scan: the field (its number in the line, from 0) and the place in the bytes. */
  badField = 0;
  badAt = 0;
  /** Numbers that had rounding errors of floating point. */
  numbersRounded = 0;
  readonly times: TimeReader;

  readonly #readings: Uint8Array;
  readonly #slots: Int32Array;
  readonly #delimiter: number;
  /** Before decimals, without quotes around the number and within. */
  readonly #point: number;
  readonly #quotedPoint: number;
  readonly #isSplit: boolean;
  #timeOfDay = 0;

  /** After a scan times are whole milliseconds, cut off. */
  constructor(layout: LineLayout, times: TimeReading) {
    this.#slots = layout.slots;
    this.#readings = layout.readings;
    this.#delimiter = layout.delimiter;
    this.#quotedPoint = layout.point;
    this.#point = layout.point === layout.delimiter ? POINT : layout.point;
    this.#isSplit = times.isSplit;
    this.times = new TimeReader(times);
    this.value[SIDE] = UNTOLD;
    this.value[FIRST] = -1;
  }

  /** Scans the line of bytes [start, end), without its line end. False if a field is invalid. */
  scan(bytes: Uint8Array, start: number, end: number): boolean {
    const kinds = this.#readings;
    const delimiter = this.#delimiter;
    const last = kinds.length - 1;
    let at = start;
    for (let field = 0; field <= last; field++) {
      const isQuoted = at < end && bytes[at] === QUOTE;
      if (isQuoted) at++;
      const reading = kinds[field]!;
      let stop = at;
      if (reading === readings.NUMBER) stop = this.#number(bytes, at, end, this.#slots[field]!, isQuoted ? this.#quotedPoint : this.#point);
      else if (reading === readings.SKIP || reading === readings.TAG) stop = skip(bytes, at, end, isQuoted ? QUOTE : delimiter);
      else stop = this.#take(bytes, at, end, field, isQuoted ? QUOTE : delimiter);
      if (stop < 0) return this.#bad(field, at);
      if (isQuoted && bytes[stop++] !== QUOTE) return this.#bad(field, at);
      if (stop >= end !== (field === last) || (stop < end && bytes[stop] !== delimiter)) {
        return this.#bad(field, stop >= end || this.#isRest(bytes, stop, end, field) ? Math.min(stop, end) : at);
      }
      at = stop + 1;
    }
    if (this.#isSplit) this.value[TIME] = this.times.joined(this.value[TIME]!, this.#timeOfDay);
    return true;
  }

  /** True if the last expected field is valid, and the line has more fields after it. */
  #isRest(bytes: Uint8Array, stop: number, end: number, field: number): boolean {
    return field === this.#readings.length - 1 && stop < end && bytes[stop] === this.#delimiter;
  }

  #bad(field: number, at: number): boolean {
    this.badField = field;
    this.badAt = at;
    return false;
  }

  /** Reads all that is rarer than a number. */
  #take(bytes: Uint8Array, at: number, end: number, field: number, after: number): number {
    const reading = this.#readings[field]!;
    const slot = this.#slots[field]!;
    if (reading === readings.TIME) {
      const stop = skip(bytes, at, end, after);
      const time = this.times.read(bytes, at, stop);
      if (time === NO_TIME) return -1;
      this.value[TIME] = time;
      return stop;
    }
    if (reading === readings.TIME_OF_DAY) {
      const stop = skip(bytes, at, end, after);
      this.#timeOfDay = this.times.readTimeOfDay(bytes, at, stop);
      return this.#timeOfDay === NO_TIME ? -1 : stop;
    }
    if (reading === readings.SYMBOL) {
      this.symbolStart = at;
      return (this.symbolEnd = skip(bytes, at, end, after));
    }
    if (reading === readings.ID) {
      const stop = this.#number(bytes, at, end, slot, POINT);
      if (stop < 0 || this.decimals[slot]! > 0 || this.value[slot]! < 0) return -1;
      if (Number.isNaN(this.value[slot]!)) this.value[slot] = -1;
      return stop;
    }
    return this.#side(bytes, at, skip(bytes, at, end, after), reading);
  }

  /** Reads the number at `at` and gives the place after it; −1 when it is no decimal. An empty cell is NaN. */
  #number(bytes: Uint8Array, start: number, end: number, slot: number, point: number): number {
    const isNegative = start < end && bytes[start] === 45;
    const first = isNegative ? start + 1 : start;
    let at = first;
    let value = 0;
    let byte = 0;
    for (; at < end; at++) {
      byte = bytes[at]!;
      if (byte < 48 || byte > 57) break;
      value = value * 10 + (byte - 48);
    }
    if (at === first) return this.#empty(bytes, start, end, slot);
    let decimals = 0;
    let zeros = 0;
    if (at < end && byte === point) {
      const before = at++;
      for (; at < end; at++) {
        byte = bytes[at]!;
        if (byte < 48 || byte > 57) break;
        zeros++;
        if (byte === 48) continue;
        decimals += zeros;
        if (decimals > DECIMALS_MAX || value > DIGITS_EXACT) return this.#long(bytes, start, end, slot, point);
        value = value * POW10[zeros]! + (byte - 48);
        zeros = 0;
      }
      if (at === before + 1) return -1;
    }
    this.value[slot] = isNegative ? -value : value;
    this.decimals[slot] = decimals;
    this.written[slot] = decimals + zeros;
    if (at < end && (byte | 32) === 101) return this.#exponent(bytes, at + 1, end, slot);
    if (value < DIGITS_SURE || (value <= Number.MAX_SAFE_INTEGER && decimals <= DECIMALS_SURE)) return at;
    return decimals > 0 ? this.#long(bytes, start, end, slot, point) : -1;
  }

  /**
   * A number of 16 digits or more. Where it cannot be kept as it is, such as 0.30000000000000004, it is read with its first 15 significant
   * digits and counted. Gives the place after it; −1 for more decimals than a number may have.
   */
  #long(bytes: Uint8Array, start: number, end: number, slot: number, point: number): number {
    let stop = start;
    let digits = 0;
    for (; stop < end; stop++) {
      const byte = bytes[stop]!;
      if (byte >= 48 && byte <= 57) digits += digits > 0 || byte > 48 ? 1 : 0;
      else if (byte !== point && byte !== 45) break;
    }
    if (digits < 16 || (stop < end && (bytes[stop]! | 32) === 101)) return -1;
    const clean = withoutNoise(bytes, start, stop);
    this.numbersRounded++;
    return this.#number(clean, 0, clean.length, slot, POINT) < 0 ? -1 : stop;
  }

  /** A cell without a value, or with a word for that. Gives the place after it, or −1. */
  #empty(bytes: Uint8Array, start: number, end: number, slot: number): number {
    let stop = start;
    while (stop < end && bytes[stop] !== this.#delimiter && bytes[stop] !== QUOTE) stop++;
    if (!isNothing(bytes, start, stop)) return -1;
    this.value[slot] = Number.NaN;
    this.decimals[slot] = 0;
    this.written[slot] = 0;
    return stop;
  }

  /** The exponent of a number whose digits were read: "1e-05" is exactly 0.00001. */
  #exponent(bytes: Uint8Array, start: number, end: number, slot: number): number {
    const sign = start < end ? bytes[start] : 0;
    let at = sign === 45 || sign === 43 ? start + 1 : start;
    const first = at;
    let exponent = 0;
    for (; at < end && bytes[at]! >= 48 && bytes[at]! <= 57; at++) exponent = Math.min(99, exponent * 10 + (bytes[at]! - 48));
    if (at === first) return -1;
    let value = this.value[slot]!;
    let decimals = this.decimals[slot]! + (sign === 45 ? exponent : -exponent);
    for (; decimals < 0 && Math.abs(value) <= DIGITS_EXACT; decimals++) value *= 10;
    for (; decimals > 0 && value !== 0 && value % 10 === 0; decimals--) value /= 10;
    if (value === 0) decimals = 0;
    if (decimals < 0 || decimals > DECIMALS_MAX || Math.abs(value) > Number.MAX_SAFE_INTEGER) return -1;
    this.value[slot] = value;
    this.decimals[slot] = decimals;
    this.written[slot] = decimals;
    return at;
  }

  /** Who crossed the spread. Gives the end of the field, or −1. */
  #side(bytes: Uint8Array, at: number, stop: number, reading: number): number {
    const length = stop - at;
    const first = lower(length > 0 ? bytes[at]! : 0);
    let side = -1;
    if (reading === readings.SIDE) {
      if (isWord(bytes, at, length, BUY_WORD) || (length === 1 && first === 98)) side = BUY;
      else if (isWord(bytes, at, length, SELL_WORD) || (length === 1 && first === 115)) side = SELL;
      else if (length === 0 || isWord(bytes, at, length, UNKNOWN_WORD)) side = UNTOLD;
    } else {
      const isTrue = isWord(bytes, at, length, TRUE_WORD) || (length === 1 && bytes[at] === 49);
      const isFalse = isWord(bytes, at, length, FALSE_WORD) || (length === 1 && bytes[at] === 48);
      if (isTrue || isFalse) side = isTrue === (reading === readings.TAKER) ? BUY : SELL;
    }
    if (side < 0) return -1;
    this.value[SIDE] = side;
    return stop;
  }
}

const BUY_WORD = Buffer.from('buy');
const SELL_WORD = Buffer.from('sell');
const TRUE_WORD = Buffer.from('true');
const FALSE_WORD = Buffer.from('false');
const UNKNOWN_WORD = Buffer.from('unknown');
/** What programs write into a cell that has no value. */
const NOTHING = ['', 'nan', 'null', 'none', 'na', 'n/a', '<na>'].map((word) => Buffer.from(word));

function isNothing(bytes: Uint8Array, start: number, stop: number): boolean {
  for (let k = 0; k < NOTHING.length; k++) if (isWord(bytes, start, stop - start, NOTHING[k]!)) return true;
  return false;
}

function isWord(bytes: Uint8Array, at: number, length: number, word: Uint8Array): boolean {
  if (length !== word.length) return false;
  for (let i = 0; i < length; i++) if (lower(bytes[at + i]!) !== word[i]) return false;
  return true;
}

function skip(bytes: Uint8Array, start: number, end: number, until: number): number {
  let at = start;
  while (at < end && bytes[at] !== until) at++;
  return at;
}

function lower(byte: number): number {
  return byte | 32;
}
