/** Reads and writes what a tape says about itself: `tape.json`, with a checksum over its own content. */
import type { Quality } from './data-quality.ts';

export const FORMAT = 'tickwright-tape';
/** Version 1 had only trades and quotes, in the same form, so it can still be read. */
export const FORMAT_VERSION = 2;
export const FORMAT_VERSIONS: readonly number[] = [1, FORMAT_VERSION];
export const MANIFEST_FILE = 'tape.json';

/** In the order that decides between rows of one millisecond. Trades and quotes are a market; bars become one when they are read. */
export const TAPE_KINDS = ['trades', 'quotes', 'bars', 'marks', 'funding'] as const;
export type TapeKind = (typeof TAPE_KINDS)[number];
/** What can be traded on. */
export type MarketKind = 'trades' | 'quotes';

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
  /** The last part of `bytes` if it is not in the file yet: rows of a recording that is running or was killed. */
  readonly tail?: Uint8Array | undefined;
}

/** Why rows are missing: nothing recorded, the venue did not answer, trades were not among those it gave, or it began its ids again. */
export type GapCause = 'stopped' | 'no-answer' | 'missed' | 'ids-restarted';

/** Rows that a recording does not have although there may have been some, between two times in milliseconds since the epoch. */
export interface RecordingGap {
  /** "" for all symbols. */
  readonly symbol: string;
  readonly kind: TapeKind;
  readonly cause: GapCause;
  readonly from: number;
  readonly to: number;
}

/** What is known of how a tape was recorded. */
export interface Recording {
  /** Number of the first log whose rows are not in the files of the streams. */
  readonly log: number;
  /** When it was recorded, milliseconds since the epoch: the last hundred times. */
  readonly spans: readonly Silence[];
  /** The last thousand gaps, and how many there were in all. */
  readonly gaps: readonly RecordingGap[];
  readonly gapCount: number;
  /** The id of each symbol's last trade. */
  readonly lastIds: Readonly<Record<string, number>>;
}

/** Days of a public archive that the tape has, and those that the archive did not have when they were asked for. */
export interface FetchedDays {
  readonly source: string;
  readonly market: string;
  /** As the vendor writes it. */
  readonly symbol: string;
  /** The word of the command line: "1m", "trades". */
  readonly kind: string;
  /** First and last day of each part: "2024-01-05". */
  readonly days: readonly (readonly [from: string, to: string])[];
  readonly missing: readonly (readonly [from: string, to: string])[];
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
  /** What `tape fetch` brought. */
  readonly fetched?: readonly FetchedDays[] | undefined;
  /** Recordings of a venue's answers only. */
  readonly recording?: Recording | undefined;
}
