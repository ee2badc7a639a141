/**
 * @hot Orders come and go: admission with the venue's refusals in the order of its error table, arrival at the market, cancel
 * and modify. A modify makes a new order with a new number at the back of its queue; if it is refused the old order is as it was.
 */
import { CLOSE, LIMIT, MARKET } from '../../domain/codes.ts';
import type { Command } from '../../domain/command.ts';
import { REPLACED, WORKING } from '../../domain/order.ts';
import type { Reason } from '../../domain/outcome.ts';
import { drop, finish, marginOf } from './fills.ts';
import { crosses, keyCrosses, takeAvailable, watch } from './match.ts';
import {
  AHEAD_UNKNOWN,
  EFFECT_BIT,
  EXITS_BIT,
  ISOLATED_BIT,
  MARKET_BIT,
  PLAN_BIT,
  POST_ONLY_BIT,
  SELL_BIT,
  SPOT_BIT,
  TAKING_BIT,
} from './orders.ts';
import { FARTHEST } from './resting.ts';
import { QUEUE, type SimState } from './state.ts';

/** A leg, with all its orders at their prices, stays below this value, so that sums of money stay exact: 22.5 million of the coin. */
export const LEG_VALUE_MAX = 2 ** 51;

/** Notes why, and answers 0. */
export function refuse(s: SimState, reason: Reason): 0 {
  s.refusal = reason;
  return 0;
}

/** Notes why, and answers false. */
export function deny(s: SimState, reason: Reason): false {
  s.refusal = reason;
  return false;
}

/** The price by which a market order's margin and value are reckoned: what it would take, else the last known; 0 without a market. */
export function referencePrice(s: SimState, i: number, isSale: boolean): number {
  const m = s.market;
  const opposite = isSale ? m.bid[i]! : m.ask[i]!;
  if (opposite > 0 && opposite < FARTHEST) return opposite;
  return m.mark(i);
}

/** A futures order (E12). Answers its number, or 0 with `refusal`. */
export function place(s: SimState, a: number, c: Command, tag: number, time: number): number {
  s.now = time;
  const i = c.instrument;
  if (!(i >= 0 && i < s.count) || s.isSpot[i] === 1) return refuse(s, 'unknown-instrument');
  const leg = (a * s.count + i) * 2 + c.side;
  const isSale = (c.side ^ c.effect) === 1;
  if (!admit(s, a, i, leg, c.effect, c.type, c.price, c.size, c.marginMode, isSale)) return 0;
  const isMarket = c.type === MARKET;
  if (c.postOnly === 1 && (isMarket || keyCrosses(s, i, isSale, c.price))) return refuse(s, 'would-take');
  let traits = c.side | (c.effect << 1) | (isSale ? SELL_BIT : 0) | (isMarket ? MARKET_BIT : 0);
  if (c.postOnly === 1) traits |= POST_ONLY_BIT;
  if (c.marginMode === 1) traits |= ISOLATED_BIT;
  if (c.takeProfit > 0 || c.stopLoss > 0) traits |= EXITS_BIT;
  const slot = create(s, a, i, leg, traits, isMarket ? 0 : c.price, c.size, tag, 0);
  if ((traits & EXITS_BIT) !== 0) setExits(s, slot, c.takeProfit, c.takeProfitLimit, c.stopLoss, c.stopLossLimit);
  return introduce(s, slot);
}

/** Whether a futures order may exist; false with `refusal`. Changes nothing. */
export function admit(
  s: SimState,
  a: number,
  i: number,
  leg: number,
  effect: number,
  type: number,
  price: number,
  size: number,
  mode: number,
  isSale: boolean,
): boolean {
  const l = s.ledger;
  const total = l.total[leg]!;
  const isClose = effect === CLOSE;
  if (isClose && total === 0) return deny(s, 'no-position');
  if (l.mode[leg >> 1] !== mode && hasStake(s, leg >> 1)) return deny(s, 'margin-mode-conflict');
  if (size > s.maxSize[i]!) return deny(s, 'size-too-large');
  if (size <= 0 || (!isClose && size < s.minSize[i]!)) return deny(s, 'size-too-small');
  if (type === LIMIT && price <= 0) return deny(s, 'price-required');
  if (isClose) return size <= total - l.locked[leg]! || deny(s, 'exceeds-position');
  const at = type === LIMIT ? price : referencePrice(s, i, isSale);
  const unit = at * s.unitValue[i]!;
  if ((total + l.opening[leg]! + size) * unit > LEG_VALUE_MAX) return deny(s, 'size-too-large');
  const value = size * unit;
  if (value < s.minNotional[i]! && at > 0) return deny(s, 'size-too-small');
  return marginOf(value, s.leverage[i]!) <= l.available(a) || deny(s, 'insufficient-balance');
}

