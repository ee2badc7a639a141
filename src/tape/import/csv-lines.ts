/** Scans lines of a recording in bytes: numbers become scaled integers by their digits, no string and no float is made. @hot */
import { POW10 } from '../../domain/scale.ts';
import { FIRST, SIDE, SYMBOL, TIME, type CsvLayout } from './csv-header.ts';
import { BUY, SELL } from '../../domain/codes.ts';

/** Most decimals a number may have that are not zeros at its end. */
const DECIMALS_MAX = 15;
const COMMA = 44;
const POINT = 46;

/** Units of recorded times: seconds (with decimals or without), milliseconds, microseconds. */
export type TimeUnit = 's' | 'ms' | 'us';

export class LineScanner {
  /** Digits of each slot's number without its point and without zeros at the end of its fraction. Side: BUY or SELL. */
  readonly value = new Float64Array(6); // hot-ok: construction
  /** How many of those digits are decimals, and how many decimals were written. */
  readonly decimals = new Int32Array(6); // hot-ok: construction
  readonly written = new Int32Array(6); // hot-ok: construction
  /** Where the symbol stands in the scanned bytes. */
  symbolStart = 0;
  symbolEnd = 0;
  /** After a failed scan: the field (its number in the line, from 0) and the place in the bytes. */
  badField = 0;
  badAt = 0;

  readonly #slots: Int32Array;
  readonly #trades: boolean;
  readonly #unit: TimeUnit;

  /** `unit` is what times are written in; after a scan they are whole milliseconds, cut off. */
  constructor(layout: CsvLayout, unit: TimeUnit = 'ms') {
    this.#slots = layout.slots;
    this.#unit = unit;
    this.#trades = layout.kind === 'trades';
  }

  /** Scans the line of bytes [start, end), without its line end. false when a field is not as it must be. */
  scan(bytes: Uint8Array, start: number, end: number): boolean {
    const slots = this.#slots;
    const last = slots.length - 1;
    let at = start;
    for (let field = 0; field <= last; field++) {
      const slot = slots[field]!;
      const stop = slot >= TIME ? this.#take(bytes, at, end, slot) : skip(bytes, at, end);
      if (stop < 0 || (stop === end) !== (field === last)) return this.#bad(field, stop < 0 ? at : stop);
      if (slot === SYMBOL) {
        this.symbolStart = at;
        this.symbolEnd = stop;
      }
      at = stop + 1;
    }
    if (this.#unit !== 'ms') this.value[TIME] = this.#milliseconds();
    return true;
  }

  #milliseconds(): number {
    const value = this.value[TIME]!;
    if (this.#unit === 'us') return Math.floor(value / 1000);
    const decimals = this.decimals[TIME]!;
    return decimals <= 3 ? value * POW10[3 - decimals]! : Math.floor(value / POW10[decimals - 3]!);
  }

  #bad(field: number, at: number): boolean {
    this.badField = field;
    this.badAt = at;
    return false;
  }

  #take(bytes: Uint8Array, at: number, end: number, slot: number): number {
    return slot === SIDE && this.#trades ? this.#side(bytes, at, end) : this.#number(bytes, at, end, slot);
  }

  /** Reads the number at `at` and gives the place of the comma or the end after it; −1 when it is no plain decimal. */
  #number(bytes: Uint8Array, start: number, end: number, slot: number): number {
    const negative = start < end && bytes[start] === 45;
    const first = negative ? start + 1 : start;
    let at = first;
    let value = 0;
    let byte = 0;
    for (; at < end; at++) {
      byte = bytes[at]!;
      if (byte < 48 || byte > 57) break;
      value = value * 10 + (byte - 48);
    }
    if (at === first) return -1;
    let decimals = 0;
    let zeros = 0;
    if (at < end && byte === POINT) {
      const point = at++;
      for (; at < end; at++) {
        byte = bytes[at]!;
        if (byte < 48 || byte > 57) break;
        zeros++;
        if (byte === 48) continue;
        decimals += zeros;
        if (decimals > DECIMALS_MAX) return -1;
        value = value * POW10[zeros]! + (byte - 48);
        zeros = 0;
      }
      if (at === point + 1) return -1;
    }
    if (at < end && byte !== COMMA) return -1;
    if (value > Number.MAX_SAFE_INTEGER) return -1;
    if (negative && slot === TIME) return -1;
    if (decimals > 0 && slot === TIME && this.#unit !== 's') return -1;
    if ((decimals > 0 || negative) && slot === FIRST && this.#trades) return -1;
    this.value[slot] = negative ? -value : value;
    this.decimals[slot] = decimals;
    this.written[slot] = decimals + zeros;
    return at;
  }

  /** BUY or SELL, in either case of letters. */
  #side(bytes: Uint8Array, at: number, end: number): number {
    const stop = skip(bytes, at, end);
    const length = stop - at;
    if (length === 3 && lower(bytes[at]!) === 98 && lower(bytes[at + 1]!) === 117 && lower(bytes[at + 2]!) === 121) this.value[SIDE] = BUY;
    else if (
      length === 4 &&
      lower(bytes[at]!) === 115 &&
      lower(bytes[at + 1]!) === 101 &&
      lower(bytes[at + 2]!) === 108 &&
      lower(bytes[at + 3]!) === 108
    ) {
      this.value[SIDE] = SELL;
    } else return -1;
    return stop;
  }
}

function skip(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== COMMA) at++;
  return at;
}

function lower(byte: number): number {
  return byte | 32;
}
