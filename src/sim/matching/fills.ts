/**
 * @hot The only place where an order trades or ends. Order, leg, account, ledger sink and tap are updated together, in integers.
 * An OPEN adds its value to the leg's entry value. A CLOSE of q of Q lots releases floor(entryValue · q / Q) of it and realises the
 * difference to what it traded for; the remainder stays in the leg, so nothing is lost to rounding.
 */
import { AssertionError } from '../../base/failure/assert.ts';
import * as codes from '../../domain/codes.ts';
import * as instruments from '../../domain/instrument.ts';
import * as states from '../../domain/orders/order.ts';
import type { FeeModel } from '../../domain/models/fees.ts';
import * as scale from '../../domain/amounts/scale.ts';
import * as kinds from '../state/kinds.ts';
import type { LedgerSink, SimFill } from '../state/types.ts';
import type { Account, Leg } from '../state/account.ts';
import type { Order } from '../state/order.ts';
import * as brackets from '../state/brackets.ts';
import * as spot from './spot-settle.ts';
import type { SimState } from '../state/state.ts';

const { CLOSE, MAKER, TAKER } = codes;
const { FILLED, REPLACED } = states;
const { TRIGGER, SPOT } = kinds;
const { feeOf } = instruments;
const { mulDivFloor } = scale;
const { addBracket, dropBrackets } = brackets;
const { releaseSpot, settleSpot } = spot;

/** Interval of the checks of open positions and mark triggers, in milliseconds of venue time. */
export const TICK_MS = 1_000;

function wrong(what: string): AssertionError {
  return new AssertionError(what); // hot-ok: a bug
}

/** Used instead of a book index: the order is a taker. */
export const TAKES = -1;

/**
 * Fills `size` lots of the order at `price`, as the maker at index `at` of its side or as a taker (TAKES). Reports to sink and tap. A full
 * order ends: it leaves the book and moves to the history.
 */
export function fill(s: SimState, order: Order, price: number, size: number, at: number): void {
  const market = order.market;
  const filled = order.filled + size;
  const value = price * size * market.unitValue;
  if (size <= 0 || filled > order.size) throw wrong('a fill is within what is left of its order');
  if (!(value <= Number.MAX_SAFE_INTEGER)) throw wrong('the value of a fill is an exact integer');
  const isMaker = at >= 0;
  const rate = isMaker ? market.makerRate : market.takerRate;
  const fee = feeOf(value, s.fees === null ? rate : tierRate(s, s.fees, order, isMaker, rate, value)) as number;
  const f = s.fill;
  f.fillNo++;
  f.time = s.now;
  f.account = order.account.index;
  f.orderNo = order.no;
  f.tag = order.tag;
  f.instrument = market.index;
  f.side = order.side;
  f.effect = order.effect;
  f.price = price;
  f.size = size;
  f.liquidity = isMaker ? MAKER : TAKER;
  order.filled = filled;
  order.filledValue += value;
  market.traded += size;
  order.updatedAt = s.now;
  if (order.kind === SPOT) swap(s, order, value, size * market.coinUnit, fee);
  else trade(s, order, size, value, fee);
  const tap = order.account.tap;
  if (s.sink !== null) s.sink.fill(s.fill);
  if (s.ledger !== null) reportLedger(s.ledger, s.fill, s.coin, order);
  if (order.filled === order.size) {
    order.status = FILLED;
    if (at >= 0) order.market.leave(order, at);
    keep(s, order);
  }
  if (tap !== null) tap.filled(s.fill);
}

/** The rate of a fill by the fee model of the account, which notes the fill. */
function tierRate(s: SimState, fees: readonly FeeModel[], order: Order, isMaker: boolean, rate: number, value: number): number {
  const model = fees[order.account.index]!;
  const found = model.rate(isMaker, rate, s.now);
  model.filled(value, s.now);
  return found;
}

/** Books a spot fill: coins are exchanged. Spot realises nothing. */
function swap(s: SimState, order: Order, value: number, coins: number, fee: number): void {
  const charged = settleSpot(s, order, value, coins, fee);
  s.fill.fee = charged;
  s.fill.realised = 0;
  order.fee += charged;
}

/** Books a futures fill: the leg grows or shrinks. */
function trade(s: SimState, order: Order, size: number, value: number, fee: number): void {
  const realised = order.effect === CLOSE ? close(s, order, size, value, fee) : open(s, order, size, value);
  const f = s.fill;
  const leg = order.leg;
  const account = order.account;
  f.fee = fee;
  f.realised = realised;
  order.fee += fee;
  leg.fees += fee;
  leg.updatedAt = s.now;
  account.fees += fee;
  account.realised += realised;
  account.flow += order.isSell ? value : -value;
  s.clearing.traded(realised - fee, fee, realised);
  if (leg.total === 0) end(leg);
}

/** Books an opening fill. Returns the realised profit: 0. */
function open(s: SimState, order: Order, size: number, value: number): number {
  if (order.leg.total === 0) begin(s, order.leg);
  const leg = order.leg;
  const account = order.account;
  leg.total += size;
  leg.entryValue += value;
  leg.opening -= size;
  const left = order.size - order.filled;
  const hold = left > 0 ? Math.ceil((left * order.holdPrice * order.market.unitValue) / leg.leverage) : 0;
  account.holds += hold - order.hold;
  order.hold = hold;
  if (leg.pair.isIsolated) {
    const moved = leg.marginOf(value);
    leg.margin += moved;
    account.isolatedMargin += moved;
  } else leg.setCrossMargin();
  if (order.hasExits) addBracket(order, size);
  return 0;
}

