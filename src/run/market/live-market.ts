/**
 * The live market of another venue with this interface, for paper trading on live prices. Its tickers (E6), book tickers (E7) and trades (E8)
 * are polled and passed on as market rows. A quote keeps its age: if the other venue stops updating, quotes here become stale.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { API_PREFIX, type AnswerOf } from '../../contract/endpoints/endpoint.ts';
import { ENDPOINTS } from '../../contract/endpoints/endpoints.ts';
import { limitFor, type Limits, type PollPeriods } from '../../config/model.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { decimalsOf } from '../../domain/scale.ts';
import type { QuoteReport, TradeReport } from '../../domain/report.ts';
import { parseBaseUrl } from '../../edge/http/base-url.ts';
import { VenueClient } from '../../edge/http/call.ts';
import { mapTrades, SymbolTable } from '../../edge/http/map-in.ts';
import type { Accepted, Called } from '../../edge/http/outcome.ts';
import { QuoteDiff } from '../../edge/http/quote-diff.ts';
import { Connectivity } from '../../edge/http/connectivity.ts';
import { HttpTransport } from '../../edge/http/transport.ts';
import { SpacedReads } from '../../edge/pace/spaced-reads.ts';
import type { Clock } from '../../ports/clock.ts';
import { DroppedError, QUERY_PRIORITY } from '../../ports/limiter.ts';
import type { Log } from '../../ports/log.ts';
import { feedOf } from '../setup/instruments.ts';
import { sendQuote, sendTrade, type MarketFeed, type MarketSink } from './market-feed.ts';
import type { Feed } from '../setup/mirror-row.ts';
import { TradeStitching } from './trade-stitching.ts';

export interface LiveMarketOptions {
  /** URL of the other venue: `https://host[/path]`, or `http://` on this machine. */
  readonly url: string;
  readonly instruments: readonly Instrument[];
  readonly limits: Limits;
  readonly poll: Pick<PollPeriods, 'quotes' | 'trades' | 'stats'>;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Ids of the last trades passed on before a restart, by instrument. Trades between then and now are a gap and are not passed on. */
  readonly lastIds: ReadonlyMap<number, number>;
}

/** A ticker record (E6) of the other venue. */
export type TickerRecord = AnswerOf<typeof ENDPOINTS.tickers>[number];

type Row = (sink: MarketSink) => void;

/** Trades per request: the maximum of trades (E8). */
const TRADES_LIMIT = 1000;
/** Most waiting rows; beyond that the oldest are dropped. */
const WAITING_MAX = 100_000;
/** Longest pause between retries of a failing read. */
const PAUSE_MAX_MS = 30_000;
/** If the newest quote of an answer is older than this, the other venue has stopped. That is logged once. */
const STALE_MS = 5_000;

export class LiveMarket implements MarketFeed {
  /** Latest ticker records of the other venue, by symbol. */
  readonly tickers = new Map<string, TickerRecord>();
  readonly #options: LiveMarketOptions;
  readonly #futures: readonly Instrument[];
  readonly #feeds: ReadonlyMap<number, Feed>;
  readonly #client: VenueClient;
  readonly #transport: HttpTransport;
  readonly #reads: SpacedReads;
  readonly #symbols: SymbolTable;
  readonly #drops = { foreign: 0, offGrid: 0 };
  readonly #quotes: QuoteDiff;
  readonly #lastQuotes = new Map<number, QuoteReport>();
  readonly #stitchings: ReadonlyMap<number, TradeStitching>;
  readonly #reach: Connectivity;
  readonly #stop = new AbortController();
  #isOffGrid = false;
  #isStale = false;
  #rows: Row[] = [];
  #loops: Promise<void>[] = [];

