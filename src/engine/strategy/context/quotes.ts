/**
 * Managed quotes: a strategy states the desired order of one direction, and this class submits the difference, one command at a time. It
 * places an order, modifies it (E14: half the requests of cancel and place, without a gap), or leaves it. A change that comes while a
 * command is in flight waits for the outcome; the newest change wins. @hot
 */
import * as codes from '../../../domain/codes.ts';
import * as states from '../../../domain/orders/order.ts';
import { emptyCommand } from '../../../domain/orders/command.ts';
import type { Order } from '../../state/orders/orders.ts';
import * as quantise from '../../intents/quantise.ts';
import type { Amount } from '../../intents/market-types.ts';
import type { Executor } from '../../orders/executor.ts';
import type { Quote } from '../../state/records/quote.ts';

const { priceTicks, sizeFor, wholeTicks } = quantise;
const { CLOSE, MODIFY, OPEN, PLACE } = codes;
const { WORKING } = states;

/** Template order for converting a value into a size. */
const valued = emptyCommand();

export class Quotes {
  declare private readonly sizing: quantise.Sizing;
  declare private readonly executor: Executor;

  constructor(sizing: quantise.Sizing, executor: Executor) {
    this.sizing = sizing;
    this.executor = executor;
  }

  /**
   * Sets desired size and price, rounded to the grid; size 0 means no quote, and the price is ignored.
   * @throws ScaleError
   */
  restate(q: Quote, size: Amount, price: Amount): void {
    const isNone = size === 0 || size === '0';
    if (!isNone && price !== q.statedPrice) {
      q.statedPrice = Number.NaN;
      q.price = priceTicks(price, q.context.instrument, q.direction, 'price');
      q.statedPrice = typeof price === 'number' ? price : Number.NaN;
    }
    valued.side = q.openSide;
    valued.price = q.price;
    q.size = isNone ? 0 : sizeFor(size, valued, q.context, this.sizing, q.owner);
    q.statedSize = typeof size === 'number' ? size : Number.NaN;
  }

  /** Sets a new price if it is a number on the grid. False, and nothing is changed, if it is not, or if the quote has no size. */
  reprice(q: Quote, price: Amount): boolean {
    const ticks = typeof price === 'number' ? wholeTicks(price, q.context.instrument) : 0;
    if (ticks === 0 || q.size === 0) return false;
    q.price = ticks;
    q.statedPrice = price as number;
    return true;
  }

  /** Submits the desired quote unless a command of its order is in flight. False if a rule refused. */
  settle(q: Quote): boolean {
    if (!q.isPending) return true;
    const { order, size } = q;
    // A change that cannot be sent now is submitted once the order has an outcome.
    if ((order.state !== WORKING && order.isAlive) || order.isCancelWanted) return true;
    q.isPending = false;
    if (order.isAlive) {
      if (size === 0 || q.isStuck) return this.#cancel(q, order);
      if (order.price === q.price && order.size === size && order.force === q.force) return true;
      // A modify (E14) works only on an order that has not traded, and cannot change post-only.
      if (order.filled > 0 || order.force !== q.force) return this.#cancel(q, order);
    } else if (size === 0) return true;
    return this.#submit(q, order.isAlive ? order : null);
  }

  /** Cancels the order; a new one is placed after its end if the quote has a size. */
  #cancel(q: Quote, order: Order): boolean {
    q.isPending = q.size > 0;
    return this.executor.cancel(order, q.owner, q.reason);
  }

  /**
   * Modifies `old`, which keeps its leg, or places an order if it is null. A buy closes what is free of the SHORT leg and otherwise opens
   * LONG; a sell the other way round.
   */
  #submit(q: Quote, old: Order | null): boolean {
    const { context, size, closes } = q;
    const c = this.executor.begin(old === null ? PLACE : MODIFY, context.index);
    c.price = q.price;
    c.size = size;
    c.force = q.force;
    c.marginMode = q.marginMode;
    if (old !== null) {
      c.side = old.side;
      c.effect = old.effect;
    } else if (closes.minLots - closes.closing >= size) {
      c.side = q.closeSide;
      c.effect = CLOSE;
    } else {
      c.side = q.openSide;
      c.effect = OPEN;
    }
    return this.executor.submit(context, old, q.owner, q.reason, q) !== 0;
  }
}
