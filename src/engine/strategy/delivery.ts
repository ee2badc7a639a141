/**
 * Delivers to strategies what happened to their orders and legs, to the account and to halts: one event after the other, also to the books of
 * trades and executions. @hot
 */
import { CLOSE, PLACE_SPOT, SIDES } from '../../domain/codes.ts';
import type { ExternalFact } from '../../domain/messages/external.ts';
import { priceOf, sizeOf } from '../../domain/instrument.ts';
import { ORDER_STATES } from '../../domain/orders/order.ts';
import * as units from '../../domain/amounts/units.ts';
import type { OrderEvent, PositionEvent } from '../intents/events.ts';
import type { ManagedTrade } from '../trades/trade-types.ts';
import type { Orders } from '../state/orders/orders.ts';
import type { Portfolio } from '../state/account/portfolio.ts';
import type { StrategyEvents } from '../state/events/strategy-events.ts';
import type { InsideBar } from '../state/inside-bar.ts';
import type { Order } from '../state/orders/orders.ts';
import type { StrategyEvent } from '../state/events/strategy-events.ts';
import type { Dispatch } from './dispatch.ts';
import { kindOf, OrderEventView, PositionEventView, type OrderViews } from './context/order-views.ts';
import { LaterEvents } from './later-events.ts';
import { reportHalt, type ReportHaltCore } from './runner/report-halt.ts';

/** The shared state that this file uses. */
interface DeliveryCore extends ReportHaltCore {
  readonly orders: Orders;
  readonly portfolio: Portfolio;
  readonly strategyEvents: StrategyEvents;
  readonly inside: InsideBar;
}

const { ONE } = units;

/** Order events delivered in one step before a strategy is disabled as a runaway that answers every refusal with another intent. */
const RUNAWAY = 10_000;

export class Delivery {
  declare private readonly core: DeliveryCore;
  declare private readonly dispatch: Dispatch;
  declare private readonly views: OrderViews;
  readonly #orderView = new OrderEventView();
  readonly #positionView = new PositionEventView();
  /** What handlers hear at the end of the bar. */
  readonly #later = new LaterEvents();
  #delivered = 0;

  constructor(core: DeliveryCore, dispatch: Dispatch, views: OrderViews) {
    this.core = core;
    this.dispatch = dispatch;
    this.views = views;
  }

  /** Called before the first event of a step is delivered. */
  beginStep(): void {
    this.#delivered = 0;
  }

  /** Delivers the oldest event. Inside a bar only managed trades hear of it, and the rest waits. */
  next(): void {
    const event = this.core.strategyEvents.shift();
    if (this.core.inside.isOpen) return this.#inside(event);
    if (event.order !== null) this.#order(event.order, event.state, event.lots, event.price, event.why, event.detail);
    else if (event.fact !== null) this.#external(event.fact);
    else if (event.halt !== null) reportHalt(this.dispatch, this.core, event.halt, event.isEnd);
    else this.#position(event);
  }

  /** The bar has ended: delivers what waited. */
  flush(): void {
    for (let next = this.#later.next(); next !== null; next = this.#later.next()) {
      const { event, trade } = next;
      if (event.order !== null) this.#order(event.order, event.state, event.lots, event.price, event.why, event.detail, trade);
      else if (event.fact !== null) this.#external(event.fact);
      else if (event.halt !== null) reportHalt(this.dispatch, this.core, event.halt, event.isEnd);
      else this.#position(event, trade);
    }
  }

  /** Managed trades hear of orders and legs at once, and act at the price that the bar has come to. */
  #inside(given: StrategyEvent): void {
    const { inside, portfolio } = this.core;
    const later = this.#later.add(given);
    const { event } = later;
    inside.acts = true;
    let trade: ManagedTrade | null = null;
    if (event.order !== null) {
      const { order, lots } = event;
      order.delivered += lots;
      const runner = this.dispatch.runners[order.owner.index];
      if (runner !== undefined) {
        trade = runner.tradeOf(order.seq);
        runner.trades.order(this.#viewOf(order, event.state, lots, event.price, event.why, event.detail));
      }
    } else if (event.fact === null && event.halt === null) {
      portfolio.legs[event.leg]!.tell(event.lots);
      trade = this.#book(event);
    }
    inside.acts = false;
    later.trade = trade;
  }

