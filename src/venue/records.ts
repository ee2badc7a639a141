/** Parts of reading that dialects share: instruments by symbol, status words, amounts, and lists of records. */
import { formatTicks, type Instrument } from '../domain/instrument.ts';
import type { ReportedStatus } from '../domain/report.ts';
import { parseScaled, ScaleError } from '../domain/amounts/scale.ts';
import { MONEY_DECIMALS, type DecimalString, type Money } from '../domain/amounts/units.ts';

/** Futures instruments by symbol; undefined for symbols that are not configured. */
export class SymbolTable {
  readonly #bySymbol: ReadonlyMap<string, Instrument>;

  constructor(instruments: readonly Instrument[]) {
    const futures = instruments.filter((instrument) => instrument.product === 'futures');
    this.#bySymbol = new Map(futures.map((instrument) => [instrument.symbol, instrument]));
  }

  get(symbol: string): Instrument | undefined {
    return this.#bySymbol.get(symbol);
  }
}

/** A price of a command as text; undefined for 0, which is no price. */
export function priceOrNone(ticks: number, instrument: Instrument): DecimalString | undefined {
  return ticks > 0 ? formatTicks(ticks, instrument) : undefined;
}

/** Numbers of records left out of answers. */
export interface DropCounts {
  /** Records of symbols that are not configured. */
  foreign: number;
  /** Records off the instrument's price or size grid, or with values that are not valid. */
  offGrid: number;
  /** Quotes with a bid that is not below the ask: of a crossed or locked book. */
  crossed: number;
}

const STATUSES: Readonly<Record<string, ReportedStatus>> = {
  NEW: 'open',
  LIVE: 'open',
  OPEN: 'open',
  INIT: 'open',
  PARTIALLY_FILLED: 'partial',
  PARTIAL_FILLED: 'partial',
  FILLED: 'filled',
  CANCELED: 'cancelled',
  CANCELLED: 'cancelled',
  REJECTED: 'ended',
  EXPIRED: 'ended',
};

/** Maps a status word. The venue may use other words: an unlisted one gives `unknown`, which counts as open. */
export function statusOf(word: string): ReportedStatus {
  const known = word.toUpperCase().replaceAll('-', '_');
  return Object.hasOwn(STATUSES, known) ? (STATUSES[known] ?? 'unknown') : 'unknown';
}

/** Money in units of 10⁻⁸, rounded down; "" is 0. @throws ScaleError */
export function moneyOf(text: string): Money {
  return (text === '' ? 0 : parseScaled(text, MONEY_DECIMALS, 'down')) as Money;
}

/** A number for statistics; "" is 0. The caller has checked that the text is a decimal number. */
export function numberOf(text: string): number {
  return text === '' ? 0 : Number(text);
}

export function notNegative<N extends number>(value: N): N {
  if (value < 0) throw new ScaleError('range', `expected a number of at least zero, found ${value}`);
  return value;
}

export function positive<N extends number>(value: N): N {
  if (value <= 0) throw new ScaleError('range', `expected a number above zero, found ${value}`);
  return value;
}

type Build<R, T> = (record: R, instrument: Instrument) => T;

/** Leaves out and counts records of other symbols and invalid records. */
export function mapEach<R extends { readonly symbol: string }, T>(
  records: readonly R[],
  symbols: SymbolTable,
  drops: DropCounts,
  build: Build<R, T>,
): T[] {
  return mapAll(records, symbols, drops, (record, instrument) => {
    try {
      return build(record, instrument);
    } catch (error) {
      if (!(error instanceof ScaleError)) throw error;
      drops.offGrid++;
      return null;
    }
  });
}

/** Leaves out and counts records of other symbols. Leaves out records for which `build` returns null. */
export function mapAll<R extends { readonly symbol: string }, T>(
  records: readonly R[],
  symbols: SymbolTable,
  drops: DropCounts,
  build: Build<R, T | null>,
): T[] {
  const reports: T[] = [];
  for (const record of records) {
    const instrument = symbols.get(record.symbol);
    if (instrument === undefined) {
      drops.foreign++;
      continue;
    }
    const report = build(record, instrument);
    if (report !== null) reports.push(report);
  }
  return reports;
}
