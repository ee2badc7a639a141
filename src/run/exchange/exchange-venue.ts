/** Builds the venue of a paper exchange: simulator, venue API, and an optional ledger that records both. */
import { readReference } from '../../config/files/reference-file.ts';
import type { Handler } from '../../contract/envelope.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { Ledger, Resumed } from '../../edge/file/ledger/ledger.ts';
import { VenueSim } from '../../sim/core/venue-core.ts';
import { createExchange, createVenueApi, type Exchange, type VenueApi, type VenueApiOptions } from '../../sim/api/api.ts';
import { withLags } from '../../sim/api/lagged.ts';
import type { SimSpec } from '../../sim/state/types.ts';
import { dialectOf } from '../../venue/registry/dialects.ts';
import type { StepClock } from '../setup/step-clock.ts';
import type { ExchangeOptions } from '../setup/options.ts';
import { simTerms } from '../setup/sim-terms.ts';
import { pastDrawer } from '../market/synthetic.ts';
import { identityOf, openLedgerIn, startLedger, type SimBounds } from './exchange-ledger.ts';
import { accountName, ROWS } from './views/live-view.ts';
import { PastTrades } from '../market/past-trades.ts';
import { RecentFills } from './views/recent-fills.ts';
import type { Starting } from './starting.ts';
import { venueRules } from './switch-options.ts';

/** Number of fills kept for the page: more than it shows at once, so that a search by symbol finds some. */
const KEPT_FILLS = 20 * ROWS;
/** Most ended orders of all accounts, and most recent trades (E8) of all symbols, together. Bounds the size of a snapshot. */
const ORDERS_KEPT = 100_000;
const TRADES_KEPT = 400_000;

/** The share of each account and each symbol. */
export function boundsFor(accounts: number, symbols: number): Pick<SimSpec, 'historyLimit' | 'keepTrades'> {
  const share = (all: number, by: number, least: number, most: number): number => Math.max(least, Math.min(most, Math.floor(all / by)));
  return { historyLimit: share(ORDERS_KEPT, accounts, 1_000, 20_000), keepTrades: share(TRADES_KEPT, symbols, 1_000, 10_000) };
}

export interface ServedVenue {
  readonly sim: VenueSim;
  readonly venueApi: VenueApi;
  readonly fills: RecentFills;
  readonly past: PastTrades;
  /** Null if nothing is recorded. */
  readonly ledger: Ledger | null;
  readonly resumed: Resumed;
  /** Receives market rows. */
  readonly rows: Pick<Exchange, 'quote' | 'trade' | 'advance'>;
  /** Answers requests. With a ledger, everything that a write did is on disk before it is answered. */
  readonly handler: Handler;
  /** Runs an operator command. */
  command(name: string, given: unknown, now: number): object;
}

/** Creates the venue, or restores it from its ledger. @throws Failure (configuration) */
export async function openVenue(
  options: ExchangeOptions,
  instruments: readonly Instrument[],
  stepClock: StepClock,
  starting: Starting,
): Promise<ServedVenue> {
  const { accounts, config, state } = options;
  const dialect = dialectOf(config.venue.dialect);
  const reference = readReference(options.reference, config.instruments, accounts.length);
  const bounds = { ...boundsFor(accounts.length, instruments.length), ...simTerms(config.simulation) };
  const names = new Map(accounts.map((account, k) => [account.key, accountName(k)]));
  const identity = identityOf(options, instruments, bounds, reference);
  const keepSegments = options.ledgerKeep === 0 ? Infinity : options.ledgerKeep;
  const ledger = state === null ? null : openLedgerIn(state, { dialect, clock: stepClock, names, identity, keepSegments });
  const fills = new RecentFills(KEPT_FILLS, ledger?.sink ?? null);
  const spec = specOf(options, instruments, bounds);
  const sim = new VenueSim(spec, fills.sink);
  const past = new PastTrades({ instruments, folder: state, draw: pastDrawer(instruments) });
  const faceOptions: VenueApiOptions = {
    dialect,
    instruments,
    clock: ledger?.clock ?? stepClock,
    requestClock: stepClock,
    accounts: new Map(accounts.map((account, k) => [account.key, k])),
    switches: options.switches,
    trades: past.over(sim),
    ...reference,
  };
  const venueApi = createVenueApi(sim, faceOptions);
  const exchange = withLags(createExchange(sim, venueApi), spec, faceOptions);
  if (ledger === null) {
    const command: ServedVenue['command'] = (name, given, now) => exchange.command(name, given, now);
    const resumed = { resumed: false, rows: 0, time: 0 };
    return { sim, venueApi, fills, past, ledger, resumed, rows: exchange, handler: exchange.handler, command };
  }
  const resumed = await startLedger(ledger, exchange, state, starting);
  const command = (name: string, given: unknown): object => ledger.command(name, given);
  return { sim, venueApi, fills, past, ledger, resumed, rows: ledger, handler: ledger.handler, command };
}

function specOf({ accounts, fillModel, switches }: ExchangeOptions, instruments: readonly Instrument[], bounds: SimBounds): SimSpec {
  const { leverages, ...same } = bounds;
  return {
    instruments,
    accounts: accounts.map(({ deposits }, k) => ({
      name: accountName(k),
      futures: deposits['USDT'] ?? '0',
      spot: deposits,
      leverage: leverages,
    })),
    fillModel,
    ...same,
    ...venueRules(switches),
  };
}