  /** Tells the trades of all strategies of a change of a leg, those of the bracket's strategy first. Gives the trade that it protected. */
  #book(given: StrategyEvent): ManagedTrade | null {
    const event = this.#positionOf(given);
    const runners = this.dispatch.allSubscribers[given.leg >> 1]!.traders;
    const trader = given.owner === null ? undefined : this.dispatch.runners[given.owner.index];
    const trade = trader?.tradeOf(given.seq) ?? null;
    // Each book knows the trades of all: a second one would account for the same lots once more.
    (trader ?? runners[0])?.trades.position(event, trader !== undefined, given.at);
    return trade;
  }

  #positionOf({ leg, lots, cause, price, profit, seq }: StrategyEvent): PositionEvent {
    const { market } = this.dispatch.allSubscribers[leg >> 1]!;
    const event = this.#positionView;
    event.market = market;
    event.position = (leg & 1) === 0 ? market.long : market.short;
    event.change = lots < 0 ? -sizeOf(-lots, market.instrument) : sizeOf(lots, market.instrument);
    event.cause = cause;
    event.external = cause === 'external' || cause === 'liquidation';
    event.price = price > 0 ? priceOf(price, market.instrument) : Number.NaN;
    event.profit = profit / ONE;
    event.order = seq;
    return event;
  }

  #viewOf(order: Order, state: number, lots: number, price: number, reason: string, message: string): OrderEvent {
    const instrument = this.core.instruments[order.instrument]!;
    const event = this.#orderView;
    event.order = this.views.at(order);
    event.state = ORDER_STATES[state]!;
    event.kind = kindOf(event.state, lots, reason);
    event.fillSize = lots > 0 ? sizeOf(lots, instrument) : 0;
    event.fillPrice = price > 0 ? priceOf(price, instrument) : Number.NaN;
    event.reason = reason;
    event.message = message;
    return event as OrderEvent;
  }

  /** `trade`: the managed trade of the order, if the trades have heard of the event; undefined if they have not. */
  #order(order: Order, state: number, lots: number, price: number, reason: string, message: string, trade?: ManagedTrade | null): void {
    const { orders } = this.core;
    if (trade === undefined) order.delivered += lots;
    const runner = this.dispatch.runners[order.owner.index];
    if (runner !== undefined) {
      if (++this.#delivered > RUNAWAY) runner.disable('runaway');
      const isTraded = this.dispatch.allSubscribers[order.instrument]!.traders.includes(runner);
      runner.order(this.#viewOf(order, state, lots, price, reason, message), isTraded, trade);
    } else if (lots > 0 && order.effect === CLOSE && order.kind !== PLACE_SPOT)
      this.dispatch.allSubscribers[order.instrument]!.flattened(order.side, lots, price);
    order.references--;
    orders.releaseIfDone(order);
  }

  #external(fact: ExternalFact): void {
    if (!this.dispatch.isActive) return;
    const market = this.dispatch.allSubscribers[fact.instrument]?.market ?? null;
    const runners = market === null ? this.dispatch.runners : this.dispatch.allSubscribers[fact.instrument]!.traders;
    const side = fact.side < 0 ? null : SIDES[fact.side]!;
    const event = { kind: fact.kind, action: fact.action, market, side, message: fact.text }; // hot-ok: something happened outside
    for (let k = 0; k < runners.length; k++) runners[k]!.external(event);
  }

  /** The books of trades and executions get events at any time, handlers only between start and stop. */
  #position(given: StrategyEvent, known?: ManagedTrade | null): void {
    const isKnown = known !== undefined;
    if (!isKnown) this.core.portfolio.legs[given.leg]!.tell(given.lots);
    const runners = this.dispatch.allSubscribers[given.leg >> 1]!.traders;
    const trade = isKnown ? known : this.#book(given);
    const event = this.#positionOf(given);
    for (let k = 0; k < runners.length; k++) runners[k]!.bookExecutions(event);
    if (!this.dispatch.isActive) return;
    for (let k = 0; k < runners.length; k++) runners[k]!.position(event);
    const trader = given.owner === null ? undefined : this.dispatch.runners[given.owner.index];
    if (trader !== undefined && runners.includes(trader)) trader.bracketFill(event, trade);
  }
}
