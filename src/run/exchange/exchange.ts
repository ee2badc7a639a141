/** The paper exchange, wired: a market, the venue's truth, its face, a socket, and a ledger that survives kill -9. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../base/failure.ts';
import { readReference } from '../../config/reference-file.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { Handler, RefusedRequest } from '../../contract/envelope.ts';
import { RequestNotes } from '../../edge/file/request-notes.ts';
import { createLog } from '../../edge/log/log.ts';
import { readFaultPlan } from '../../edge/serve/fault-plan.ts';
import { Faults } from '../../edge/serve/faults.ts';
import { ServeError, startServer, type RunningServer } from '../../edge/serve/server.ts';
import { LiveClock } from '../../edge/time/live-clock.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { VenueSim } from '../../sim/core.ts';
import { createExchange, createFace, type FaceOptions } from '../../sim/face.ts';
import { withLags } from '../../sim/lagged.ts';
import type { SimSpec } from '../../sim/types.ts';
import { announcement, marketText } from './announcement.ts';
import { openAdmin } from './admin.ts';
import { identityOf, isFatal, openLedgerIn, startLedger } from './ledger.ts';
import { describeHere, exchangePage } from './page.ts';
import { serverRules, venueRules } from './switches.ts';
import { accountName, ROWS, type LiveSources } from './live-view.ts';
import { Moment } from '../moment.ts';
import type { ExchangeOptions, Io } from '../options.ts';
import { RecentFills } from './recent-fills.ts';
import { RequestTally } from './request-tally.ts';
import { marketInstruments, openMarket, speedOf, type Surroundings } from '../market/served-market.ts';
import { untilStopped } from '../signals.ts';
import { simTerms } from '../sim-terms.ts';

/** Fills that the page can show: more than it does, so that a symbol that is looked for has some too. */
const KEPT_FILLS = 20 * ROWS;
/** Ended orders an account remembers, and recent trades a symbol remembers for E8. */
const BOUNDS = { historyLimit: 20_000, keepTrades: 10_000 };

export interface RunningExchange {
  readonly url: string;
  /** Address of the admin interface, null when there is none. */
  readonly adminUrl: string | null;
  readonly instruments: readonly Instrument[];
  readonly sim: VenueSim;
  /** True when a ledger was carried on. */
  readonly resumed: boolean;
  /** Resolves with what happened when the exchange cannot go on: its ledger can no longer be written. */
  readonly failed: Promise<Error>;
  /** Stops the market and the socket; the ledger is closed last. Safe to call twice. */
  close(): Promise<void>;
}

