/**
 * Converts quotes to domain form, for a poll of every symbol each second. It keeps the last record of each symbol and parses only changed
 * ones. An unchanged quote is returned as the same object.
 */
import { parseLots, parseTicks, type Instrument } from '../domain/instrument.ts';
import type { QuoteReport } from '../domain/report.ts';
import { ScaleError } from '../domain/amounts/scale.ts';
import type { Millis } from '../domain/amounts/units.ts';
import type { DropCounts, SymbolTable } from './records.ts';

/** A record of the book ticker (E7), or what another dialect gives instead of it. */
export interface QuoteRecord {
  readonly symbol: string;
  readonly bidPrice: string;
  readonly bidQty: string;
  readonly askPrice: string;
  readonly askQty: string;
  readonly ts: number;
}

interface Remembered {
  record: QuoteRecord;
  /** null if that record was invalid. */
  report: QuoteReport | null;
}

export class QuoteDiff {
  readonly #symbols: SymbolTable;
  readonly #drops: DropCounts;
  readonly #last = new Map<string, Remembered>();
  #parsed = 0;

  constructor(symbols: SymbolTable, drops: DropCounts) {
    this.#symbols = symbols;
    this.#drops = drops;
  }

  /** Records parsed since the start; all others were unchanged. */
  get parsed(): number {
    return this.#parsed;
  }

  /** Returns all valid quotes of the answer, changed or not. */
  map(records: readonly QuoteRecord[]): QuoteReport[] {
    const reports: QuoteReport[] = [];
    for (const record of records) {
      const last = this.#last.get(record.symbol);
      const report = last === undefined ? this.#first(record) : this.#next(last, record);
      if (report !== null) reports.push(report);
    }
    return reports;
  }

  #first(record: QuoteRecord): QuoteReport | null {
    const instrument = this.#symbols.get(record.symbol);
    if (instrument === undefined) {
      this.#drops.foreign++;
      return null;
    }
    const report = this.#parse(record, instrument);
    this.#last.set(record.symbol, { record, report });
    return report;
  }

  #next(last: Remembered, record: QuoteRecord): QuoteReport | null {
    const { record: before, report } = last;
    const isSame =
      before.bidPrice === record.bidPrice &&
      before.bidQty === record.bidQty &&
      before.askPrice === record.askPrice &&
      before.askQty === record.askQty;
    last.record = record;
    if (isSame && (report === null || before.ts === record.ts)) {
      if (report === null) this.#drops.offGrid++;
      return report;
    }
    if (isSame && report !== null) {
      last.report = { ...report, venueTime: record.ts as Millis };
      return last.report;
    }
    const instrument = this.#symbols.get(record.symbol);
    last.report = instrument === undefined ? null : this.#parse(record, instrument);
    return last.report;
  }

  /** Returns null and counts the record if a price is off the grid, a side is empty, or the book is locked or crossed. */
  #parse(record: QuoteRecord, instrument: Instrument): QuoteReport | null {
    this.#parsed++;
    try {
      const bid = parseTicks(record.bidPrice, instrument);
      const ask = parseTicks(record.askPrice, instrument);
      const bidSize = parseLots(record.bidQty, instrument);
      const askSize = parseLots(record.askQty, instrument);
      if (bid > 0 && bid < ask && bidSize > 0 && askSize > 0) {
        return { instrument: instrument.index, bid, bidSize, ask, askSize, venueTime: record.ts as Millis };
      }
    } catch (error) {
      if (!(error instanceof ScaleError)) throw error;
    }
    this.#drops.offGrid++;
    return null;
  }
}
