/** Opens and starts the ledger of an exchange, and checks that it belongs to the same settings. */
import { firstOf } from '../../base/text/figures.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssertionError } from '../../base/failure/assert.ts';
import { Failure } from '../../base/failure/failure.ts';
import type { ReferenceData } from '../../config/files/reference-file.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { LedgerError, openLedger, type Ledger, type LedgerOptions, type Resumed } from '../../edge/file/ledger/ledger.ts';
import type { Exchange } from '../../sim/api/api.ts';
import type { SimSpec } from '../../sim/state/types.ts';
import type { SimTerms } from '../setup/sim-terms.ts';
import { INTERFACE } from '../../venue/interface/dialect.ts';
import { stateSwitches } from './switch-options.ts';
import type { ExchangeOptions } from '../setup/options.ts';
import type { Starting } from './starting.ts';

export type SimBounds = Pick<SimSpec, 'historyLimit' | 'keepTrades'> & SimTerms;

/** @throws Failure: occupied if another process holds the folder, configuration if the ledger is of other settings or damaged */
export function openLedgerIn(folder: string, options: LedgerOptions): Ledger {
  try {
    return openLedger(folder, options);
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    const code = error.code === 'locked' ? 'ledger-occupied' : 'ledger-unusable';
    const what = error.code === 'foreign' ? foreignness(folder, options.identity, error.message) : error.message;
    throw new Failure(code, { what, where: folder }, { cause: error });
  }
}

/** Parts of an identity, in words. */
const PARTS: Readonly<Record<string, string>> = {
  dialect: 'venue.dialect',
  leverage: 'simulation.leverage or leverages',
  funding: 'simulation.funding',
  impact: 'simulation.impact',
  history: 'the history that is kept',
  trades: 'the trades that are kept',
  accounts: 'accounts or their deposits',
  fillModel: 'the fill model',
  switches: 'switches',
  reference: 'the file of reference data',
};

/** What the ledger was written with that is different now; `otherwise` if its settings are not what differs. */
function foreignness(folder: string, identity: string, otherwise: string): string {
  const { identity: written } = JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')) as { readonly identity: string };
  const found = differencesOf(written, identity);
  if (found.length === 0) return otherwise;
  return `the ledger was written with other settings: ${found.join('; ')}. Start with those, or with another folder (--state FOLDER)`;
}

/** The parts in which two identities differ, in words. */
export function differencesOf(before: string, after: string): string[] {
  const [then, now] = [before, after].map((text) => JSON.parse(text) as Record<string, unknown>) as [Identity, Identity];
  const keys = [...new Set([...Object.keys(then), ...Object.keys(now)])];
  const differ = keys.filter((key) => key !== 'grid' && JSON.stringify(then[key]) !== JSON.stringify(now[key]));
  return [...gridDifferences(then.grid, now.grid), ...differ.map((key) => PARTS[key] ?? key)];
}

type Identity = Readonly<Record<string, unknown>> & { readonly grid: readonly GridRow[] };
type GridRow = readonly [symbol: string, product: string, ...rules: unknown[]];

function gridDifferences(before: readonly GridRow[], after: readonly GridRow[]): string[] {
  const rowsOf = (grid: readonly GridRow[]): ReadonlyMap<string, string> =>
    new Map(grid.map((row) => [`${row[0]} ${row[1]}`, JSON.stringify(row)]));
  const [then, now] = [rowsOf(before), rowsOf(after)];
  const names = (title: string, list: readonly string[]): string[] => (list.length === 0 ? [] : [`${title} ${firstOf(list, NAMED)}`]);
  const found = [
    ...names(
      'it lacks',
      [...now.keys()].filter((name) => !then.has(name)),
    ),
    ...names(
      'it also has',
      [...then.keys()].filter((name) => !now.has(name)),
    ),
    ...names(
      'it has other rules of',
      [...then.keys()].filter((name) => now.has(name) && now.get(name) !== then.get(name)),
    ),
  ];
  return found.length === 0 && JSON.stringify(before) !== JSON.stringify(after) ? ['another order of the instruments'] : found;
}

/** Instruments that a message names. */
const NAMED = 5;

/** @throws Failure (configuration) if the ledger cannot be continued */
export async function startLedger(ledger: Ledger, exchange: Exchange, folder: string | null, starting: Starting): Promise<Resumed> {
  try {
    return await starting.read(ledger, exchange);
  } catch (error) {
    ledger.abandon();
    if (!(error instanceof LedgerError)) throw error;
    throw new Failure('ledger-unusable', { what: error.message, where: folder ?? 'ledger' }, { cause: error });
  }
}

/** True if the exchange cannot continue after this error: its ledger cannot be written, or a check of its state failed. */
export function isFatal(error: unknown): error is Error {
  return error instanceof LedgerError || error instanceof AssertionError;
}

/** Settings that must be unchanged to continue a ledger: everything that decides the effect of an input. */
export function identityOf(
  options: ExchangeOptions,
  instruments: readonly Instrument[],
  bounds: SimBounds,
  reference: ReferenceData,
): string {
  const { accounts, fillModel, switches } = options;
  const grid = instruments.map((i) => [
    i.symbol,
    i.product,
    i.tickSize,
    i.lotSize,
    i.makerFeeRate,
    i.takerFeeRate,
    i.tiers,
    i.fundingRate,
    i.minSize,
    i.maxSize,
    i.minNotional,
    i.maxLeverage,
  ]);
  const { dialect } = options.config.venue;
  return JSON.stringify({
    // Ledgers from before there were dialects have no such entry.
    ...(dialect === INTERFACE.name ? {} : { dialect }),
    leverage: [bounds.leverage, bounds.leverages],
    funding: bounds.funding,
    impact: bounds.impact,
    history: bounds.historyLimit,
    trades: bounds.keepTrades,
    accounts: accounts.map((a) => [a.key, a.deposits]),
    fillModel,
    switches: stateSwitches(switches),
    reference,
    grid,
  });
}

/** The instruments that an identity names, in the order of their numbers in the ledger. */
export function gridOf(identity: string): readonly Pick<Instrument, 'symbol' | 'product' | 'tickSize' | 'lotSize'>[] {
  type Row = [symbol: string, product: Instrument['product'], tickSize: Instrument['tickSize'], lotSize: Instrument['lotSize']];
  const { grid } = JSON.parse(identity) as { readonly grid: readonly Row[] };
  return grid.map(([symbol, product, tickSize, lotSize]) => ({ symbol, product, tickSize, lotSize }));
}
