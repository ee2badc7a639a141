/**
 * @hot What market data endpoints tell beyond the last row: the rolling 24 hours in buckets of five minutes (so the window is
 * exact to five minutes), and a ring of recent trades. Columns are made at an instrument's first trade.
 */
export const BUCKET_MS = 300_000;
/** 24 hours of buckets and the running one. */
export const BUCKETS = 289;

/** Rolling columns of one instrument; row = bucket number modulo BUCKETS, valid when `bucket` says that number. */
export class DayStats {
  readonly bucket = new Float64Array(BUCKETS).fill(-1);
  readonly open = new Float64Array(BUCKETS);
  readonly high = new Float64Array(BUCKETS);
  readonly low = new Float64Array(BUCKETS);
  readonly volume = new Float64Array(BUCKETS);
  /** Σ price · size in ticks · lots: a statistic, so a double may round it. */
  readonly value = new Float64Array(BUCKETS);
  readonly trades = new Float64Array(BUCKETS);
  readonly firstId = new Float64Array(BUCKETS);
  readonly firstTime = new Float64Array(BUCKETS);
}

/** The last `size` trades of one instrument. */
export class TradeRing {
  readonly size: number;
  readonly id: Float64Array;
  readonly price: Float64Array;
  readonly lots: Float64Array;
  readonly time: Float64Array;
  readonly aggressor: Uint8Array;
  /** Trades ever seen. */
  seen = 0;

  constructor(size: number) {
    this.size = size;
    this.id = new Float64Array(size);
    this.price = new Float64Array(size);
    this.lots = new Float64Array(size);
    this.time = new Float64Array(size);
    this.aggressor = new Uint8Array(size);
  }
}

export class MarketStats {
  readonly keepTrades: number;
  readonly keepStats: boolean;
  readonly days: (DayStats | null)[];
  readonly rings: (TradeRing | null)[];

  constructor(count: number, keepTrades: number, keepStats: boolean) {
    this.keepTrades = keepTrades;
    this.keepStats = keepStats;
    this.days = Array.from({ length: count }, () => null);
    this.rings = Array.from({ length: count }, () => null);
  }

  /** One market trade. */
  trade(i: number, price: number, size: number, aggressor: number, time: number, id: number): void {
    if (this.keepStats) this.#count(i, price, size, time, id);
    if (this.keepTrades > 0) this.#remember(i, price, size, aggressor, time, id);
  }

  #count(i: number, price: number, size: number, time: number, id: number): void {
    const day = this.days[i] ?? this.openDay(i);
    const bucket = Math.floor(time / BUCKET_MS);
    const k = bucket % BUCKETS;
    if (day.bucket[k] !== bucket) {
      day.bucket[k] = bucket;
      day.open[k] = price;
      day.high[k] = price;
      day.low[k] = price;
      day.volume[k] = 0;
      day.value[k] = 0;
      day.trades[k] = 0;
      day.firstId[k] = id;
      day.firstTime[k] = time;
    }
    if (price > day.high[k]!) day.high[k] = price;
    if (price < day.low[k]!) day.low[k] = price;
    day.volume[k]! += size;
    day.value[k]! += price * size;
    day.trades[k]!++;
  }

  #remember(i: number, price: number, size: number, aggressor: number, time: number, id: number): void {
    const ring = this.rings[i] ?? this.openRing(i);
    const k = ring.seen++ % ring.size;
    ring.id[k] = id;
    ring.price[k] = price;
    ring.lots[k] = size;
    ring.aggressor[k] = aggressor;
    ring.time[k] = time;
  }

  /** Makes the instrument's columns. */
  openDay(i: number): DayStats {
    const day = new DayStats(); // hot-ok: once per instrument
    this.days[i] = day;
    return day;
  }

  openRing(i: number): TradeRing {
    const ring = new TradeRing(this.keepTrades); // hot-ok: once per instrument
    this.rings[i] = ring;
    return ring;
  }
}
