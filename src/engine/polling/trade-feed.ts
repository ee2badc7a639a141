/**
 * The market's trades of one instrument out of E8: pages back until a page overlaps with what is known, deduplicates by id, delivers
 * in order. When the pages end before they overlap, the trades in between are lost and the gap is flagged; so it is when the venue
 * has begun to count anew, which later trades under lower ids show.
 */
import type { TradeReport } from '../../domain/report.ts';
import type { Answer, Query } from '../../ports/venue.ts';
import type { QueryOwner, PendingQueries } from './queries.ts';

/** The mark of an instrument that had no trade at the first look: below every id. */
const NONE = '0';

/** Trade ids are digits that grow with time, of any length. */
function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

export interface TradeSink {
  /** Trades lie between the last delivered one and the next, and are lost. Called before the next `trade`. */
  gap(instrument: number): void;
  trade(report: TradeReport): void;
  /** One round of reading is over; `delivered` trades were new. */
  caughtUp(instrument: number, delivered: number): void;
}

/** Trades a round asks for beyond what the rounds before it lead to expect. */
const SPARE = 20;

/**
 * How much more the next page of a round asks for: mostly enough at the first try, and far from the largest page. Where ids count
 * trades, they tell how many are missing, and no more are asked for.
 */
const GROWTH = 4;

export interface TradeFeedOptions {
  /** Most trades a page, at most 1000. A round begins with as many as will probably do, so that quiet markets cost little. */
  readonly pageSize: number;
  /** Pages a round before a gap is accepted. */
  readonly maxPages: number;
}

export class TradeFeed implements QueryOwner {
  readonly instrument: number;
  gaps = 0;
  readonly #queries: PendingQueries;
  readonly #sink: TradeSink;
  readonly #options: TradeFeedOptions;
  /** Newest id delivered; "" before the first page, whose trades are history and only set the mark; NONE when there were none. */
  #newest = '';
  /** The venue's time of that trade. */
  #newestTime = -Infinity;
  /** Trades that a round may bring: as many as the busiest of the last few did. */
  #expected = 0;
  #isReading = false;
  /** What this round has read so far that is new, as it came. */
  #round: TradeReport[] = [];
  /** Whether that goes from new to old without a repetition, as venues mostly list trades. */
  #isFalling = true;
  #pages = 0;

  constructor(instrument: number, queries: PendingQueries, sink: TradeSink, options: TradeFeedOptions) {
    this.instrument = instrument;
    this.#queries = queries;
    this.#sink = sink;
    this.#options = options;
  }

  /** Starts a round. False when the last one is still running. */
  poll(): boolean {
    if (this.#isReading) return false;
    this.#isReading = true;
    this.#pages = 0;
    this.#forget();
    this.#ask('', Math.min(this.#options.pageSize, Math.ceil(1.25 * this.#expected) + SPARE));
    return true;
  }

  answered(query: Query, answer: Answer): void {
    if (query.kind !== 'trades' || answer.kind !== 'trades') return;
    this.#pages++;
    if (query.before === '' && this.#isRecounted(answer.trades)) return this.#begin(answer.trades);
    let overlaps = false;
    for (const trade of answer.trades) {
      if (this.#newest !== '' && compareIds(trade.tradeId, this.#newest) <= 0) overlaps = true;
      else this.#keep(trade);
    }
    const isWhole = overlaps || this.#newest === '' || answer.trades.length === 0;
    const before = query.before;
    // The list ended before the newest known trade came: what lies between is gone. Where no trade was known, it ended at the first ever.
    if (isWhole) return this.#deliver(answer.trades.length === 0 && before !== '' && this.#newest !== NONE);
    const oldest = oldestOf(answer.trades);
    const isStuck = before !== '' && compareIds(oldest, before) >= 0;
    if (this.#pages >= this.#options.maxPages || isStuck) return this.#deliver(true);
    this.#ask(oldest, Math.min(this.#options.pageSize, GROWTH * query.limit, this.#mostBefore(oldest) + SPARE));
  }

  /** The round is given up: what it read is read again by the next one. */
  failed(): void {
    this.#isReading = false;
  }

  /** True for a newest page that is later than what is known, but whose ids are all lower. */
  #isRecounted(trades: readonly TradeReport[]): boolean {
    if (this.#newest === '' || this.#newest === NONE) return false;
    return trades.some((t) => t.venueTime > this.#newestTime) && trades.every((t) => compareIds(t.tradeId, this.#newest) < 0);
  }

  /** Takes of the page what is later than all that is known; what came before it under the new ids is lost. */
  #begin(trades: readonly TradeReport[]): void {
    for (const trade of trades) if (trade.venueTime > this.#newestTime) this.#keep(trade);
    this.#deliver(true);
  }

  /** As many trades as there can be before that of `oldest`, down to the newest known one: ids are whole numbers. */
  #mostBefore(oldest: string): number {
    const last = Number(oldest);
    return this.#newest === NONE || !Number.isSafeInteger(last) ? Infinity : last - Number(this.#newest);
  }

  #forget(): void {
    this.#round = [];
    this.#isFalling = true;
  }

  #keep(trade: TradeReport): void {
    const last = this.#round.at(-1);
    if (last !== undefined && compareIds(trade.tradeId, last.tradeId) >= 0) this.#isFalling = false;
    this.#round.push(trade);
  }

  #ask(before: string, limit: number): void {
    const known = this.#newest;
    this.#queries.ask({ kind: 'trades', instrument: this.instrument, before, limit, known }, this);
  }

  #deliver(hasGap: boolean): void {
    this.#isReading = false;
    const trades = this.#isFalling ? this.#round.reverse() : inOrder(this.#round);
    this.#forget();
    const isFirst = this.#newest === '';
    const last = trades.at(-1);
    if (last !== undefined) {
      this.#newest = last.tradeId;
      this.#newestTime = last.venueTime;
    }
    if (isFirst) {
      // An instrument without trades yet: the first one that comes is news.
      if (last === undefined) this.#newest = NONE;
      return this.#sink.caughtUp(this.instrument, 0);
    }
    if (hasGap && last !== undefined) {
      this.gaps++;
      this.#sink.gap(this.instrument);
    }
    this.#expected = Math.max(trades.length, this.#expected * 0.8);
    for (const trade of trades) this.#sink.trade(trade);
    this.#sink.caughtUp(this.instrument, trades.length);
  }
}

/** The id of the oldest of some trades. */
function oldestOf(trades: readonly TradeReport[]): string {
  let oldest = trades[0]!.tradeId;
  for (const { tradeId } of trades) if (compareIds(tradeId, oldest) < 0) oldest = tradeId;
  return oldest;
}

/** Trades from old to new, each once. */
function inOrder(trades: readonly TradeReport[]): TradeReport[] {
  const sorted = trades.toSorted((a, b) => compareIds(a.tradeId, b.tradeId));
  return sorted.filter((trade, k) => trade.tradeId !== sorted[k + 1]?.tradeId);
}
