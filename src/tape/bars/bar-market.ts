/** Bars as a market: each becomes trades and quotes along its path when it is read, a bar at a time. */
import { type BarPath, POINTS, shownOf } from './bar-path.ts';
import { BarQueue, type BarMarket, type QueuedBar } from './bar-queue.ts';
import type { FinerRows } from './finer-rows.ts';
import type { StreamInfo } from '../file/manifest.ts';
import type { BlockSource, TapeStream } from '../file/stream.ts';

export interface BarStreams {
  readonly trades: { readonly info: StreamInfo; readonly source: BlockSource & FinerRows };
  readonly quotes: { readonly info: StreamInfo; readonly source: BlockSource & FinerRows };
}

export function barStreams(raw: TapeStream, market: BarMarket): BarStreams {
  const bars = new BarQueue(raw, market);
  const rows = raw.rows * POINTS;
  const trades = new TradesOfBars(bars, market);
  const quotes = new QuotesOfBars(bars, market);
  return {
    trades: { info: { ...raw.info, kind: 'trades', rows, barMs: undefined }, source: trades },
    quotes: { info: { ...raw.info, kind: 'quotes', rows, barMs: undefined }, source: quotes },
  };
}

/** Trades; bars without volume have none. */
class TradesOfBars implements BlockSource, FinerRows {
  readonly #bars: BarQueue;
  readonly #hasIds: boolean;
  readonly #finer: FinerRows | undefined;
  /** Columns of bars in which not every point trades, and the ids. */
  readonly #time = new Float64Array(POINTS);
  readonly #price = new Float64Array(POINTS);
  readonly #size = new Float64Array(POINTS);
  readonly #side = new Uint8Array(POINTS);
  #id = new Float64Array(POINTS);
  #lastId = 0;
  /** The bar that is loaded next. */
  number = 0;

  constructor(bars: BarQueue, { hasIds, finer }: BarMarket) {
    this.#bars = bars;
    this.#hasIds = hasIds;
    this.#finer = finer?.trades;
  }

  load(stream: TapeStream, block: number): number {
    if (block === 0) this.rewind();
    return this.within(stream, -Infinity, Infinity);
  }

  rewind(): void {
    this.number = 0;
    this.#lastId = 0;
    this.#finer?.rewind();
  }

  within(stream: TapeStream, from: number, until: number): number {
    for (;;) {
      const bar = this.#bars.bar(this.number);
      if (bar === null || bar.time >= until) return 0;
      this.#bars.tradesAt(this.number);
      const rows = bar.time < from ? 0 : this.#rows(stream, bar);
      if (rows > 0) return this.#withIds(stream, rows);
      this.number++;
    }
  }

  close(): void {
    this.#bars.close();
    this.#finer?.close();
  }

  /** The next rows of a bar; none if it has no more. */
  #rows(stream: TapeStream, bar: QueuedBar): number {
    const finerUntil = this.#finer === undefined ? -Infinity : this.#bars.finerUntil(bar);
    if (finerUntil > bar.time) return this.#finer!.within(stream, bar.time, finerUntil);
    if (bar.volume === 0) return 0;
    this.number++;
    const path = this.#bars.path(bar);
    return path.isWhole ? this.#whole(stream, path) : this.#part(stream, path);
  }

  /** Numbers that go up, whether the rows are of a path or finer ones. */
  #withIds(stream: TapeStream, rows: number): number {
    if (!this.#hasIds) return rows;
    if (this.#id.length < rows) this.#id = new Float64Array(rows);
    for (let at = 0; at < rows; at++) this.#id[at] = ++this.#lastId;
    stream.id = this.#id;
    return rows;
  }

  /** The stream uses the columns of the path directly, until its next bar. */
  #whole(stream: TapeStream, path: BarPath): number {
    stream.time = path.time;
    stream.price = path.price;
    stream.size = path.size;
    stream.side = path.side;
    return path.count;
  }

  #part(stream: TapeStream, path: BarPath): number {
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
      rows++;
    }
    return rows;
  }
}

/** Quotes around each point; of a bar without volume as well, a lot on either side. */
class QuotesOfBars implements BlockSource, FinerRows {
  readonly #bars: BarQueue;
  readonly #finer: FinerRows | undefined;
  readonly #bid = new Float64Array(POINTS);
  readonly #ask = new Float64Array(POINTS);
  readonly #shown = new Float64Array(POINTS);

  /** The bar that is loaded next. */
  number = 0;

  constructor(bars: BarQueue, { finer }: BarMarket) {
    this.#bars = bars;
    this.#finer = finer?.quotes;
  }

  load(stream: TapeStream, block: number): number {
    if (block === 0) this.rewind();
    return this.within(stream, -Infinity, Infinity);
  }

  rewind(): void {
    this.number = 0;
    this.#finer?.rewind();
  }

  within(stream: TapeStream, from: number, until: number): number {
    for (;;) {
      const bar = this.#bars.bar(this.number);
      if (bar === null || bar.time >= until) return 0;
      this.#bars.quotesAt(this.number);
      const rows = bar.time < from ? 0 : this.#rows(stream, bar);
      if (rows > 0) return rows;
      this.number++;
    }
  }

  #rows(stream: TapeStream, bar: QueuedBar): number {
    const finerUntil = this.#finer === undefined ? -Infinity : this.#bars.finerUntil(bar);
    if (finerUntil > bar.time) return this.#finer!.within(stream, bar.time, finerUntil);
    this.number++;
    const path = this.#bars.path(bar);
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
    this.#finer?.close();
  }

  #fill(path: BarPath, volume: number): void {
    const { count, price, below, above } = path;
    const bids = this.#bid;
    const asks = this.#ask;
    const sizes = this.#shown;
    const shown = shownOf(volume, count);
    for (let at = 0; at < count; at++) {
      const bid = path.bidAt(price[at]!);
      bids[at] = bid;
      asks[at] = bid + below + above;
      sizes[at] = shown;
    }
  }
}