/** An open position or order fixes the symbol's margin mode. `pair` = account · instruments + instrument. */
export function hasStake(s: SimState, pair: number): boolean {
  const l = s.ledger;
  return l.openOrders[pair]! > 0 || l.total[pair * 2]! > 0 || l.total[pair * 2 + 1]! > 0;
}

/** Writes an order into a slot and keeps back what it may need. `price` is 0 for a market order. */
export function create(
  s: SimState,
  a: number,
  i: number,
  leg: number,
  traits: number,
  price: number,
  size: number,
  tag: number,
  parent: number,
): number {
  const o = s.orders;
  const slot = o.claim(++s.lastNo);
  const isMarket = (traits & MARKET_BIT) !== 0;
  const isSale = (traits & SELL_BIT) !== 0;
  o.tag[slot] = tag;
  o.parent[slot] = parent;
  o.key[slot] = isMarket ? (isSale ? 0 : FARTHEST) : price;
  o.price[slot] = price;
  o.size[slot] = size;
  o.filled[slot] = 0;
  o.filledValue[slot] = 0;
  o.fee[slot] = 0;
  o.realised[slot] = 0;
  o.ahead[slot] = 0;
  o.hold[slot] = 0;
  o.createdAt[slot] = s.now;
  o.updatedAt[slot] = s.now;
  o.account[slot] = a;
  o.instrument[slot] = i;
  o.leg[slot] = leg;
  o.traits[slot] = traits;
  o.status[slot] = WORKING;
  if ((traits & SPOT_BIT) !== 0) return slot;
  const l = s.ledger;
  l.openOrders[leg >> 1]!++;
  l.mode[leg >> 1] = (traits & ISOLATED_BIT) !== 0 ? 1 : 0;
  if ((traits & PLAN_BIT) !== 0) return slot;
  if ((traits & EFFECT_BIT) !== 0) {
    l.locked[leg]! += size;
    return slot;
  }
  const at = isMarket ? referencePrice(s, i, isSale) : price;
  const hold = marginOf(size * at * s.unitValue[i]!, s.leverage[i]!);
  o.holdPrice[slot] = at;
  o.hold[slot] = hold;
  l.opening[leg]! += size;
  l.holds[a]! += hold;
  return slot;
}

export function setExits(
  s: SimState,
  slot: number,
  takeProfit: number,
  takeProfitLimit: number,
  stopLoss: number,
  stopLossLimit: number,
): void {
  const o = s.orders;
  o.takeProfit[slot] = takeProfit;
  o.takeProfitLimit[slot] = takeProfitLimit;
  o.stopLoss[slot] = stopLoss;
  o.stopLossLimit[slot] = stopLossLimit;
}

/** The order meets the market: it takes what it crosses, and the rest of it rests. Answers its number. */
export function introduce(s: SimState, slot: number): number {
  const o = s.orders;
  const no = o.no[slot]!;
  const i = o.instrument[slot]!;
  if (s.sink !== null) s.sink.order(no);
  if (crosses(s, slot)) {
    if (takeAvailable(s, slot)) {
      watch(s, i);
      return no;
    }
    o.traits[slot]! |= TAKING_BIT;
    s.taking[i]!++;
  } else if (s.model === QUEUE) o.ahead[slot] = aheadOf(s, i, slot);
  s.books[i * 2 + ((o.traits[slot]! & SELL_BIT) >> 2)]!.insert(slot);
  watch(s, i);
  return no;
}

/** Lots of others that trade before an order that joins now. */
function aheadOf(s: SimState, i: number, slot: number): number {
  const m = s.market;
  if (m.hasBook[i] === 0) return 0;
  const key = s.orders.key[slot]!;
  if ((s.orders.traits[slot]! & SELL_BIT) !== 0) {
    if (key === m.ask[i]!) return m.askSize[i]!;
    return key < m.ask[i]! ? 0 : AHEAD_UNKNOWN;
  }
  if (key === m.bid[i]!) return m.bidSize[i]!;
  return key > m.bid[i]! ? 0 : AHEAD_UNKNOWN;
}

