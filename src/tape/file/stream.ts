/**
 * A cursor over the rows of one symbol and kind, block by block, in columns. The columns belong to the cursor and are
 * overwritten by `next`: read them, do not keep them.
 */
import type { StreamInfo, SymbolInfo, TapeKind } from './manifest.ts';

/** Int32Array wherever every value of the stream fits, which is nearly always; Float64Array (safe integers) otherwise. */
export type Column = Int32Array | Float64Array;

/** Where blocks come from: the disk or memory. */
export interface BlockSource {
  /** Fills the stream's columns with block number `block` and returns its rows; 0 after the last one. */
  load(stream: TapeStream, block: number): number;
  /** Gives back what it holds of the system. Loading again opens it again. */
  close(): void;
}

/** A cursor over bars. */
export type BarCursor = Pick<TapeStream, 'time' | 'open' | 'high' | 'low' | 'last' | 'volume' | 'length' | 'next' | 'close'>;

const NO_NUMBERS = new Float64Array(0);
const NO_INTEGERS = new Int32Array(0);
const NO_BYTES = new Uint8Array(0);

/** Whether rows are the path of bars, and those. */
export interface PathOf {
  readonly isPath: boolean;
}

const NO_PATH: PathOf = { isPath: false };

export class TapeStream {
  /** Place in the order of streams, which decides between rows of one millisecond. */
  readonly index: number;
  readonly symbol: string;
  readonly kind: TapeKind;
  readonly info: StreamInfo;
  readonly scale: SymbolInfo;
  /** Rows of the whole stream. */
  readonly rows: number;
  /** True if the rows are the path of bars: each block is one of them. */
  readonly isPath: boolean;

  /** Rows in the current block: 0 before the first `next` and after the last. */
  length = 0;
  /** Number of the current block's first row within the stream. */
  firstRow = 0;
  /** Milliseconds since the epoch, never going backwards. */
  time: Float64Array = NO_NUMBERS;
  /** The times of the recording where `time` tells others, empty where it tells these. */
  recorded: Float64Array = NO_NUMBERS;

  /** Trades only: the venue's number (an empty column where the tape was opened without them), price, size, and who crossed the spread (BUY or SELL of domain/codes.ts). */
  id: Float64Array = NO_NUMBERS;
  price: Column = NO_INTEGERS;
  size: Column = NO_INTEGERS;
  side: Uint8Array = NO_BYTES;

  /** Quotes only. */
  bid: Column = NO_INTEGERS;
  bidSize: Column = NO_INTEGERS;
  ask: Column = NO_INTEGERS;
  askSize: Column = NO_INTEGERS;

  /** Bars only; `last` is the price at the close. */
  open: Column = NO_INTEGERS;
  high: Column = NO_INTEGERS;
  low: Column = NO_INTEGERS;
  last: Column = NO_INTEGERS;
  volume: Column = NO_INTEGERS;

  /** Mark prices only. */
  mark: Column = NO_INTEGERS;
  /** Funding only: the rate as rateOf of funding-rates.ts reads it. */
  rate: Float64Array = NO_NUMBERS;

  readonly #source: BlockSource;
  #block = 0;

  constructor(index: number, info: StreamInfo, scale: SymbolInfo, source: BlockSource, path: PathOf = NO_PATH) {
    this.index = index;
    this.symbol = info.symbol;
    this.kind = info.kind;
    this.info = info;
    this.scale = scale;
    this.rows = info.rows;
    this.isPath = path.isPath;
    this.#source = source;
  }

  /** What rows of several streams are ordered by: rows that another speed brings to one millisecond keep their order. */
  get order(): Float64Array {
    return this.recorded.length > 0 ? this.recorded : this.time;
  }

  /** Moves to the next block; false when there is none. @throws TapeError truncated | corrupt | off-grid */
  next(): boolean {
    this.firstRow += this.length;
    this.length = this.#source.load(this, this.#block);
    if (this.length === 0) return false;
    this.#block++;
    return true;
  }

  /** Back to the start: the next `next` gives the first block again. */
  rewind(): void {
    this.#block = 0;
    this.length = 0;
    this.firstRow = 0;
  }

  /** Lets go of the open file, if any. */
  close(): void {
    this.#source.close();
  }
}
