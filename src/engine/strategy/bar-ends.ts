/** The bars of a backtest on bars as they end: what is known then, and whom it is told to, in order. */
import { type Bar, type ClosedBar, MutableBar } from '../market/bar.ts';
import type { Core } from '../state/core.ts';
import type { BarFeed } from './bar-feed.ts';
import type { Subscribers } from './subscribers.ts';
import type { WarmUp } from './warm-up.ts';

/** Whom bars are told to. */
export interface BarListeners {
  readonly isActive: boolean;
  readonly warmUp: WarmUp;
  tell(feed: BarFeed, bar: Bar): void;
}

export class BarEnds {
  /** True while bars are only collected. */
  isCollecting = false;
  readonly #core: Core;
  readonly #listeners: BarListeners;
  /** The markets whose bars end now. */
  readonly #closed: Subscribers[] = [];
  readonly #completed: { readonly feed: BarFeed; readonly bar: Bar }[] = [];

  constructor(core: Core, listeners: BarListeners) {
    this.#core = core;
    this.#listeners = listeners;
  }

  /** Inside a bar the market came to this quote: managed trades alone see it, and what they order meets the market there. */
  path({ traders, market, marketState }: Subscribers, bid: number, ask: number, size: number): void {
    const { inside, now } = this.#core;
    marketState.quote(bid, size, ask, size, now, now);
    inside.acts = true;
    for (const host of traders) host.path(market);
    inside.acts = false;
  }

  /** A bar of the market has ended: its last quote and its prices are known now. Handlers hear of it with `bars` and `quoted`. */
  closed(subscribers: Subscribers, bar: ClosedBar, bid: number, ask: number, size: number): void {
    const { marketState, bars } = subscribers;
    const { start, open, high, low, close, volume } = bar;
    const { now } = this.#core;
    marketState.quote(bid, size, ask, size, now, now);
    marketState.trade(close, now, now);
    this.#closed.push(subscribers);
    // A bar in which nothing traded is none.
    if (volume === 0 && high === low) return;
    this.isCollecting = true;
    for (const builder of bars) {
      builder.trade(open, 0, start);
      builder.tradesWithin(high, low, close, volume, 0);
    }
    this.isCollecting = false;
  }

  /** A bar of a strategy is complete: it is told with the others. */
  completed(feed: BarFeed): void {
    const { done } = feed.builder;
    const bar = new MutableBar(done.timeframe);
    bar.set(done);
    this.#completed.push({ feed, bar });
  }

  /** All bars that end now have: the longest bars of the strategies first. */
  bars(): void {
    this.isCollecting = true;
    for (const { bars } of this.#closed) for (const builder of bars) builder.endBy(this.#core.now);
    this.isCollecting = false;
    if (this.#completed.length === 0) return;
    const completed = this.#completed.splice(0).sort((a, b) => b.feed.timeframe.size - a.feed.timeframe.size);
    this.#listeners.warmUp.check();
    for (const { feed, bar } of completed) this.#listeners.tell(feed, bar);
  }

  /** The quotes at the end of these bars, once the timers were called. */
  quoted(): void {
    const { isActive } = this.#listeners;
    for (const { quoteHosts, market } of this.#closed) if (isActive) for (const host of quoteHosts) host.quote(market);
    this.#closed.length = 0;
  }
}
