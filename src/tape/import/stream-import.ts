/** Takes the scanned rows of one symbol and kind to their stream: scales them, keeps time from going backwards, drops what is no market. */
import { POW10 } from '../../domain/scale.ts';
import { FIRST, SIDE, TIME } from './csv-header.ts';
import type { LineScanner, TimeUnit } from './csv-lines.ts';
import type { TapeErrorCode } from '../error.ts';
import type { TapeKind } from '../manifest.ts';
import type { StreamWriter } from '../stream-writer.ts';
import type { TapeWriter } from '../write.ts';

/**
 * Why a row is not on the tape: a trade whose id was just seen; a row from before the end of the file before; a price or size that
 * is not above zero; a bid at or above its ask.
 */
const DROP_REASONS = ['duplicate-id', 'overlap', 'not-positive', 'crossed'] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** How times are read: how far a row may be before the one above it, and what they count. */
export interface ImportReading {
  readonly backwardsMs: number;
  readonly unit: TimeUnit;
}

export interface FilePart {
  readonly rowsOut: number;
  readonly dropped: Partial<Record<DropReason, number>>;
  readonly clamped: number;
  readonly clampedMsMax: number;
}

export interface RowProblem {
  readonly code: TapeErrorCode;
  readonly what: string;
  readonly hint: string;
}

const DUPLICATE = 0;
const OVERLAP = 1;
const NOT_POSITIVE = 2;
const CROSSED = 3;
/** So many trades back a repeated id is recognised. */
const RECENT = 4096;
/**
 * Milliseconds from 1973 to 5138. Seconds of today, read as milliseconds, are days of 1970; microseconds are beyond the end. Times
 * in the first hours of 1970 cannot be real times in seconds: such times are synthetic and taken as they are.
 */
const TIME_MIN = 1e11;
const TIME_MAX = 1e14;
const MADE_UP_MAX = 1e8;

export class StreamImport {
  readonly #kind: TapeKind;
  readonly #trades: boolean;
  readonly #symbol: Buffer;
  readonly #tape: TapeWriter;
  readonly #writer: StreamWriter;
  readonly #reading: ImportReading;
  readonly #recent: Float64Array;
  readonly #dropped = new Float64Array(DROP_REASONS.length);
  #recentAt = 0;
  #idMax = -1;
  #priceDecimals = 0;
  #sizeDecimals = 0;
  #writtenPrice = 0;
  #writtenSize = 0;
  /** Time of the last row of the files before. */
  #boundary = -1;
  #rowsBefore = 0;
  #clamped = 0;
  #clampedMsMax = 0;

  /** @throws TapeError range when the symbol cannot name a file */
  constructor(symbol: string, kind: TapeKind, tape: TapeWriter, reading: ImportReading) {
    this.#kind = kind;
    this.#trades = kind === 'trades';
    this.#symbol = Buffer.from(symbol, 'latin1');
    this.#tape = tape;
    this.#writer = tape.stream(symbol, kind, { priceDecimals: 0, sizeDecimals: 0 });
    this.#reading = reading;
    this.#recent = new Float64Array(this.#trades ? RECENT : 0).fill(-1);
  }

  /** Whether these bytes are its symbol. */
  isFor(bytes: Uint8Array, start: number, end: number): boolean {
    const symbol = this.#symbol;
    if (end - start !== symbol.length) return false;
    for (let i = 0; i < symbol.length; i++) if (bytes[start + i] !== symbol[i]) return false;
    return true;
  }

  beginFile(): void {
    this.#boundary = this.#writer.lastTime;
    this.#rowsBefore = this.#writer.rows;
    this.#dropped.fill(0);
    this.#clamped = 0;
    this.#clampedMsMax = 0;
  }

