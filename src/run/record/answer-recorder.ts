/** Records what a venue's answers show as a tape: quotes, market trades, and mark prices where positions have them. */
import { join, resolve } from 'node:path';
import { mkdirSync } from 'node:fs';
import { Failure } from '../../base/failure/failure.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { PositionReport, QuoteReport, TradeReport } from '../../domain/report.ts';
import { pow10 } from '../../domain/amounts/scale.ts';
import { takeLock, type FolderLock } from '../../edge/file/lock.ts';
import type { Answer, Query } from '../../ports/venue.ts';
import { ANSWERED, type Inbox } from '../../ports/venue-event.ts';
import { TapeError } from '../../tape/file/error.ts';
import type { TapeKind } from '../../tape/file/manifest.ts';
import { LOCK_FILE, TapeRecorder } from '../../tape/record/tape-recorder.ts';
import { TradePages } from './trade-pages.ts';

/** A kill loses at most this much. */
const FLUSH_EVERY_MS = 1_000;
/** How often the recording notes that it is alive if there are no rows. */
const ALIVE_EVERY_MS = 10_000;
/** A longer time between two answers is a gap. */
const SILENT_MS = 5_000;
/** Ids of more digits are no safe integers: such trades are numbered as they come. */
const OWN_ID = /^\d{1,15}$/;

export interface AnswerRecorderOptions {
  readonly folder: string;
  /** Address of the venue. */
  readonly source: string;
  readonly instruments: readonly Instrument[];
  readonly now: () => number;
  /** Time between two polls of quotes. */
  readonly quotesMs: number;
  /** Called once when the files cannot be written: the recording has ended. */
  readonly onFailure: (error: TapeError) => void;
}

export class AnswerRecorder {
  readonly #options: AnswerRecorderOptions;
  readonly #tape: TapeRecorder;
  readonly #lock: FolderLock;
  readonly #timer: NodeJS.Timeout;
  readonly #quotes = new Map<number, QuoteReport>();
  readonly #pages = new Map<number, TradePages>();
  readonly #lastIds = new Map<number, number>();
  readonly #marks = new Map<number, number>();
  #quotesAt: number | undefined;
  #flushedAt: number;
  #rowsFlushed = 0;
  #isOpen = true;

  /** @throws TapeError as TapeRecorder; Failure if another process records into the folder */
  constructor(options: AnswerRecorderOptions) {
    this.#options = options;
    const folder = resolve(options.folder);
    mkdirSync(folder, { recursive: true });
    this.#lock = takeLock(join(folder, LOCK_FILE), (what) => new Failure('recording-in-use', { what, where: folder }));
    const now = options.now();
    try {
      this.#tape = new TapeRecorder(folder, now, { source: options.source });
    } catch (error) {
      this.#lock.release();
      throw error;
    }
    this.#quotesAt = this.#tape.stoppedAt;
    this.#flushedAt = now;
    this.#timer = setInterval(() => this.#look(), FLUSH_EVERY_MS);
    this.#timer.unref();
  }

  get folder(): string {
    return this.#tape.folder;
  }

  /** Rows and gaps since the start. */
  get rows(): number {
    return this.#tape.rows;
  }

  get gaps(): number {
    return this.#tape.gaps;
  }

