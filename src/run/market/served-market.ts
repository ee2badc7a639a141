/** The market that an exchange serves: a tape, a synthetic market, or the live market of another venue. */
import { Failure } from '../../base/failure/failure.ts';
import { isRecord } from '../../base/fields.ts';
import { tickers as tickersEndpoint } from '../../contract/endpoints/futures-market.ts';
import type { Endpoint } from '../../contract/endpoints/endpoint.ts';
import type { EndpointName } from '../../contract/endpoints/endpoints.ts';
import { GeneralRefusal } from '../../contract/endpoints/general-refusals.ts';
import { failure, success, SUCCESS_CODE, type Handler, type Reply, type WireRequest } from '../../contract/envelope.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { BaseUrlError, parseBaseUrl } from '../../edge/http/base-url.ts';
import { Alarm } from '../../edge/time/live-clock.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { VenueSim } from '../../sim/core/venue-core.ts';
import type { SimTicker } from '../../sim/state/types.ts';
import { readManifest } from '../../tape/read.ts';
import { instrumentsFor, instrumentsOf } from '../setup/instruments/instruments.ts';
import { LiveMarket, type TickerRecord } from './live-market.ts';
import { withSynthetic } from '../setup/instruments/synthetic-instruments.ts';
import { synthFeed, tapeFeed, type MarketFeed, type MarketSink } from './market-feed.ts';
import type { ExchangeOptions } from '../setup/options.ts';

/** Rows are passed on at most this long after their time, and always before a request is answered. */
const FEED_EVERY_MS = 5;

/** The instruments of an exchange on this market. */
export function marketInstruments({ tape, symbols, config }: ExchangeOptions): readonly Instrument[] {
  if (tape !== null) return instrumentsFor(readManifest(tape), config.instruments).instruments;
  return instrumentsOf(symbols === undefined ? config.instruments : withSynthetic(config.instruments, symbols));
}

/** Speed as a multiple of real time: as given, or such that the tape takes the wanted duration; 1 of the market of another venue. */
export function speedOf({ marketUrl, tape, speed, stretchMs }: ExchangeOptions): number {
  if (marketUrl !== undefined) return 1;
  if (tape === null || stretchMs === undefined) return speed;
  const { from, to } = readManifest(tape);
  return Math.max(1, to - from) / stretchMs;
}

/** Source of the market in words. */
export function marketText({ marketUrl, tape, seed }: ExchangeOptions): string {
  if (marketUrl !== undefined) return `the live market of ${marketUrl}, passed through`;
  return tape === null ? `a synthetic market, seed ${seed}` : `tape ${tape}`;
}

/** Checks --market-url before anything is opened. @throws Failure (usage) */
export function checkMarketUrl({ marketUrl }: ExchangeOptions): void {
  if (marketUrl === undefined) return;
  try {
    parseBaseUrl(marketUrl);
  } catch (error) {
    if (!(error instanceof BaseUrlError)) throw error;
    throw new Failure('market-address', { what: error.message, where: '--market-url' }, { cause: error });
  }
}

/** Where a market continues: its time, the number of rows passed on before, and the ids that trades of its past have. */
export interface Going {
  readonly start: number;
  readonly rows: number;
  readonly pastIds: number;
}

export interface Surroundings {
  readonly clock: Clock;
  readonly log: Log;
  /** Called if the exchange cannot continue. */
  readonly fail: (error: Error) => void;
}

/** What is wrong with the market of another venue. */
export interface Upstream {
  /** True if it has shown no fresh quote lately. */
  readonly isAway: boolean;
  /** Symbols with a crossed or locked book. */
  readonly crossed: readonly string[];
}

type Refused = (endpoint: Endpoint, request: WireRequest, reply: Reply) => void;

export interface ServedMarket extends MarketFeed {
  /** null unless the market of another venue is passed through. */
  upstream(): Upstream | null;
  /** Starts passing on rows. The returned function passes on what is due by `now`. */
  run(to: MarketSink & { advance(time: number): void }): (now: number) => void;
  /** Replaces tickers (E6) by those of the other venue. Orders that it refuses because of that venue's market are passed to `refused`. */
  answers(handler: Handler, refused: Refused): Handler;
  stop(): Promise<void>;
}

/** @throws TapeError */
export function openMarket(
  options: ExchangeOptions,
  instruments: readonly Instrument[],
  sim: VenueSim,
  going: Going,
  around: Surroundings,
): ServedMarket {
  const live = options.marketUrl === undefined ? null : openLive(options.marketUrl, options, instruments, sim, around);
  const feed = live ?? feedFor(options, instruments, sim, going);
  let alarm: Alarm | null = null;
  return {
    get nextTime() {
      return feed.nextTime;
    },
    feed: (now, sink) => feed.feed(now, sink),
    slip: (ms) => feed.slip(ms),
    place: () => feed.place(),
    upstream: () => live && { isAway: live.isAway, crossed: live.crossed },
    run(to) {
      const feedUntil = handOver(feed, to, around.log);
      alarm = turns(feed, feedUntil, around);
      live?.start();
      return feedUntil;
    },
    answers: (handler, refused) =>
      live === null
        ? handler
        : withTickers(options.staleOrders === 'fill' ? handler : refusingStale(handler, live, around.clock, refused), live.tickers),
    async stop() {
      alarm?.stop();
      await live?.close();
    },
  };
}

