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

/** A bar that one of the two streams has begun, or that follows. Used again when both are beyond it. */
class QueuedBar implements RawBar {
  number = 0;
  time = 0;
  open = 0;
  high = 0;
  low = 0;
  close = 0;
  volume = 0;
  before = 0;
  atr = 0;
  /** Decided when the first of the two streams begins the bar. */
  isDecided = false;
  declare readonly path: BarPath;

  constructor(path: BarPath) {
    this.path = path;
  }
}

/** Bars between the stream that is ahead and the one that is behind; nearly always one or two. */
class BarQueue {
  declare private readonly raw: TapeStream;
  declare private readonly options: BarMarketOptions;
  declare private readonly tick: number;
  declare private readonly barMs: number;
  private queue: QueuedBar[] = [];
  private readonly free: QueuedBar[] = [];
  private next = 0;
  private row = 0;
  private length = 0;
  private last = 0;
  private atr = 0;

  constructor(raw: TapeStream, options: BarMarketOptions, tick: number, barMs: number) {
    this.raw = raw;
    this.options = options;
    this.tick = tick;
    this.barMs = barMs;
  }

  /** Bar `number`, which is one of those queued or follows them; null after the last. */
  bar(number: number): QueuedBar | null {
    const { queue } = this;
    const place = queue.length === 0 ? 0 : number - queue[0]!.number;
    if (place >= 0 && place < queue.length) return queue[place]!;
    if (number === 0) this.#begin();
    return this.#advance();
  }

  /** The path of a queued bar, decided now if it was not. */
  path(bar: QueuedBar): BarPath {
    if (bar.isDecided) return bar.path;
    bar.isDecided = true;
    bar.path.set(bar, this.options.lowFirst(this.raw.symbol, bar.open, bar.close, bar.high, bar.low));
    return bar.path;
  }

  /** The stream that is behind has begun bar `number`: those before the last one are not asked for again. */
  drop(number: number): void {
    const { queue } = this;
    while (queue.length > 0 && queue[0]!.number < number - 1) this.free.push(queue.shift()!);
  }

  close(): void {
    this.raw.close();
  }

  #begin(): void {
    this.raw.rewind();
    this.queue = [];
    this.next = 0;
    this.row = 0;
    this.length = 0;
    this.last = 0;
    this.atr = 0;
  }

  #advance(): QueuedBar | null {
    const raw = this.raw;
    if (this.row === this.length) {
      if (!raw.next()) return null;
      this.row = 0;
      this.length = raw.length;
    }
    const row = this.row++;
    const bar = this.free.pop() ?? new QueuedBar(new BarPath(this.options.spread, this.tick, this.barMs));
    bar.number = this.next++;
    bar.time = raw.time[row]!;
    bar.open = raw.open[row]!;
    bar.high = raw.high[row]!;
    bar.low = raw.low[row]!;
    bar.close = raw.last[row]!;
    bar.volume = raw.volume[row]!;
    bar.before = this.last === 0 ? bar.open : this.last;
    bar.atr = this.atr;
    bar.isDecided = false;
    this.last = bar.close;
    const range = Math.max(bar.high, bar.before) - Math.min(bar.low, bar.before);
    this.atr += (range - bar.atr) / Math.min(bar.number + 1, ATR_BARS);
    this.queue.push(bar);
    return bar;
  }
}

/** Trades; bars without volume have none. */
class TradesOfBars implements BlockSource {
  readonly #bars: BarQueue;
  readonly #hasIds: boolean;
  /** Columns of bars in which not every point trades, and the ids. */
  readonly #time = new Float64Array(POINTS);
  readonly #price = new Float64Array(POINTS);
  readonly #size = new Float64Array(POINTS);
  readonly #side = new Uint8Array(POINTS);
  readonly #id = new Float64Array(POINTS);
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
      const path = this.#bars.path(bar);
      stream.lowest = bar.low;
      stream.highest = bar.high;
      stream.isOnSeconds = path.isOnSeconds;
      if (this.#hasIds) stream.id = this.#id;
      return path.isWhole ? this.#whole(stream, path, bar.number) : this.#part(stream, path, bar.number);
    }
  }

  close(): void {
    this.#bars.close();
  }

  /** The columns of the path are those of the stream, until it goes to the next bar. */
  #whole(stream: TapeStream, path: BarPath, number: number): number {
    stream.time = path.time;
    stream.price = path.price;
    stream.size = path.size;
    stream.side = path.side;
    if (this.#hasIds) for (let at = 0; at < path.count; at++) this.#id[at] = idOf(number, at);
    return path.count;
  }

  #part(stream: TapeStream, path: BarPath, number: number): number {
    stream.time = this.#time;
    stream.price = this.#price;
    stream.size = this.#size;
    stream.side = this.#side;
    let rows = 0;
    for (let at = 0; at < path.count; at++) {
      if (path.size[at] === 0) continue;
      this.#time[rows] = path.time[at]!;
      this.#price[rows] = path.price[at]!;
      this.#size[rows] = path.size[at]!;
      this.#side[rows] = path.side[at]!;
      this.#id[rows] = idOf(number, at);
      rows++;
    }
    return rows;
  }
}

function idOf(number: number, point: number): number {
  return number * POINTS + point + 1;
}

/** Quotes around each point; of a bar without volume as well, a lot on either side. */
class QuotesOfBars implements BlockSource {
  readonly #bars: BarQueue;
  readonly #bid = new Float64Array(POINTS);
  readonly #ask = new Float64Array(POINTS);
  readonly #shown = new Float64Array(POINTS);

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
    stream.time = path.time;
    stream.bid = this.#bid;
    stream.bidSize = this.#shown;
    stream.ask = this.#ask;
    stream.askSize = this.#shown;
    this.#fill(path, bar.volume);
    return path.count;
  }

  close(): void {
    this.#bars.close();
  }

  #fill({ count, price, below, above }: BarPath, volume: number): void {
    const bids = this.#bid;
    const asks = this.#ask;
    const sizes = this.#shown;
    const shown = Math.max(1, Math.floor(volume / count));
    for (let at = 0; at < count; at++) {
      const mid = price[at]!;
      const bid = mid > below ? mid - below : 1;
      bids[at] = bid;
      asks[at] = bid + below + above;
      sizes[at] = shown;
    }
  }
}
