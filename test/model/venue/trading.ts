/** Orders meet the market: a slow implementation of the rules at the head of src/sim/matching/match.ts and fills.ts. */
import { isBetter, markOf, orderCrosses } from './market.ts';
import { least, ZERO, type Decimal } from './money.ts';
import { freeCoins, legFigures, lockOf, lotsOf } from './figures.ts';
import { leftOf, type ModelOrder, type Status, type World } from './world.ts';

const LOOK_MS = 1_000;

/** "Set when it had none to make": the next whole second of the venue's time. */
export function wake(w: World): void {
  if (w.nextLook < Infinity) return;
  w.nextLook = nextSecond(w.now);
  w.nextFunding = fundingAfter(w, w.now);
}

/** The first multiple of the interval after `time`; Infinity if no funding is paid. */
export function fundingAfter(w: World, time: number): number {
  const everyMs = w.spec.funding?.everyMs;
  return everyMs === undefined ? Infinity : (Math.floor(time / everyMs) + 1) * everyMs;
}

export const nextSecond = (time: number): number => (Math.floor(time / LOOK_MS) + 1) * LOOK_MS;

type Draft = Omit<ModelOrder, 'no' | 'fills' | 'status' | 'updatedAt' | 'createdAt' | 'takes' | 'ahead'>;

/** Creates an order with the next number. */
export function create(w: World, draft: Draft): ModelOrder {
  const order: ModelOrder = {
    ...draft,
    no: w.orders.length + 1,
    fills: [],
    status: 'working',
    createdAt: w.now,
    updatedAt: w.now,
    takes: false,
    ahead: 0,
  };
  w.orders.push(order);
  w.live.push(order);
  if (order.kind !== 'spot') w.switchMode(order.account, order.instrument, order.isIsolated);
  return order;
}

/** The order meets the market: it takes what it crosses; the rest rests, and continues to take at the next quote. */
export function introduce(w: World, order: ModelOrder): void {
  w.told.push(`order ${order.no}`);
  meetOthers(w, order);
  if (order.status !== 'working') return;
  if (orderCrosses(w, order)) {
    take(w, order);
    order.takes = true;
  } else order.ahead = aheadOf(w, order);
}

/**
 * If accounts trade with each other: first it meets limit orders of others within its limit that are no worse than the recorded market.
 * They fill at their price, the best first, then the oldest. A limit order of its own account in the way is cancelled.
 */
function meetOthers(w: World, order: ModelOrder): void {
  if (w.spec.crossing !== true || markOf(w, order.instrument) === 0) return;
  const { isBuy, instrument, account } = order;
  const { book, last } = w.markets[instrument]!;
  const best = book === null ? last : isBuy ? book.ask : book.bid;
  const within = (price: number, bound: number): boolean => !isBetter(!isBuy, bound, price);
  for (const other of w.resting(instrument, !isBuy)) {
    const isOffered = !other.isMarket && (order.isMarket || within(other.price, order.price)) && (best === 0 || within(other.price, best));
    if (!isOffered) continue;
    if (other.account === account) finish(w, other, 'cancelled');
    else takeAt(w, order, other.price, Math.min(leftOf(order), leftOf(other)), other);
    if (order.status !== 'working') return;
  }
}

/** True if it would trade with another account, whatever the recorded market is. */
export function wouldMeet(w: World, account: number, i: number, isBuy: boolean, price: number): boolean {
  if (w.spec.crossing !== true || markOf(w, i) === 0) return false;
  return w.resting(i, !isBuy).some((other) => other.account !== account && !other.isMarket && !isBetter(isBuy, other.price, price));
}

/** The order waits for the next quote, whatever this one shows. */
export function introduceLate(w: World, order: ModelOrder): void {
  w.told.push(`order ${order.no}`);
  order.takes = true;
}

/**
 * Lots of others that trade before an order that joins now: the displayed size if its price is the best, none if it improves the best
 * price.
 */
function aheadOf(w: World, order: ModelOrder): number | null {
  const { book } = w.markets[order.instrument]!;
  if (book === null) return 0;
  const [best, size] = order.isBuy ? [book.bid, book.bidSize] : [book.ask, book.askSize];
  if (best === 0 || isBetter(order.isBuy, order.price, best)) return 0;
  return order.price === best ? size : null;
}

