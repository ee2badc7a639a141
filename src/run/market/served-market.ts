/** The market that an exchange serves: a tape, a synthetic one, or that of another venue. */
import { Failure } from '../../base/failure.ts';
import { ENDPOINTS } from '../../contract/endpoints/endpoints.ts';
import { success, SUCCESS_CODE, type Handler } from '../../contract/envelope.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { BaseUrlError, parseBaseUrl } from '../../edge/http/base-url.ts';
import { Alarm } from '../../edge/time/live-clock.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { VenueSim } from '../../sim/core/venue-core.ts';
import type { SimTicker } from '../../sim/state/types.ts';
import { readManifest } from '../../tape/read.ts';
import { instrumentsFor, instrumentsOf } from '../setup/instruments.ts';
import { LiveMarket, type TickerRecord } from './live-market.ts';
import { withSynthetic } from './synthetic.ts';
import { synthFeed, tapeFeed, type MarketFeed, type MarketSink } from './market-feed.ts';
import type { ExchangeOptions } from '../setup/options.ts';

/** Rows are handed over at most this long after their time when nobody asks, and before the answer when somebody does. */
const FEED_EVERY_MS = 5;

/** What an exchange on this market lists. */
export function marketInstruments({ tape, symbols, config }: ExchangeOptions): readonly Instrument[] {
  if (tape !== null) return instrumentsFor(readManifest(tape).symbols, config.instruments).instruments;
  return instrumentsOf(symbols === undefined ? config.instruments : withSynthetic(config.instruments, symbols));
}

/** Times real time: as given, or so that one round of the tape takes as long as is wanted. */
export function speedOf({ tape, speed, stretchMs }: ExchangeOptions): number {
  if (tape === null || stretchMs === undefined) return speed;
  const { from, to } = readManifest(tape);
  return Math.max(1, to - from) / stretchMs;
}

/** Where the market comes from, in words. */
export function marketText({ marketUrl, tape, seed }: ExchangeOptions): string {
  if (marketUrl !== undefined) return `the live market of ${marketUrl}, passed through`;
  return tape === null ? `a synthetic market, seed ${seed}` : `tape ${tape}`;
}

/** Before anything is opened. @throws Failure (usage) for a --market-url that must not be used */
export function checkMarketUrl({ marketUrl }: ExchangeOptions): void {
  if (marketUrl === undefined) return;
  try {
    parseBaseUrl(marketUrl);
  } catch (error) {
    if (!(error instanceof BaseUrlError)) throw error;
    throw new Failure('market-address', { what: error.message, where: '--market-url' }, { cause: error });
  }
}

/** When the market goes on, and how many rows of it were handed over before. */
export interface Going {
  readonly start: number;
  readonly rows: number;
}

export interface Surroundings {
  readonly clock: Clock;
  readonly log: Log;
  /** The exchange cannot go on. */
  readonly fail: (error: Error) => void;
}

export interface ServedMarket extends MarketFeed {
  /** Begins to hand rows over; the returned function hands over what is due by `now`. */
  run(to: MarketSink & { advance(time: number): void }): (now: number) => void;
  /** Public answers that are the other venue's own: its 24h figures. */
  answers(handler: Handler): Handler;
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
    run(to) {
      const feedUntil = handOver(feed, to, around.log);
      alarm = turns(feed, feedUntil, around);
      live?.start();
      return feedUntil;
    },
    answers: (handler) => (live === null ? handler : withTickers(handler, live.tickers)),
    async stop() {
      alarm?.stop();
      await live?.close();
    },
  };
}

function feedFor(options: ExchangeOptions, instruments: readonly Instrument[], sim: VenueSim, { start, rows }: Going): MarketFeed {
  const speed = speedOf(options);
  if (options.tape !== null) return tapeFeed({ folder: options.tape, instruments, speed, loop: options.loop, start, skip: rows });
  const traded = tickersOf(instruments, sim);
  const lastPrices = new Map(traded.map(({ instrument, last }) => [instrument, last]));
  const lastId = traded.reduce((most, ticker) => Math.max(most, ticker.lastId), 0);
  const season = options.season === true;
  return synthFeed({ instruments, seed: options.seed + lastId, start, speed, lastPrices, firstId: lastId + 1, season });
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

/** Of what has traded: where a market that goes on takes up. */
function tickersOf(instruments: readonly Instrument[], sim: VenueSim): readonly SimTicker[] {
  return instruments.flatMap(({ index }) => sim.ticker(index) ?? []);
}

type Target = MarketSink & { advance(time: number): void };

/** Hands over what is due. What cannot be handed over in one turn slips: the market is then slower than its speed, and that is told once. */
function handOver(feed: MarketFeed, to: Target, log: Log): (now: number) => void {
  let isLate = false;
  return (now) => {
    feed.feed(now, to);
    const behind = now - feed.nextTime;
    if (behind >= 0) {
      feed.slip(behind + 1);
      if (!isLate) log.warn('market-slowed', { hint: 'rows come faster than they can be served; a lower --speed keeps its time' });
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
      log.info('tape-ended', { hint: 'the market stands still; --loop starts it over' });
    }
    alarm.setAt(now + FEED_EVERY_MS);
  });
  alarm.setAt(clock.now());
  return alarm;
}

/** E6 in the other venue's words, where it has said something; an exchange sees too little of 24 hours to say it itself. */
function withTickers(handler: Handler, tickers: ReadonlyMap<string, TickerRecord>): Handler {
  return (endpoint, request) => {
    const reply = handler(endpoint, request);
    if (endpoint.id !== ENDPOINTS.tickers.id) return reply;
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
