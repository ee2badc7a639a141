/**
 * Standing quotes: a strategy says what one order of one direction shall be, and this brings it there with one command at a time.
 * It places, it moves by E14 (half of what a cancel and a new order cost, and never a moment without a quote), it lets alone what
 * is so already. A wish that comes while a command is on its way waits for the answer, and a newer wish takes its place. @hot
 */
import * as codes from '../../domain/codes.ts';
import * as states from '../../domain/order.ts';
import { emptyCommand } from '../../domain/command.ts';
import type { Core } from '../state/core.ts';
import type { Order } from '../state/orders.ts';
import * as quantise from './quantise.ts';
import type { Amount } from './types.ts';
import type { Executor } from '../orders/executor.ts';
import type { Quote } from '../state/quote.ts';

const { priceTicks, sizeFor, wholeTicks } = quantise;
const { CLOSE, MODIFY, OPEN, PLACE } = codes;
const { WORKING } = states;

/** The order that a quote would be sent as: turns a value into a size. */
const valued = emptyCommand();

export class Quotes {
  declare private readonly core: Core;
  declare private readonly executor: Executor;

  constructor(core: Core, executor: Executor) {
    this.core = core;
    this.executor = executor;
  }

  /**
   * Size and price as the strategy states them, moved to the grid; a size of 0 is no quote and then has no price.
   * @throws ScaleError
   */
  restate(q: Quote, size: Amount, price: Amount): void {
    const isNone = size === 0 || size === '0';
    if (!isNone && price !== q.statedPrice) {
      q.statedPrice = Number.NaN;
      q.price = priceTicks(price, q.context.instrument, q.direction);
      q.statedPrice = typeof price === 'number' ? price : Number.NaN;
    }
    valued.side = q.openSide;
    valued.price = q.price;
    q.size = isNone ? 0 : sizeFor(size, valued, q.context, this.core);
    q.statedSize = typeof size === 'number' ? size : Number.NaN;
  }

  /** The price becomes a number that is a place on the grid; false, and nothing is changed, where it is none or where no quote is wanted. */
  reprice(q: Quote, price: Amount): boolean {
    const ticks = typeof price === 'number' ? wholeTicks(price, q.context.instrument) : 0;
    if (ticks === 0 || q.size === 0) return false;
    q.price = ticks;
    q.statedPrice = price as number;
    return true;
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
    const { context, size, closes } = q;
    const c = this.executor.begin(old === null ? PLACE : MODIFY, context.index);
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
    return this.executor.submit(context, old, q.owner, q.reason, q) !== 0;
  }
}
