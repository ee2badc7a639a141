/** Bars as a market: each becomes trades and quotes along its path when it is read, a bar at a time. */
import { BarPath, POINTS, type BarMarketOptions, type RawBar } from './bar-path.ts';
import type { StreamInfo } from './manifest.ts';
import type { BlockSource, TapeStream } from './stream.ts';

export interface BarStreams {
  readonly trades: { readonly info: StreamInfo; readonly source: BlockSource };
  readonly quotes: { readonly info: StreamInfo; readonly source: BlockSource };
}

/** `tick` is the value of one step of the prices, `barMs` the length of a bar in the time that is played. */
export function barStreams(raw: TapeStream, options: BarMarketOptions, tick: number, barMs: number, hasIds: boolean): BarStreams {
  const bars = new BarQueue(raw, options, tick, barMs);
  const rows = raw.rows * POINTS;
  return {
    trades: { info: { ...raw.info, kind: 'trades', rows, barMs: undefined }, source: new TradesOfBars(bars, hasIds) },
    quotes: { info: { ...raw.info, kind: 'quotes', rows, barMs: undefined }, source: new QuotesOfBars(bars) },
  };
}

const ATR_BARS = 14;

interface QueuedBar extends RawBar {
  readonly number: number;
  /** Decided when the first of the two streams begins the bar. */
  path: BarPath | null;
}

/** Bars between the stream that is ahead and the one that is behind; nearly always one or two. */
class BarQueue {
  readonly barMs: number;
  readonly #raw: TapeStream;
  readonly #options: BarMarketOptions;
  readonly #tick: number;
  #queue: QueuedBar[] = [];
  #free: BarPath[] = [];
  #next = 0;
  #row = 0;
  #length = 0;
  #close = 0;
  #atr = 0;

  constructor(raw: TapeStream, options: BarMarketOptions, tick: number, barMs: number) {
    this.#raw = raw;
    this.#options = options;
    this.#tick = tick;
    this.barMs = barMs;
  }

  /** Bar `number`, which is one of those queued or follows them; null after the last. */
  bar(number: number): QueuedBar | null {
    const known = this.#queue[number - (this.#queue[0]?.number ?? 0)];
    if (known?.number === number) return known;
    if (number === 0) this.#begin();
    return this.#advance();
  }

  /** The path of a queued bar, decided now if it was not. */
  path(bar: QueuedBar): BarPath {
    if (bar.path !== null) return bar.path;
    const path = this.#free.pop() ?? new BarPath(this.#options.spread, this.#tick);
    path.set(bar, this.barMs, this.#options.lowFirst(this.#raw.symbol, bar.open, bar.close));
    bar.path = path;
    return path;
  }

  /** The stream that is behind has begun bar `number`: those before it are not asked for again. */
  drop(number: number): void {
    while (this.#queue.length > 0 && this.#queue[0]!.number < number - 1) {
      const { path } = this.#queue.shift()!;
      if (path !== null) this.#free.push(path);
    }
  }

  close(): void {
    this.#raw.close();
  }

  #begin(): void {
    this.#raw.rewind();
    this.#queue = [];
    this.#next = 0;
    this.#row = 0;
    this.#length = 0;
    this.#close = 0;
    this.#atr = 0;
  }

  #advance(): QueuedBar | null {
    const raw = this.#raw;
    if (this.#row === this.#length) {
      if (!raw.next()) return null;
      this.#row = 0;
      this.#length = raw.length;
    }
    const row = this.#row++;
    const before = this.#close === 0 ? raw.open[row]! : this.#close;
    const atr = this.#atr;
    this.#close = raw.last[row]!;
    const range = Math.max(raw.high[row]!, before) - Math.min(raw.low[row]!, before);
    this.#atr += (range - atr) / Math.min(this.#next + 1, ATR_BARS);
    const bar = {
      number: this.#next++,
      before,
      atr,
      time: raw.time[row]!,
      open: raw.open[row]!,
      high: raw.high[row]!,
      low: raw.low[row]!,
      close: raw.last[row]!,
      volume: raw.volume[row]!,
      path: null,
    };
    this.#queue.push(bar);
    return bar;
  }
}

/** Trades; bars without volume have none. */
class TradesOfBars implements BlockSource {
  readonly #bars: BarQueue;
  readonly #hasIds: boolean;
  #number = 0;

  constructor(bars: BarQueue, hasIds: boolean) {
    this.#bars = bars;
    this.#hasIds = hasIds;
  }

  load(stream: TapeStream, block: number): number {
    if (block === 0) this.#number = 0;
    for (;;) {
      const bar = this.#bars.bar(this.#number);
      if (bar === null) return 0;
      this.#number++;
      if (bar.volume === 0) continue;
      stream.lowest = bar.low;
      stream.highest = bar.high;
      return this.#fill(stream, this.#bars.path(bar), bar.number);
    }
  }

  close(): void {
    this.#bars.close();
  }

  #fill(stream: TapeStream, path: BarPath, number: number): number {
    if (stream.time.length === 0) {
      stream.time = new Float64Array(POINTS);
      stream.price = new Float64Array(POINTS);
      stream.size = new Float64Array(POINTS);
      stream.side = new Uint8Array(POINTS);
      if (this.#hasIds) stream.id = new Float64Array(POINTS);
    }
    stream.isOnSeconds = path.isOnSeconds;
    let rows = 0;
    for (let at = 0; at < path.count; at++) {
      if (path.size[at] === 0) continue;
      stream.time[rows] = path.time[at]!;
      stream.price[rows] = path.price[at]!;
      stream.size[rows] = path.size[at]!;
      stream.side[rows] = path.side[at]!;
      if (this.#hasIds) stream.id[rows] = number * POINTS + at + 1;
      rows++;
    }
    return rows;
  }
}

/** Quotes around each point; of a bar without volume as well, a lot on either side. */
class QuotesOfBars implements BlockSource {
  readonly #bars: BarQueue;

  constructor(bars: BarQueue) {
    this.#bars = bars;
  }

  load(stream: TapeStream, block: number): number {
    const bar = this.#bars.bar(block);
    if (bar === null) return 0;
    this.#bars.drop(block);
    const path = this.#bars.path(bar);
    stream.lowest = Math.max(1, bar.low - path.below);
    stream.highest = Math.max(1, bar.high - path.below) + path.below + path.above;
    stream.isOnSeconds = path.isOnSeconds;
    return this.#fill(stream, path, bar.volume);
  }

  close(): void {
    this.#bars.close();
  }

  #fill(stream: TapeStream, path: BarPath, volume: number): number {
    if (stream.time.length === 0) {
      stream.time = new Float64Array(POINTS);
      for (const name of ['bid', 'bidSize', 'ask', 'askSize'] as const) stream[name] = new Float64Array(POINTS);
    }
    const shown = Math.max(1, Math.floor(volume / path.count));
    for (let at = 0; at < path.count; at++) {
      const price = path.price[at]!;
      const bid = Math.max(1, price - path.below);
      stream.time[at] = path.time[at]!;
      stream.bid[at] = bid;
      stream.bidSize[at] = shown;
      stream.ask[at] = bid + path.below + path.above;
      stream.askSize[at] = shown;
    }
    return path.count;
  }
}