/** Takes a working order off the book, or a plan off its watch, and cancels it (E15, E16, and E2 with `isSpot`). */
export function cancel(s: SimState, a: number, no: number, isSpot: boolean, time: number): boolean {
  s.now = time;
  const slot = s.orders.find(no);
  if (slot < 0 || s.orders.account[slot] !== a || s.orders.status[slot] !== WORKING) {
    return deny(s, 'order-not-found');
  }
  if (((s.orders.traits[slot]! & SPOT_BIT) !== 0) !== isSpot) return deny(s, 'order-not-found');
  withdraw(s, slot);
  drop(s, slot);
  return true;
}

/** Out of the book or off the watch; the caller ends it. */
export function withdraw(s: SimState, slot: number): void {
  const o = s.orders;
  const i = o.instrument[slot]!;
  const traits = o.traits[slot]!;
  if ((traits & PLAN_BIT) !== 0) s.triggers.removePlan(o, i, slot);
  else {
    s.books[i * 2 + ((traits & SELL_BIT) >> 2)]!.remove(slot);
    if ((traits & TAKING_BIT) !== 0) s.taking[i]!--;
  }
  watch(s, i);
}

/**
 * E14. Only a futures order that has not traded can be modified; any other is 'order-not-found'. A price, size or trigger of 0 in
 * the command keeps the old. Answers the new order's number, or 0 with `refusal`.
 */
export function modify(s: SimState, a: number, no: number, c: Command, tag: number, time: number): number {
  s.now = time;
  const o = s.orders;
  const old = o.find(no);
  if (old < 0 || o.account[old] !== a || o.status[old] !== WORKING) return refuse(s, 'order-not-found');
  const was = o.traits[old]!;
  if ((was & (PLAN_BIT | SPOT_BIT)) !== 0 || o.filled[old]! > 0) return refuse(s, 'order-not-found');
  if (c.price <= 0 && c.size <= 0 && c.takeProfit <= 0 && c.stopLoss <= 0) return refuse(s, 'nothing-to-modify');
  if (c.price > 0 && (was & MARKET_BIT) !== 0) return refuse(s, 'price-invalid');
  const i = o.instrument[old]!;
  const leg = o.leg[old]!;
  const price = c.price > 0 ? c.price : o.price[old]!;
  const size = c.size > 0 ? c.size : o.size[old]!;
  const isSale = (was & SELL_BIT) !== 0;
  if ((was & POST_ONLY_BIT) !== 0 && keyCrosses(s, i, isSale, price)) return refuse(s, 'price-invalid');
  if (!admitInPlace(s, old, price, size)) return 0;
  const takeProfit = c.takeProfit > 0 ? c.takeProfit : (was & EXITS_BIT) !== 0 ? o.takeProfit[old]! : 0;
  const stopLoss = c.stopLoss > 0 ? c.stopLoss : (was & EXITS_BIT) !== 0 ? o.stopLoss[old]! : 0;
  const takeProfitLimit = (was & EXITS_BIT) !== 0 ? o.takeProfitLimit[old]! : 0;
  const stopLossLimit = (was & EXITS_BIT) !== 0 ? o.stopLossLimit[old]! : 0;
  withdraw(s, old);
  finish(s, old, REPLACED);
  const traits = (was & ~(TAKING_BIT | EXITS_BIT)) | (takeProfit > 0 || stopLoss > 0 ? EXITS_BIT : 0);
  const slot = create(s, a, i, leg, traits, price, size, tag, no);
  if ((traits & EXITS_BIT) !== 0) setExits(s, slot, takeProfit, takeProfitLimit, stopLoss, stopLossLimit);
  return introduce(s, slot);
}

/** Whether the order in `old` may become one of another price and size, its own claims set aside for the question. */
function admitInPlace(s: SimState, old: number, price: number, size: number): boolean {
  const o = s.orders;
  const l = s.ledger;
  const a = o.account[old]!;
  const leg = o.leg[old]!;
  const traits = o.traits[old]!;
  const effect = (traits & EFFECT_BIT) >> 1;
  const claim = effect === CLOSE ? l.locked : l.opening;
  claim[leg]! -= o.size[old]!;
  l.holds[a]! -= o.hold[old]!;
  const type = (traits & MARKET_BIT) !== 0 ? MARKET : LIMIT;
  const isSale = (traits & SELL_BIT) !== 0;
  const isFit = admit(s, a, o.instrument[old]!, leg, effect, type, price, size, l.mode[leg >> 1]!, isSale);
  claim[leg]! += o.size[old]!;
  l.holds[a]! += o.hold[old]!;
  return isFit;
}
