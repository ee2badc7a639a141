/**
 * The live market of another venue with this interface, for paper trading on live prices. Its tickers (E6), book tickers (E7) and trades (E8)
 * are polled and passed on as market rows. A quote keeps its age: if the other venue stops updating, quotes here become stale.
 */
import type { AnswerOf } from '../../contract/endpoints/endpoint.ts';
import { tickers } from '../../contract/endpoints/futures-market.ts';
import { spotSymbols } from '../../contract/endpoints/spot-market.ts';
import type { PollPeriods } from '../../config/model.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { decimalsOf } from '../../domain/amounts/scale.ts';
import type { QuoteReport, TradeReport } from '../../domain/report.ts';
import type { Accepted } from '../../venue/called.ts';
import { INTERFACE } from '../../venue/interface/dialect.ts';
import { feedOf } from '../setup/instruments/instruments.ts';
import { sendQuote, sendTrade, type MarketFeed, type MarketSink } from './market-feed.ts';
import type { Feed } from '../setup/instruments/mirror-row.ts';
import { PublicReads, type PublicReadsOptions } from './public-reads.ts';
import { TradeStitching } from './trade-stitching.ts';

export interface LiveMarketOptions extends Omit<PublicReadsOptions, 'dialect'> {
  readonly poll: Pick<PollPeriods, 'quotes' | 'trades' | 'stats'>;
  /** Ids of the last trades passed on before a restart, by instrument. Trades between then and now are a gap and are not passed on. */
  readonly lastIds: ReadonlyMap<number, number>;
}

/** A ticker record (E6) of the other venue. */
export type TickerRecord = AnswerOf<typeof tickers>[number];

type Row = (sink: MarketSink) => void;

/** Trades per request: the maximum of trades (E8). */
const TRADES_LIMIT = 1000;
/** Most waiting rows; beyond that the oldest are dropped. */
const WAITING_MAX = 100_000;
/** The other venue has stopped if its newest quote is older than this and two polls. That is logged once. */
const STALE_MS = 5_000;

export class LiveMarket implements MarketFeed {
  /** Latest ticker records of the other venue, by symbol. */
  readonly tickers = new Map<string, TickerRecord>();
  readonly #options: LiveMarketOptions;
  readonly #futures: readonly Instrument[];
  readonly #feeds: ReadonlyMap<number, Feed>;
  readonly #reads: PublicReads;
  readonly #symbols: ReadonlySet<string>;
  readonly #lastQuotes = new Map<number, QuoteReport>();
  readonly #stitchings: ReadonlyMap<number, TradeStitching>;
  #isOffGrid = false;
  #isStale = false;
  /** Time of the newest quote; -Infinity before the first. */
  #newestAt = -Infinity;
  /** Symbols with a crossed book, and since when. */
  readonly #crossed = new Map<string, number>();
  #rows: Row[] = [];

  /** @throws BaseUrlError */
  constructor(options: LiveMarketOptions) {
    const { instruments } = options;
    this.#options = options;
    this.#futures = instruments.filter((i) => i.product === 'futures');
    this.#feeds = new Map(this.#futures.map((i) => [i.index, feedOf(i.symbol, instruments, () => true)]));
    this.#stitchings = new Map(this.#futures.map((i) => [i.index, new TradeStitching(options.lastIds.get(i.index) ?? null)]));
    this.#symbols = new Set(this.#futures.map(({ symbol }) => symbol));
    this.#reads = new PublicReads({ ...options, dialect: INTERFACE });
  }

  /** A waiting row is due at once. The time of later rows is unknown. */
  get nextTime(): number {
    return this.#rows.length > 0 ? this.#options.clock.now() : Infinity;
  }

  /** True if the newest quote is old, and before the first one. */
  get isAway(): boolean {
    return this.#isLongAgo(this.#newestAt);
  }