  endFile(): FilePart {
    this.#tape.noteWritten(this.#symbol.toString('latin1'), { priceDecimals: this.#writtenPrice, sizeDecimals: this.#writtenSize });
    const dropped: Partial<Record<DropReason, number>> = {};
    for (const [i, reason] of DROP_REASONS.entries()) if (this.#dropped[i]! > 0) dropped[reason] = this.#dropped[i]!;
    return { rowsOut: this.#writer.rows - this.#rowsBefore, dropped, clamped: this.#clamped, clampedMsMax: this.#clampedMsMax };
  }

  /** Writes the scanned row, or drops and counts it; a row that stops the import gives its problem. */
  take(line: LineScanner): RowProblem | null {
    const verdict = this.#trades ? this.#judgeTrade(line) : this.#judgeQuote(line);
    if (verdict >= 0) {
      this.#dropped[verdict]!++;
      return null;
    }
    const time = line.value[TIME]!;
    const isSynthetic = time < MADE_UP_MAX && this.#reading.unit === 'ms';
    if (!isSynthetic && !(time >= TIME_MIN && time < TIME_MAX)) return badTime(time, this.#reading.unit);
    const last = this.#writer.lastTime;
    if (time < last - this.#reading.backwardsMs) return this.#tooFarBack(time, last);
    if (time < last) {
      this.#clamped++;
      if (last - time > this.#clampedMsMax) this.#clampedMsMax = last - time;
    }
    return this.#trades ? this.#writeTrade(line, Math.max(time, last)) : this.#writeQuote(line, Math.max(time, last));
  }

  /** The reason to drop the trade, or −1. */
  #judgeTrade(line: LineScanner): number {
    const id = line.value[FIRST]!;
    if (id <= this.#idMax) {
      if (this.#recent.includes(id)) return DUPLICATE;
      if (line.value[TIME]! < this.#boundary) return OVERLAP;
    }
    return line.value[FIRST + 1]! > 0 && line.value[FIRST + 2]! > 0 ? -1 : NOT_POSITIVE;
  }

  /** The reason to drop the quote, or −1. */
  #judgeQuote(line: LineScanner): number {
    const value = line.value;
    if (value[TIME]! < this.#boundary) return OVERLAP;
    if (!(value[FIRST]! > 0 && value[FIRST + 1]! > 0 && value[FIRST + 2]! > 0 && value[FIRST + 3]! > 0)) return NOT_POSITIVE;
    const decimals = Math.max(line.decimals[FIRST]!, line.decimals[FIRST + 2]!);
    return scaled(line, FIRST, decimals) >= scaled(line, FIRST + 2, decimals) ? CROSSED : -1;
  }

  #writeTrade(line: LineScanner, time: number): RowProblem | null {
    this.#fit(line, FIRST + 1, FIRST + 2);
    const id = line.value[FIRST]!;
    const price = scaled(line, FIRST + 1, this.#priceDecimals);
    const size = scaled(line, FIRST + 2, this.#sizeDecimals);
    if (!(price <= Number.MAX_SAFE_INTEGER && size <= Number.MAX_SAFE_INTEGER)) return this.#tooWide();
    this.#writer.trade(time, id, price, size, line.value[SIDE]!);
    this.#recent[this.#recentAt] = id;
    this.#recentAt = (this.#recentAt + 1) % RECENT;
    if (id > this.#idMax) this.#idMax = id;
    return null;
  }

  #writeQuote(line: LineScanner, time: number): RowProblem | null {
    this.#fit(line, FIRST, FIRST + 1);
    this.#fit(line, FIRST + 2, FIRST + 3);
    const bid = scaled(line, FIRST, this.#priceDecimals);
    const bidSize = scaled(line, FIRST + 1, this.#sizeDecimals);
    const ask = scaled(line, FIRST + 2, this.#priceDecimals);
    const askSize = scaled(line, FIRST + 3, this.#sizeDecimals);
    if (!(ask <= Number.MAX_SAFE_INTEGER && Math.max(bidSize, askSize) <= Number.MAX_SAFE_INTEGER)) return this.#tooWide();
    this.#writer.quote(time, bid, bidSize, ask, askSize);
    return null;
  }

  /** Goes on at more decimals when this price or size has more than any before. */
  #fit(line: LineScanner, price: number, size: number): void {
    if (line.written[price]! > this.#writtenPrice) this.#writtenPrice = line.written[price]!;
    if (line.written[size]! > this.#writtenSize) this.#writtenSize = line.written[size]!;
    if (line.decimals[price]! <= this.#priceDecimals && line.decimals[size]! <= this.#sizeDecimals) return;
    this.#priceDecimals = Math.max(this.#priceDecimals, line.decimals[price]!);
    this.#sizeDecimals = Math.max(this.#sizeDecimals, line.decimals[size]!);
    this.#writer.refine(this.#priceDecimals, this.#sizeDecimals);
  }

  #tooFarBack(time: number, last: number): RowProblem {
    return {
      code: 'order',
      what: `a time of at least ${last} − ${this.#reading.backwardsMs} ms was expected, found ${time}`,
      hint: `sort the file by ts; rows may be at most ${this.#reading.backwardsMs} ms out of order`,
    };
  }

  #tooWide(): RowProblem {
    const what = `${this.#kind} at ${this.#priceDecimals} price and ${this.#sizeDecimals} size decimals were expected to be below 2^53, found more`;
    return { code: 'range', what, hint: HINT };
  }
}

function scaled(line: LineScanner, slot: number, decimals: number): number {
  return line.value[slot]! * POW10[decimals - line.decimals[slot]!]!;
}

function badTime(time: number, unit: TimeUnit): RowProblem {
  const written = unit === 's' ? time / 1000 : unit === 'us' ? time * 1000 : time;
  const like = written < TIME_MIN ? 's' : written < TIME_MAX ? 'ms' : 'us';
  return {
    code: 'malformed',
    what: `ts: ${UNIT_WORDS[unit]} since 1970, of 1973 or later, were expected, found ${written}`,
    hint: `these look like ${UNIT_WORDS[like]}: say so with --time-unit ${like}`,
  };
}

const UNIT_WORDS: Readonly<Record<TimeUnit, string>> = { s: 'seconds', ms: 'milliseconds', us: 'microseconds' };

const HINT = 'correct or remove the line; nothing was written';
