/**
 * Reads the market trades (E8) of one instrument: pages backwards until a page overlaps with known trades, removes duplicates by id, and
 * delivers in order. If the pages end before they overlap, the trades between are lost and the gap is flagged. The same happens when the
 * venue restarts its ids, which shows as later trades with lower ids.
 */
import { assert } from '../../base/failure/assert.ts';
import type { TradeReport } from '../../domain/report.ts';
import type { Answer, Query } from '../../ports/venue.ts';
import type { QueryOwner, PendingQueries } from './queries.ts';
import { compareTradeIds, inOrder } from './trade-ids.ts';

/** Newest id of an instrument without trades at the first read: lower than every id. */
const NONE = '0';

export interface TradeSink {
  /** The newest trades at the start, oldest first. Trades after them are delivered. */
  first(instrument: number, trades: readonly TradeReport[]): void;
  /** Trades before the next delivered one were lost. Called before that `trade`. */
  gap(instrument: number): void;
  trade(report: TradeReport): void;
  /** A round of reading is over; `delivered` trades were new. */
  caughtUp(instrument: number, delivered: number): void;
}

/** Trades requested per round beyond the expected number. */
const SPARE = 20;

/**
 * Factor by which each further page of a round grows. Usually one more page is enough, far below the largest size. If ids are consecutive,
 * they give the number of missing trades, and no more are requested.
 */
const GROWTH = 4;

export interface TradeFeedOptions {
  /** Largest page, at most 1000 trades. A round starts with a small page, so that quiet markets cost little. */
  readonly pageSize: number;
  /** Pages per round before a gap is accepted. */
  readonly maxPages: number;
}

export class TradeFeed implements QueryOwner {
  readonly instrument: number;
  gaps = 0;
  readonly #queries: PendingQueries;
  readonly #sink: TradeSink;
  readonly #options: TradeFeedOptions;
  /** Newest delivered id. "" before the first page, which is only history; NONE if there were no trades. */
  #newest = '';
  /** Venue time of that trade. */
  #newestTime = -Infinity;
  /** Expected trades per round: as many as the busiest recent rounds had. */
  #expected = 0;
  #isReading = false;
  /** New trades read in this round, in order of arrival. */
  #round: TradeReport[] = [];
  /** True while they are strictly from new to old, the usual order of venues. */
  #isFalling = true;
  #pages = 0;

  constructor(instrument: number, queries: PendingQueries, sink: TradeSink, options: TradeFeedOptions) {
    this.instrument = instrument;
    this.#queries = queries;
    this.#sink = sink;
    this.#options = options;
  }

  /** True once a first page was read. */
  get hasBegun(): boolean {
    return this.#newest !== '';
  }

  /** Starts a round. False if the last one is still running. */
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
    assert(this.#isReading, 'a page of trades is of a round', query.before, 'instrument', this.instrument);
    this.#pages++;
    assert(this.#pages <= this.#options.maxPages, 'a round reads at most its pages', this.#pages, 'instrument', this.instrument);
    if (query.before === '' && this.#isRecounted(answer.trades)) return this.#begin(answer.trades);
    const overlaps = answer.isFalling === true ? this.#keepFalling(answer.trades) : this.#keepEach(answer.trades);
    const isWhole = overlaps || this.#newest === '' || answer.trades.length === 0;
    const before = query.before;
    // The list ended before the newest known trade: those between are lost. If no trade was known, it ended at the first trade ever.
    if (isWhole) return this.#deliver(answer.trades.length === 0 && before !== '' && this.#newest !== NONE);
    const oldest = oldestOf(answer.trades);
    const isStuck = before !== '' && compareTradeIds(oldest, before) >= 0;
    if (this.#pages >= this.#options.maxPages || isStuck) return this.#deliver(true);
    this.#ask(oldest, Math.min(this.#options.pageSize, GROWTH * query.limit, this.#mostBefore(oldest) + SPARE));
  }

  /** Ends the round; the next one reads the same trades again. */
  failed(): void {
    this.#isReading = false;
  }

  /** True for a first page that has later trades than known ones, but only lower ids. */
  #isRecounted(trades: readonly TradeReport[]): boolean {
    if (this.#newest === '' || this.#newest === NONE) return false;
    return trades.some((t) => t.venueTime > this.#newestTime) && trades.every((t) => compareTradeIds(t.tradeId, this.#newest) < 0);
  }

  /** Restarts with the trades that are later than all known ones; earlier ones under new ids are lost. */
  #begin(trades: readonly TradeReport[]): void {
    for (const trade of trades) if (trade.venueTime > this.#newestTime) this.#keep(trade);
    this.#deliver(true);
  }

  /** Upper bound of the trades between `oldest` and the newest known one, because ids are whole numbers. */
  #mostBefore(oldest: string): number {
    const last = Number(oldest);
    return this.#newest === NONE || !Number.isSafeInteger(last) ? Infinity : last - Number(this.#newest);
  }

  /** Keeps the new trades of a page. True if it also has known ones. */
  #keepEach(trades: readonly TradeReport[]): boolean {
    let overlaps = false;
    for (const trade of trades) {
      if (this.#isKnown(trade)) overlaps = true;
      else this.#keep(trade);
    }
    return overlaps;
  }

  /** The same for a page whose ids fall: the known ones are its end, and of the others only the first is compared. */
  #keepFalling(trades: readonly TradeReport[]): boolean {
    let count = trades.length;
    while (count > 0 && this.#isKnown(trades[count - 1]!)) count--;
    if (count > 0) this.#keep(trades[0]!);
    for (let k = 1; k < count; k++) this.#round.push(trades[k]!);
    return count < trades.length;
  }

  #isKnown({ tradeId }: TradeReport): boolean {
    return this.#newest !== '' && compareTradeIds(tradeId, this.#newest) <= 0;
  }

  #forget(): void {
    this.#round = [];
    this.#isFalling = true;
  }

  #keep(trade: TradeReport): void {
    const last = this.#round.at(-1);
    if (last !== undefined && compareTradeIds(trade.tradeId, last.tradeId) >= 0) this.#isFalling = false;
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
      // The instrument has no trades yet: the first one will be new.
      if (last === undefined) this.#newest = NONE;
      this.#sink.first(this.instrument, trades);
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

/** Id of the oldest trade. */
function oldestOf(trades: readonly TradeReport[]): string {
  let oldest = trades[0]!.tradeId;
  for (const { tradeId } of trades) if (compareTradeIds(tradeId, oldest) < 0) oldest = tradeId;
  return oldest;
}
