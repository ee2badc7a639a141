/**
 * Applies market events to local state and then calls the strategies that subscribe to them. @hot
 */
import type { PositionReport, QuoteReport, StatsReport, TradeReport } from '../../domain/report.ts';
import { Subscribers } from './runner/subscribers.ts';
import type { BarFeed, FeedSink } from './bars/bar-feed.ts';
import type { BarSlices } from './bars/bar-slices.ts';
import type { PriceNotes } from './price-notes.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import type { VenueOffset } from '../market/venue-offset.ts';
import type { Bar } from '../market/bar.ts';
import { BarEnds, type BarEndsCore } from './bars/bar-ends.ts';
import type { TradeSink } from '../polling/trade-feed.ts';
import type { StrategyRunner } from './runner/strategy-runner.ts';
import type { BarRow } from '../market/series.ts';
import { WarmUp, type WarmUpCore } from './bars/warm-up.ts';
import type { StrategyHandlers, StrategyNeeds } from './definition/types.ts';
import type { MarketView, TradeView } from './context/views.ts';

/** The shared state that this file uses. */
interface DispatchCore extends WarmUpCore, BarEndsCore {
  readonly contexts: readonly InstrumentContext[];
  readonly venueOffset: VenueOffset;
}

/** Largest accepted lead of a venue time over the venue's clock, in milliseconds: a later time does not block the prices that follow. */
const AHEAD_MS = 2_000;

const NO_NEEDS: StrategyNeeds = {};

/** Market data of a slower answer counts as of the time of its query, in milliseconds. */
const SLOW_MS = 1_000;

export class Dispatch implements FeedSink, Omit<TradeSink, 'first'> {
  /** True between start and stop of the strategies: otherwise local state is updated without calling market handlers. */
  isActive = false;
  readonly runners: StrategyRunner[] = [];
  /** By instrument. */
  declare readonly allSubscribers: readonly Subscribers[];
  /** Bars by instrument and timeframe. */
  readonly feeds: BarFeed[] = [];
  /** By strategy with onBars: its collectors by timeframe. */
  readonly slices = new Map<StrategyRunner, ReadonlyMap<string, BarSlices>>();
  declare readonly warmUp: WarmUp;
  declare private readonly core: DispatchCore;
  declare readonly priceNotes: PriceNotes;
  /** Bars of a backtest that end. */
  readonly barEnds: BarEnds;

  constructor(core: DispatchCore, markets: readonly MarketView[], trades: readonly TradeView[], priceNotes: PriceNotes) {
    this.core = core;
    this.priceNotes = priceNotes;
    this.allSubscribers = markets.map((market, i) => new Subscribers(core.contexts[i]!.market, market, trades[i]!));
    this.warmUp = new WarmUp(core);
    this.barEnds = new BarEnds(core, this);
  }

  /** A pushed quote. One that the filter does not accept is counted and not delivered. */
  pushed(subscribers: Subscribers, bid: number, bidSize: number, ask: number, askSize: number): void {
    const marketState = subscribers.marketState;
    const now = this.core.now;
    if (!marketState.filter.quote(bid, ask, marketState.reference, marketState.seenAt, now))
      return this.priceNotes.doubtful(subscribers.market.index, bid, ask);
    this.priceNotes.saw(subscribers.market.index, ask, bid, now);
    this.quote(subscribers, bid, bidSize, ask, askSize, now, now);
  }

  /** `heldAt`: when the quote was valid, by our clock. */
  quote(subscribers: Subscribers, bid: number, bidSize: number, ask: number, askSize: number, venueTime: number, heldAt: number): void {
    subscribers.marketState.quote(bid, bidSize, ask, askSize, venueTime, heldAt);
    if (!this.isActive) return;
    const runners = subscribers.quoteRunners;
    for (let k = 0; k < runners.length; k++) runners[k]!.quote(subscribers.market);
  }

  print(subscribers: Subscribers, price: number, size: number, aggressor: number, venueTime: number): void {
    const marketState = subscribers.marketState;
    const now = this.core.now;
    if (!marketState.filter.trade(price, marketState.reference, marketState.seenAt, now))
      return this.priceNotes.doubtful(subscribers.market.index, price, price);
    marketState.trade(price, venueTime, now);
    if (subscribers.wantsTrades) this.#deliverTrade(subscribers, price, size, aggressor, venueTime);
  }