/** Takes the remaining size of the opposite quote at its price; without a book, everything at the last trade. */
function take(w: World, order: ModelOrder): void {
  const { book, last } = w.markets[order.instrument]!;
  if (book === null) {
    if (last > 0) takeAt(w, order, last, leftOf(order));
    return;
  }
  const price = order.isBuy ? book.ask : book.bid;
  if (price === 0) return;
  const taken = takeAt(w, order, price, Math.min(leftOf(order), w.shown(order.instrument, order.isBuy)));
  (order.isBuy ? book.takenFromAsk : book.takenFromBid).push(taken);
}

/**
 * Trades lots, with `maker` if it is an order. A spot market buy takes only what its coins pay for, and ends if they do not pay for a lot.
 */
function takeAt(w: World, order: ModelOrder, price: number, lots: number, maker: ModelOrder | null = null): number {
  if (lots === 0) return 0;
  let size = lots;
  if (order.kind === 'spot' && order.isMarket && order.isBuy) {
    const free = freeCoins(w, order.account, w.instruments[order.instrument]!.quoteCoin);
    while (size > 0 && takerCost(w, order.instrument, price, size).gt(free)) size--;
    if (size === 0) {
      finish(w, order, 'cancelled');
      return 0;
    }
  }
  if (maker !== null) fill(w, maker, price, size, false);
  fill(w, order, price, size, true);
  return size;
}

function takerCost(w: World, i: number, price: number, lots: number): Decimal {
  const value = w.value(i, price, lots);
  const fee = w.fee(i, value, true);
  return fee.gt(0) ? value.plus(fee) : value;
}

/** The only place where an order trades. */
export function fill(w: World, order: ModelOrder, price: number, size: number, isTaker: boolean): void {
  const value = w.value(order.instrument, price, size);
  const due = w.fee(order.instrument, value, isTaker);
  const { fee, realised } = order.kind === 'spot' ? settleSpot(w, order, value, size, due) : settle(w, order, value, size, due);
  order.fills.push({ time: w.now, price, size, value, fee, realised, isTaker });
  order.updatedAt = w.now;
  const { no, account, tag, instrument, side, isOpen } = order;
  const effect = isOpen ? 0 : 1;
  const [feeUnits, realisedUnits] = [fee.times(1e8).toString(), realised.times(1e8).toString()];
  w.told.push(
    `fill ${++w.fills} ${w.now} ${account} ${no} ${tag} ${instrument} ${side} ${effect} ${price} ${size} ${feeUnits} ` +
      `${isTaker ? 'taker' : 'maker'} ${realisedUnits}`,
  );
  if (order.kind !== 'spot') {
    w.cash(account, w.quoteCoin, realised, order.isLiquidation ? 'liquidation' : 'realised', no);
    w.cash(account, w.quoteCoin, fee.neg(), 'fee', no);
    if (isOpen) protect(w, order, size);
    else if (lotsOf(w, account, instrument, side) === 0) unprotect(w, order);
  }
  if (leftOf(order) === 0) finish(w, order, 'filled');
}

function settle(w: World, order: ModelOrder, value: Decimal, size: number, fee: Decimal): { fee: Decimal; realised: Decimal } {
  const leg = w.leg(order.account, order.instrument, order.side);
  const before = legFigures(w, leg);
  const isIsolated = w.isIsolated[order.account]![order.instrument]!;
  const { isOpen, isLiquidation, account, no } = order;
  leg.events.push({ what: isOpen ? 'open' : 'close', time: w.now, size, value, fee, isLiquidation, isIsolated });
  if (isOpen) wake(w);
  const after = legFigures(w, leg);
  w.cash(account, w.quoteCoin, after.insured.minus(before.insured), 'insurance', no);
  return { fee, realised: after.everRealised.minus(before.everRealised) };
}

/**
 * "Fees are always in the quote coin: added to a buy, taken from a sell; never more than what the order has locked for it", and never more
 * than the proceeds of a sell.
 */
function settleSpot(w: World, order: ModelOrder, value: Decimal, size: number, due: Decimal): { fee: Decimal; realised: Decimal } {
  const { baseCoin, quoteCoin } = w.instruments[order.instrument]!;
  const base = w.baseCoins(order.instrument, size);
  let fee = due;
  if (!order.isBuy) fee = least(due, value);
  else if (!order.isMarket) {
    const released = lockOf(w, order).minus(lockOf(w, order, leftOf(order) - size));
    fee = least(due, released.minus(value));
  }
  w.moveCoin(order.account, baseCoin, order.isBuy ? base : base.neg(), 'spot', order.no);
  w.moveCoin(order.account, quoteCoin, order.isBuy ? value.neg() : value, 'spot', order.no);
  w.moveCoin(order.account, quoteCoin, fee.neg(), 'fee', order.no);
  return { fee, realised: ZERO };
}

