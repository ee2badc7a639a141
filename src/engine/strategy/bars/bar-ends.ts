/** The bars of a backtest on bars as they end: what is known then, and whom it is told to, in order. */
import { type Bar, type BarTaker, type ClosedBar, MutableBar } from '../../market/bar.ts';
import { Bars } from '../../market/bars.ts';
import type { Core } from '../../state/core.ts';
import type { InsideBar } from '../../state/inside-bar.ts';
import type { BarFeed } from './bar-feed.ts';
import type { Subscribers } from '../runner/subscribers.ts';
import type { WarmUp } from './warm-up.ts';

/** The shared state that this file uses. */
export interface BarEndsCore extends Core {
  readonly inside: InsideBar;
}

/** Whom bars are told to. */
export interface BarListeners {
  readonly isActive: boolean;
  /** By instrument. */
  readonly allSubscribers: readonly Subscribers[];
  readonly feeds: readonly BarFeed[];
  readonly warmUp: WarmUp;
  tell(feed: BarFeed, bar: Bar): void;
}

interface CompletedBar {
  feed: BarFeed;
  readonly bar: MutableBar;
}

export class BarEnds implements BarTaker {
  /** True while bars are only collected. */
  isCollecting = false;
  /** True if the quotes at the end of these bars are to be told. */
  hasQuotes = false;
  readonly #core: BarEndsCore;
  readonly #listeners: BarListeners;
  /** The markets whose bars end now, the first `#ended` of them. */
  readonly #closed: Subscribers[] = [];
  #ended = 0;
  /** Bars of the strategies that have ended, the first `#count` of them; the objects are reused. */
  readonly #completed: CompletedBar[] = [];
  #count = 0;

  constructor(core: BarEndsCore, listeners: BarListeners) {
    this.#core = core;
    this.#listeners = listeners;
  }

  /** Inside a bar the market came to this quote: managed trades alone see it, and what they order meets the market there. */
  path({ traders, market, marketState }: Subscribers, bid: number, ask: number, size: number): void {
    const { inside, now } = this.#core;
    marketState.quote(bid, size, ask, size, now, now);
    inside.acts = true;
    for (const runner of traders) runner.path(market);
    inside.acts = false;
  }

  /** A bar of the market has ended: its last quote and its prices are known now. Handlers hear of it with `bars` and `quoted`. */
  closed(instrument: number, bar: ClosedBar, bid: number, ask: number, size: number): void {
    const subscribers = this.#listeners.allSubscribers[instrument]!;
    const { marketState, bars, quoteRunners } = subscribers;
    const { high, low, close, volume } = bar;
    const { now } = this.#core;
    marketState.quote(bid, size, ask, size, now, now);
    marketState.trade(close, now, now);
    this.#closed[this.#ended++] = subscribers;
    if (quoteRunners.length > 0) this.hasQuotes = true;
    // A bar in which nothing traded is none.
    if (volume === 0 && high === low) return;
    this.isCollecting = true;
    for (let b = 0; b < bars.length; b++) bars[b]!.shorter(bar);
    this.isCollecting = false;
  }

  /** True if bars of this market can be told by `alone`: there are none of another market or length. */
  isAlone(instrument: number): boolean {
    const { feeds } = this.#listeners;
    return feeds.length === 1 && feeds[0]!.instrument.index === instrument;
  }

  /** The same as `closed` and `bars` for the only bar that ends now. */
  alone(bar: ClosedBar, bid: number, ask: number, size: number): void {
    const { now } = this.#core;
    const feed = this.#listeners.feeds[0]!;
    const subscribers = this.#listeners.allSubscribers[feed.instrument.index]!;
    const { marketState, quoteRunners } = subscribers;
    marketState.quote(bid, size, ask, size, now, now);
    marketState.trade(bar.close, now, now);
    if (quoteRunners.length > 0) {
      this.hasQuotes = true;
      this.#closed[0] = subscribers;
      this.#ended = 1;
    }
    const { builder } = feed;
    if (bar.volume > 0 || bar.high > bar.low) {
      if (builder instanceof Bars && builder.whole(bar, now)) return;
      builder.shorter(bar);
    }
    builder.endBy(now);
  }

  /** A bar of a strategy is complete: it is told with the others. */
  completed(feed: BarFeed): void {
    if (this.#count === this.#completed.length) this.#completed.push({ feed, bar: new MutableBar('') });
    const one = this.#completed[this.#count++]!;
    one.feed = feed;
    one.bar.set(feed.builder.done);
  }

  /** All bars that end now have: the longest bars of the strategies first. */
  bars(): void {
    const { now } = this.#core;
    const { feeds } = this.#listeners;
    this.isCollecting = true;
    for (let k = 0; k < this.#ended; k++) {
      const { bars } = this.#closed[k]!;
      for (let b = 0; b < bars.length; b++) bars[b]!.endBy(now);
    }
    // Markets without a bar now: a strategy may want flat ones.
    for (let k = 0; k < feeds.length; k++) feeds[k]!.builder.endBy(now);
    this.isCollecting = false;
    if (!this.hasQuotes) this.#ended = 0;
    if (this.#count === 0) return;
    this.#listeners.warmUp.check();
    if (this.#count === 1) {
      const { feed, bar } = this.#completed[0]!;
      this.#count = 0;
      return this.#listeners.tell(feed, bar);
    }
    const completed = this.#completed.splice(0, this.#count).sort((a, b) => b.feed.timeframe.size - a.feed.timeframe.size);
    this.#count = 0;
    for (const { feed, bar } of completed) this.#listeners.tell(feed, bar);
    this.#completed.push(...completed);
  }

  /** The quotes at the end of these bars, once the timers were called. */
  quoted(): void {
    if (!this.hasQuotes) return;
    this.hasQuotes = false;
    for (let k = 0; k < this.#ended; k++) {
      const { quoteRunners, market } = this.#closed[k]!;
      if (this.#listeners.isActive) for (let h = 0; h < quoteRunners.length; h++) quoteRunners[h]!.quote(market);
    }
    this.#ended = 0;
  }
}