  #deliverTrade(subscribers: Subscribers, price: number, size: number, aggressor: number, venueTime: number): void {
    const bars = subscribers.bars;
    for (let k = 0; k < bars.length; k++) bars[k]!.trade(price, size, venueTime);
    const runners = subscribers.tradeRunners;
    if (!this.isActive || runners.length === 0) return;
    subscribers.trade.set(size, aggressor);
    for (let k = 0; k < runners.length; k++) runners[k]!.trade(subscribers.trade, subscribers.market);
  }

  /**
   * Polled quotes: an older one is dropped, an equal one only confirms the known one. `venueNow` is the venue's clock at the answer, 0 if
   * unknown. The age of a quote is measured by that clock, so a quote repeated by a frozen venue becomes stale (A61). A slow answer counts
   * as of its query, a quote ahead of the venue's clock counts as that much old, and so does the copy of an answer (`market/venue-offset.ts`).
   */
  quotes(reports: readonly QuoteReport[], sentAt: number, venueNow: number): void {
    const { contexts, now, venueOffset } = this.core;
    const at = (now - sentAt > SLOW_MS ? sentAt : now) + Math.min(0, venueOffset.offBy);
    const latest = now + venueOffset.ms + AHEAD_MS;
    for (const r of reports) {
      const i = r.instrument;
      const marketState = contexts[i]!.market;
      const aheadMs = venueNow > 0 ? r.venueTime - venueNow : 0;
      const venueTime = aheadMs > SLOW_MS ? venueNow : r.venueTime;
      if (venueTime < marketState.quoteTime && marketState.quoteTime <= latest) continue;
      if (!marketState.filter.quote(r.bid, r.ask, 0, 0, now)) {
        this.priceNotes.doubtful(i, r.bid, r.ask);
        continue;
      }
      if (aheadMs > SLOW_MS) this.priceNotes.ahead(i, aheadMs);
      const heldAt = venueNow === 0 || (aheadMs > 0 && aheadMs <= SLOW_MS) ? at : at - Math.abs(aheadMs);
      this.priceNotes.saw(i, r.ask, r.bid, venueTime);
      const isSame =
        r.bid === marketState.bid && r.bidSize === marketState.bidSize && r.ask === marketState.ask && r.askSize === marketState.askSize;
      if (isSame) {
        marketState.quoteTime = venueTime;
        marketState.quoteSeenAt = Math.max(marketState.quoteSeenAt, heldAt);
        marketState.seenAt = now;
      } else {
        this.quote(this.allSubscribers[i]!, r.bid, r.bidSize, r.ask, r.askSize, venueTime, heldAt);
      }
    }
  }

  stats(reports: readonly StatsReport[]): void {
    const { contexts, now, venueOffset } = this.core;
    const latest = now + venueOffset.ms + AHEAD_MS;
    const at = now + Math.min(0, venueOffset.offBy);
    for (const r of reports) {
      const marketState = contexts[r.instrument]!.market;
      const isBelieved = marketState.filter.ticker(r.last, now);
      marketState.open = r.open;
      marketState.high = r.high;
      marketState.low = r.low;
      marketState.volume = r.volume;
      marketState.seenAt = Math.max(marketState.seenAt, at);
      if (isBelieved && (r.venueTime > marketState.lastTime || marketState.lastTime > latest)) {
        marketState.last = r.last;
        marketState.lastTime = r.venueTime;
      }
    }
  }

  /** Mark prices of positions: evidence for the price filter. */
  marks(reports: readonly PositionReport[]): void {
    const { contexts, now } = this.core;
    for (const r of reports) {
      const context = contexts[r.instrument];
      if (context === undefined) continue;
      const { instrument, market } = context;
      market.filter.mark((r.markPrice * instrument.priceScale) / instrument.tickStep, now);
    }
  }

  trade(report: TradeReport): void {
    this.priceNotes.saw(report.instrument, report.price, report.price, report.venueTime);
    this.print(this.allSubscribers[report.instrument]!, report.price, report.size, report.aggressor, report.venueTime);
  }

  gap(instrument: number): void {
    const { market, bars } = this.allSubscribers[instrument]!;
    this.core.log.warn('trades-lost', { symbol: market.symbol }); // hot-ok: a poll's gap
    for (const one of bars) one.gap();
  }

  caughtUp(instrument: number): void {
    this.core.contexts[instrument]!.market.seenAt = this.core.now;
    const { bars } = this.allSubscribers[instrument]!;
    for (let k = 0; k < bars.length; k++) bars[k]!.caughtUp(this.core.now);
  }

  completed(feed: BarFeed): void {
    if (this.barEnds.isCollecting) return this.barEnds.completed(feed);
    this.warmUp.check();
    this.tell(feed, feed.builder.done);
  }

  /** Calls the strategies that want this bar. */
  tell(feed: BarFeed, bar: Bar): void {
    if (!this.isActive) return;
    const { runners } = feed;
    const { market } = this.allSubscribers[feed.instrument.index]!;
    for (let k = 0; k < runners.length; k++) {
      const runner = runners[k]!;
      if (runner.handlers.onBar !== undefined) runner.bar(bar, market);
      if (this.slices.size === 0) continue;
      const slice = this.slices.get(runner)?.get(feed.timeframe.name)?.add(bar, market);
      if (slice !== undefined && slice !== null) runner.bars(slice);
    }
  }

  /** Feeds the indicators that these handlers declare, in place of those of earlier handlers. */
  track(runner: StrategyRunner, handlers: StrategyHandlers, instruments: readonly number[]): void {
    for (const feed of this.feeds) feed.untrack(runner);
    this.trackAlso(runner, handlers, instruments);
  }

  /** Feeds the indicators of these instruments too. */
  trackAlso(runner: StrategyRunner, handlers: StrategyHandlers, instruments: readonly number[]): void {
    const isFilling = handlers.needs?.emptyBars !== 'skip';
    const { indicators } = handlers.needs ?? NO_NEEDS;
    if (indicators === undefined) return;
    for (const tracked of indicators) {
      for (const i of instruments) {
        const { market } = this.allSubscribers[i]!;
        for (const feed of this.feeds) {
          const isOwn = feed.instrument.index === i && feed.timeframe.name === tracked.timeframe.name && feed.isFilling === isFilling;
          if (isOwn) feed.track(runner, market, tracked);
        }
      }
    }
  }

  /** A strategy starts: market events reach it from now on. */
  attach(runner: StrategyRunner, instruments: readonly number[]): void {
    for (const i of instruments) {
      const subscribers = this.allSubscribers[i]!;
      if (runner.handlers.onQuote !== undefined && !subscribers.quoteRunners.includes(runner)) subscribers.quoteRunners.push(runner);
      if (runner.handlers.onTrade !== undefined) subscribers.tradeRunners.push(runner);
    }
  }

  /** Bars of the past for `instrument`, oldest first, complete up to `until`. */
  history(instrument: number, timeframe: string, rows: readonly BarRow[], until: number): void {
    for (const feed of this.feeds) if (feed.instrument.index === instrument && feed.timeframe.name === timeframe) feed.history(rows, until);
    this.warmUp.check();
  }
}
