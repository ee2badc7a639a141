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

/** Why a record gives no quote: the counter that counts it. */
type Unusable = 'offGrid' | 'crossed';

interface Remembered {
  record: QuoteRecord;
  report: QuoteReport | Unusable;
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

  /** Symbols whose last record was of a crossed or locked book. */
  get crossed(): string[] {
    return [...this.#last].filter(([, { report }]) => report === 'crossed').map(([symbol]) => symbol);
  }

  /** Returns all valid quotes of the answer, changed or not, and counts the others. */
  map(records: readonly QuoteRecord[]): QuoteReport[] {
    const reports: QuoteReport[] = [];
    for (const record of records) {
      const last = this.#last.get(record.symbol);
      const report = last === undefined ? this.#first(record) : this.#next(last, record);
      if (typeof report === 'string') this.#drops[report]++;
      else reports.push(report);
    }
    return reports;
  }

  #first(record: QuoteRecord): QuoteReport | Unusable | 'foreign' {
    const instrument = this.#symbols.get(record.symbol);
    if (instrument === undefined) return 'foreign';
    const report = this.#parse(record, instrument);
    this.#last.set(record.symbol, { record, report });
    return report;
  }

  #next(last: Remembered, record: QuoteRecord): QuoteReport | Unusable {
    const { record: before, report } = last;
    const isSame =
      before.bidPrice === record.bidPrice &&
      before.bidQty === record.bidQty &&
      before.askPrice === record.askPrice &&
      before.askQty === record.askQty;
    last.record = record;
    if (isSame && (typeof report === 'string' || before.ts === record.ts)) return report;
    if (isSame && typeof report !== 'string') last.report = { ...report, venueTime: record.ts as Millis };
    else last.report = this.#parse(record, this.#symbols.get(record.symbol)!);
    return last.report;
  }

  /** The quote; "offGrid" if a price is off the grid or a side is empty, "crossed" if the book is crossed or locked. */
  #parse(record: QuoteRecord, instrument: Instrument): QuoteReport | Unusable {
    this.#parsed++;
    try {
      const bid = parseTicks(record.bidPrice, instrument);
      const ask = parseTicks(record.askPrice, instrument);
      const bidSize = parseLots(record.bidQty, instrument);
      const askSize = parseLots(record.askQty, instrument);
      if (bid <= 0 || ask <= 0 || bidSize <= 0 || askSize <= 0) return 'offGrid';
      if (bid >= ask) return 'crossed';
      return { instrument: instrument.index, bid, bidSize, ask, askSize, venueTime: record.ts as Millis };
    } catch (error) {
      if (!(error instanceof ScaleError)) throw error;
      return 'offGrid';
    }
  }
}
