/** Market events go into the belief and then to the strategies that want them; so do the notices of orders and legs. @hot */
import { SIDES } from '../../domain/codes.ts';
import { ORDER_STATES } from '../../domain/order.ts';
import { priceOf, sizeOf } from '../../domain/instrument.ts';
import type { PositionReport, QuoteReport, StatsReport, TradeReport } from '../../domain/report.ts';
import { MONEY_DECIMALS } from '../../domain/units.ts';
import { Subscribers } from './subscribers.ts';
import type { Bars, BarSink } from '../market/bars.ts';
import type { ExternalFact } from '../../domain/external.ts';
import * as doubts from '../state/markets.ts';
import type { Order } from '../state/orders.ts';
import type { Core } from '../state/core.ts';
import type { StrategyEvent } from '../state/strategy-events.ts';
import type { TradeSink } from '../polling/trade-feed.ts';
import type { Host } from './host.ts';
import { reportHalt } from './report-halt.ts';
import { OrderEventView, PositionEventView, type OrderViews } from './order-views.ts';
import type { MarketView, TradeView } from './views.ts';

const { reportAhead, reportDoubtful } = doubts;

/** Events told in one step before a strategy counts as a runaway that answers every refusal with another intent. */
const RUNAWAY = 10_000;

/** Money units of one coin. */
const MONEY = 10 ** MONEY_DECIMALS;

/** The venue's clock is believed as far ahead of ours, in ms: what claims to be later does not keep out what comes after it. */
const AHEAD_MS = 60_000;

/** An answer that took longer tells the market of when it was asked for, in ms. */
const SLOW_MS = 1_000;

export class Dispatch implements BarSink, TradeSink {
  /** True between a strategy's start and stop: otherwise the belief is updated and nobody is told of the market. */
  isTelling = false;
  readonly hosts: Host[] = [];
  /** By instrument. */
  declare readonly allSubscribers: readonly Subscribers[];
  readonly barHosts = new Map<Bars, Host[]>();
  declare private readonly core: Core;
  declare private readonly views: OrderViews;
  readonly #orderEvent = new OrderEventView();
  readonly #positionEvent = new PositionEventView();
  #told = 0;

  constructor(core: Core, markets: readonly MarketView[], trades: readonly TradeView[], views: OrderViews) {
    this.core = core;
    this.allSubscribers = markets.map((market, i) => new Subscribers(core.market[i]!, market, trades[i]!)); // hot-ok: construction
    this.views = views;
  }

  /** A quote that is seen the moment it is made. One that is not believed is counted, and nobody is told of it. */
  pushed(subscribers: Subscribers, bid: number, bidSize: number, ask: number, askSize: number): void {
    const seen = subscribers.seen;
    const now = this.core.now;
    if (!seen.filter.quote(bid, ask, seen.reference, seen.seenAt, now))
      return reportDoubtful(this.core, subscribers.market.index, bid, ask);
    this.quote(subscribers, bid, bidSize, ask, askSize, now, now);
  }

  /** `heldAt` is when it held, by our clock. */
  quote(subscribers: Subscribers, bid: number, bidSize: number, ask: number, askSize: number, venueTime: number, heldAt: number): void {
    subscribers.seen.quote(bid, bidSize, ask, askSize, venueTime, heldAt);
    if (!this.isTelling) return;
    const hosts = subscribers.quoteHosts;
    for (let k = 0; k < hosts.length; k++) hosts[k]!.quote(subscribers.market);
  }

  print(subscribers: Subscribers, price: number, size: number, aggressor: number, venueTime: number): void {
    const seen = subscribers.seen;
    const now = this.core.now;
    if (!seen.filter.trade(price, seen.reference, seen.seenAt, now))
      return reportDoubtful(this.core, subscribers.market.index, price, price);
    seen.trade(price, venueTime, now);
    if (subscribers.wantsTrades) this.#tellTrade(subscribers, price, size, aggressor, venueTime);
  }