  /** Records each answer and passes it on. */
  answers(inbox: Inbox): Inbox {
    return {
      take: (event) => {
        const { kind, query, answer, venueTime } = event;
        if (kind === ANSWERED) this.answered(query!, answer!, venueTime > 0 ? venueTime : this.#options.now());
        inbox.take(event);
      },
    };
  }

  /** Takes an answer; others than those of market data are passed over. `at`: the venue's time of it. */
  answered(query: Query, answer: Answer, at: number): void {
    if (!this.#isOpen) return;
    if (answer.kind === 'quotes') this.#takeQuotes(answer.quotes, at);
    else if (answer.kind === 'trades' && query.kind === 'trades') this.trades(query.instrument, query.before, answer.trades);
    else if (answer.kind === 'positions') this.#takeMarks(answer.positions, at);
    if (this.#tape.isFull) this.#flush();
  }

  /** Takes a page of trades. Gives the id before which the next page should end, "" for none. */
  trades(instrument: number, before: string, page: readonly TradeReport[]): string {
    const pages = this.#pagesOf(instrument, page);
    const { symbol } = this.#options.instruments[instrument]!;
    for (const { trades, gap, after } of pages.take(before, page)) {
      if (gap !== null) this.#tape.gap({ symbol, kind: 'trades', cause: gap, from: after, to: trades[0]!.venueTime });
      for (const trade of trades) this.#row(instrument, 'trades', trade.venueTime, this.#tradeValues(trade));
    }
    return pages.wanted;
  }

  /** Ends the recording. @throws TapeError unwritable */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#end();
    try {
      await this.#tape.close(this.#options.now());
    } finally {
      this.#lock.release();
    }
  }

  #takeQuotes(quotes: readonly QuoteReport[], at: number): void {
    const before = this.#quotesAt;
    if (before !== undefined && at - before > Math.max(SILENT_MS, 3 * this.#options.quotesMs)) {
      const cause = before === this.#tape.stoppedAt ? 'stopped' : 'no-answer';
      this.#tape.gap({ symbol: '', kind: 'quotes', cause, from: before, to: at });
    }
    this.#quotesAt = at;
    for (const quote of quotes) {
      const { instrument, bid, bidSize, ask, askSize, venueTime } = quote;
      const last = this.#quotes.get(instrument);
      if (last === quote) continue;
      this.#quotes.set(instrument, quote);
      // An older answer, or after a restart one that is recorded.
      const known = last?.venueTime ?? this.#tape.end(this.#options.instruments[instrument]!.symbol, 'quotes')?.to ?? -Infinity;
      if (venueTime < known || (last === undefined && venueTime === known)) continue;
      const { tickStep, lotStep } = this.#options.instruments[instrument]!;
      this.#row(instrument, 'quotes', venueTime, [bid * tickStep, bidSize * lotStep, ask * tickStep, askSize * lotStep]);
    }
  }

  #takeMarks(positions: readonly PositionReport[], at: number): void {
    for (const { instrument, markPrice } of positions) {
      if (!(markPrice > 0) || this.#marks.get(instrument) === markPrice) continue;
      this.#marks.set(instrument, markPrice);
      this.#row(instrument, 'marks', at, [Math.round(markPrice * pow10(this.#options.instruments[instrument]!.priceDecimals))]);
    }
  }

  #tradeValues({ instrument, tradeId, price, size, aggressor }: TradeReport): readonly number[] {
    const last = this.#lastIds.get(instrument) ?? this.#tape.lastId(this.#options.instruments[instrument]!.symbol);
    const own = OWN_ID.test(tradeId) ? Number(tradeId) : 0;
    // Ids on a tape grow.
    const id = own > last ? own : last + 1;
    this.#lastIds.set(instrument, id);
    const { tickStep, lotStep } = this.#options.instruments[instrument]!;
    return [id, price * tickStep, size * lotStep, aggressor];
  }

  #row(instrument: number, kind: TapeKind, time: number, values: readonly number[]): void {
    const { symbol, priceDecimals, sizeDecimals } = this.#options.instruments[instrument]!;
    this.#tape.row({ symbol, kind, priceDecimals, sizeDecimals }, time, values);
  }

  #pagesOf(instrument: number, page: readonly TradeReport[]): TradePages {
    const known = this.#pages.get(instrument);
    if (known !== undefined) return known;
    const { symbol } = this.#options.instruments[instrument]!;
    const end = this.#tape.end(symbol, 'trades');
    // The tape has the venue's trade ids only if these are numbers; otherwise it numbers the trades itself.
    const id = OWN_ID.test(page[0]?.tradeId ?? '') ? String(this.#tape.lastId(symbol)) : '';
    const pages = new TradePages(end === undefined ? undefined : { id, time: end.to });
    this.#pages.set(instrument, pages);
    return pages;
  }

  #look(): void {
    if (this.#tape.rows !== this.#rowsFlushed || this.#options.now() - this.#flushedAt >= ALIVE_EVERY_MS) this.#flush();
  }

  #flush(): void {
    this.#flushedAt = this.#options.now();
    this.#rowsFlushed = this.#tape.rows;
    try {
      this.#tape.flush(this.#flushedAt);
    } catch (error) {
      if (!(error instanceof TapeError)) throw error;
      this.#end();
      this.#lock.release();
      this.#options.onFailure(error);
    }
  }

  #end(): void {
    this.#isOpen = false;
    clearInterval(this.#timer);
  }
}
