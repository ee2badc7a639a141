/**
 * Market rows in bulk: a backtest under `--every-tick` hands over whole columns, and strategies see them row by row until one of
 * them does something that the world outside must answer. The same as onTrade or onQuote for each row. @hot
 */
import type { Core } from './core.ts';
import type { Dispatch } from './dispatch.ts';
import type { Host } from './strategy/host.ts';

/** A clock that is put where a row is. */
export interface RowClock {
  time: number;
}

/** Trades as columns: a tape's cursor is one. */
export interface TradeRows {
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

export class RowTaker {
  readonly #core: Core;
  readonly #dispatch: Dispatch;
  readonly #clock: RowClock;

  constructor(core: Core, dispatch: Dispatch, clock: RowClock) {
    this.#core = core;
    this.#dispatch = dispatch;
    this.#clock = clock;
  }

  /** Takes rows `from` up to `to` of instrument `i`; gives the first row not taken: a handler acted on the one before it. */
  trades(i: number, rows: TradeRows, from: number, to: number): number {
    const dispatch = this.#dispatch;
    const hosts = dispatch.tradeHosts[i]!;
    const host = hosts[0];
    if (host !== undefined && hosts.length === 1 && dispatch.isTelling && !host.isDisabled && dispatch.bars[i]!.length === 0) {
      return this.#tradesOfOne(i, rows, from, to, host);
    }
    const core = this.#core;
    const clock = this.#clock;
    const { agenda, notices } = core; // hot-ok: a pattern, nothing is made
    const { time, price, size, side } = rows; // hot-ok: a pattern, nothing is made
    const seq = core.nextSeq;
    const due = agenda.next;
    for (let r = from; r < to; r++) {
      const now = time[r]!;
      clock.time = now;
      core.now = now;
      dispatch.print(i, price[r]!, size[r]!, side[r]!, now);
      if (core.nextSeq !== seq || notices.count > 0 || agenda.next !== due) return r + 1;
    }
    return to;
  }

  /** One strategy that wants every trade and nothing else: the loop that a long backtest lives in. */
  #tradesOfOne(i: number, rows: TradeRows, from: number, to: number, host: Host): number {
    const core = this.#core;
    const clock = this.#clock;
    const { agenda, notices } = core; // hot-ok: a pattern, nothing is made
    const seen = core.market[i]!;
    const { time, price, size, side } = rows; // hot-ok: a pattern, nothing is made
    const { handlers, context } = host; // hot-ok: a pattern, nothing is made
    const trade = this.#dispatch.tradeViewOf(i);
    const view = this.#dispatch.marketViewOf(i);
    const seq = core.nextSeq;
    const due = agenda.next;
    let r = from;
    try {
      for (; r < to; r++) {
        const now = time[r]!;
        clock.time = now;
        core.now = now;
        seen.last = price[r]!;
        seen.lastSize = size[r]!;
        seen.lastAggressor = side[r]!;
        seen.lastTime = now;
        seen.seenAt = now;
        const gave: unknown = handlers.onTrade!(trade, view, context);
        if (gave !== undefined && host.gave('onTrade', gave)) return r + 1;
        if (core.nextSeq !== seq || notices.count > 0 || agenda.next !== due) return r + 1;
      }
    } catch (error) {
      host.fault('onTrade', error);
      return r + 1;
    }
    return to;
  }

  /** The same for quotes. */
  quotes(i: number, rows: QuoteRows, from: number, to: number): number {
    const core = this.#core;
    const clock = this.#clock;
    const dispatch = this.#dispatch;
    const { agenda, notices } = core; // hot-ok: a pattern, nothing is made
    const seen = core.market[i]!;
    const { time, bid, bidSize, ask, askSize } = rows; // hot-ok: a pattern, nothing is made
    const hosts = dispatch.quoteHosts[i]!;
    const marketView = dispatch.marketViewOf(i);
    const count = dispatch.isTelling ? hosts.length : 0;
    const seq = core.nextSeq;
    const due = agenda.next;
    // Where nobody listens, the last one is all that will be known of them.
    for (let r = count === 0 ? to - 1 : from; r < to; r++) {
      const now = time[r]!;
      clock.time = now;
      core.now = now;
      seen.bid = bid[r]!;
      seen.bidSize = bidSize[r]!;
      seen.ask = ask[r]!;
      seen.askSize = askSize[r]!;
      seen.quoteTime = now;
      seen.quoteSeenAt = now;
      seen.seenAt = now;
      for (let k = 0; k < count; k++) hosts[k]!.quote(marketView);
      if (core.nextSeq !== seq || notices.count > 0 || agenda.next !== due) return r + 1;
    }
    return to;
  }
}