  #tellTrade(subscribers: Subscribers, price: number, size: number, aggressor: number, venueTime: number): void {
    const bars = subscribers.bars;
    for (let k = 0; k < bars.length; k++) bars[k]!.trade(price, size, venueTime);
    const hosts = subscribers.tradeHosts;
    if (!this.isTelling || hosts.length === 0) return;
    subscribers.trade.set(size, aggressor);
    for (let k = 0; k < hosts.length; k++) hosts[k]!.trade(subscribers.trade, subscribers.market);
  }

  /**
   * Polled quotes: an older one than known is dropped, an equal one only confirms that it still holds. `venueNow` is the venue's clock
   * at the answer, 0 when it did not say: a quote is as old as it is by that clock, so that one that a frozen venue repeats ages (A61).
   * An answer that was long under way is as old as its question, and a quote that is ahead of the venue's clock counts as that much old.
   */
  quotes(reports: readonly QuoteReport[], sentAt: number, venueNow: number): void {
    const { market, now } = this.core;
    const at = now - sentAt > SLOW_MS ? sentAt : now;
    for (const r of reports) {
      const i = r.instrument;
      const seen = market[i]!;
      const aheadMs = venueNow > 0 ? r.venueTime - venueNow : 0;
      const venueTime = aheadMs > SLOW_MS ? venueNow : r.venueTime;
      if (venueTime < seen.quoteTime && seen.quoteTime <= now + AHEAD_MS) continue;
      if (!seen.filter.quote(r.bid, r.ask, 0, 0, now)) {
        reportDoubtful(this.core, i, r.bid, r.ask);
        continue;
      }
      if (aheadMs > SLOW_MS) reportAhead(this.core, i, aheadMs);
      const heldAt = venueNow === 0 || (aheadMs > 0 && aheadMs <= SLOW_MS) ? at : at - Math.abs(aheadMs);
      const isSame = r.bid === seen.bid && r.bidSize === seen.bidSize && r.ask === seen.ask && r.askSize === seen.askSize;
      if (isSame) {
        seen.quoteTime = venueTime;
        seen.quoteSeenAt = heldAt;
        seen.seenAt = now;
      } else {
        this.quote(this.allSubscribers[i]!, r.bid, r.bidSize, r.ask, r.askSize, venueTime, heldAt);
      }
    }
  }

  stats(reports: readonly StatsReport[]): void {
    const { market, now } = this.core;
    for (const r of reports) {
      const seen = market[r.instrument]!;
      const isBelieved = seen.filter.ticker(r.last, now);
      seen.open = r.open;
      seen.high = r.high;
      seen.low = r.low;
      seen.volume = r.volume;
      seen.seenAt = now;
      if (isBelieved && (r.venueTime > seen.lastTime || seen.lastTime > now + AHEAD_MS)) {
        seen.last = r.last;
        seen.lastTime = r.venueTime;
      }
    }
  }

  /** Mark prices of positions: evidence beside quotes and trades. */
  marks(reports: readonly PositionReport[]): void {
    const { market, instruments, now } = this.core;
    for (const r of reports) {
      const instrument = instruments[r.instrument];
      if (instrument !== undefined) market[r.instrument]!.filter.mark((r.markPrice * instrument.priceScale) / instrument.tickStep, now);
    }
  }

  trade(report: TradeReport): void {
    this.print(this.allSubscribers[report.instrument]!, report.price, report.size, report.aggressor, report.venueTime);
  }

  gap(instrument: number): void {
    const { market, bars } = this.allSubscribers[instrument]!;
    this.core.log.warn('trades-lost', { symbol: market.symbol }); // hot-ok: a poll's gap
    for (const one of bars) one.gap();
  }

  caughtUp(instrument: number): void {
    this.core.market[instrument]!.seenAt = this.core.now;
  }

  bar(bars: Bars): void {
    if (!this.isTelling) return;
    const hosts = this.barHosts.get(bars)!;
    const { market } = this.allSubscribers[bars.instrument.index]!;
    for (let k = 0; k < hosts.length; k++) hosts[k]!.bar(bars.done, market);
  }

  /** Called before the first notice of a step. */
  beginStep(): void {
    this.#told = 0;
  }

  /** Tells the oldest notice. */
  tell(): void {
    const event = this.core.strategyEvents.shift();
    if (event.order !== null) this.#tellOrder(event.order, event.state, event.lots, event.price, event.why, event.detail);
    else if (event.fact !== null) this.#tellExternal(event.fact);
    else if (event.halt !== null) reportHalt(this, this.core, event.halt, event.isEnd);
    else this.#tellPosition(event);
  }

  #tellOrder(order: Order, state: number, lots: number, price: number, why: string, detail: string): void {
    const { orders, instruments } = this.core;
    const host = this.hosts[order.owner.index];
    if (host !== undefined) {
      const instrument = instruments[order.instrument]!;
      const event = this.#orderEvent;
      event.order = this.views.at(order);
      event.state = ORDER_STATES[state]!;
      event.fillSize = lots > 0 ? sizeOf(lots, instrument) : 0;
      event.fillPrice = price > 0 ? priceOf(price, instrument) : Number.NaN;
      event.why = why;
      event.detail = detail;
      if (++this.#told > RUNAWAY) host.disable('runaway');
      host.order(event);
    }
    order.references--;
    orders.releaseIfDone(order);
  }

  #tellExternal(fact: ExternalFact): void {
    if (!this.isTelling) return;
    const market = this.allSubscribers[fact.instrument]?.market ?? null;
    const hosts = market === null ? this.hosts : this.allSubscribers[fact.instrument]!.traders;
    const side = fact.side < 0 ? null : SIDES[fact.side]!;
    const event = { kind: fact.kind, action: fact.action, market, side, text: fact.text }; // hot-ok: something happened outside
    for (let k = 0; k < hosts.length; k++) hosts[k]!.external(event);
  }

  #tellPosition({ leg, lots, cause, price, profit, seq }: StrategyEvent): void {
    if (!this.isTelling) return;
    const subscribers = this.allSubscribers[leg >> 1]!;
    const market = subscribers.market;
    const event = this.#positionEvent;
    event.market = market;
    event.position = (leg & 1) === 0 ? market.long : market.short;
    event.change = lots < 0 ? -sizeOf(-lots, market.instrument) : sizeOf(lots, market.instrument);
    event.cause = cause;
    event.external = cause === 'external' || cause === 'liquidation';
    event.price = price > 0 ? priceOf(price, market.instrument) : Number.NaN;
    event.profit = profit / MONEY;
    event.order = seq;
    const hosts = subscribers.traders;
    for (let k = 0; k < hosts.length; k++) hosts[k]!.position(event);
  }
}
