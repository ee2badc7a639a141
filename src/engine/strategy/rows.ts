/**
 * Market rows in bulk: a backtest under `--every-tick` hands over whole columns, and strategies see them row by row until one of
 * them does something that the world outside must answer, or a row comes that somebody else must see first. The same as onTrade or
 * onQuote for each row. @hot
 */
import type { Subscribers } from './subscribers.ts';
import type { Core } from '../state/core.ts';
import type { Dispatch } from './dispatch.ts';
import type { Host } from './host.ts';
import { enter, leave, numberOf } from './running.ts';

/** A clock that is put where a row is. */
export interface RowClock {
  time: number;
}

/** Trades as columns: a tape's cursor is one. */
export interface TradeRows {
  /** After so many rows the columns may be overwritten. */
  readonly length: number;
  readonly time: Float64Array;
  readonly price: Int32Array | Float64Array;
  readonly size: Int32Array | Float64Array;
  readonly side: Uint8Array;
}

/** Quotes as columns: a tape's cursor is one. */
export interface QuoteRows {
  readonly time: Float64Array;
  readonly bid: Int32Array | Float64Array;
  readonly bidSize: Int32Array | Float64Array;
  readonly ask: Int32Array | Float64Array;
  readonly askSize: Int32Array | Float64Array;
}

/** Rows of one uninterrupted call. */
const STRETCH = 4_096;
const ON_TRADE = numberOf('onTrade');

/** The largest small integer. */
const MOST = 2 ** 31 - 1;

/** Which rows concern nobody but the strategies: those before a time whose prices lie strictly between two. */
export class QuietBand {
  // As small integers, which compare fastest. A row beyond them counts as none of these, which does no harm.
  low = 0;
  high = MOST;
  until = Infinity;

  set(low: number, high: number, until: number): void {
    this.low = low < MOST ? low | 0 : MOST;
    this.high = high < MOST ? high | 0 : MOST;
    this.until = until;
  }
}

/** The first row from `from` on that is not calm, or whose bid is not below its ask; `to` when there is none. */
export function quietQuotes(rows: Pick<QuoteRows, 'time' | 'bid' | 'ask'>, from: number, to: number, quietBand: QuietBand): number {
  const { time, bid, ask } = rows; // hot-ok: a pattern, nothing is made
  const { low, high, until } = quietBand; // hot-ok: a pattern, nothing is made
  for (let r = from; r < to; r++) {
    const b = bid[r]!;
    const a = ask[r]!;
    if (b <= low || a >= high || b >= a || time[r]! >= until) return r;
  }
  return to;
}

export class RowTaker {
  declare private readonly core: Core;
  declare private readonly dispatch: Dispatch;
  declare private readonly clock: RowClock;
  /** Rows that reach no order and whose price is believed without a further look. */
  private readonly both = new QuietBand();

  constructor(core: Core, dispatch: Dispatch, clock: RowClock) {
    this.core = core;
    this.dispatch = dispatch;
    this.clock = clock;
  }