  /** @throws BaseUrlError */
  constructor(options: LiveMarketOptions) {
    const { instruments, clock, log, limits } = options;
    const base = parseBaseUrl(options.url);
    this.#options = options;
    this.#futures = instruments.filter((i) => i.product === 'futures');
    this.#feeds = new Map(this.#futures.map((i) => [i.index, feedOf(i.symbol, instruments, () => true)]));
    this.#stitchings = new Map(this.#futures.map((i) => [i.index, new TradeStitching(options.lastIds.get(i.index) ?? null)]));
    this.#symbols = new SymbolTable(instruments);
    this.#quotes = new QuoteDiff(this.#symbols, this.#drops);
    this.#reach = new Connectivity(log);
    this.#transport = new HttpTransport({ base, clock, timeoutMs: options.timeoutMs });
    this.#reads = new SpacedReads({ clock, perSecond: limitFor(limits, 'public') });
    this.#client = new VenueClient({
      transport: this.#transport,
      clock,
      credentials: null,
      apiPrefix: base.mount + API_PREFIX,
      onRateLimit: ({ bucket, until }) => {
        this.#reads.backOff(until);
        log.warn('rate-limited', { bucket, untilMs: until });
      },
    });
  }

  /** A waiting row is due at once. The time of later rows is unknown. */
  get nextTime(): number {
    return this.#rows.length > 0 ? this.#options.clock.now() : Infinity;
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
    this.#loops = [
      this.#compareSpot(),
      this.#loop(poll.quotes, () => this.#askQuotes()),
      this.#loop(poll.stats, () => this.#askTickers()),
      ...this.#futures.map((instrument) => this.#loop(poll.trades, () => this.#askTrades(instrument))),
    ];
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#reads.stop();
    await this.#transport.close();
    await Promise.all(this.#loops);
  }

  /** Polls in a loop. The pause is the period, doubled with each failure in a row. */
  async #loop(periodMs: number, ask: () => Promise<boolean>): Promise<void> {
    const { signal } = this.#stop;
    let failures = 0;
    while (!signal.aborted) {
      failures = (await ask()) ? 0 : failures + 1;
      const pause = Math.max(periodMs, Math.min(PAUSE_MAX_MS, periodMs * 2 ** Math.min(failures, 10)));
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  async #askQuotes(): Promise<boolean> {
    const { bookTickers } = ENDPOINTS;
    const called = await this.#call('quotes', () => this.#client.call(bookTickers, this.#oneOrAll(), { signal: this.#stop.signal }));
    if (called === null) return false;
    let youngestMs = Infinity;
    for (const quote of this.#quotes.map(called.value)) {
      const time = this.#timeOf(quote.venueTime, called);
      youngestMs = Math.min(youngestMs, called.receivedAt - time);
      this.#takeQuote(quote, time);
    }
    this.#watchAge(youngestMs);
    this.#watchGrid();
    return true;
  }

  async #askTickers(): Promise<boolean> {
    const { tickers } = ENDPOINTS;
    const called = await this.#call('stats', () => this.#client.call(tickers, this.#oneOrAll(), { signal: this.#stop.signal }));
    for (const record of called?.value ?? []) if (this.#symbols.get(record.symbol) !== undefined) this.tickers.set(record.symbol, record);
    return called !== null;
  }

  async #askTrades(instrument: Instrument): Promise<boolean> {
    const { trades } = ENDPOINTS;
    const { symbol } = instrument;
    const called = await this.#call('trades', () =>
      this.#client.call(trades, { symbol, limit: TRADES_LIMIT }, { signal: this.#stop.signal }),
    );
    if (called === null) return false;
    const stitching = this.#stitchings.get(instrument.index)!;
    const { fresh, gap } = stitching.take(mapTrades(called.value, this.#symbols, this.#drops), called.value.length >= TRADES_LIMIT);
    if (gap !== null) this.#options.log.warn('market-gap', { symbol, ...gap });
    for (const trade of fresh) this.#takeTrade(trade, stitching.idOf(trade), called);
    return true;
  }

  #oneOrAll(): { symbol?: string } {
    const [only] = this.#futures;
    return this.#futures.length === 1 && only !== undefined ? { symbol: only.symbol } : {};
  }

  async #call<T>(kind: 'quotes' | 'trades' | 'stats', run: () => Promise<Called<T>>): Promise<Accepted<T> | null> {
    const { clock, log } = this.#options;
    try {
      const called = await this.#reads.schedule(QUERY_PRIORITY[kind], run);
      if (this.#stop.signal.aborted) return null;
      if (called.status === 'accepted') {
        this.#reach.answered(clock.now());
        return called;
      }
      if (called.status === 'rejected')
        log.warn('market-refused', { kind, code: called.rejection.code, message: called.rejection.message });
      else this.#reach.failed(called.cause, called.detail, clock.now());
    } catch (error) {
      if (!(error instanceof DroppedError)) throw error;
    }
    return null;
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
    if (this.#drops.offGrid === 0 || this.#isOffGrid) return;
    this.#isOffGrid = true;
    const hint = 'check tickSize and lotSize of the futures in the configuration against the prices of the other venue';
    this.#options.log.warn('market-off-grid', { records: this.#drops.offGrid, hint });
  }

  /** Compares the other venue's spot symbols (E3) with the configuration, once at the start. Without an answer nothing is logged. */
  async #compareSpot(): Promise<void> {
    const { instruments, log } = this.#options;
    const spot = instruments.filter((i) => i.product === 'spot');
    if (spot.length === 0) return;
    const called = await this.#call('stats', () => this.#client.call(ENDPOINTS.spotSymbols, {}, { signal: this.#stop.signal }));
    for (const { symbol, priceDecimals, tickSize, lotSize } of spot) {
      const record = called?.value.find((one) => one.symbol === symbol);
      if (record === undefined) continue;
      const [prices, sizes] = [Number(record.pricePrecision), Number(record.quantityPrecision)];
      if (decimalsOf(tickSize) > prices || decimalsOf(lotSize) > sizes)
        log.warn('instrument-differs', { symbol, tickSize, lotSize, priceDecimals, pricePrecision: prices, quantityPrecision: sizes });
    }
  }

  /** Logs when the other venue stops updating its quotes, and when it resumes. */
  #watchAge(youngestMs: number): void {
    const { log } = this.#options;
    const isStale = youngestMs > STALE_MS;
    if (isStale === this.#isStale) return;
    this.#isStale = isStale;
    if (isStale) log.warn('market-stale', { ageMs: youngestMs });
    else log.info('market-fresh');
  }
}
