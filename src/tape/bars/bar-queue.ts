/** The bars of a tape of bars, shared by its trade stream and its quote stream, which read them at about the same time. */
import { crc32 } from 'node:zlib';
import { Random } from '../../base/random.ts';
import { BarPath, type BarMarketOptions, type RawBar } from './bar-path.ts';
import { Cover, type FinerRows } from './finer-rows.ts';
import type { MarketKind } from '../file/manifest.ts';
import type { TapeStream } from '../file/stream.ts';

/** Finer rows for some of the bars, and by bar how they cover it (Cover). */
export interface FinerMarket {
  readonly covers: Uint8Array;
  readonly trades: FinerRows;
  readonly quotes: FinerRows;
}

/** `tick` is the value of one step of the prices, `barMs` the length of a bar in the time that is played. */
export interface BarMarket {
  readonly options: BarMarketOptions;
  readonly tick: number;
  readonly barMs: number;
  readonly hasIds: boolean;
  /** Absent: every bar is a path. */
  readonly finer?: FinerMarket | undefined;
  /** The stream that is read without the other, which holds back no bars then. */
  readonly only?: MarketKind | undefined;
}

const ATR_BARS = 14;

/** A bar that one of the two streams has begun, or that follows. Used again when both are beyond it. */
export class QueuedBar implements RawBar {
  number = 0;
  time = 0;
  open = 0;
  high = 0;
  low = 0;
  close = 0;
  volume = 0;
  before = 0;
  atr = 0;
  /** Drawn when the first of the two streams comes to the bar. */
  isDrawn = false;
  readonly path: BarPath;

  constructor(path: BarPath) {
    this.path = path;
  }
}

/** Bars between the stream that is ahead and the one that is behind: nearly always one or two, in a ring by their numbers. */
export class BarQueue {
  private readonly raw: TapeStream;
  private readonly market: BarMarket;
  private readonly covers: Uint8Array | undefined;
  private ring: QueuedBar[] = [];
  private mask = -1;
  /** The bars that trades and quotes are at; Infinity for the ones that nobody reads. */
  private trades = 0;
  private quotes = 0;
  /** Queued are the bars from `first` to before `next`. */
  private first = 0;
  private next = 0;
  private row = 0;
  private length = 0;
  private last = 0;
  private atr = 0;

  constructor(raw: TapeStream, market: BarMarket) {
    this.raw = raw;
    this.market = market;
    this.covers = market.finer?.covers;
  }

  /** Bar `number`, which is one of those queued or follows them; null after the last. */
  bar(number: number): QueuedBar | null {
    if (number >= this.first && number < this.next) return this.ring[number & this.mask]!;
    if (number === 0) this.#begin();
    return this.#advance();
  }

  /** The path of a queued bar. */
  path(bar: QueuedBar): BarPath {
    if (!bar.isDrawn) bar.path.set(bar, randomAt(this.market.options.seed, this.raw.symbol, bar.time));
    bar.isDrawn = true;
    return bar.path;
  }

  tradesAt(number: number): void {
    this.trades = number;
    if (this.quotes === Infinity) this.#drop();
  }

  quotesAt(number: number): void {
    this.quotes = number;
    this.#drop();
  }

  /** Bars before the last one of the stream that is behind are not asked for again. */
  #drop(): void {
    const needed = (this.quotes < this.trades ? this.quotes : this.trades) - 1;
    if (needed > this.first) this.first = needed < this.next ? needed : this.next;
  }

  /** When the finer rows of a bar end; −Infinity if it has none. A time without bars belongs to the one before, if nothing traded in it. */
  finerUntil(bar: QueuedBar): number {
    const cover = this.covers?.[bar.number] ?? Cover.none;
    if (cover !== Cover.bar && cover !== Cover.onward) return -Infinity;
    const end = bar.time + this.market.barMs;
    return cover === Cover.bar ? end : (this.bar(bar.number + 1)?.time ?? end);
  }

  close(): void {
    this.raw.close();
  }

  #begin(): void {
    this.raw.rewind();
    this.first = 0;
    this.next = 0;
    this.row = 0;
    this.length = 0;
    this.last = 0;
    this.atr = 0;
    const { only } = this.market;
    this.trades = only === 'quotes' ? Infinity : 0;
    this.quotes = only === 'trades' ? Infinity : 0;
  }

  #advance(): QueuedBar | null {
    const raw = this.raw;
    if (this.row === this.length) {
      if (!raw.next()) return null;
      this.row = 0;
      this.length = raw.length;
    }
    const row = this.row++;
    if (this.next - this.first > this.mask) this.#widen();
    const bar = this.ring[this.next & this.mask]!;
    bar.number = this.next++;
    bar.time = raw.time[row]!;
    bar.open = raw.open[row]!;
    bar.high = raw.high[row]!;
    bar.low = raw.low[row]!;
    bar.close = raw.last[row]!;
    bar.volume = raw.volume[row]!;
    bar.before = this.last === 0 ? bar.open : this.last;
    bar.atr = this.atr;
    bar.isDrawn = false;
    this.last = bar.close;
    const range = Math.max(bar.high, bar.before) - Math.min(bar.low, bar.before);
    this.atr += (range - bar.atr) / Math.min(bar.number + 1, ATR_BARS);
    return bar;
  }

  /** Doubles the ring. */
  #widen(): void {
    const { options, tick, barMs } = this.market;
    const { ring: old, mask: oldMask, first, next } = this;
    const size = Math.max(4, 2 * old.length);
    const mask = size - 1;
    this.mask = mask;
    this.ring = Array.from({ length: size }, (_, place) => {
      const number = first + ((place - first) & mask);
      return number < next ? old[number & oldMask]! : new QueuedBar(new BarPath(options.spread, tick, barMs));
    });
  }
}

/** Numbers from 0 to below 1 that depend on seed, symbol and time alone. */
function randomAt(seed: number, symbol: string, time: number): () => number {
  const random = new Random((crc32(symbol) ^ Math.imul(Math.floor(time / 1000), 0x9e37_79b1) ^ Math.imul(seed + 1, 0x85eb_ca6b)) | 0);
  return () => random.uniform();
}
