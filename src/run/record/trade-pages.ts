/**
 * Puts pages of market trades (E8), newest first, together: every trade once, oldest first. A round begins with the newest page and is whole
 * when a page reaches known trades. One that never does has a gap before its oldest trade.
 */
import type { TradeReport } from '../../domain/report.ts';
import { compareTradeIds, inOrder } from '../../engine/polling/trade-ids.ts';
import type { GapCause } from '../../tape/file/manifest.ts';

export interface TakenTrades {
  /** Not known before, oldest first. */
  readonly trades: readonly TradeReport[];
  /** Why trades before them may be missing; null if none are. */
  readonly gap: GapCause | null;
  /** Time of the last trade before them. */
  readonly after: number;
}

export class TradePages {
  /** Newest known trade; "" if there is none, or only its time is known. */
  #newest: string;
  #newestTime: number;
  #round: TradeReport[] | null = null;
  #oldest = '';

  /** `last`: the newest trade of a recording that goes on. */
  constructor(last?: { readonly id: string; readonly time: number }) {
    this.#newest = last?.id ?? '';
    this.#newestTime = last?.time ?? -Infinity;
  }

  /** The id before which the next page of the round ends; "" when the round is over. */
  get wanted(): string {
    return this.#round === null ? '' : this.#oldest;
  }

  /** Takes a page that ends before the trade `before`; "" for the newest one. Pages that belong to no round are passed over. */
  take(before: string, page: readonly TradeReport[]): readonly TakenTrades[] {
    if (before === '') {
      const cut = this.#round === null ? [] : this.#end('missed');
      return [...cut, ...this.#begin(page)];
    }
    if (this.#round === null || before !== this.#oldest) return [];
    if (page.length === 0) return this.#end('missed');
    return this.#add(page, before);
  }

  #begin(page: readonly TradeReport[]): readonly TakenTrades[] {
    this.#round = [];
    this.#oldest = '';
    if (page.length === 0) return this.#end(null);
    if (this.#newest === '') {
      // The recording begins here; after a restart only the time of the last trade is known.
      const isNew = this.#newestTime === -Infinity;
      if (!isNew) this.#round.push(...page.filter(({ venueTime }) => venueTime > this.#newestTime));
      return this.#end(isNew ? null : 'missed', page);
    }
    const isRecounted =
      page.some(({ venueTime }) => venueTime > this.#newestTime) && page.every(({ tradeId }) => compareTradeIds(tradeId, this.#newest) < 0);
    if (!isRecounted) return this.#add(page, '');
    this.#round.push(...page.filter(({ venueTime }) => venueTime > this.#newestTime));
    return this.#end('ids-restarted');
  }

  #add(page: readonly TradeReport[], before: string): readonly TakenTrades[] {
    let overlaps = false;
    let oldest = page[0]!.tradeId;
    for (const trade of page) {
      if (compareTradeIds(trade.tradeId, oldest) < 0) oldest = trade.tradeId;
      if (compareTradeIds(trade.tradeId, this.#newest) <= 0) overlaps = true;
      else this.#round!.push(trade);
    }
    if (overlaps) return this.#end(null);
    // The venue gave the same page again.
    if (before !== '' && compareTradeIds(oldest, before) >= 0) return this.#end('missed');
    this.#oldest = oldest;
    return [];
  }

  #end(gap: GapCause | null, known: readonly TradeReport[] = []): readonly TakenTrades[] {
    const trades = inOrder(this.#round ?? []);
    this.#round = null;
    const newest = trades.at(-1) ?? inOrder(known).at(-1);
    const after = this.#newestTime;
    if (newest === undefined) return [];
    this.#newest = newest.tradeId;
    this.#newestTime = newest.venueTime;
    return trades.length === 0 ? [] : [{ trades, gap, after }];
  }
}
