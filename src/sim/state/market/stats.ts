/**
 * @hot Data for the market data endpoints: rolling 24-hour statistics in buckets of five minutes, which is also their precision, and a ring
 * of recent trades. Both are created at an instrument's first trade.
 */
export const BUCKET_MS = 300_000;
/** Buckets of 24 hours, plus the current one. */
export const BUCKETS = 289;

/* Indexes of DayStats.running. */
const UNTIL = 0;
const ROW = 1;
const HIGH = 2;
const LOW = 3;
const VOLUME = 4;
const VALUE = 5;
const TRADES = 6;
const LAST_SIZE = 7;
const LAST_ID = 8;
const LAST_TIME = 9;

/** Rolling columns of one instrument. Row = bucket number modulo BUCKETS; valid if `bucket` has that number. */
export class DayStats {
  readonly bucket = new Float64Array(BUCKETS).fill(-1);
  readonly open = new Float64Array(BUCKETS);
  readonly high = new Float64Array(BUCKETS);
  readonly low = new Float64Array(BUCKETS);
  readonly volume = new Float64Array(BUCKETS);
  /** Σ price · size in ticks · lots. A statistic, so rounding is acceptable. */
  readonly value = new Float64Array(BUCKETS);
  readonly trades = new Float64Array(BUCKETS);
  readonly firstId = new Float64Array(BUCKETS);
  readonly firstTime = new Float64Array(BUCKETS);
  /** The current bucket and the last trade in one array, so that a trade touches one or two cache lines. Indexes: see above. */
  readonly running = new Float64Array(10);

  get lastSize(): number {
    return this.running[LAST_SIZE]!;
  }

  get lastId(): number {
    return this.running[LAST_ID]!;
  }

  get lastTime(): number {
    return this.running[LAST_TIME]!;
  }

  /** Writes the current bucket into its row. */
  store(): void {
    const run = this.running;
    const k = run[ROW]!;
    this.high[k] = run[HIGH]!;
    this.low[k] = run[LOW]!;
    this.volume[k] = run[VOLUME]!;
    this.value[k] = run[VALUE]!;
    this.trades[k] = run[TRADES]!;
  }

  /** Starts the bucket of `time`. */
  turn(price: number, time: number, id: number): void {
    if (this.running[UNTIL]! > 0) this.store();
    const bucket = Math.floor(time / BUCKET_MS);
    const k = bucket % BUCKETS;
    const run = this.running;
    run[UNTIL] = (bucket + 1) * BUCKET_MS;
    run[ROW] = k;
    run[HIGH] = price;
    run[LOW] = price;
    run[VOLUME] = 0;
    run[VALUE] = 0;
    run[TRADES] = 0;
    this.bucket[k] = bucket;
    this.open[k] = price;
    this.firstId[k] = id;
    this.firstTime[k] = time;
  }

  /** Adds a trade. */
  count(price: number, size: number, time: number, id: number): void {
    const run = this.running;
    if (!(time < run[UNTIL]!)) this.turn(price, time, id);
    if (price > run[HIGH]!) run[HIGH] = price;
    if (price < run[LOW]!) run[LOW] = price;
    run[VOLUME]! += size;
    run[VALUE]! += price * size;
    run[TRADES]!++;
    run[LAST_SIZE] = size;
    run[LAST_ID] = id;
    run[LAST_TIME] = time;
  }
}

/** The last `size` trades of one instrument. */
export class TradeRing {
  readonly size: number;
  readonly id: Float64Array;
  readonly price: Float64Array;
  readonly lots: Float64Array;
  readonly time: Float64Array;
  readonly aggressor: Uint8Array;
  /** Number of trades added since the start. */
  seen = 0;

  constructor(size: number) {
    this.size = size;
    this.id = new Float64Array(size);
    this.price = new Float64Array(size);
    this.lots = new Float64Array(size);
    this.time = new Float64Array(size);
    this.aggressor = new Uint8Array(size);
  }

  add(price: number, size: number, aggressor: number, time: number, id: number): void {
    const k = this.seen++ % this.size;
    this.id[k] = id;
    this.price[k] = price;
    this.lots[k] = size;
    this.aggressor[k] = aggressor;
    this.time[k] = time;
  }
}
