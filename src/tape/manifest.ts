/** What a tape says about itself: `tape.json`, with a checksum over its own content. */
import type { Quality } from './data-quality.ts';

export const FORMAT = 'tickwright-tape';
/** Version 1 knew trades and quotes alone; it is read as it is. */
export const FORMAT_VERSION = 2;
export const FORMAT_VERSIONS: readonly number[] = [1, FORMAT_VERSION];
export const MANIFEST_FILE = 'tape.json';

/** In the order that decides between rows of one millisecond. Trades and quotes are a market; bars become one when they are read. */
export const TAPE_KINDS = ['trades', 'quotes', 'bars', 'marks', 'funding'] as const;
export type TapeKind = (typeof TAPE_KINDS)[number];

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
  /** Bars only: the length of one, in milliseconds. Rows have the time at which their bar opens. */
  readonly barMs?: number | undefined;
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
  /** What the import found out about its data, by symbol. Absent on tapes that were not imported, or by an older version. */
  readonly quality?: readonly Quality[] | undefined;
  /** Rows that the import left out, by reason. */
  readonly dropped?: Readonly<Record<string, number>> | undefined;
}
