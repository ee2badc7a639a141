/** A tape: what it says about itself, and cursors over its rows. */
import type { BarMarketOptions } from './bars/bar-path.ts';
import type { BarSource } from './bars/finer-bars.ts';
import type { Grid } from './file/columns.ts';
import type { Manifest, MarketKind, StreamInfo } from './file/manifest.ts';
import type { ResidentBlock } from './block-sources.ts';
import type { TapeStream } from './file/stream.ts';

/** The rows of a tape in memory that threads share: it can be posted to a worker, which costs nothing. */
export interface LoadedRows {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly streams: readonly LoadedStream[];
}

export interface LoadedStream {
  readonly info: StreamInfo;
  readonly grid: Grid | undefined;
  readonly blocks: readonly ResidentBlock[];
}

/** The folder of a tape, and by symbol what Cover says of each bar of another tape. */
export interface DetailTape {
  readonly folder: string;
  readonly covers: ReadonlyMap<string, Uint8Array>;
  /** Its rows, if they are in memory; otherwise each reader takes them from disk. */
  readonly rows?: LoadedRows | undefined;
}

export interface TapeOptions {
  /**
   * The grid for a symbol's columns: prices come as ticks and sizes as lots. undefined, or no function at all, leaves them at
   * the tape's own decimals. A value off the grid is an error when its block is read.
   */
  readonly gridOf?: ((symbol: string) => Grid | undefined) | undefined;
  /** Row times become start + floor((time − from) / speed), in the order they had. Above 0. Default 1. */
  readonly speed?: number | undefined;
  /** Time when the first row happens, milliseconds since the epoch. Default: when it was recorded, `manifest.from`. */
  readonly start?: number | undefined;
  /** True if trades come with their ids; without, the column of ids is empty and reading is faster. Default true. */
  readonly hasIds?: boolean | undefined;
  /** Makes the spread of quotes this many times as wide, at least 1. Default 1. */
  readonly spreadFactor?: number | undefined;
  /** How bars become trades and quotes. Default: a spread of 0.01 %, prices drawn inside them with seed 0. */
  readonly bars?: BarMarketOptions | undefined;
  /** A tape that is finer than the bars of this one, see coverage.ts, at speed 1. Default: every bar is a path. */
  readonly detail?: DetailTape | undefined;
  /** Only these symbols, in the tape's order. Default: all. */
  readonly symbols?: readonly string[] | undefined;
}

export interface BarsOfSymbol {
  readonly symbol: string;
  readonly source: BarSource;
  readonly close: () => void;
}

export interface Tape {
  readonly folder: string;
  readonly manifest: Manifest;
  /**
   * Fresh cursors at the start, by symbol, trades before quotes: the order that decides between rows of one millisecond. Bars of a symbol
   * that has neither come as trades and quotes; mark prices and funding rates are read by others. `only`: of this kind, for who reads the
   * streams one after the other; of all kinds together, what the streams of a symbol of bars have in common is kept until both are beyond it.
   */
  open(only?: MarketKind): TapeStream[];
  /** Fresh readers of the bars of each symbol that has nothing finer; where the detail tape has shorter bars, those. */
  bars(): BarsOfSymbol[];
}
