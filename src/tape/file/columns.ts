/** Makes a block's columns the columns of a cursor: which there are, on what grid, in what kind of array. */
import { columnBytes, decodeBits, decodeColumn } from './codec.ts';
import type { BlockHead } from './block.ts';
import { TapeError } from './error.ts';
import type { StreamInfo, SymbolInfo, TapeKind } from './manifest.ts';
import type { Column } from './stream.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { greatestCommonDivisor, pow10 } from '../../domain/amounts/scale.ts';

/** The grid a symbol's prices and sizes are wanted on: an Instrument is one. */
export type Grid = Pick<Instrument, 'priceDecimals' | 'tickStep' | 'sizeDecimals' | 'lotStep'>;

export type Measure = 'plain' | 'price' | 'size';
/** What the columns after time measure: id, price, size; bid, bid size, ask, ask size; open, high, low, close, volume; mark price; rate. A trade's side is bits and not among them. */
export const MEASURES: Readonly<Record<TapeKind, readonly Measure[]>> = {
  trades: ['plain', 'price', 'size'],
  quotes: ['price', 'size', 'price', 'size'],
  bars: ['price', 'price', 'price', 'price', 'size'],
  marks: ['price'],
  funding: ['plain'],
};

/** The columns of each kind beside the time, in the order of `MEASURES`. */
export const COLUMN_NAMES: Readonly<Record<TapeKind, readonly string[]>> = {
  trades: ['id', 'price', 'size'],
  quotes: ['bid', 'bid size', 'ask', 'ask size'],
  bars: ['open', 'high', 'low', 'close', 'volume'],
  marks: ['mark price'],
  funding: ['rate'],
};

const INT32_MAX = 2_147_483_647;

/** What a stream's integers are multiplied by: target = stored · 10^(decimals − stored decimals) / step. */
export class Scaling {
  readonly #info: StreamInfo;
  readonly #priceDecimals: number;
  readonly #priceStep: number;
  readonly #sizeDecimals: number;
  readonly #sizeStep: number;
  /** True if every price and every size fits 32 bits. */
  readonly narrowPrice: boolean;
  readonly narrowSize: boolean;
  /** True if sizes are cut down to whole lots: volumes of bars are sums, which need not be. */
  readonly cutsSizes: boolean;