function feedFor(options: ExchangeOptions, instruments: readonly Instrument[], sim: VenueSim, { start, rows, pastIds }: Going): MarketFeed {
  const speed = speedOf(options);
  if (options.tape !== null) return tapeFeed({ folder: options.tape, instruments, speed, loop: options.loop, start, skip: rows });
  const traded = tickersOf(instruments, sim);
  const lastPrices = new Map(traded.map(({ instrument, last }) => [instrument, last]));
  const lastId = traded.reduce((most, ticker) => Math.max(most, ticker.lastId), 0);
  const season = options.season === true;
  return synthFeed({ instruments, seed: options.seed + lastId, start, speed, lastPrices, firstId: Math.max(lastId, pastIds) + 1, season });
}

function openLive(
  url: string,
  { config }: ExchangeOptions,
  instruments: readonly Instrument[],
  sim: VenueSim,
  { clock, log }: Surroundings,
): LiveMarket {
  const lastIds = new Map(tickersOf(instruments, sim).map(({ instrument, lastId }) => [instrument, lastId]));
  const { limits, poll, venue } = config;
  return new LiveMarket({ url, instruments, limits, poll, timeoutMs: venue.timeoutMs, clock, log, lastIds });
}

/** Tickers of instruments that have traded; a continued market starts at their prices. */
function tickersOf(instruments: readonly Instrument[], sim: VenueSim): readonly SimTicker[] {
  return instruments.flatMap(({ index }) => sim.ticker(index) ?? []);
}

type Target = MarketSink & { advance(time: number): void };

/** Passes on what is due. If it does not fit in one turn, the market slows down; that is logged once. */
function handOver(feed: MarketFeed, to: Target, log: Log): (now: number) => void {
  let isLate = false;
  return (now) => {
    feed.feed(now, to);
    const behind = now - feed.nextTime;
    if (behind >= 0) {
      feed.slip(behind + 1);
      if (!isLate) log.warn('market-slowed', { hint: 'rows come faster than they can be served; use a lower --speed' });
      isLate = true;
    }
    to.advance(now);
  };
}

function turns(feed: MarketFeed, feedUntil: (now: number) => void, { clock, log, fail }: Surroundings): Alarm {
  let isOver = false;
  const alarm = new Alarm(clock, (now) => {
    try {
      feedUntil(now);
    } catch (error) {
      return fail(error instanceof Error ? error : new Error(String(error)));
    }
    if (feed.place()?.isOver === true && !isOver) {
      isOver = true;
      log.info('tape-ended', { hint: 'the market has stopped; --loop repeats the tape' });
    }
    alarm.setAt(now + FEED_EVERY_MS);
  });
  alarm.setAt(clock.now());
  return alarm;
}

/** Endpoints whose orders may fill at once. */
const FILLING: ReadonlySet<string> = new Set(['placeOrder', 'modifyOrder', 'placeSpotOrders'] satisfies EndpointName[]);

/** Refuses orders that would meet the last quotes of a venue that is away, or of a book that is crossed. */
function refusingStale(handler: Handler, live: LiveMarket, clock: Clock, refused: Refused): Handler {
  return (endpoint, request) => {
    if (request.caller === null || !FILLING.has(endpoint.name)) return handler(endpoint, request);
    const isCrossed = (): boolean => symbolsIn(request.params).some((symbol) => live.isCrossed(symbol));
    const why = live.isAway ? 'marketAway' : live.crossed.length > 0 && isCrossed() ? 'bookCrossed' : null;
    if (why === null) return handler(endpoint, request);
    const refusal = new GeneralRefusal(why);
    const reply = { httpStatus: refusal.status, envelope: failure(refusal, clock.now()) };
    refused(endpoint, request, reply);
    return reply;
  };
}

/** The symbols that an order, or a batch of orders, names. */
function symbolsIn(params: unknown): unknown[] {
  if (!isRecord(params)) return [];
  const { symbol, orderList } = params;
  return [symbol, ...(Array.isArray(orderList) ? orderList.map((entry: unknown) => (isRecord(entry) ? entry['symbol'] : undefined)) : [])];
}

/** Answers tickers (E6) with the other venue's records, because the exchange itself has not seen 24 hours. */
function withTickers(handler: Handler, tickers: ReadonlyMap<string, TickerRecord>): Handler {
  return (endpoint, request) => {
    const reply = handler(endpoint, request);
    if (endpoint.id !== tickersEndpoint.id) return reply;
    const { data, code, requestTime } = reply.envelope;
    const params = request.params as { readonly symbol?: unknown } | undefined;
    if (typeof params?.symbol === 'string' && params.symbol !== '') {
      const record = tickers.get(params.symbol);
      return record === undefined ? reply : { httpStatus: 200, envelope: success(record, requestTime) };
    }
    if (code !== SUCCESS_CODE || !Array.isArray(data)) return reply;
    const own = (data as TickerRecord[]).filter(({ symbol }) => !tickers.has(symbol));
    return { ...reply, envelope: success([...own, ...tickers.values()], requestTime) };
  };
}