/** Bracket exits protect the filled part of their order. */
function protect(w: World, order: ModelOrder, size: number): void {
  if (order.exits === null) return;
  const { brackets } = w.markets[order.instrument]!;
  const known = brackets.find((p) => p.order === order);
  if (known === undefined) brackets.push({ order, exits: order.exits, size });
  else known.size += size;
}

/** The position is flat: removes its bracket exits. */
function unprotect(w: World, { account, instrument, side }: ModelOrder): void {
  const market = w.markets[instrument]!;
  market.brackets = market.brackets.filter((p) => p.order.account !== account || p.order.side !== side);
}

/** Ends an order. */
export function finish(w: World, order: ModelOrder, how: Exclude<Status, 'working'>): void {
  order.status = how;
  order.updatedAt = w.now;
  w.live = w.live.filter((o) => o !== order);
  w.ended.push(order);
  w.told.push(`ended ${order.no} ${how}`);
}

/** A new quote: waiting takers continue, then resting orders meet it. Buys before sells, each by price, then age. */
export function meetQuote(w: World, i: number): void {
  resumeTakers(w, i);
  for (const isBuy of [true, false]) for (const order of w.resting(i, isBuy)) if (!order.takes) meet(w, order);
}

/** "Those that no longer cross become makers with nothing ahead." */
function resumeTakers(w: World, i: number): void {
  for (const isBuy of [true, false]) {
    for (const order of w.resting(i, isBuy)) {
      if (!order.takes || order.status !== 'working') continue;
      meetOthers(w, order);
      if (order.status !== 'working') continue;
      if (orderCrosses(w, order)) take(w, order);
      else order.takes = false;
    }
  }
}

/**
 * A resting order meets a quote. If the opposite quote reaches its price, it fills at its own price from the displayed size (fill model
 * `through`: only beyond it). Otherwise the queue is updated: behind the best price it waits, ahead of it nobody is before it, at it at
 * most the displayed size is.
 */
function meet(w: World, order: ModelOrder): void {
  const { isBuy, price, instrument } = order;
  const book = w.markets[instrument]!.book!;
  const [opposite, best, bestSize] = isBuy ? [book.ask, book.bid, book.bidSize] : [book.bid, book.ask, book.askSize];
  const isBeyond = opposite > 0 && isBetter(isBuy, price, opposite);
  const isReached = isBeyond || (opposite > 0 && price === opposite && w.model !== 'through');
  if (isReached) {
    order.ahead = 0;
    const size = Math.min(leftOf(order), w.shown(instrument, isBuy));
    if (size === 0) return;
    (isBuy ? book.takenFromAsk : book.takenFromBid).push(size);
    fill(w, order, price, size, false);
  } else if (best === 0 || isBetter(isBuy, price, best)) order.ahead = 0;
  else if (price === best) order.ahead = Math.min(order.ahead ?? bestSize, bestSize);
}

/** A market trade; its size is shared among our orders, buys first. */
export function meetTrade(w: World, i: number, price: number, size: number, aggressorBuys: boolean): void {
  if (w.markets[i]!.book === null) resumeTakers(w, i);
  let left = size;
  for (const isBuy of [true, false]) {
    const resting = w.resting(i, isBuy).filter((o) => !o.takes);
    for (const order of resting.filter((o) => isBetter(isBuy, o.price, price) || (o.price === price && w.model === 'touch'))) {
      if (left > 0) order.ahead = 0;
      left -= giveUpTo(w, order, left);
    }
    const level = resting.filter((o) => o.price === price);
    if (w.model === 'queue' && aggressorBuys !== isBuy && left > 0) left = eatLevel(w, level, left);
  }
}

/** Lots of others and our orders trade in the order in which they joined. What others gave up is gone for the whole level. */
function eatLevel(w: World, level: readonly ModelOrder[], size: number): number {
  let left = size;
  let eaten = 0;
  for (const order of level) {
    if (order.ahead === null) continue;
    const eats = Math.min(left, Math.max(0, order.ahead - eaten));
    eaten += eats;
    left -= eats;
    order.ahead = Math.max(0, order.ahead - eaten);
    left -= giveUpTo(w, order, left);
  }
  return left;
}

/** A maker fill at the order's own price of at most `lots`; returns the lots filled. */
function giveUpTo(w: World, order: ModelOrder, lots: number): number {
  const size = Math.min(leftOf(order), lots);
  if (size > 0) fill(w, order, order.price, size, false);
  return size;
}
