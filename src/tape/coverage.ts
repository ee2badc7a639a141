/**
 * Finds the bars of a tape that another tape has finer rows of. A bar is covered if those rows, all of them, are what the bar was made of:
 * their prices reach its high and its low and go no further, and their sizes are its volume, to a hundredth.
 */
import { pow10 } from '../domain/amounts/scale.ts';
import { Cover } from './bars/finer-rows.ts';
import { readManifest } from './read.ts';
import { streamsOf } from './streams-of.ts';
import type { Manifest, RecordingGap, SymbolInfo } from './file/manifest.ts';
import type { TapeStream } from './file/stream.ts';

/** Share of the volume that may differ: vendors round it. */
const VOLUME_SLACK = 0.01;

/** A bar in the least steps of both tapes. */
interface Totals {
  high: number;
  low: number;
  volume: number;
  /** Rows with a price, and whether they begin on the grid of the shorter bars. */
  rows: number;
  isAligned: boolean;
}

export interface CoveredBars {
  readonly covers: Uint8Array;
  /** When each bar begins, milliseconds since the epoch. */
  readonly times: Float64Array;
  readonly barMs: number;
}

/**
 * Compares the bars of `symbol` in the first folder with its trades and quotes, or shorter bars, in the second: one pass over both.
 * @throws TapeError
 */
export function coverageOf(folder: string, detail: string, symbol: string): CoveredBars {
  const coarse = readManifest(folder);
  const fine = readManifest(detail);
  const [bars] = streamsOf(folder, coarse, (info) => info.symbol === symbol && info.kind === 'bars');
  const kinds = fine.streams.filter((info) => info.symbol === symbol).map(({ kind }) => kind);
  const kind = kinds.includes('trades') ? 'trades' : 'bars';
  const [prices, quotes] = streamsOf(detail, fine, (info) => info.symbol === symbol && (info.kind === kind || info.kind === 'quotes'));
  const cursor = new Totaller(prices!, unitsOf(prices!, bars!));
  const shown = quotes === undefined ? null : new Totaller(quotes, NO_UNITS);
  const gaps = gapsOf(fine, symbol);
  const barMs = bars!.info.barMs!;
  const covers = new Uint8Array(bars!.rows);
  const times = new Float64Array(bars!.rows);
  const units = unitsOf(bars!, prices!);
  const hasVolume = bars!.info.maxSize > 0 && prices!.info.maxSize > 0;
  try {
    for (let row = 0; bars!.next();) {
      for (let k = 0; k < bars!.length; k++, row++) {
        const time = bars!.time[k]!;
        times[row] = time;
        // What traded after the bar before is in no bar.
        const before = cursor.until(time);
        if (row > 0 && covers[row - 1] === Cover.onward && before.rows > 0) covers[row - 1] = Cover.bar;
        shown?.until(time);
        const found = cursor.until(time + barMs, time);
        const quoted = shown === null || shown.until(time + barMs).rows > 0;
        const bar = { high: bars!.high[k]! * units.price, low: bars!.low[k]! * units.price, volume: bars!.volume[k]! * units.size };
        const whole = quoted && !gaps.some((gap) => gap.from < time + barMs && gap.to > time);
        const cover = coverOf({ bar, found, hasVolume, whole, isAmid: hasRowsAround(fine, symbol, time, barMs) });
        const wanted = prices!.info.barMs;
        // Without volumes only the number of the shorter bars shows that none is missing.
        const isShort = cover === Cover.onward && wanted !== undefined && !hasVolume && found.rows * wanted < barMs;
        covers[row] = isShort ? Cover.part : cover;
      }
    }
  } finally {
    for (const one of [bars!, prices!, quotes]) one?.close();
  }
  return { covers, times, barMs };
}

interface Compared {
  readonly bar: Pick<Totals, 'high' | 'low' | 'volume'>;
  readonly found: Totals;
  readonly hasVolume: boolean;
  /** Nothing is known to be missing. */
  readonly whole: boolean;
  /** The finer rows began before the bar and end after it. */
  readonly isAmid: boolean;
}

function coverOf({ bar, found, hasVolume, whole, isAmid }: Compared): number {
  const volume = hasVolume ? bar.volume : 0;
  if (found.rows === 0) return hasVolume && volume === 0 && whole && isAmid ? Cover.onward : Cover.none;
  const slack = VOLUME_SLACK * volume;
  if (found.high > bar.high || found.low < bar.low || (hasVolume && found.volume > volume + slack)) return Cover.other;
  const isAll = found.high === bar.high && found.low === bar.low && (!hasVolume || found.volume >= volume - slack);
  return isAll && whole && found.isAligned ? Cover.onward : Cover.part;
}

/** True if the rows of a symbol began before a bar and end after it. */
function hasRowsAround({ streams }: Manifest, symbol: string, time: number, barMs: number): boolean {
  const own = streams.filter((info) => info.symbol === symbol);
  return own.every(({ from }) => from <= time) && own.some(({ to }) => to >= time + barMs - 1);
}

function gapsOf({ recording }: Manifest, symbol: string): readonly RecordingGap[] {
  return (recording?.gaps ?? []).filter((gap) => gap.symbol === symbol || gap.symbol === '');
}

interface Units {
  readonly price: number;
  readonly size: number;
}

const NO_UNITS: Units = { price: 1, size: 1 };

/** What the integers of a stream are multiplied by, so that they compare with those of another one. */
function unitsOf(one: { readonly scale: SymbolInfo }, other: { readonly scale: SymbolInfo }): Units {
  return {
    price: pow10(Math.max(0, other.scale.priceDecimals - one.scale.priceDecimals)),
    size: pow10(Math.max(0, other.scale.sizeDecimals - one.scale.sizeDecimals)),
  };
}

/** Sums up rows of trades, quotes or bars span by span. */
class Totaller {
  readonly #stream: TapeStream;
  readonly #units: Units;
  readonly #totals: Totals = { high: 0, low: 0, volume: 0, rows: 0, isAligned: true };
  #row = 0;

  constructor(stream: TapeStream, units: Units) {
    this.#stream = stream;
    this.#units = units;
  }

  /** The rows before `end` that were not summed up yet. Overwritten by the next call. */
  until(end: number, start = 0): Totals {
    const stream = this.#stream;
    const totals = this.#totals;
    totals.high = -Infinity;
    totals.low = Infinity;
    totals.volume = 0;
    totals.rows = 0;
    totals.isAligned = true;
    const { barMs = 1 } = stream.info;
    for (;;) {
      const { time, length } = stream;
      for (; this.#row < length; this.#row++) {
        const at = this.#row;
        if (time[at]! >= end) return totals;
        totals.rows++;
        if (stream.kind === 'quotes') continue;
        const isTrade = stream.kind === 'trades';
        totals.high = Math.max(totals.high, (isTrade ? stream.price : stream.high)[at]! * this.#units.price);
        totals.low = Math.min(totals.low, (isTrade ? stream.price : stream.low)[at]! * this.#units.price);
        totals.volume += (isTrade ? stream.size : stream.volume)[at]! * this.#units.size;
        if ((time[at]! - start) % barMs !== 0) totals.isAligned = false;
      }
      if (!stream.next()) return totals;
      this.#row = 0;
    }
  }
}
