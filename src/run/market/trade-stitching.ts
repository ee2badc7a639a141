/** Joins overlapping answers into one series of trades: each trade once, in order, with growing ids. Gaps are reported. */
import type { TradeReport } from '../../domain/report.ts';

/** A gap, or ids that started again: the last id before and the first after. */
export interface TradeGap {
  readonly cause: 'missed' | 'ids-restarted' | 'resumed';
  readonly before: string;
  readonly after: string;
}

export interface Joined {
  /** Oldest first. */
  readonly fresh: readonly TradeReport[];
  readonly gap: TradeGap | null;
}

export class TradeStitching {
  /** The newest trade so far. */
  #last: TradeReport | null = null;
  /** Id of the last trade before a restart: trades since then are not passed on. */
  #resumedAfter: number | null;
  #offset = 0;
  #lastId = 0;
  /** Ids of the last answer, for ids that are not numbers. */
  #seen: ReadonlySet<string> = new Set();

  constructor(resumedAfter: number | null) {
    this.#resumedAfter = resumedAfter;
    this.#lastId = resumedAfter ?? 0;
  }

  /** Adds an answer, in any order. `isFull`: it has the maximum number of trades, so there may be a gap. */
  take(answer: readonly TradeReport[], isFull: boolean): Joined {
    const trades = answer.toSorted((a, b) => a.venueTime - b.venueTime || compareIds(a.tradeId, b.tradeId));
    const newest = trades.at(-1);
    const oldest = trades[0];
    if (newest === undefined || oldest === undefined) return { fresh: [], gap: null };
    const last = this.#last;
    const resumedAfter = this.#resumedAfter;
    if (last === null && resumedAfter !== null) {
      this.#note(newest, trades);
      this.#resumedAfter = null;
      const gap = { cause: 'resumed', before: String(resumedAfter), after: newest.tradeId } as const;
      return { fresh: [], gap: newest.tradeId === String(resumedAfter) ? null : gap };
    }
    const isRestarted = last !== null && newest.venueTime > last.venueTime && compareIds(newest.tradeId, last.tradeId) < 0;
    const fresh = last === null || isRestarted ? trades : trades.filter((trade) => this.#isNew(trade, last));
    const isMissing = last !== null && isFull && fresh.length === trades.length;
    this.#note(newest, trades);
    if (last === null || (!isRestarted && !isMissing)) return { fresh, gap: null };
    return { fresh, gap: { cause: isRestarted ? 'ids-restarted' : 'missed', before: last.tradeId, after: oldest.tradeId } };
  }

  /** The id to pass on with a trade of `fresh`: the venue's own as long as it grows. */
  idOf(trade: TradeReport): number {
    const own = numberOf(trade.tradeId);
    if (own === null || own + this.#offset <= this.#lastId) this.#offset = this.#lastId + 1 - (own ?? 0);
    this.#lastId = own === null ? this.#lastId + 1 : own + this.#offset;
    return this.#lastId;
  }

  #isNew(trade: TradeReport, last: TradeReport): boolean {
    if (numberOf(trade.tradeId) !== null) return compareIds(trade.tradeId, last.tradeId) > 0;
    return trade.venueTime >= last.venueTime && !this.#seen.has(trade.tradeId);
  }

  #note(newest: TradeReport, trades: readonly TradeReport[]): void {
    this.#last = newest;
    if (numberOf(newest.tradeId) === null) this.#seen = new Set(trades.map(({ tradeId }) => tradeId));
  }
}

function numberOf(id: string): number | null {
  return /^\d{1,15}$/.test(id) ? Number(id) : null;
}

/** Compares numeric ids. Other ids have no order. */
function compareIds(a: string, b: string): number {
  const [x, y] = [numberOf(a), numberOf(b)];
  return x === null || y === null ? 0 : x - y;
}
