/**
 * A managed quote: the desired order of one strategy in one direction, and the live order that represents it. context/quotes.ts submits
 * the difference. @hot
 */
import { assert } from '../../../base/failure/assert.ts';
import * as codes from '../../../domain/codes.ts';
import * as states from '../../../domain/orders/order.ts';
import type { InstrumentContext } from './instrument-context.ts';
import type { Leg } from './leg.ts';
import type { Order } from './order.ts';
import type { PendingWork } from './pending-work.ts';
import type { Owner } from './owner.ts';

const { BUY, LONG, SHORT } = codes;
const { REJECTED } = states;

/** The desired resting order of a strategy in one direction of one market. */
export class Quote {
  declare readonly owner: Owner;
  declare readonly context: InstrumentContext;
  /** BUY or SELL. */
  declare readonly direction: number;
  declare readonly marginMode: number;
  /** The leg that it closes, the side of that leg, and the side that it opens. */
  declare readonly closes: Leg;
  declare readonly closeSide: number;
  declare readonly openSide: number;
  /** The last values that the strategy passed as price and size; NaN before. */
  statedPrice = Number.NaN;
  statedSize = Number.NaN;
  /** Ticks. */
  price = 0;
  /** Lots; 0 for no quote. */
  size = 0;
  force = 0;
  reason = '';
  /** The live order of the quote; else `none`, which has ended. */
  declare order: Order;
  declare readonly none: Order;
  /** True if the desired quote has not been submitted yet. */
  isPending = false;
  /** True if the venue refused to modify the order: it is cancelled and placed again. */
  isStuck = false;
  /** True while it is queued, and the next quote in the queue. */
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

  /** `order` was placed for this quote. */
  takes(order: Order): void {
    assert(order.context === this.context, 'the order of a quote is of its instrument', order.instrument);
    assert(order.isAlive, 'a quote takes a live order', order.seq);
    order.quote = this;
    this.order = order;
  }

  /** Removes the desired quote without a command to the venue. */
  forget(): void {
    this.size = 0;
    this.statedSize = Number.NaN;
    this.isPending = false;
  }
}

/** Queue of quotes whose order has an outcome or has ended. Their desired state is submitted after strategies have handled their events. */
export class QuoteQueue {
  declare private readonly pendingWork: PendingWork;
  #first: Quote | null = null;

  constructor(pendingWork: PendingWork) {
    this.pendingWork = pendingWork;
  }

  /** The order rests: a desired change that waited can be submitted. */
  rests(quote: Quote, order: Order): void {
    if (quote.order === order && quote.isPending) this.#push(quote);
  }

  /** The order ended. If the order that it should have replaced is still alive, the quote uses that one again. */
  ended(quote: Quote, order: Order, how: number): void {
    order.quote = null;
    if (quote.order !== order) return;
    const { replaced } = order;
    const survives = replaced !== null && replaced.isAlive;
    quote.order = survives ? replaced : quote.none;
    quote.isStuck = false;
    if (how === REJECTED && order.replaces !== 0) {
      quote.isStuck = survives;
      quote.isPending = true;
    }
    if (quote.isPending) this.#push(quote);
  }

  get isEmpty(): boolean {
    return this.#first === null;
  }

  /** The oldest quote. The queue must not be empty. */
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

  /** Appends at the end. The queue is short: one event rarely concerns two quotes. */
  #append(first: Quote, quote: Quote): void {
    let last = first;
    while (last.next !== null) last = last.next;
    last.next = quote;
  }
}