/** Starts the exchange and returns when it listens. @throws Failure */
export async function openExchange(options: ExchangeOptions, log: Log, clock: Clock = new LiveClock()): Promise<RunningExchange> {
  const plan = options.faults === undefined ? null : readFaultPlan(options.faults.plan, options.faults.file);
  const instruments = marketInstruments(options);
  const reference = readReference(options.reference, options.config.instruments, options.accounts.length);
  const names = new Map(options.accounts.map((account, k) => [account.key, accountName(k)]));
  const moment = new Moment(clock);
  const terms = simTerms(options.config.simulation);
  const identity = identityOf(options, instruments, { ...BOUNDS, ...terms }, reference);
  const ledger = options.state === null ? null : openLedgerIn(options.state, moment, names, identity);
  const fills = new RecentFills(KEPT_FILLS, ledger === null ? null : ledger.sink);
  const { leverage, leverages, funding } = terms;
  const spec: SimSpec = {
    instruments,
    accounts: options.accounts.map(({ deposits }, k) => ({
      name: accountName(k),
      futures: deposits['USDT'] ?? '0',
      spot: deposits,
      leverage: leverages,
    })),
    fillModel: options.fillModel,
    ...BOUNDS,
    leverage,
    funding,
    ...venueRules(options.switches),
  };
  const sim = new VenueSim(spec, fills.sink);
  const faceOptions: FaceOptions = {
    instruments,
    clock: ledger === null ? moment : ledger.clock,
    requestClock: moment,
    accounts: new Map(options.accounts.map((account, k) => [account.key, k])),
    switches: options.switches,
    ...reference,
  };
  const face = createFace(sim, faceOptions);
  const exchange = withLags(createExchange(sim, face), spec, faceOptions);
  const resumed = ledger === null ? { resumed: false, rows: 0, time: 0 } : startLedger(ledger, exchange, options.state);
  let fail: (error: Error) => void = () => undefined;
  const failed = new Promise<Error>((resolve) => {
    fail = resolve;
  });
  const going = { start: Math.max(clock.now(), resumed.time + 1), rows: resumed.rows };
  const market = openMarket(options, instruments, sim, going, { clock, log, fail });
  const firstRowAt = market.nextTime;
  const feedUntil = market.run(ledger ?? exchange);
  const requests = new RequestTally();
  const answered = market.answers(ledger?.handler ?? exchange.handler);
  const notes = ledger === null ? null : new RequestNotes(ledger, options.ledgerReads);
  const answer = requests.over(notes?.over(answered) ?? answered);
  // A request is one moment: the market is fed up to it, and all that the request does happens at it.
  const handler: Handler = (endpoint, request) =>
    moment.hold((now) => {
      feedUntil(now);
      return answer(endpoint, request);
    });
  const live: LiveSources = {
    sim,
    instruments,
    keys: options.accounts.map((account) => account.key),
    facts: {
      startedAt: clock.now(),
      market: marketText(options),
      speed: speedOf(options),
      fillModel: options.fillModel,
      ledger: options.state,
      resumed: resumed.resumed,
    },
    fills,
    requests,
    now: () => clock.now(),
    place: () => market.place(),
    faults: () => faults.counts(),
    idsOf: (order) => face.idsOf(order),
  };
  const faults = new Faults({ now: () => clock.now(), tell: (note) => moment.hold(() => ledger?.fault(note)) });
  faults.set(plan);
  const command = (name: string, given: unknown): object =>
    moment.hold((now) => {
      feedUntil(now);
      return ledger === null ? exchange.command(name, given, now) : ledger.command(name, given);
    });
  const onRefused = (refused: RefusedRequest): void => {
    requests.refused(refused);
    if (notes !== null) moment.hold(() => notes.refused(refused));
  };
  const around = { clock, log, fail, live, onRefused };
  const server = await listen(options, handler, { ...around, faults }).catch(async (error: unknown) => {
    await market.stop();
    ledger?.close();
    throw error;
  });
  const admin = await openAdmin(options.admin, { faults, ledger, command }, around).catch(async (error: unknown) => {
    await market.stop();
    await server.close(0);
    ledger?.close();
    throw error;
  });
  log.info('market-started', { firstRowAt: Number.isFinite(firstRowAt) ? firstRowAt : null });
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    await market.stop();
    await admin?.close();
    await server.close();
    notes?.close();
    ledger?.close();
  };
  return {
    url: server.url,
    adminUrl: admin?.url ?? null,
    instruments,
    sim,
    resumed: resumed.resumed,
    failed,
    close: () => (closing ??= close()),
  };
}

/** The `exchange` command: serves until it is told to stop. */
export async function runExchange(options: ExchangeOptions, io: Io): Promise<number> {
  const log = createLog({ level: 'info', form: io.isTty ? 'text' : 'json' });
  const stopped = untilStopped();
  const exchange = await openExchange(options, log);
  io.stdout.write(`${announcement(options, exchange)}\n`);
  const failure = await Promise.race([exchange.failed, stopped.then(() => null)]);
  if (failure !== null) log.error('exchange-failed', { error: failure });
  await exchange.close();
  return failure === null ? 0 : 1;
}

interface Around extends Surroundings {
  readonly live: LiveSources;
  readonly onRefused: (refused: RefusedRequest) => void;
}

async function listen(options: ExchangeOptions, handler: Handler, around: Around & { readonly faults: Faults }): Promise<RunningServer> {
  try {
    return await startServer({
      handler,
      faults: around.faults,
      accounts: options.accounts,
      now: () => around.clock.now(),
      host: options.host,
      port: options.port,
      ...serverRules(options.switches, options.config),
      openapi: describeHere,
      page: exchangePage(around.live, options.page),
      onRefused: around.onRefused,
      onError(error) {
        around.log.error('request-failed', { error });
        if (isFatal(error)) around.fail(error);
      },
    });
  } catch (error) {
    if (!(error instanceof ServeError)) throw error;
    throw new Failure('failure', { what: error.message, where: '--port' }, { cause: error });
  }
}

/** Waits until the exchange has a book for every futures instrument, so that a bot's first poll sees one. */
export async function untilMarketOpens(exchange: RunningExchange): Promise<void> {
  const futures = exchange.instruments.filter((i) => i.product === 'futures');
  for (let tries = 0; tries < 500 && futures.some((i) => exchange.sim.bookTicker(i.index) === null); tries++) await sleep(10);
}
