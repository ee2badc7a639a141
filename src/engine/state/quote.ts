/** A standing quote: what one order of one direction shall be, and the order that is it now. strategy/quotes.ts brings the one to the other. @hot */
import * as codes from '../../domain/codes.ts';
import * as states from '../../domain/order.ts';
import type { InstrumentContext } from './instrument-context.ts';
import type { Leg } from './leg.ts';
import type { Order } from './order.ts';
import type { PendingWork } from './pending-work.ts';
import type { Owner } from './owner.ts';

const { BUY, LONG, SHORT } = codes;
const { REJECTED } = states;

/** What a strategy wants to stand in one direction of one market. */
export class Quote {
  declare readonly owner: Owner;
  declare readonly context: InstrumentContext;
  /** BUY or SELL. */
  declare readonly direction: number;
  declare readonly marginMode: number;
  /** The leg that it closes, and the sides of that and of the one that it opens. */
  declare readonly closes: Leg;
  declare readonly closeSide: number;
  declare readonly openSide: number;
  /** The numbers last stated for `price` and `size`; NaN when none was. */
  statedPrice = Number.NaN;
  statedSize = Number.NaN;
  /** Ticks. */
  price = 0;
  /** Lots; 0 for no quote. */
  size = 0;
  postOnly = 0;
  reason = '';
  /** The live order that is it, or is to become it; else `none`, which has ended. */
  declare order: Order;
  declare readonly none: Order;
  /** The venue has not been told yet of what is wanted. */
  isPending = false;
  /** The venue refused to move the order: it goes, and another is placed. */
  isStuck = false;
  /** In the queue, and what comes after it there. */
  isQueued = false;
  next: Quote | null = null;

  constructor(owner: Owner, context: InstrumentContext, direction: number, marginMode: number, none: Order) {
    this.order = none;
    this.none = none;
    this.owner = owner;
    this.context = context;
    this.direction = direction;
    this.marginMode = marginMode;
    this.closeSide = direction === BUY ? SHORT : LONG;
    this.openSide = direction === BUY ? LONG : SHORT;
    this.closes = context.leg(this.closeSide);
  }

  /** The order is made for it. */
  takes(order: Order): void {
    order.quote = this;
    this.order = order;
  }

  /** Nothing is wanted any more, and nothing is said to the venue about it. */
  forget(): void {
    this.size = 0;
    this.statedSize = Number.NaN;
    this.isPending = false;
  }
}

/** Quotes whose order has an answer or an end, in order: their wishes are said once strategies have been told. */
export class QuoteQueue {
  declare private readonly pendingWork: PendingWork;
  #first: Quote | null = null;

  constructor(pendingWork: PendingWork) {
    this.pendingWork = pendingWork;
  }

  /** The order rests again: what was wished for meanwhile can be said. */
  rests(quote: Quote, order: Order): void {
    if (quote.order === order && quote.isPending) this.#push(quote);
  }

  /** The order ended. The one that it should have replaced stands again where that lives. */
  ended(quote: Quote, order: Order, how: number): void {
    order.quote = null;
    if (quote.order !== order) return;
    const { replaced } = order;
    const stands = replaced !== null && replaced.isAlive;
    quote.order = stands ? replaced : quote.none;
    quote.isStuck = false;
    if (how === REJECTED && order.replaces !== 0) {
      quote.isStuck = stands;
      quote.isPending = true;
    }
    if (quote.isPending) this.#push(quote);
  }

  get isEmpty(): boolean {
    return this.#first === null;
  }

  /** The oldest. The queue is not empty. */
  shift(): Quote {
    const quote = this.#first!;
    this.#first = quote.next;
    quote.next = null;
    quote.isQueued = false;
    return quote;
  }

  #push(quote: Quote): void {
    if (quote.isQueued) return;
    quote.isQueued = true;
    this.pendingWork.isSome = true;
    if (this.#first === null) this.#first = quote;
    else this.#append(this.#first, quote);
  }

  /** Behind others, which are few: one event seldom concerns two orders. */
  #append(first: Quote, quote: Quote): void {
    let last = first;
    while (last.next !== null) last = last.next;
    last.next = quote;
  }
}
