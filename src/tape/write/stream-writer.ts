/** Writes one stream's file, block by block as rows come in: memory is one block, whatever the length. */
import { crc32 } from 'node:zlib';
import { greatestCommonDivisor, pow10 } from '../../domain/amounts/scale.ts';
import { fileHeader, FILE_HEADER_BYTES, packBlock } from '../file/block.ts';
import { DELTA, PLAIN } from '../file/codec.ts';
import { COLUMN_NAMES, MEASURES, type Measure } from '../file/columns.ts';
import type { ByteSink } from '../file/byte-sink.ts';
import { columnBound, commonStep, encodeBits, encodeColumn } from '../file/encode.ts';
import { TapeError } from '../file/error.ts';
import { GapFinder } from '../file/gaps.ts';
import type { StreamInfo, TapeKind } from '../file/manifest.ts';

/** What a stream's file needs in tape.json, at the stream's own decimals. */
export interface StreamSummary {
  readonly info: StreamInfo;
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
  readonly priceStep: number;
  readonly sizeStep: number;
}

/** Trade sizes jump about and are coded from the block's least; all else moves in small steps. */
const CODINGS: Readonly<Record<TapeKind, readonly number[]>> = {
  trades: [DELTA, DELTA, PLAIN],
  quotes: [DELTA, DELTA, DELTA, DELTA],
  bars: [DELTA, DELTA, DELTA, DELTA, PLAIN],
  marks: [DELTA],
  funding: [DELTA],
};

const scratch = { bytes: Buffer.alloc(0) };

export class StreamWriter {
  readonly symbol: string;
  readonly kind: TapeKind;
  /** Rows appended so far. */
  rows = 0;
  /** Time of the last row, −1 before the first. */
  lastTime = -1;

  readonly #name: string;
  readonly #sink: ByteSink;
  readonly #blockRows: number;
  readonly #time: Float64Array;
  readonly #a: Float64Array;
  readonly #b: Float64Array;
  readonly #c: Float64Array;
  readonly #d: Float64Array;
  readonly #e: Float64Array;
  readonly #side: Uint8Array;
  readonly #gaps: GapFinder;
  #greatest = { price: 0, size: 0 };
  readonly #step = { price: 0, size: 0 };
  readonly #barMs: number | undefined;
  readonly #decimals: { price: number; size: number };
  #length = 0;
  #blocks = 0;
  #from = 0;
  #bytes = FILE_HEADER_BYTES;
  #checksum: number;

  constructor(options: StreamWriterOptions) {
    this.symbol = options.symbol;
    this.kind = options.kind;
    this.#name = options.name;
    this.#sink = options.sink;
    this.#decimals = { price: options.priceDecimals, size: options.sizeDecimals };
    const { blockRows, kind } = options;
    const columns = MEASURES[kind].length;
    const rowsOf = (column: number): number => (column < columns ? blockRows : 0);
    this.#barMs = options.barMs;
    this.#blockRows = blockRows;
    this.#time = new Float64Array(blockRows);
    this.#a = new Float64Array(blockRows);
    this.#b = new Float64Array(rowsOf(1));
    this.#c = new Float64Array(rowsOf(2));
    this.#d = new Float64Array(rowsOf(3));
    this.#e = new Float64Array(rowsOf(4));
    this.#side = new Uint8Array(kind === 'trades' ? blockRows : 0);
    const { after } = options;
    this.#gaps = new GapFinder(options.gapMs, after?.gaps);
    if (after === undefined) {
      const header = fileHeader(options.kind);
      this.#sink.write(header);
      this.#checksum = crc32(header);
      return;
    }
    this.rows = after.rows;
    this.lastTime = after.to;
    this.#from = after.from;
    this.#blocks = after.blocks;
    this.#bytes = after.bytes;
    this.#checksum = after.checksum;
    this.#greatest = { price: after.maxPrice, size: after.maxSize };
  }

  /** Appends a trade: integers at the stream's decimals; `side` is BUY or SELL of domain/codes.ts. @throws TapeError order | range | unwritable */
  trade(time: number, id: number, price: number, size: number, side: number): void {
    const at = this.#room(time);
    this.#a[at] = id;
    this.#b[at] = price;
    this.#c[at] = size;
    this.#side[at] = side;
  }

  /** Appends a quote. @throws TapeError order | range | unwritable */
  quote(time: number, bid: number, bidSize: number, ask: number, askSize: number): void {
    const at = this.#room(time);
    this.#a[at] = bid;
    this.#b[at] = bidSize;
    this.#c[at] = ask;
    this.#d[at] = askSize;
  }

  /** Appends a bar that opened at `time`. @throws TapeError order | range | unwritable */
  bar(time: number, open: number, high: number, low: number, close: number, volume: number): void {
    const at = this.#room(time);
    this.#a[at] = open;
    this.#b[at] = high;
    this.#c[at] = low;
    this.#d[at] = close;
    this.#e[at] = volume;
  }

  /** Appends a mark price or a funding rate. @throws TapeError order | range | unwritable */
  single(time: number, value: number): void {
    this.#a[this.#room(time)] = value;
  }

  get priceDecimals(): number {
    return this.#decimals.price;
  }

  get sizeDecimals(): number {
    return this.#decimals.size;
  }

