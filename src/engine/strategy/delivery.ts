/**
 * Delivers to strategies what happened to their orders and legs, to the account and to halts: one event after the other, also to the books of
 * trades and executions. @hot
 */
import { CLOSE, PLACE_SPOT, SIDES } from '../../domain/codes.ts';
import type { ExternalFact } from '../../domain/external.ts';
import { priceOf, sizeOf } from '../../domain/instrument.ts';
import { ORDER_STATES } from '../../domain/order.ts';
import * as units from '../../domain/units.ts';
import type { OrderEvent } from '../intents/events.ts';
import type { Core } from '../state/core.ts';
import type { Order } from '../state/orders.ts';
import type { StrategyEvent } from '../state/strategy-events.ts';
import type { Dispatch } from './dispatch.ts';
import { kindOf, OrderEventView, PositionEventView, type OrderViews } from './order-views.ts';
import { reportHalt } from './report-halt.ts';

const { ONE } = units;

/** Order events delivered in one step before a strategy is disabled as a runaway that answers every refusal with another intent. */
const RUNAWAY = 10_000;

export class Delivery {
  declare private readonly core: Core;
  declare private readonly dispatch: Dispatch;
  declare private readonly views: OrderViews;
  readonly #orderView = new OrderEventView();
  readonly #positionView = new PositionEventView();
  #delivered = 0;

  constructor(core: Core, dispatch: Dispatch, views: OrderViews) {
    this.core = core;
    this.dispatch = dispatch;
    this.views = views;
  }

  /** Called before the first event of a step is delivered. */
  beginStep(): void {
    this.#delivered = 0;
  }

  /** Delivers the oldest event. */
  next(): void {
    const event = this.core.strategyEvents.shift();
    if (event.order !== null) this.#order(event.order, event.state, event.lots, event.price, event.why, event.detail);
    else if (event.fact !== null) this.#external(event.fact);
    else if (event.halt !== null) reportHalt(this.dispatch, this.core, event.halt, event.isEnd);
    else this.#position(event);
  }

  #order(order: Order, state: number, lots: number, price: number, reason: string, message: string): void {
    const { orders, instruments } = this.core;
    order.told += lots;
    const host = this.dispatch.hosts[order.owner.index];
    if (host !== undefined) {
      const instrument = instruments[order.instrument]!;
      const event = this.#orderView;
      event.order = this.views.at(order);
      event.state = ORDER_STATES[state]!;
      event.kind = kindOf(event.state, lots, reason);
      event.fillSize = lots > 0 ? sizeOf(lots, instrument) : 0;
      event.fillPrice = price > 0 ? priceOf(price, instrument) : Number.NaN;
      event.reason = reason;
      event.message = message;
      if (++this.#delivered > RUNAWAY) host.disable('runaway');
      host.order(event as OrderEvent);
    } else if (lots > 0 && order.effect === CLOSE && order.kind !== PLACE_SPOT)
      this.dispatch.allSubscribers[order.instrument]!.flattened(order.side, lots, price);
    order.references--;
    orders.releaseIfDone(order);
  }

  #external(fact: ExternalFact): void {
    if (!this.dispatch.isActive) return;
    const market = this.dispatch.allSubscribers[fact.instrument]?.market ?? null;
    const hosts = market === null ? this.dispatch.hosts : this.dispatch.allSubscribers[fact.instrument]!.traders;
    const side = fact.side < 0 ? null : SIDES[fact.side]!;
    const event = { kind: fact.kind, action: fact.action, market, side, message: fact.text }; // hot-ok: something happened outside
    for (let k = 0; k < hosts.length; k++) hosts[k]!.external(event);
  }

  /** The books of trades and executions get events at any time, handlers only between start and stop. */
  #position({ leg, lots, cause, price, profit, seq, owner }: StrategyEvent): void {
    this.core.portfolio.legs[leg]!.tell(lots);
    const subscribers = this.dispatch.allSubscribers[leg >> 1]!;
    const market = subscribers.market;
    const event = this.#positionView;
    event.market = market;
    event.position = (leg & 1) === 0 ? market.long : market.short;
    event.change = lots < 0 ? -sizeOf(-lots, market.instrument) : sizeOf(lots, market.instrument);
    event.cause = cause;
    event.external = cause === 'external' || cause === 'liquidation';
    event.price = price > 0 ? priceOf(price, market.instrument) : Number.NaN;
    event.profit = profit / ONE;
    event.order = seq;
    const hosts = subscribers.traders;
    const trader = owner === null ? undefined : this.dispatch.hosts[owner.index];
    const trade = trader?.tradeOf(seq) ?? null;
    if (trader !== undefined) trader.book(event, true);
    for (let k = 0; k < hosts.length; k++) if (hosts[k] !== trader) hosts[k]!.book(event, false);
    if (!this.dispatch.isActive) return;
    for (let k = 0; k < hosts.length; k++) hosts[k]!.position(event);
    if (trader !== undefined) trader.bracketFill(event, trade);
  }
}
