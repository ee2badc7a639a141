/** Assembles the paper exchange: market, venue API, HTTP server, admin interface, and a ledger that survives kill -9. */
import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from '../../base/failure/assert.ts';
import { Failure } from '../../base/failure/failure.ts';
import { isRecord } from '../../base/fields.ts';
import { MINUTE_MS } from '../../base/time/time-spans.ts';
import type { Handler, RefusedRequest } from '../../contract/envelope.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { RequestNotes } from '../../edge/file/ledger/request-notes.ts';
import type { RunningAdmin } from '../../edge/serve/admin.ts';
import { readFaultPlan } from '../../edge/serve/faults/fault-plan.ts';
import { Faults } from '../../edge/serve/faults/faults.ts';
import { ServeError } from '../../edge/serve/listen.ts';
import { startServer, type RunningServer } from '../../edge/serve/server.ts';
import type { ServerOptions } from '../../edge/serve/server-options.ts';
import { LiveClock } from '../../edge/time/live-clock.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { VenueSim } from '../../sim/core/venue-core.ts';
import {
  checkMarketUrl,
  marketInstruments,
  marketText,
  openMarket,
  speedOf,
  type ServedMarket,
  type Surroundings,
} from '../market/served-market.ts';
import { dialectOf } from '../../venue/registry/dialects.ts';
import { INTERFACE } from '../../venue/interface/dialect.ts';
import { StepClock } from '../setup/step-clock.ts';
import type { ExchangeOptions } from '../setup/options.ts';
import { openAdmin, type AdminDeps } from './exchange-admin.ts';
import { isFatal } from './exchange-ledger.ts';
import type { ExchangeState } from './views/exchange-state.ts';
import { exchangeState, type LiveSources } from './views/live-view.ts';
import { describeHere, exchangePage } from './views/page-data.ts';
import type { DrawnPast, PastTrades } from '../market/past-trades.ts';
import { RequestCounters } from './views/request-counters.ts';
import { Starting } from './starting.ts';
import { serverRules } from './switch-options.ts';
import { openVenue, type ServedVenue } from './exchange-venue.ts';

export interface RunningExchange {
  readonly url: string;
  /** Address of the admin interface; null if there is none. */
  readonly adminUrl: string | null;
  readonly instruments: readonly Instrument[];
  readonly sim: VenueSim;
  /** What its operator may do, with or without the admin interface. */
  readonly operator: AdminDeps;
  /** All accounts with their positions and working orders. */
  state(): ExchangeState;
  /** True if an existing ledger was continued. */
  readonly resumed: boolean;
  /** Resolves with the error when the exchange cannot continue, because its ledger can no longer be written. */
  readonly failed: Promise<Error>;
  /** Stops market and server, then closes the ledger. Can be called twice. */
  close(): Promise<void>;
}

