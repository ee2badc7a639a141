/** Opens and starts the ledger of an exchange, and checks that it belongs to the same settings. */
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
    throw new Failure(
      error.code === 'locked' ? 'ledger-occupied' : 'ledger-unusable',
      { what: error.message, where: folder },
      { cause: error },
    );
  }
}

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
