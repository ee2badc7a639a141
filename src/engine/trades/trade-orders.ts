/**
 * The orders of managed trades: which are live, which may still fill, and those that close a part of a trade: targets and reductions. All of
 * one trade together never close more than it holds.
 */
import { assert } from '../../base/failure/assert.ts';
import { CLOSE, directionOf, LONG, SHORT, type SideName } from '../../domain/codes.ts';
import { priceTicks } from '../intents/quantise.ts';
import type { Market, OrderNumber } from '../intents/market-types.ts';
import type { OrderActions } from '../intents/intents.ts';
import type { Trade } from './trade.ts';

/** After a refused close the next try comes after this time. */
export const RETRY_MS = 1_000;

export interface TradeOrdersDeps {
  readonly context: OrderActions;
  /** False while the strategy is stopped or the bot is not armed: fills are counted, and no order is placed or withdrawn. */
  readonly isReady: () => boolean;
  /** Lots of the leg that a closing order may still take. */
  readonly free: (market: Market, side: SideName) => number;
  /** Lots of an order that have filled, or may have filled, beyond what its events have delivered. */
  readonly undelivered: (order: OrderNumber) => number;
  /** A reduction of so many lots got no order in time. */
  readonly givenUp: (trade: Trade, lots: number) => void;
}

export class TradeOrders {
  readonly #deps: TradeOrdersDeps;

  constructor(deps: TradeOrdersDeps) {
    this.#deps = deps;
  }

