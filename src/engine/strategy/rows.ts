/**
 * Bulk market rows: a backtest with `--every-tick` passes whole columns. Strategies see them row by row until one of them acts (a command
 * or a timer), or a row leaves the quiet band. The result is the same as onTrade or onQuote for each row. @hot
 */
import type { Subscribers } from './runner/subscribers.ts';
import type { Core } from '../state/core.ts';
import type { Dispatch } from './dispatch.ts';
import type { StrategyRunner } from './runner/strategy-runner.ts';
import { enter, leave, numberOf } from './definition/running.ts';
import type { QuoteRows, RowClock, TradeRows } from './context/row-columns.ts';

/** The shared state that this file uses. */
interface RowsCore extends Core {
  /** Set for each row. */
  now: number;
  /** Counts commands and timers started by strategies. */
  readonly acts: number;
}

/** Rows per uninterrupted call, so that the watchdog sees progress. */
const STRETCH = 4_096;
const ON_TRADE = numberOf('onTrade');

/** The largest 32-bit integer. */
const MOST = 2 ** 31 - 1;

/** The rows that only strategies need: before a time, with prices strictly between two bounds. */
export class QuietBand {
  // Kept as small integers, which compare fastest. A row beyond them counts as outside the band, which is safe.
  low = 0;
  high = MOST;
  until = Infinity;

  set(low: number, high: number, until: number): void {
    this.low = low < MOST ? low | 0 : MOST;
    this.high = high < MOST ? high | 0 : MOST;
    this.until = until;
  }
}

/** First row from `from` on that is outside the band, or has a bid not below its ask; `to` if there is none. */
export function quietQuotes(rows: Pick<QuoteRows, 'time' | 'bid' | 'ask'>, from: number, to: number, quietBand: QuietBand): number {
  const { time, bid, ask } = rows;
  const { low, high, until } = quietBand;
  for (let r = from; r < to; r++) {
    const b = bid[r]!;
    const a = ask[r]!;
    if (b <= low || a >= high || b >= a || time[r]! >= until) return r;
  }
  return to;
}

export class RowTaker {
  declare private readonly core: RowsCore;
  declare private readonly dispatch: Dispatch;
  declare private readonly clock: RowClock;
  /** The intersection of the given band with the price filter's band. */
  private readonly both = new QuietBand();

  constructor(core: RowsCore, dispatch: Dispatch, clock: RowClock) {
    this.core = core;
    this.dispatch = dispatch;
    this.clock = clock;
  }

  /**
   * Processes rows `from` up to `to` of a market. Returns the first row not taken: it is outside the band, or a handler acted on the row
   * before.
   */
  trades(subscribers: Subscribers, rows: TradeRows, from: number, to: number, given: QuietBand): number {
    const quietBand = this.#within(given, subscribers);
    const dispatch = this.dispatch;
    const runners = subscribers.tradeRunners;
    const runner = runners[0];
    if (runner !== undefined && runners.length === 1 && dispatch.isActive && !runner.isDisabled && subscribers.bars.length === 0) {
      subscribers.trade.from(rows);
      const acts = this.core.acts;
      let next = from;
      do {
        // In stretches, so that the watchdog sees that the strategy is making progress.
        const end = next + STRETCH < to ? next + STRETCH : to;
        const begun = next;
        enter(runner.slot, ON_TRADE);
        next = this.#tradesOfOne(subscribers, rows, next, end, quietBand, runner);
        leave();
        runner.activity[subscribers.market.index]!.calledFor(next - begun, this.core.now);
        if (next < end || runner.isDisabled) break;
      } while (next < to && this.core.acts === acts);
      if (next === rows.length) subscribers.trade.keep();
      return next;
    }
    const core = this.core;
    const clock = this.clock;
    const { time, price, size, side } = rows;
    const { low, high, until } = quietBand;
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
      // A trade may start a bar, which sets a timer.
      if (core.acts !== acts || timerQueue.next !== due) return r + 1;
    }
    return to;
  }

  #within(quietBand: QuietBand, { marketState }: Subscribers): QuietBand {
    const low = marketState.filter.low;
    const high = marketState.filter.high;
    const both = this.both;
    both.set(quietBand.low > low ? quietBand.low : low, quietBand.high < high ? quietBand.high : high, quietBand.until);
    return both;
  }

  /** One strategy with onTrade and without bars: the main loop of a long backtest. */
  #tradesOfOne(
    { marketState, market, trade }: Subscribers,
    rows: TradeRows,
    from: number,
    to: number,
    quietBand: QuietBand,
    runner: StrategyRunner,
  ): number {
    const core = this.core;
    const clock = this.clock;
    const { time, price } = rows;
    const { low, high, until } = quietBand;
    const { handlers, context } = runner;
    const acts = core.acts;
    try {
      // Converted to integers once, so that the loop need not check again.
      for (let r = from | 0, end = to | 0; r < end; r++) {
        const now = time[r]!;
        const ticks = price[r]!;
        if (now >= until || ticks <= low || ticks >= high) return r;
        clock.time = now;
        core.now = now;
        marketState.last = ticks;
        marketState.lastTime = now;
        marketState.seenAt = now;
        trade.row = r;
        const returned: unknown = handlers.onTrade!(trade, market, context);
        if (returned !== undefined && runner.returned('onTrade', returned)) return r + 1;
        if (core.acts !== acts) return r + 1;
      }
    } catch (error) {
      runner.fault('onTrade', error);
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
    const marketState = subscribers.marketState;
    const market = subscribers.market;
    const runners = subscribers.quoteRunners;
    const { time, bid, bidSize, ask, askSize } = rows;
    const { low, high, until } = quietBand;
    const count = dispatch.isActive ? runners.length : 0;
    const acts = core.acts;
    // Without subscribers only the last row matters.
    const end = count === 0 ? quietQuotes(rows, from, to, quietBand) : to;
    for (let r = count === 0 && end > from ? end - 1 : from; r < end; r++) {
      const now = time[r]!;
      const b = bid[r]!;
      const a = ask[r]!;
      if (now >= until || b <= low || a >= high || b >= a) return r;
      clock.time = now;
      core.now = now;
      marketState.quote(b, bidSize[r]!, a, askSize[r]!, now, now);
      for (let k = 0; k < count; k++) runners[k]!.quote(market);
      if (core.acts !== acts) return r + 1;
    }
    return end;
  }
}
