/**
 * Standing quotes: a strategy says what one order of one direction shall be, and this brings it there with one command at a time.
 * It places, it moves by E14 (half of what a cancel and a new order cost, and never a moment without a quote), it lets alone what
 * is so already. A wish that comes while a command is on its way waits for the answer, and a newer wish takes its place. @hot
 */
import * as codes from '../../domain/codes.ts';
import * as states from '../../domain/order.ts';
import type { Order } from '../belief/orders.ts';
import type { Core } from '../core.ts';
import type { Amount } from '../types.ts';
import type { Executor } from './executor.ts';

const { BUY, CLOSE, LONG, MODIFY, OPEN, PLACE, SHORT } = codes;
const { REJECTED, WORKING } = states;

/** What a strategy wants to stand in one direction of one market. */
export class Quote {
  readonly strategy: number;
  readonly instrument: number;
  /** BUY or SELL. */
  readonly direction: number;
  readonly marginMode: number;
  /** As the strategy stated them last; undefined when what is wanted was not stated. */
  statedPrice: Amount | undefined;
  statedSize: Amount | undefined;
  /** Ticks. */
  price = 0;
  /** Lots; 0 for no quote. */
  size = 0;
  postOnly = 0;
  reason = '';
  /** The order that is it, or is to become it; null for none. */
  order: Order | null = null;
  /** The venue has not been told yet of what is wanted. */
  isPending = false;
  /** The venue refused to move the order: it goes, and another is placed. */
  isStuck = false;
  /** In the queue, and what comes after it there. */
  isQueued = false;
  next: Quote | null = null;

  constructor(strategy: number, instrument: number, direction: number, marginMode: number) {
    this.strategy = strategy;
    this.instrument = instrument;
    this.direction = direction;
    this.marginMode = marginMode;
  }

  /** What it shall be from now on. */
  want(price: number, size: number, postOnly: number, reason: string): void {
    this.price = price;
    this.size = size;
    this.postOnly = postOnly;
    this.reason = reason;
    this.isPending = true;
  }

  /** Nothing is wanted any more, and nothing is said to the venue about it. */
  forget(): void {
    this.size = 0;
    this.statedSize = undefined;
    this.isPending = false;
  }
}

/** Quotes whose order has an answer or an end, in order: their wishes are said once strategies have been told. */
export class QuoteQueue {
  isEmpty = true;
  #first: Quote | null = null;
  #last: Quote | null = null;

  /** The order rests again: what was wished for meanwhile can be said. */
  rests(quote: Quote, order: Order): void {
    if (quote.order === order && quote.isPending) this.#push(quote);
  }

  /** The order ended. `old` is the order that it should have replaced, when it was to replace one and that one lives. */
  ended(quote: Quote, order: Order, how: number, old: Order | null): void {
    order.quote = null;
    if (quote.order !== order) return;
    quote.order = old;
    quote.isStuck = false;
    if (how === REJECTED && order.replaces !== 0) {
      quote.isStuck = old !== null;
      quote.isPending = true;
    }
    if (quote.isPending) this.#push(quote);
  }

  /** The oldest. The queue is not empty. */
  shift(): Quote {
    const quote = this.#first!;
    this.#first = quote.next;
    this.isEmpty = quote.next === null;
    quote.next = null;
    quote.isQueued = false;
    return quote;
  }

  #push(quote: Quote): void {
    if (quote.isQueued) return;
    quote.isQueued = true;
    if (this.isEmpty) this.#first = quote;
    else this.#last!.next = quote;
    this.#last = quote;
    this.isEmpty = false;
  }
}

export class Quotes {
  readonly #core: Core;
  readonly #executor: Executor;

  constructor(core: Core, executor: Executor) {
    this.#core = core;
    this.#executor = executor;
  }

  /** Says what is wished for, if now is the time: not while a command of the order is on its way. False when a rule refused. */
  settle(q: Quote): boolean {
    if (!q.isPending) return true;
    const order = q.order;
    if (order === null) return q.size === 0 ? this.#done(q, true) : this.#place(q);
    // What could not be sent is said again by whoever reads the order.
    if (order.state !== WORKING || order.isCancelWanted) return true;
    if (q.size === 0) return this.#done(q, this.#executor.cancel(order, q.strategy, q.reason));
    const isSame = order.price === q.price && order.size === q.size && order.postOnly === q.postOnly;
    if (isSame && !q.isStuck) return this.#done(q, true);
    // E14 takes no order that has traded, and cannot change what kind of order it is.
    if (q.isStuck || order.filled > 0 || order.postOnly !== q.postOnly) return this.#executor.cancel(order, q.strategy, q.reason);
    return this.#move(q, order);
  }

  /** A buy closes what is free of the SHORT leg and otherwise opens LONG; a sell the other way round. A move keeps the leg. */
  #place(q: Quote): boolean {
    const isBuy = q.direction === BUY;
    const opposite = this.#core.portfolio.legs[2 * q.instrument + (isBuy ? SHORT : LONG)]!;
    const closes = opposite.total - opposite.closing >= q.size;
    const c = this.#executor.begin(PLACE, q.instrument);
    c.side = isBuy === closes ? SHORT : LONG;
    c.effect = closes ? CLOSE : OPEN;
    c.marginMode = q.marginMode;
    c.price = q.price;
    c.size = q.size;
    c.postOnly = q.postOnly;
    return this.#sent(q, this.#executor.submit(q.strategy, q.reason));
  }

  #move(q: Quote, order: Order): boolean {
    const c = this.#executor.begin(MODIFY, q.instrument);
    c.side = order.side;
    c.effect = order.effect;
    c.type = order.type;
    c.postOnly = order.postOnly;
    c.marginMode = order.marginMode;
    c.price = q.price;
    c.size = q.size;
    return this.#sent(q, this.#executor.submitModify(order, q.strategy, q.reason));
  }

  #sent(q: Quote, seq: number): boolean {
    q.isPending = false;
    if (seq === 0) return false;
    const order = this.#core.orders.find(seq);
    // It has ended already where the venue answers at once.
    if (order === null) return true;
    order.quote = q;
    q.order = order;
    return true;
  }

  #done(q: Quote, isFine: boolean): boolean {
    q.isPending = false;
    return isFine;
  }
}