  /** From here on integers are at these decimals, which are at least the present ones. @throws TapeError range */
  refine(priceDecimals: number, sizeDecimals: number): void {
    this.#refine('price', priceDecimals);
    this.#refine('size', sizeDecimals);
  }

  /** Writes the rest and makes the file durable. @throws TapeError unwritable | range */
  finish(): StreamSummary {
    if (this.#length > 0) this.#flush();
    this.#sink.finish();
    return {
      info: {
        symbol: this.symbol,
        kind: this.kind,
        file: this.#name,
        rows: this.rows,
        blocks: this.#blocks,
        bytes: this.#bytes,
        from: this.#from,
        to: this.lastTime,
        maxPrice: this.#greatest.price,
        maxSize: this.#greatest.size,
        gaps: this.#gaps.summary(),
        ...(this.#barMs === undefined ? {} : { barMs: this.#barMs }),
        checksum: this.#checksum,
      },
      priceDecimals: this.#decimals.price,
      sizeDecimals: this.#decimals.size,
      priceStep: this.#step.price,
      sizeStep: this.#step.size,
    };
  }

  /** Lets go of the file as it is. */
  close(): void {
    this.#sink.close();
  }

  /** A place for the row of this time. */
  #room(time: number): number {
    if (this.#length === this.#blockRows) this.#flush();
    if (this.rows === 0) this.#from = time;
    else {
      const silence = time - this.lastTime;
      if (silence < 0) this.#backwards(time);
      if (silence > this.#gaps.over) this.#gaps.add(this.lastTime, time);
    }
    const at = this.#length++;
    this.#time[at] = time;
    this.lastTime = time;
    this.rows++;
    return at;
  }

  #backwards(time: number): never {
    throw new TapeError(
      'order',
      `a time of at least ${this.lastTime} was expected, found ${time}`,
      `row ${this.rows} of ${this.#name}`,
      'append rows in order of time',
    );
  }

  #refine(measure: 'price' | 'size', decimals: number): void {
    const more = decimals - this.#decimals[measure];
    if (more <= 0) return;
    const factor = pow10(more);
    for (const [index, column] of this.#columns().entries()) {
      if (this.#measures()[index] !== measure) continue;
      for (let i = 0; i < this.#length; i++) column[i]! *= factor;
    }
    this.#decimals[measure] = decimals;
    this.#greatest[measure] *= factor;
    this.#step[measure] *= factor;
  }

  #columns(): readonly Float64Array[] {
    return [this.#a, this.#b, this.#c, this.#d, this.#e];
  }

  #measures(): readonly Measure[] {
    return MEASURES[this.kind];
  }

  #flush(): void {
    const rows = this.#length;
    const bound = 6 * columnBound(rows);
    if (scratch.bytes.length < bound) scratch.bytes = Buffer.alloc(bound);
    const bytes = scratch.bytes;
    let at = encodeColumn(bytes, 0, this.#time, rows, this.#stepOf('time', this.#time, 'plain'), DELTA);
    const columns = this.#columns();
    for (const [index, measure] of this.#measures().entries()) {
      const column = columns[index]!;
      const step = this.#stepOf(COLUMN_NAMES[this.kind][index]!, column, measure);
      at = encodeColumn(bytes, at, column, rows, step, CODINGS[this.kind][index]!);
    }
    if (this.kind === 'trades') at = encodeBits(bytes, at, this.#side, rows);
    this.#write(bytes.subarray(0, at));
    this.#length = 0;
  }

  /** The column's step in this block, noting what the stream as a whole has. */
  #stepOf(name: string, column: Float64Array, measure: Measure): number {
    const rows = this.#length;
    const step = commonStep(column, rows);
    if (step < 0) {
      const row = -1 - step;
      throw new TapeError(
        'range',
        `${name}: a whole number from 0 to 2^53 − 1 of its smallest steps was expected, found ${column[row]}`,
        `row ${this.rows - rows + row} of ${this.#name}`,
      );
    }
    if (measure === 'plain') return step;
    this.#step[measure] = greatestCommonDivisor(this.#step[measure], step);
    let greatest = this.#greatest[measure];
    for (let i = 0; i < rows; i++) if (column[i]! > greatest) greatest = column[i]!;
    this.#greatest[measure] = greatest;
    return step;
  }

  #write(bytes: Buffer): void {
    const head = {
      rows: this.#length,
      priceDecimals: this.#decimals.price,
      sizeDecimals: this.#decimals.size,
      first: this.#time[0]!,
      last: this.#time[this.#length - 1]!,
    };
    const packed = packBlock(bytes, this.#blocks, head, this.#checksum);
    this.#sink.write(packed.header);
    this.#sink.write(packed.frame);
    this.#checksum = packed.checksum;
    this.#bytes += packed.header.length + packed.frame.length;
    this.#blocks++;
  }
}

export interface StreamWriterOptions {
  readonly symbol: string;
  readonly kind: TapeKind;
  /** File name within the tape, and where its bytes go. */
  readonly name: string;
  readonly sink: ByteSink;
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
  /** A silence longer than this is a gap. */
  readonly gapMs: number;
  /** Rows of a block. */
  readonly blockRows: number;
  /** Bars only: the length of one. */
  readonly barMs?: number | undefined;
  /** Goes on after these rows, at the stream's decimals; the steps of the summary are those of further rows. Default: a new stream. */
  readonly after?: StreamInfo | undefined;
}