  hasLive(orders: readonly OrderNumber[]): boolean {
    return orders.some((order) => order > 0 && this.#deps.context.order(order)?.isAlive === true);
  }

  /** True if one of the orders is live, or has ended and may have fills that are not known yet. */
  mayFill(orders: readonly OrderNumber[]): boolean {
    return orders.some((number) => {
      const order = number > 0 ? this.#deps.context.order(number) : null;
      return order !== null && (order.isAlive || !order.filledIsFinal);
    });
  }

  undelivered(orders: readonly OrderNumber[]): number {
    return orders.reduce((sum, order) => sum + this.#deps.undelivered(order), 0);
  }

  cancel(order: OrderNumber, why: string): void {
    if (this.#deps.isReady() && this.hasLive([order])) this.#deps.context.cancel(order, why);
  }

  /** Targets that rest on more than their share of what the reductions leave are placed again for it. */
  shrink(trade: Trade): void {
    for (const [k, { resting, order }] of trade.saved.targets.entries())
      if (resting && this.undelivered([order]) > trade.lackOf(k)) this.cancel(order, 'reduced');
  }

  /** Withdraws the targets that rest; `isAll`: reductions that rest too, and those without an order are given up. */
  withdraw(trade: Trade, why: string, isAll: boolean): void {
    const { targets, reduces } = trade.saved;
    for (const { resting, order } of targets) if (resting) this.cancel(order, why);
    if (!isAll) return;
    for (const { order } of reduces) this.cancel(order, why);
    trade.saved.reduces = reduces.filter(({ order }) => order > 0);
  }

  /** True if closing orders rest: their size is locked, and the venue's stop may close only what they leave (A71). The bot closes the rest. */
  isLocked(trade: Trade): boolean {
    return trade.state === 'open' && this.hasLive(trade.restingExits);
  }

  /** True if the bot closes a share now: its price is reached, and no order is placed for it. */
  isTargetDue(trade: Trade): boolean {
    const { state, retryAt, saved } = trade;
    const { now } = this.#deps.context;
    if (state !== 'open' || saved.targets.length === 0 || now < retryAt) return false;
    return saved.targets.some((_target, k) => trade.awaits(k) && trade.hasReached(trade.targetPrice(k), now));
  }

  /** Brings the orders that close parts of an open trade to what it wants. Safe to call again. */
  place(trade: Trade): void {
    const { context, isReady } = this.#deps;
    const { reduces, targets } = trade.saved;
    if (!isReady()) return;
    if (reduces.length > 0) this.#reduce(trade);
    if (targets.length === 0 || context.now < trade.retryAt) return;
    this.#placeTargets(trade);
    this.#moveTargets(trade);
  }

  /** Lots that no order closes, and that are not to be reduced. */
  #freeOf({ left, toReduce, saved: { targets, reduces } }: Trade): number {
    return left - this.undelivered([...targets, ...reduces].map(({ order }) => order)) - toReduce;
  }

  /** Each reduction gets one order, once its lots are free. It is given up after its time, and when the order is refused. */
  #reduce(trade: Trade): void {
    const { context, free } = this.#deps;
    const { saved, market, side } = trade;
    saved.reduces = saved.reduces.filter(({ order }) => order === 0 || this.mayFill([order]));
    for (const reduce of saved.reduces.filter(({ order }) => order === 0)) {
      const { lots, price, why } = reduce;
      assert(lots > 0, 'a reduction closes lots above zero', lots, 'trade', trade.id);
      const known = Math.min(this.#freeOf(trade) + trade.toReduce, free(market, side));
      if (known >= lots) {
        const size = trade.sizeText(lots);
        reduce.order =
          price > 0 ? context.limit(market, side, 'CLOSE', price, size, false, why) : context.close(market, side, { size, reason: why });
      } else if (trade.left > 0 && context.now < reduce.until) {
        this.withdraw(trade, why, false);
        trade.lookAt = context.now + RETRY_MS;
        continue;
      } else this.#deps.givenUp(trade, lots);
      if (reduce.order === 0) saved.reduces = saved.reduces.filter((one) => one !== reduce);
    }
  }

  /**
   * Each target has an order for its share, at most what is left: one that rests, once the entry cannot fill any more; the others when their
   * price is reached.
   */
  #placeTargets(trade: Trade): void {
    const { saved, market, side } = trade;
    const { context } = this.#deps;
    // What a reduction waits for must not rest again meanwhile.
    const mayRest = trade.toReduce === 0 && !this.hasLive(saved.opens.slice(0, 1));
    let free = this.#freeOf(trade);
    for (const [k, target] of saved.targets.entries()) {
      const price = trade.targetPrice(k);
      const lots = trade.lotsFor(k, free);
      const isDue = target.resting ? mayRest && price >= trade.priceOf(1) : trade.hasReached(price, context.now);
      if (lots <= 0 || !isDue || this.mayFill([target.order])) continue;
      assert(lots <= free, 'a target closes at most what no other order does', lots, 'trade', trade.id);
      const size = trade.sizeText(lots);
      target.order = target.resting
        ? context.limit(market, side, 'CLOSE', price, size, false, 'target')
        : context.close(market, side, { size, reason: 'target' });
      target.lots = target.filled + lots;
      if (target.order === 0) trade.retryAt = context.now + RETRY_MS;
      else free -= lots;
    }
  }

  /**
   * Withdraws resting targets that no longer fit: all if less is held than they close, and from `moveAt` on those whose price or size the last
   * entries changed. They are placed again when their orders can no longer fill.
   */
  #moveTargets(trade: Trade): void {
    const { context } = this.#deps;
    const free = this.#freeOf(trade);
    if (free + trade.toReduce < 0) return this.withdraw(trade, 'less is held', false);
    if (context.now < trade.moveAt) return;
    const { instrument, side, saved } = trade;
    const direction = directionOf(side === 'LONG' ? LONG : SHORT, CLOSE);
    for (const [k, { resting, order }] of saved.targets.entries()) {
      if (!resting || !this.hasLive([order])) continue;
      const waiting = this.undelivered([order]);
      const price = trade.targetPrice(k);
      // A price below one tick, far from a low average, is none to rest at.
      const isElsewhere = !(price >= trade.priceOf(1)) || context.order(order)?.ticks !== priceTicks(price, instrument, direction);
      if (isElsewhere || waiting < trade.lotsFor(k, waiting + Math.max(0, free))) this.cancel(order, 'the trade grew');
    }
  }
}