/** Books a closing fill. Returns the realised profit. */
function close(s: SimState, order: Order, size: number, value: number, fee: number): number {
  const leg = order.leg;
  const total = leg.total;
  if (size > total) throw wrong('a close is within its leg');
  const entry = leg.entryValue;
  const released = size === total ? entry : mulDivFloor(entry, size, total);
  const realised = leg.side === 0 ? value - released : released - value;
  leg.total = total - size;
  leg.entryValue = entry - released;
  leg.locked -= size;
  if (leg.pair.isIsolated) freeMargin(s, order, leg.margin, size, total, fee - realised);
  else leg.setCrossMargin();
  leg.realised += realised;
  leg.everRealised += realised;
  order.realised += realised;
  return realised;
}

/**
 * Frees margin of an isolated leg of `total` lots that closes `size` of them at a `cost` of fee − realised. A full close frees all. A partial
 * close frees floor(margin · size / total), or the cost if that is more. A partial liquidation frees only the cost. The insurance fund
 * pays what the margin cannot, so an isolated leg never loses more than its margin.
 */
function freeMargin(s: SimState, order: Order, margin: number, size: number, total: number, cost: number): void {
  const share = size === total ? margin : order.isLiquidation ? 0 : mulDivFloor(margin, size, total);
  const needed = cost < margin ? cost : margin;
  const freed = share > needed ? share : needed;
  order.leg.margin = margin - freed;
  order.account.isolatedMargin -= freed;
  if (cost > margin) insure(s, order.account, cost - margin, order.no);
}

/** The insurance fund takes over `loss` of the account. */
export function insure(s: SimState, account: Account, loss: number, orderNo: number): void {
  account.insurance += loss;
  s.clearing.moved(loss);
  s.clearing.insured(loss);
  if (s.ledger !== null) s.ledger.cash(account.index, s.coin, loss, 'insurance', orderNo, 'futures');
}

/** Initialises a flat leg that gets a position. */
function begin(s: SimState, leg: Leg): void {
  leg.realised = 0;
  leg.fees = 0;
  leg.funding = 0;
  leg.createdAt = s.now;
  leg.account.activate(leg);
  wake(s);
}

/** Clears a leg that has become flat. */
function end(leg: Leg): void {
  leg.account.deactivate(leg);
  dropBrackets(leg);
}

/** Schedules the next check of positions if none is scheduled. */
export function wake(s: SimState): void {
  if (s.nextDue < Infinity) return;
  s.nextDue = (Math.floor(s.now / TICK_MS) + 1) * TICK_MS;
  s.nextDeadline.note(s.nextDue);
  if (s.funding !== null) s.nextFunding = s.funding.model.after(s.now);
}

function reportLedger(ledger: LedgerSink, f: SimFill, coin: string, order: Order): void {
  if (order.kind !== SPOT) {
    if (f.realised !== 0) ledger.cash(f.account, coin, f.realised, order.isLiquidation ? 'liquidation' : 'realised', f.orderNo, 'futures');
    if (f.fee !== 0) ledger.cash(f.account, coin, -f.fee, 'fee', f.orderNo, 'futures');
  }
  if (order.filled === order.size) ledger.ended(f.orderNo, FILLED);
}

/** Ends an order that is not full and has left the book: releases its claims and moves it to the history. */
export function finish(s: SimState, order: Order, how: number): void {
  const no = order.no;
  const tag = order.tag;
  const account = order.account;
  unclaim(order, order.size - order.filled);
  order.hold = 0;
  order.status = how;
  order.updatedAt = s.now;
  if (s.ledger !== null) s.ledger.ended(no, how);
  keep(s, order);
  // A fired trigger order continues as the order it created, which has the same tag.
  if (how !== FILLED && account.tap !== null) account.tap.ended(no, tag, how);
}

/** Releases the claims of the unfilled part of the order. */
function unclaim(order: Order, left: number): void {
  if (order.kind === SPOT) releaseSpot(order);
  else if (order.kind === TRIGGER) return;
  else if (order.effect === CLOSE) order.leg.locked -= left;
  else {
    order.leg.opening -= left;
    order.account.holds -= order.hold;
  }
}

/**
 * Ends an order as REPLACED and continues it under the next number with another tag, as if it arrived now. The history gets a copy of the
 * old order. The tap is not called, because the answer to the modify reports it.
 */
export function replace(s: SimState, order: Order, tag: number): void {
  const no = order.no;
  if (s.ledger !== null) s.ledger.ended(no, REPLACED);
  s.orders.renumber(order, ++s.lastNo);
  if (s.historyLimit > 0) keepCopy(s, order, no);
  order.tag = tag;
  order.parent = no;
  order.createdAt = s.now;
  order.updatedAt = s.now;
}

function keepCopy(s: SimState, order: Order, no: number): void {
  const past = s.orders.claim(no, order.account, order.market, order.leg);
  past.copy(order);
  past.hold = 0;
  past.status = REPLACED;
  past.updatedAt = s.now;
  keep(s, past);
}

/** Adds an ended order to the history. The oldest entry is dropped and its record is reused. */
function keep(s: SimState, order: Order): void {
  if (s.trial !== null) return;
  if (s.historyLimit === 0) {
    s.orders.release(order);
    return;
  }
  const account = order.account;
  const ended = account.ended;
  if (ended.length < s.historyLimit) {
    account.endedTags.set(ended.length, order.tag);
    ended.push(order);
    return;
  }
  const at = account.endedNext;
  s.orders.release(ended[at]!);
  ended[at] = order;
  account.endedTags.set(at, order.tag);
  account.endedNext = at + 1 === s.historyLimit ? 0 : at + 1;
}