/** Starts the exchange and returns when it listens. @throws Failure */
export async function openExchange(options: ExchangeOptions, log: Log, clock: Clock = new LiveClock()): Promise<RunningExchange> {
  const plan = options.faults === undefined ? null : readFaultPlan(options.faults.plan, options.faults.file);
  checkMarketUrl(options);
  const instruments = marketInstruments(options);
  const stepClock = new StepClock(clock);
  const starting = new Starting(log);
  let fail: (error: Error) => void = () => undefined;
  const failed = new Promise<Error>((resolve) => {
    fail = resolve;
  });
  let venue: ServedVenue | null = null;
  let market: ServedMarket | null = null;
  let notes: RequestNotes | null = null;
  let admin: RunningAdmin | null = null;
  const faults = new Faults({
    now: () => clock.now(),
    errorStatus: options.switches.errorStatus,
    report: (note) => stepClock.hold(() => venue?.ledger?.fault(note)),
  });
  faults.set(plan);
  // The port is open before the ledger is read, so that callers are told to wait.
  let answering: Answering | null = null;
  const server = await listen(options, { clock, log, fail, faults, starting, answering: () => answering });
  const closeAll = async (): Promise<void> => {
    await market?.stop();
    await admin?.close();
    await server.close();
    notes?.close();
    venue?.past.close();
    venue?.ledger?.close();
  };
  try {
    const opened = await openVenue(options, instruments, stepClock, starting);
    venue = opened;
    const { sim, ledger, past, resumed } = opened;
    const start = Math.max(clock.now(), resumed.time + 1);
    const pastIds = past.begin(sim, resumed.resumed ? null : drawnPast(options, start));
    const going = { start, rows: resumed.rows, pastIds };
    const around = { clock, log, fail };
    market = openMarket(options, instruments, sim, going, around);
    const firstRowAt = market.nextTime;
    const feedUntil = market.run(noted(opened.rows, past));
    const requests = new RequestCounters(() => clock.now());
    const noting = ledger === null ? null : new RequestNotes(ledger, options.ledgerReads);
    const answered = market.answers(opened.handler, (endpoint, request, reply) => noting?.refusedWrite(endpoint, request, reply));
    notes = noting;
    const answer = requests.over(noting?.over(answered) ?? answered);
    // A request happens at one time: market rows up to it are applied first.
    const atOnce = <T>(act: (time: number) => T): T =>
      stepClock.hold((time) => {
        feedUntil(time);
        return act(time);
      });
    const handler: Handler = (endpoint, request) => atOnce(() => answer(endpoint, request));
    const command = (name: string, given: unknown): object => atOnce((time) => opened.command(name, given, time));
    const live = liveSources(options, instruments, opened, { clock, requests, market, faults });
    const onRefused = (refused: RefusedRequest): void => {
      requests.refused(refused);
      if (noting !== null) stepClock.hold(() => noting.refused(refused));
    };
    answering = {
      handler,
      prepare: drawnFirst(instruments, past),
      page: exchangePage({ ...live, past, door: () => admin?.door ?? null }, options.page),
      onRefused,
    };
    starting.ready();
    const operator = { faults, ledger, command, requests: () => requests.summary() };
    admin = await openAdmin(options.admin, operator, around);
    log.info('market-started', { firstRowAt: Number.isFinite(firstRowAt) ? firstRowAt : null });
    let closing: Promise<void> | null = null;
    return {
      url: server.url,
      adminUrl: admin?.url ?? null,
      instruments,
      sim,
      operator,
      state: () => exchangeState(live),
      resumed: resumed.resumed,
      failed,
      close: () => (closing ??= closeAll()),
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** The past of a new market: drawn if the market is synthetic. Its minutes are as fast as the market will be. */
function drawnPast(options: ExchangeOptions, start: number): DrawnPast {
  const { tape, marketUrl, pastMs = 0, seed, season = false } = options;
  const minutes = tape === null && marketUrl === undefined ? Math.floor(pastMs / MINUTE_MS) : 0;
  return { start, minutes, minuteMs: Math.max(1, Math.round(MINUTE_MS / speedOf(options))), seed, season };
}

/** The past of a symbol is drawn before its trades (E8) are shown, in turns between which others are answered. */
function drawnFirst(instruments: readonly Instrument[], past: PastTrades): NonNullable<ServerOptions['prepare']> {
  const futures = new Map(instruments.filter(({ product }) => product === 'futures').map(({ symbol, index }) => [symbol, index]));
  return ({ name }, { params }) => {
    const symbol = name === 'trades' && isRecord(params) ? params['symbol'] : undefined;
    const index = typeof symbol === 'string' ? futures.get(symbol) : undefined;
    return index === undefined ? null : past.prepare(index);
  };
}

/** Passes rows on to the venue and its trades to the past as well. */
function noted(rows: ServedVenue['rows'], past: PastTrades): ServedVenue['rows'] {
  return {
    quote(instrument, bid, bidSize, ask, askSize, time) {
      rows.quote(instrument, bid, bidSize, ask, askSize, time);
    },
    advance: (time) => rows.advance(time),
    trade(instrument, price, size, aggressor, time, id) {
      rows.trade(instrument, price, size, aggressor, time, id);
      past.trade(instrument, price, size, time, id);
    },
  };
}

/** Data sources of the web page. */
function liveSources(
  options: ExchangeOptions,
  instruments: readonly Instrument[],
  { sim, venueApi, fills, resumed }: ServedVenue,
  { clock, requests, market, faults }: { clock: Clock; requests: RequestCounters; market: ServedMarket; faults: Faults },
): LiveSources {
  const facts = {
    startedAt: clock.now(),
    market: marketText(options),
    speed: speedOf(options),
    fillModel: options.fillModel,
    ledger: options.state,
    resumed: resumed.resumed,
  };
  return {
    sim,
    instruments,
    keys: options.accounts.map((account) => account.key),
    facts,
    fills,
    requests,
    now: () => clock.now(),
    place: () => market.place(),
    upstream: () => market.upstream(),
    faults: () => faults.counts(),
    idsOf: (order) => venueApi.idsOf(order),
  };
}

/** What answers requests once the ledger is read. */
type Answering = Pick<ServerOptions, 'handler' | 'page'> & Required<Pick<ServerOptions, 'prepare' | 'onRefused'>>;

interface Around extends Surroundings {
  readonly faults: Faults;
  readonly starting: Starting;
  /** Null before it is ready. */
  readonly answering: () => Answering | null;
}

async function listen(options: ExchangeOptions, { faults, starting, answering, ...around }: Around): Promise<RunningServer> {
  const ready = (): Answering => {
    const found = answering();
    assert(found !== null, 'a request is served once the ledger is read');
    return found;
  };
  try {
    return await startServer({
      waitsFor: () => starting.missing,
      handler: (endpoint, request) => ready().handler(endpoint, request),
      dialect: dialectOf(options.config.venue.dialect),
      faults,
      prepare: (endpoint, request) => ready().prepare?.(endpoint, request) ?? null,
      accounts: options.accounts,
      now: () => around.clock.now(),
      host: options.host,
      port: options.port,
      ...serverRules(options.switches, options.config),
      // The document describes the interface.
      openapi: options.config.venue.dialect === INTERFACE.name ? describeHere : undefined,
      page: (request) => ready().page?.(request) ?? null,
      onRefused: (refused) => answering()?.onRefused?.(refused),
      onError(error) {
        around.log.error('request-failed', { error });
        if (isFatal(error)) around.fail(error);
      },
    });
  } catch (error) {
    if (!(error instanceof ServeError)) throw error;
    throw new Failure('port-unusable', { what: error.message, where: '--port' }, { cause: error });
  }
}

/** Waits until every futures instrument has a quote, so that the bot's first poll gets one. */
export async function untilMarketOpens(exchange: RunningExchange): Promise<void> {
  const futures = exchange.instruments.filter((i) => i.product === 'futures');
  for (let tries = 0; tries < 500 && futures.some((i) => exchange.sim.bookTicker(i.index) === null); tries++) await sleep(10);
}
