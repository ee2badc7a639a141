/**
 * Passes the rows of one symbol and kind to their stream: scales them, keeps time from going backwards, drops invalid rows.
 * size: one function a kind
 */
import { BUY, SELL } from '../../domain/codes.ts';
import { POW10 } from '../../domain/amounts/scale.ts';
import { FIRST, SIDE, TIME } from '../formats/format.ts';
import { UNTOLD, type RowValues } from './lines/csv-lines.ts';
import type { TapeErrorCode } from '../file/error.ts';
import type { DropReason, Drops } from './drops.ts';
import { storedRate } from '../file/funding-rates.ts';
import type { TapeKind } from '../file/manifest.ts';
import { OutlierWatch } from './outliers.ts';
import type { StreamWriter } from '../write/stream-writer.ts';
import { SYNTHETIC_MAX_MS, type TimeUnit } from './times/times.ts';

/** How rows are taken. */
export interface ImportReading {
  /** How far a row may be before the one above it. */
  readonly backwardsMs: number;
  readonly unit: TimeUnit;
  /** Added to the times of this kind, milliseconds. */
  readonly shiftMs: Readonly<Partial<Record<TapeKind, number>>>;
  /** Rows to leave out, by "SYMBOL kind": numbers that OutlierWatch gave in a pass before. */
  readonly outliers: ReadonlyMap<string, ReadonlySet<number>>;
  /** Coins in a contract, for sizes that count contracts: digits and decimals. */
  readonly contract: { readonly digits: number; readonly decimals: number } | null;
}

export interface FilePart {
  readonly rowsOut: number;
  readonly dropped: Drops;
  readonly clamped: number;
  readonly clampedMsMax: number;
  /** Trades whose side the file does not tell. */
  readonly sidesGuessed: number;
}

export interface RowProblem {
  readonly code: TapeErrorCode;
  readonly what: string;
  readonly hint: string;
}

export interface StreamImportOptions {
  readonly symbol: string;
  readonly kind: TapeKind;
  readonly writer: StreamWriter;
  readonly reading: ImportReading;
  readonly barMs: number;
  readonly isQuoteVolume: boolean;
}

/** So many trades back a repeated id is recognised. */
const RECENT = 4096;
/** Milliseconds from 1973 to 5138. */
const TIME_MIN = 1e11;
const TIME_MAX = 1e14;
/** Decimals of a volume that was divided by the close. */
const QUOTE_VOLUME_DECIMALS = 3;
const FAR: Readonly<Record<TapeKind, number>> = { trades: 1.2, quotes: 1.2, bars: 3, marks: 1.2, funding: Infinity };

export class StreamImport {
  readonly symbol: string;
  readonly kind: TapeKind;
  readonly outliers: OutlierWatch;
  readonly #writer: StreamWriter;
  readonly #reading: ImportReading;
  readonly #options: StreamImportOptions;
  readonly #skipped: ReadonlySet<number> | undefined;
  readonly #shiftMs: number;
  readonly #recent: Float64Array;
  #dropped = new Map<DropReason, number>();
  #rowNumber = -1;
  #isSynthetic = false;
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
  #sidesGuessed = 0;
  #lastPrice = 0;
  #lastSide = BUY as number;
  #lastValue = Number.NaN;

  constructor(options: StreamImportOptions) {
    const { symbol, kind, writer, reading } = options;
    this.symbol = symbol;
    this.kind = kind;
    this.#options = options;
    this.#writer = writer;
    this.#reading = reading;
    this.#shiftMs = reading.shiftMs[kind] ?? 0;
    this.#skipped = reading.outliers.get(`${symbol} ${kind}`);
    this.#recent = new Float64Array(kind === 'trades' ? RECENT : 0).fill(-1);
    this.outliers = new OutlierWatch(FAR[kind]);
  }