  /** Takes rows `from` up to `to` of a market; gives the first not taken: it is not calm, or a handler acted on the one before. */
  trades(subscribers: Subscribers, rows: TradeRows, from: number, to: number, given: QuietBand): number {
    const quietBand = this.#within(given, subscribers);
    const dispatch = this.dispatch;
    const hosts = subscribers.tradeHosts;
    const host = hosts[0];
    if (host !== undefined && hosts.length === 1 && dispatch.isTelling && !host.isDisabled && subscribers.bars.length === 0) {
      subscribers.trade.from(rows);
      const acts = this.core.acts;
      let next = from;
      do {
        // In stretches, so that whoever watches sees that the strategy goes on.
        const end = next + STRETCH < to ? next + STRETCH : to;
        enter(host.slot, ON_TRADE);
        next = this.#tradesOfOne(subscribers, rows, next, end, quietBand, host);
        leave();
        if (next < end || host.isDisabled) break;
      } while (next < to && this.core.acts === acts);
      if (next === rows.length) subscribers.trade.keep();
      return next;
    }
    const core = this.core;
    const clock = this.clock;
    const { time, price, size, side } = rows; // hot-ok: a pattern, nothing is made
    const { low, high, until } = quietBand; // hot-ok: a pattern, nothing is made
    const acts = core.acts;
    const timerQueue = core.timerQueue;
    const due = timerQueue.next;
    for (let r = from; r < to; r++) {
      const now = time[r]!;
      const ticks = price[r]!;
      if (now >= until || ticks <= low || ticks >= high) return r;
      clock.time = now;
      core.now = now;
      dispatch.print(subscribers, ticks, size[r]!, side[r]!, now);
      // A trade may begin a bar, which wants to be closed in time.
      if (core.acts !== acts || timerQueue.next !== due) return r + 1;
    }
    return to;
  }

  #within(quietBand: QuietBand, { seen }: Subscribers): QuietBand {
    const low = seen.filter.low;
    const high = seen.filter.high;
    const both = this.both;
    both.set(quietBand.low > low ? quietBand.low : low, quietBand.high < high ? quietBand.high : high, quietBand.until);
    return both;
  }

  /** One strategy that wants every trade and nothing else: the loop that a long backtest lives in. */
  #tradesOfOne({ seen, market, trade }: Subscribers, rows: TradeRows, from: number, to: number, quietBand: QuietBand, host: Host): number {
    const core = this.core;
    const clock = this.clock;
    const { time, price } = rows; // hot-ok: a pattern, nothing is made
    const { low, high, until } = quietBand; // hot-ok: a pattern, nothing is made
    const { handlers, context } = host; // hot-ok: a pattern, nothing is made
    const acts = core.acts;
    try {
      // Said to be integers, which the loop then need not ask anew.
      for (let r = from | 0, end = to | 0; r < end; r++) {
        const now = time[r]!;
        const ticks = price[r]!;
        if (now >= until || ticks <= low || ticks >= high) return r;
        clock.time = now;
        core.now = now;
        seen.last = ticks;
        seen.lastTime = now;
        seen.seenAt = now;
        trade.row = r;
        const gave: unknown = handlers.onTrade!(trade, market, context);
        if (gave !== undefined && host.gave('onTrade', gave)) return r + 1;
        if (core.acts !== acts) return r + 1;
      }
    } catch (error) {
      host.fault('onTrade', error);
      return trade.row + 1;
    }
    return to;
  }

  /** The same for quotes. */
  quotes(subscribers: Subscribers, rows: QuoteRows, from: number, to: number, given: QuietBand): number {
    const quietBand = this.#within(given, subscribers);
    const core = this.core;
    const clock = this.clock;
    const dispatch = this.dispatch;
    const seen = subscribers.seen;
    const market = subscribers.market;
    const hosts = subscribers.quoteHosts;
    const { time, bid, bidSize, ask, askSize } = rows; // hot-ok: a pattern, nothing is made
    const { low, high, until } = quietBand; // hot-ok: a pattern, nothing is made
    const count = dispatch.isTelling ? hosts.length : 0;
    const acts = core.acts;
    // Where nobody listens, the last one is all that will be known of them.
    const end = count === 0 ? quietQuotes(rows, from, to, quietBand) : to;
    for (let r = count === 0 && end > from ? end - 1 : from; r < end; r++) {
      const now = time[r]!;
      const b = bid[r]!;
      const a = ask[r]!;
      if (now >= until || b <= low || a >= high || b >= a) return r;
      clock.time = now;
      core.now = now;
      seen.quote(b, bidSize[r]!, a, askSize[r]!, now, now);
      for (let k = 0; k < count; k++) hosts[k]!.quote(market);
      if (core.acts !== acts) return r + 1;
    }
    return end;
  }
}