  /** @throws TapeError range when values at this grid are beyond 2^53 */
  constructor(info: StreamInfo, scale: SymbolInfo, grid: Grid | undefined) {
    this.#info = info;
    this.#priceDecimals = grid?.priceDecimals ?? scale.priceDecimals;
    this.#priceStep = grid?.tickStep ?? 1;
    this.#sizeDecimals = grid?.sizeDecimals ?? scale.sizeDecimals;
    this.#sizeStep = grid?.lotStep ?? 1;
    const price = info.maxPrice * ratio(scale.priceDecimals, this.#priceDecimals, this.#priceStep);
    const size = info.maxSize * ratio(scale.sizeDecimals, this.#sizeDecimals, this.#sizeStep);
    if (!(price <= Number.MAX_SAFE_INTEGER && size <= Number.MAX_SAFE_INTEGER)) {
      throw new TapeError(
        'range',
        `price or size is too large for this tick or lot: at most 2^53 − 1 of them were expected, found ${Math.max(price, size)}`,
        info.file,
        "check the instrument's decimals",
      );
    }
    this.narrowPrice = price <= INT32_MAX;
    this.cutsSizes = info.kind === 'bars' && !this.#fits(scale.sizeStep, scale.sizeDecimals);
    // A volume is decoded as it is stored, and then cut.
    this.narrowSize = size <= INT32_MAX && !this.cutsSizes;
  }

  /** An array for `rows` values of this measure. */
  column(measure: Measure, rows: number): Column {
    return this.#isNarrow(measure) ? new Int32Array(rows) : new Float64Array(rows);
  }

  /** The same in memory that threads share. */
  sharedColumn(measure: Measure, rows: number): Column {
    return this.#isNarrow(measure) ? new Int32Array(new SharedArrayBuffer(rows * 4)) : new Float64Array(new SharedArrayBuffer(rows * 8));
  }

  #isNarrow(measure: Measure): boolean {
    return measure === 'price' ? this.narrowPrice : measure === 'size' && this.narrowSize;
  }

  /** Cuts stored sizes of `decimals` down to whole lots. */
  cut(sizes: Column, rows: number, decimals: number): void {
    const up = pow10(Math.max(0, this.#sizeDecimals - decimals));
    const down = this.#sizeStep * pow10(Math.max(0, decimals - this.#sizeDecimals));
    for (let row = 0; row < rows; row++) sizes[row] = Math.floor((sizes[row]! * up) / down);
  }

  #fits(step: number, decimals: number): boolean {
    const up = pow10(Math.max(0, this.#sizeDecimals - decimals));
    const down = this.#sizeStep * pow10(Math.max(0, decimals - this.#sizeDecimals));
    return step % (down / greatestCommonDivisor(up, down)) === 0;
  }

  /** What one step of a column of this block counts in the target. @throws TapeError off-grid */
  factor(measure: Measure, step: number, head: BlockHead, firstRow: number): number {
    if (measure === 'plain') return step;
    const price = measure === 'price';
    const stored = price ? head.priceDecimals : head.sizeDecimals;
    const wanted = price ? this.#priceDecimals : this.#sizeDecimals;
    const grid = price ? this.#priceStep : this.#sizeStep;
    const up = pow10(Math.max(0, wanted - stored));
    const down = grid * pow10(Math.max(0, stored - wanted));
    const common = greatestCommonDivisor(up, down);
    if (step % (down / common) === 0) return (step / (down / common)) * (up / common);
    throw new TapeError(
      'off-grid',
      `every ${measure} was expected to be a multiple of ${grid} at ${wanted} decimals, found multiples of ${step} at ${stored} decimals`,
      `${this.#info.file}, rows ${firstRow} to ${firstRow + head.rows - 1}`,
      `check the ${price ? 'tickSize' : 'lotSize'} of ${this.#info.symbol} in the configuration`,
    );
  }
}

/** Decodes the columns of one block one after the other. */
export class ColumnReader {
  #bytes: Buffer = Buffer.alloc(0);
  #view: DataView = new DataView(new ArrayBuffer(0));
  #head: BlockHead | null = null;
  #at = 0;

  start(head: BlockHead, bytes: Buffer): void {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#head = head;
    this.#at = 0;
  }

  /** Decodes the next column. `scaling` says what its steps count. @throws TapeError off-grid */
  column(out: Column, measure: Measure, scaling: Scaling, firstRow: number): void {
    const head = this.#head!;
    const step = this.#view.getFloat64(this.#at + 8, true);
    const isCut = measure === 'size' && scaling.cutsSizes;
    const factor = isCut ? step : scaling.factor(measure, step, head, firstRow);
    decodeColumn(this.#view, this.#bytes, this.#at, head.rows, out, factor);
    if (isCut) scaling.cut(out, head.rows, head.sizeDecimals);
    this.#at += columnBytes(this.#view, this.#at, head.rows);
  }

  /** Passes over the next column. */
  skip(): void {
    this.#at += columnBytes(this.#view, this.#at, this.#head!.rows);
  }

  /** The next column as it is coded, in memory that threads share. */
  coded(): Uint8Array {
    const begin = this.#at;
    this.skip();
    const copy = new Uint8Array(new SharedArrayBuffer(this.#at - begin));
    copy.set(this.#bytes.subarray(begin, this.#at));
    return copy;
  }

  /** The last column of trades. */
  bits(out: Uint8Array): void {
    decodeBits(this.#bytes, this.#at, this.#head!.rows, out);
  }
}

function ratio(from: number, to: number, step: number): number {
  return 10 ** (to - from) / step;
}