  /** Decimals as the source wrote them. */
  get written(): { readonly priceDecimals: number; readonly sizeDecimals: number } {
    return { priceDecimals: this.#writtenPrice, sizeDecimals: this.#writtenSize };
  }

  beginFile(): void {
    this.#boundary = this.#writer.lastTime;
    this.#rowsBefore = this.#writer.rows;
    this.#dropped = new Map();
    this.#clamped = 0;
    this.#clampedMsMax = 0;
    this.#sidesGuessed = 0;
  }

  endFile(): FilePart {
    return {
      rowsOut: this.#writer.rows - this.#rowsBefore,
      dropped: Object.fromEntries(this.#dropped),
      clamped: this.#clamped,
      clampedMsMax: this.#clampedMsMax,
      sidesGuessed: this.#sidesGuessed,
    };
  }

  /** Writes the row, or drops and counts it; a row that stops the import gives its problem. */
  take(row: RowValues): RowProblem | null {
    const number = ++this.#rowNumber;
    const told = row.value[TIME]!;
    const isSynthetic = told < SYNTHETIC_MAX_MS && (this.#reading.unit === 'auto' || this.#reading.unit === 'ms');
    if (number === 0) this.#isSynthetic = isSynthetic;
    if (isSynthetic !== this.#isSynthetic || !(isSynthetic || (told >= TIME_MIN && told < TIME_MAX)))
      return badTime(told, this.#reading.unit);
    const time = told + this.#shiftMs;
    if (this.#skipped?.has(number)) return this.#drop('outlier');
    switch (this.kind) {
      case 'trades':
        return this.#trade(row, number, time);
      case 'quotes':
        return this.#quote(row, number, time);
      case 'bars':
        return this.#bar(row, number, time);
      case 'marks':
        return this.#mark(row, number, time);
      case 'funding':
        return this.#funding(row, time);
    }
  }

  #drop(reason: DropReason): null {
    this.#dropped.set(reason, (this.#dropped.get(reason) ?? 0) + 1);
    return null;
  }

  #trade(row: RowValues, number: number, time: number): RowProblem | null {
    const { value } = row;
    const id = value[FIRST]!;
    if (id >= 0 && id <= this.#idMax) {
      if (this.#recent.includes(id)) return this.#drop('duplicate-id');
      if (time < this.#boundary) return this.#drop('overlap');
    } else if (id < 0 && time <= this.#boundary) return this.#drop('overlap');
    const bad = notPositive(value[FIRST + 1]!, value[FIRST + 2]!);
    if (bad !== null) return this.#drop(bad);
    const late = this.#late(time);
    if (late !== null) return late;
    this.#fit(row, FIRST + 1, FIRST + 2);
    const price = scaled(row, FIRST + 1, this.#priceDecimals);
    const size = this.#coins(row, FIRST + 2);
    if (!(price <= Number.MAX_SAFE_INTEGER && size <= Number.MAX_SAFE_INTEGER)) return this.#tooWide();
    this.outliers.see(number, plain(row, FIRST + 1), time);
    const kept = id >= 0 ? id : this.#idMax + 1;
    this.#writer.trade(Math.max(time, this.#writer.lastTime), kept, price, size, this.#sideOf(row, plain(row, FIRST + 1)));
    this.#recent[this.#recentAt] = kept;
    this.#recentAt = (this.#recentAt + 1) % RECENT;
    if (kept > this.#idMax) this.#idMax = kept;
    return null;
  }

  /** As told; else that of the last move of the price (the tick rule of Lee and Ready). */
  #sideOf(row: RowValues, price: number): number {
    let side = row.value[SIDE]!;
    if (side === UNTOLD) {
      this.#sidesGuessed++;
      side = price > this.#lastPrice ? BUY : price < this.#lastPrice ? SELL : this.#lastSide;
    }
    this.#lastPrice = price;
    this.#lastSide = side;
    return side;
  }

  #quote(row: RowValues, number: number, time: number): RowProblem | null {
    const { value } = row;
    if (time < this.#boundary) return this.#drop('overlap');
    const bad = notPositive(value[FIRST]!, value[FIRST + 1]!) ?? notPositive(value[FIRST + 2]!, value[FIRST + 3]!);
    if (bad !== null) return this.#drop(bad);
    const decimals = Math.max(row.decimals[FIRST]!, row.decimals[FIRST + 2]!);
    const spread = scaled(row, FIRST + 2, decimals) - scaled(row, FIRST, decimals);
    if (spread <= 0) return this.#drop(spread < 0 ? 'crossed' : 'locked');
    const late = this.#late(time);
    if (late !== null) return late;
    this.#fit(row, FIRST, FIRST + 1);
    this.#fit(row, FIRST + 2, FIRST + 3);
    const bid = scaled(row, FIRST, this.#priceDecimals);
    const bidSize = this.#coins(row, FIRST + 1);
    const ask = scaled(row, FIRST + 2, this.#priceDecimals);
    const askSize = this.#coins(row, FIRST + 3);
    if (!(ask <= Number.MAX_SAFE_INTEGER && Math.max(bidSize, askSize) <= Number.MAX_SAFE_INTEGER)) return this.#tooWide();
    this.outliers.see(number, plain(row, FIRST + 2), time);
    this.#writer.quote(Math.max(time, this.#writer.lastTime), bid, bidSize, ask, askSize);
    return null;
  }

  #bar(row: RowValues, number: number, time: number): RowProblem | null {
    const { value } = row;
    const last = this.#writer.lastTime;
    if (time <= this.#boundary) return this.#drop('overlap');
    if (time === last) return this.#drop('duplicate-time');
    for (let slot = FIRST; slot < FIRST + 4; slot++) {
      const bad = notPositive(value[slot]!, 1);
      if (bad !== null) return this.#drop(bad);
    }
    if (Number.isNaN(value[FIRST + 4]!)) return this.#drop('empty-cell');
    if (value[FIRST + 4]! < 0) return this.#drop('negative');
    const { barMs } = this.#options;
    if (last >= 0 && (time < last || (time - last) % barMs !== 0)) return this.#offBeat(time, last);
    if (this.#options.isQuoteVolume) this.#toCoins(row);
    this.#fit(row, FIRST, FIRST + 4);
    for (let slot = FIRST + 1; slot < FIRST + 4; slot++) this.#fit(row, slot, FIRST + 4);
    const at = this.#priceDecimals;
    const open = scaled(row, FIRST, at);
    const high = scaled(row, FIRST + 1, at);
    const low = scaled(row, FIRST + 2, at);
    const close = scaled(row, FIRST + 3, at);
    const volume = this.#coins(row, FIRST + 4);
    if (!(high <= Number.MAX_SAFE_INTEGER && volume <= Number.MAX_SAFE_INTEGER)) return this.#tooWide();
    if (high < low || high < Math.max(open, close) || low > Math.min(open, close)) return this.#drop('impossible-bar');
    const far = FAR.bars;
    const wild = high > Math.max(open, close) * far ? FIRST + 1 : low * far < Math.min(open, close) ? FIRST + 2 : FIRST + 3;
    this.outliers.see(number, plain(row, wild), time);
    this.#writer.bar(time, open, high, low, close, volume);
    return null;
  }

  #mark(row: RowValues, number: number, time: number): RowProblem | null {
    if (time <= this.#boundary) return this.#drop('overlap');
    const bad = notPositive(row.value[FIRST]!, 1);
    if (bad !== null) return this.#drop(bad);
    const price = plain(row, FIRST);
    if (price === this.#lastValue) return this.#drop('unchanged');
    const late = this.#late(time);
    if (late !== null) return late;
    this.#lastValue = price;
    this.#fit(row, FIRST, -1);
    this.outliers.see(number, price, time);
    this.#writer.single(Math.max(time, this.#writer.lastTime), scaled(row, FIRST, this.#priceDecimals));
    return null;
  }

  #funding(row: RowValues, time: number): RowProblem | null {
    if (time <= this.#boundary) return this.#drop('overlap');
    if (Number.isNaN(row.value[FIRST]!)) return this.#drop('empty-cell');
    const rate = storedRate(row.value[FIRST]!, row.decimals[FIRST]!);
    if (Number.isNaN(rate)) return { code: 'range', what: 'a funding rate below 1 (100 %) was expected, found more', hint: HINT };
    const late = this.#late(time);
    if (late !== null) return late;
    this.#writer.single(Math.max(time, this.#writer.lastTime), rate);
    return null;
  }

  /** A row too far before the last; one a little before it is counted, and taken as of the last one's time. */
  #late(time: number): RowProblem | null {
    const last = this.#writer.lastTime;
    if (time >= last) return null;
    if (time < last - this.#reading.backwardsMs) return this.#tooFarBack(time, last);
    this.#clamped++;
    if (last - time > this.#clampedMsMax) this.#clampedMsMax = last - time;
    return null;
  }

  /** Goes on at more decimals when this price or size has more than any before. `size` −1: there is none. */
  #fit(row: RowValues, price: number, size: number): void {
    const { decimals, written } = row;
    if (written[price]! > this.#writtenPrice) this.#writtenPrice = written[price]!;
    const contract = size < 0 ? 0 : (this.#reading.contract?.decimals ?? 0);
    const sizeDecimals = size < 0 ? 0 : decimals[size]! + contract;
    if (size >= 0 && written[size]! + contract > this.#writtenSize) this.#writtenSize = written[size]! + contract;
    if (decimals[price]! <= this.#priceDecimals && sizeDecimals <= this.#sizeDecimals) return;
    this.#priceDecimals = Math.max(this.#priceDecimals, decimals[price]!);
    this.#sizeDecimals = Math.max(this.#sizeDecimals, sizeDecimals);
    this.#writer.refine(this.#priceDecimals, this.#sizeDecimals);
  }

  /** A size at the stream's decimals, in coins. */
  #coins(row: RowValues, slot: number): number {
    const { contract } = this.#reading;
    if (contract === null) return scaled(row, slot, this.#sizeDecimals);
    return row.value[slot]! * contract.digits * POW10[this.#sizeDecimals - row.decimals[slot]! - contract.decimals]!;
  }

  /** Volume in the quote coin divided by the close, cut off. */
  #toCoins(row: RowValues): void {
    const slot = FIRST + 4;
    const coins = plain(row, slot) / plain(row, FIRST + 3);
    row.value[slot] = Math.floor(coins * POW10[QUOTE_VOLUME_DECIMALS]!);
    row.decimals[slot] = QUOTE_VOLUME_DECIMALS;
    row.written[slot] = QUOTE_VOLUME_DECIMALS;
  }

  #tooFarBack(time: number, last: number): RowProblem {
    return {
      code: 'order',
      what: `a time of at least ${last} − ${this.#reading.backwardsMs} ms was expected, found ${time}`,
      hint: `sort the file by time; rows may be at most ${this.#reading.backwardsMs} ms out of order`,
    };
  }

  #offBeat(time: number, last: number): RowProblem {
    const { barMs } = this.#options;
    return {
      code: 'order',
      what: `a bar some whole ${barMs / 1000} s after the one at ${new Date(last).toISOString()} was expected, found one at ${new Date(time).toISOString()}`,
      hint: 'sort the file by time; bars of two lengths belong on two tapes; --timeframe says the length when it is guessed wrongly',
    };
  }

  #tooWide(): RowProblem {
    const what = `${this.kind} at ${this.#priceDecimals} price and ${this.#sizeDecimals} size decimals were expected to be below 2^53, found more`;
    return { code: 'range', what, hint: HINT };
  }
}

function scaled(row: RowValues, slot: number, decimals: number): number {
  return row.value[slot]! * POW10[decimals - row.decimals[slot]!]!;
}

/** The value as a double: to compare, not to keep. */
function plain(row: RowValues, slot: number): number {
  return row.value[slot]! / POW10[row.decimals[slot]!]!;
}

/** Why a price and its size are none, or null. */
function notPositive(price: number, size: number): DropReason | null {
  if (price > 0 && size > 0) return null;
  if (Number.isNaN(price) || Number.isNaN(size)) return 'empty-cell';
  if (price < 0 || size < 0) return 'negative';
  return price === 0 ? 'zero-price' : 'zero-size';
}

function badTime(time: number, unit: TimeUnit): RowProblem {
  const written = unit === 's' ? time / 1000 : unit === 'us' ? time * 1000 : unit === 'ns' ? time * 1e6 : time;
  const like = written < TIME_MIN ? 's' : written < TIME_MAX ? 'ms' : written < 1e17 ? 'us' : 'ns';
  return {
    code: 'malformed',
    what: `time: ${UNIT_WORDS[unit]} since 1970, of 1973 or later, were expected, found ${written}`,
    hint:
      unit === 'auto'
        ? 'name the column of the time with --time-column'
        : `these look like ${UNIT_WORDS[like]}: say so with --time-unit ${like}`,
  };
}

const UNIT_WORDS: Readonly<Record<TimeUnit, string>> = {
  auto: 'seconds, milliseconds, microseconds or nanoseconds',
  s: 'seconds',
  ms: 'milliseconds',
  us: 'microseconds',
  ns: 'nanoseconds',
};

const HINT = 'correct or remove the line; nothing was written';
