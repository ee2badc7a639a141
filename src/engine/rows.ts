/**
 * Market rows in bulk: a backtest under `--every-tick` hands over whole columns, and strategies see them row by row until one of
 * them does something that the world outside must answer. The same as onTrade or onQuote for each row. @hot
 */
import type { Core } from './core.ts';
import type { Dispatch } from './dispatch.ts';

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
    const core = this.#core;
    const clock = this.#clock;
    const dispatch = this.#dispatch;
    const { market, agenda, notices } = core; // hot-ok: a pattern, nothing is made
    const { last, lastSize, lastAggressor, lastTime, seenAt } = market; // hot-ok: a pattern, nothing is made
    const { time, price, size, side } = rows; // hot-ok: a pattern, nothing is made
    const bars = dispatch.bars[i]!;
    const hosts = dispatch.tradeHosts[i]!;
    const view = dispatch.tradeViewOf(i);
    const marketView = dispatch.marketViewOf(i);
    const count = dispatch.isLive ? hosts.length : 0;
    const seq = core.nextSeq;
    const due = agenda.next;
    for (let r = from; r < to; r++) {
      const now = time[r]!;
      clock.time = now;
      core.now = now;
      last[i] = price[r]!;
      lastSize[i] = size[r]!;
      lastAggressor[i] = side[r]!;
      lastTime[i] = now;
      seenAt[i] = now;
      for (let k = 0; k < bars.length; k++) bars[k]!.trade(price[r]!, size[r]!, now);
      for (let k = 0; k < count; k++) hosts[k]!.trade(view, marketView);
      if (core.nextSeq !== seq || notices.count > 0 || agenda.next !== due) return r + 1;
    }
    return to;
  }

  /** The same for quotes. */
  quotes(i: number, rows: QuoteRows, from: number, to: number): number {
    const core = this.#core;
    const clock = this.#clock;
    const dispatch = this.#dispatch;
    const { market, agenda, notices } = core; // hot-ok: a pattern, nothing is made
    const { time, bid, bidSize, ask, askSize } = rows; // hot-ok: a pattern, nothing is made
    const hosts = dispatch.quoteHosts[i]!;
    const marketView = dispatch.marketViewOf(i);
    const count = dispatch.isLive ? hosts.length : 0;
    const seq = core.nextSeq;
    const due = agenda.next;
    for (let r = from; r < to; r++) {
      const now = time[r]!;
      clock.time = now;
      core.now = now;
      market.bid[i] = bid[r]!;
      market.bidSize[i] = bidSize[r]!;
      market.ask[i] = ask[r]!;
      market.askSize[i] = askSize[r]!;
      market.quoteTime[i] = now;
      market.quoteSeenAt[i] = now;
      market.seenAt[i] = now;
      for (let k = 0; k < count; k++) hosts[k]!.quote(marketView);
      if (core.nextSeq !== seq || notices.count > 0 || agenda.next !== due) return r + 1;
    }
    return to;
  }
}
