/**
 * Standing quotes: a strategy says what one order of one direction shall be, and this brings it there with one command at a time.
 * It places, it moves by E14 (half of what a cancel and a new order cost, and never a moment without a quote), it lets alone what
 * is so already. A wish that comes while a command is on its way waits for the answer, and a newer wish takes its place. @hot
 */
import * as codes from '../../domain/codes.ts';
import * as states from '../../domain/order.ts';
import { emptyCommand } from '../../domain/command.ts';
import type { Core } from '../core.ts';
import type { Desk } from '../belief/desk.ts';
import type { Leg } from '../belief/leg.ts';
import type { Order } from '../belief/orders.ts';
import * as quantise from '../quantise.ts';
import type { Amount } from '../types.ts';
import type { Executor } from './executor.ts';
import type { News } from './news.ts';
import type { Owner } from './owner.ts';

const { priceTicks, sizeFor, wholeTicks } = quantise;
const { BUY, CLOSE, LONG, MODIFY, OPEN, PLACE, SHORT } = codes;
const { REJECTED, WORKING } = states;

/** What a quote would be sent as, to turn a value into a size. */
const valued = emptyCommand();

/** What a strategy wants to stand in one direction of one market. */
export class Quote {
  declare readonly owner: Owner;
  declare readonly desk: Desk;
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

  constructor(owner: Owner, desk: Desk, direction: number, marginMode: number, none: Order) {
    this.order = none;
    this.none = none;
    this.owner = owner;
    this.desk = desk;
    this.direction = direction;
    this.marginMode = marginMode;
    this.closeSide = direction === BUY ? SHORT : LONG;
    this.openSide = direction === BUY ? LONG : SHORT;
    this.closes = desk.leg(this.closeSide);
  }

  /**
   * Size and price as the strategy states them, moved to the grid; a size of 0 is no quote and then has no price.
   * @throws ScaleError
   */
  restate(size: Amount, price: Amount, core: Core): void {
    const { instrument } = this.desk;
    const isNone = size === 0 || size === '0';
    if (!isNone && price !== this.statedPrice) {
      this.statedPrice = Number.NaN;
      this.price = priceTicks(price, instrument, this.direction);
      this.statedPrice = typeof price === 'number' ? price : Number.NaN;
    }
    valued.side = this.openSide;
    valued.price = this.price;
    const lots = isNone ? 0 : sizeFor(size, valued, this.desk, core);
    this.size = lots;
    this.statedSize = typeof size === 'number' ? size : Number.NaN;
  }

  /** The price becomes a number that is a place on the grid; false, and nothing is changed, where it is none or where no quote is wanted. */
  reprice(price: Amount): boolean {
    const ticks = typeof price === 'number' ? wholeTicks(price, this.desk.instrument) : 0;
    if (ticks === 0 || this.size === 0) return false;
    this.price = ticks;
    this.statedPrice = price as number;
    return true;
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
  declare private readonly news: News;
  #first: Quote | null = null;

  constructor(news: News) {
    this.news = news;
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
    this.news.isSome = true;
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

export class Quotes {
  declare private readonly executor: Executor;

  constructor(executor: Executor) {
    this.executor = executor;
  }

  /** Says what is wished for, if now is the time: not while a command of the order is on its way. False when a rule refused. */
  settle(q: Quote): boolean {
    if (!q.isPending) return true;
    const { order, size } = q;
    // What could not be sent is said again by whoever reads the order.
    if ((order.state !== WORKING && order.isAlive) || order.isCancelWanted) return true;
    q.isPending = false;
    if (order.isAlive) {
      if (size === 0 || q.isStuck) return this.#cancel(q, order);
      if (order.price === q.price && order.size === size && order.postOnly === q.postOnly) return true;
      // E14 takes no order that has traded, and cannot change what kind of order it is.
      if (order.filled > 0 || order.postOnly !== q.postOnly) return this.#cancel(q, order);
    } else if (size === 0) return true;
    return this.#say(q, order.isAlive ? order : null);
  }

  /** The order goes; another is placed when it has, where one is wished for. */
  #cancel(q: Quote, order: Order): boolean {
    q.isPending = q.size > 0;
    return this.executor.cancel(order, q.owner, q.reason);
  }

  /**
   * Moves `old`, which keeps its leg, or places an order where that is null: a buy closes what is free of the SHORT leg and otherwise
   * opens LONG, a sell the other way round.
   */
  #say(q: Quote, old: Order | null): boolean {
    const { desk, size, closes } = q;
    const c = this.executor.begin(old === null ? PLACE : MODIFY, desk.index);
    c.price = q.price;
    c.size = size;
    c.postOnly = q.postOnly;
    c.marginMode = q.marginMode;
    if (old !== null) {
      c.side = old.side;
      c.effect = old.effect;
    } else if (closes.least - closes.closing >= size) {
      c.side = q.closeSide;
      c.effect = CLOSE;
    } else {
      c.side = q.openSide;
      c.effect = OPEN;
    }
    return this.executor.submit(desk, old, q.owner, q.reason, q) !== 0;
  }
}
