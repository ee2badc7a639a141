/** What a tape says about itself: `tape.json`, with a checksum over its own content. */

export const FORMAT = 'tickwright-tape';
export const FORMAT_VERSION = 1;
export const MANIFEST_FILE = 'tape.json';

export type TapeKind = 'trades' | 'quotes';

/** A time in which a stream was silent: milliseconds since the epoch of the rows before and after. */
export interface Silence {
  readonly from: number;
  readonly to: number;
}

/** The silences of a stream that lasted longer than `over` ms: how many, how long in all, and the longest of them. */
export interface Gaps {
  readonly over: number;
  readonly count: number;
  readonly totalMs: number;
  /** Longest first, at most 20. */
  readonly longest: readonly Silence[];
}

/** One file: every row of one symbol and kind. */
export interface StreamInfo {
  readonly symbol: string;
  readonly kind: TapeKind;
  readonly file: string;
  readonly rows: number;
  readonly blocks: number;
  /** Bytes on disk. */
  readonly bytes: number;
  /** Time of the first and last row, milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** Greatest price and size, as integers at the decimals of the symbol. */
  readonly maxPrice: number;
  readonly maxSize: number;
  readonly gaps: Gaps;
  /** Checksum of the last block; each block's covers the one before it. */
  readonly checksum: number;
}

export interface SymbolInfo {
  readonly symbol: string;
  /** Integers are price · 10^priceDecimals and size · 10^sizeDecimals: the fewest decimals that hold every value. */
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
  /** Greatest integers that divide every price and every size: the grid the recording was seen to use. */
  readonly priceStep: number;
  readonly sizeStep: number;
  /** Decimals as the source wrote them, trailing zeros counted. */
  readonly writtenPriceDecimals: number;
  readonly writtenSizeDecimals: number;
}

export interface Manifest {
  readonly format: typeof FORMAT;
  readonly version: number;
  /** Where the rows came from, in words. */
  readonly source: string;
  readonly rows: number;
  readonly from: number;
  readonly to: number;
  /** In the order that decides between rows of one millisecond. */
  readonly symbols: readonly SymbolInfo[];
  /** By symbol as above, trades before quotes. */
  readonly streams: readonly StreamInfo[];
}