  get #ageMs(): number {
    return this.#options.clock.now() - this.#newestAt;
  }

  /** Symbols whose book at the other venue is crossed or locked, so that their last quotes are kept. */
  get crossed(): readonly string[] {
    return [...this.#crossed.keys()];
  }

  /** True if the book of `symbol` has been crossed for so long that its last quote is old. */
  isCrossed(symbol: unknown): boolean {
    const since = this.#crossed.get(String(symbol));
    return since !== undefined && this.#isLongAgo(since);
  }

  #isLongAgo(time: number): boolean {
    return this.#options.clock.now() - time > STALE_MS + 2 * this.#options.poll.quotes;
  }

  feed(_now: number, sink: MarketSink): void {
    if (this.#rows.length === 0) return;
    const rows = this.#rows;
    this.#rows = [];
    for (const row of rows) row(sink);
  }

  place(): null {
    return null;
  }

  slip(): void {}

  /** Starts polling. */
  start(): void {
    const { poll } = this.#options;
    void this.#compareSpot();
    this.#reads.loop(poll.quotes, () => this.#askQuotes());
    this.#reads.loop(poll.stats, () => this.#askTickers());
    for (const instrument of this.#futures) this.#reads.loop(poll.trades, () => this.#askTrades(instrument));
  }

  async close(): Promise<void> {
    await this.#reads.close();
  }

  async #askQuotes(): Promise<boolean> {
    const answered = await this.#reads.ask({ kind: 'quotes', instrument: this.#only?.index ?? -1 });
    const isAnswered = answered?.answer.kind === 'quotes';
    if (isAnswered) {
      for (const quote of answered.answer.quotes) {
        const time = this.#timeOf(quote.venueTime, answered.from);
        this.#newestAt = Math.max(this.#newestAt, time);
        this.#takeQuote(quote, time);
      }
      this.#watchGrid();
      this.#watchCrossed();
    }
    this.#watchAge();
    return isAnswered;
  }

  async #askTickers(): Promise<boolean> {
    const records = await this.#reads.call('stats', tickers, { symbol: this.#only?.symbol });
    for (const record of records ?? []) if (this.#symbols.has(record.symbol)) this.tickers.set(record.symbol, record);
    return records !== null;
  }

  async #askTrades(instrument: Instrument): Promise<boolean> {
    const { index, symbol } = instrument;
    const answered = await this.#reads.ask({ kind: 'trades', instrument: index, limit: TRADES_LIMIT, before: '' });
    if (answered?.answer.kind !== 'trades') return false;
    const stitching = this.#stitchings.get(index)!;
    const { fresh, gap } = stitching.take(answered.answer.trades, listed(answered.from) >= TRADES_LIMIT);
    if (gap !== null) this.#options.log.warn('market-gap', { symbol, ...gap });
    for (const trade of fresh) this.#takeTrade(trade, stitching.idOf(trade), answered.from);
    return true;
  }

  /** The one future, if there is only one: then nothing is read of other symbols. */
  get #only(): Instrument | undefined {
    return this.#futures.length === 1 ? this.#futures[0] : undefined;
  }

  /** Converts a time of the other venue to our clock: the same age before the answer. */
  #timeOf(venueTime: number, { requestTime, receivedAt }: Accepted<unknown>): number {
    return receivedAt - Math.max(0, (requestTime > 0 ? requestTime : receivedAt) - venueTime);
  }

  #takeQuote(quote: QuoteReport, time: number): void {
    if (this.#lastQuotes.get(quote.instrument) === quote) return;
    this.#lastQuotes.set(quote.instrument, quote);
    const feed = this.#feeds.get(quote.instrument)!;
    this.#push((sink) => sendQuote(sink, feed, [quote.bid, quote.bidSize, quote.ask, quote.askSize, time]));
  }

  #takeTrade(trade: TradeReport, id: number, called: Accepted<unknown>): void {
    const time = this.#timeOf(trade.venueTime, called);
    const feed = this.#feeds.get(trade.instrument)!;
    this.#push((sink) => sendTrade(sink, feed, [trade.price, trade.size, trade.aggressor, time, id]));
  }

  #push(row: Row): void {
    if (this.#rows.length >= WAITING_MAX) this.#rows.shift();
    this.#rows.push(row);
  }

  /** Logs once that records do not fit the configured tick or lot size. */
  #watchGrid(): void {
    if (this.#reads.drops.offGrid === 0 || this.#isOffGrid) return;
    this.#isOffGrid = true;
    const hint = 'check tickSize and lotSize of the futures in the configuration against the prices of the other venue';
    this.#options.log.warn('market-off-grid', { records: this.#reads.drops.offGrid, hint });
  }

  /** Logs when the other venue shows a crossed or locked book, and when it shows no such book any more. */
  #watchCrossed(): void {
    const { clock, log } = this.#options;
    const symbols = this.#reads.crossed;
    const isFirst = this.#crossed.size === 0;
    for (const symbol of this.#crossed.keys()) if (!symbols.includes(symbol)) this.#crossed.delete(symbol);
    for (const symbol of symbols) if (!this.#crossed.has(symbol)) this.#crossed.set(symbol, clock.now());
    if (isFirst && symbols.length > 0) log.warn('market-crossed', { symbols });
    if (!isFirst && symbols.length === 0) log.info('market-uncrossed');
  }

  /** Compares the other venue's spot symbols (E3) with the configuration, once at the start. Without an answer nothing is logged. */
  async #compareSpot(): Promise<void> {
    const { instruments, log } = this.#options;
    const spot = instruments.filter((i) => i.product === 'spot');
    if (spot.length === 0) return;
    const called = await this.#reads.call('stats', spotSymbols, {});
    for (const { symbol, priceDecimals, tickSize, lotSize } of spot) {
      const record = called?.find((one) => one.symbol === symbol);
      if (record === undefined) continue;
      const [prices, sizes] = [Number(record.pricePrecision), Number(record.quantityPrecision)];
      if (decimalsOf(tickSize) > prices || decimalsOf(lotSize) > sizes)
        log.warn('instrument-differs', { symbol, tickSize, lotSize, priceDecimals, pricePrecision: prices, quantityPrecision: sizes });
    }
  }

  /** Logs when the other venue stops updating its quotes or is away, and when it resumes. */
  #watchAge(): void {
    const { log } = this.#options;
    const isStale = this.#newestAt > -Infinity && this.isAway;
    if (isStale === this.#isStale) return;
    this.#isStale = isStale;
    if (isStale) log.warn('market-stale', { ageMs: this.#ageMs });
    else log.info('market-fresh');
  }
}

/** Number of records in an answer, also of those that were left out. */
function listed({ value }: Accepted<unknown>): number {
  return Array.isArray(value) ? value.length : 0;
}
