/**
 * @hot When an order trades. Takers take the displayed size of the opposite quote, at its price, and what they took is gone
 * until the instrument's next quote row. Resting orders fill at their own price, better price first, then older first:
 * - touch: a trade at the price or beyond it, or the opposite quote reaching the price;
 * - through: a trade or the opposite quote strictly beyond the price;
 * - queue: a trade beyond the price or the opposite quote reaching it, and a trade at the price by an aggressor of the other
 *   direction once the lots ahead have traded. Ahead of an order is the size displayed at its price when it joins the best
 *   level, nothing when it improves on it, and when it joins deeper, the size displayed when its level first is the best.
 *   Displayed size shrinking below what is ahead lowers it to that; the best price falling behind the order clears it.
 * One trade's size, or one quote's, is shared: what one order got the next does not get.
 */
import { BUY, MAKER, TAKER } from '../../domain/codes.ts';
import { FILLED } from '../../domain/order.ts';
import { drop, fill, finish } from './fills.ts';
import { AHEAD_UNKNOWN, MARKET_BIT, SELL_BIT, SPOT_BIT, TAKING_BIT } from './orders.ts';
import { FARTHEST, type Resting } from './resting.ts';
import { affordableLots } from './spot-settle.ts';
import { QUEUE, THROUGH, type SimState } from './state.ts';

/** Sets the two prices between which a row concerns no order and no trigger of the instrument. */
export function watch(s: SimState, i: number): void {
  if (s.taking[i]! > 0) {
    s.watchLow[i] = FARTHEST;
    s.watchHigh[i] = 0;
    return;
  }
  const buy = s.books[i * 2]!.best();
  const sell = s.books[i * 2 + 1]!.best();
  const low = s.triggers.low[i]!;
  const high = s.triggers.high[i]!;
  s.watchLow[i] = buy > low ? buy : low;
  s.watchHigh[i] = sell < high ? sell : high;
}

/** A market trade that reached one of the watched prices. The market columns hold it already. */
export function matchTrade(s: SimState, i: number, price: number, size: number, aggressor: number): void {
  if (s.taking[i]! > 0 && s.market.hasBook[i] === 0) takeAtTrade(s, i, price);
  let left = matchSide(s, s.books[i * 2]!, price, size, aggressor !== BUY);
  left = matchSide(s, s.books[i * 2 + 1]!, price, left, aggressor === BUY);
  watch(s, i);
}

/** One direction's resting orders against a trade; `isHit`: its aggressor comes from the other direction. */
function matchSide(s: SimState, book: Resting, price: number, size: number, isHit: boolean): number {
  const o = s.orders;
  const sign = book.sign;
  let left = size;
  let at = book.count - 1;
  while (at >= 0 && left > 0) {
    const slot = book.slots[at]!;
    const beyond = (o.key[slot]! - price) * sign;
    if (beyond < 0) break;
    if ((o.traits[slot]! & TAKING_BIT) !== 0) {
      at--;
      continue;
    }
    if (beyond === 0 && s.model !== 0) {
      if (s.model === QUEUE && isHit) left = matchQueue(s, book, at, price, left);
      break;
    }
    const open = o.size[slot]! - o.filled[slot]!;
    const take = open < left ? open : left;
    left -= take;
    o.ahead[slot] = 0;
    give(s, book, at, take);
    at--;
  }
  return left;
}

/**
 * The level at the trade's price, from `at` down: lots of others and our orders trade in the order in which they joined. What
 * the others gave up is behind them for every order of the level.
 */
function matchQueue(s: SimState, book: Resting, at: number, price: number, size: number): number {
  const o = s.orders;
  let left = size;
  let eaten = 0;
  let k = at;
  for (; k >= 0; k--) {
    const slot = book.slots[k]!;
    if (o.key[slot]! !== price) break;
    const ahead = o.ahead[slot]!;
    if ((o.traits[slot]! & TAKING_BIT) !== 0 || ahead === AHEAD_UNKNOWN) continue;
    if (ahead > eaten) {
      const eat = Math.min(left, ahead - eaten);
      eaten += eat;
      left -= eat;
    }
    o.ahead[slot] = ahead > eaten ? ahead - eaten : 0;
    const open = o.size[slot]! - o.filled[slot]!;
    const take = open < left ? open : left;
    if (take === 0) continue;
    left -= take;
    give(s, book, k, take);
  }
  return left;
}

/** A maker fill of the order at place `at` of its book, at its own price. */
function give(s: SimState, book: Resting, at: number, size: number): void {
  const o = s.orders;
  const slot = book.slots[at]!;
  fill(s, slot, o.key[slot]!, size, MAKER);
  if (o.filled[slot]! === o.size[slot]!) {
    book.removeAt(at);
    finish(s, slot, FILLED);
  }
}

/** A quote row that reached one of the watched prices. The market columns hold it already. */
export function matchQuote(s: SimState, i: number): void {
  if (s.taking[i]! > 0) takeAtQuote(s, i);
  const m = s.market;
  meetQuote(s, s.books[i * 2]!, m.ask[i]!, m.bid[i]!, m.bidSize[i]!, m.askLeft, i);
  meetQuote(s, s.books[i * 2 + 1]!, m.bid[i]!, m.ask[i]!, m.askSize[i]!, m.bidLeft, i);
  watch(s, i);
}

/** One direction's resting orders against a quote: the opposite quote may fill them, their own side's moves their queue. */
function meetQuote(
  s: SimState,
  book: Resting,
  opposite: number,
  best: number,
  bestSize: number,
  oppositeLeft: Float64Array,
  i: number,
): void {
  const o = s.orders;
  const sign = book.sign;
  const reach = s.model === THROUGH ? 1 : 0;
  for (let at = book.count - 1; at >= 0; at--) {
    const slot = book.slots[at]!;
    const key = o.key[slot]!;
    if ((o.traits[slot]! & TAKING_BIT) !== 0) continue;
    if (opposite !== 0 && opposite !== FARTHEST && (key - opposite) * sign >= reach) {
      const open = o.size[slot]! - o.filled[slot]!;
      const left = oppositeLeft[i]!;
      const take = open < left ? open : left;
      o.ahead[slot] = 0;
      if (take === 0) continue;
      oppositeLeft[i]! -= take;
      give(s, book, at, take);
      continue;
    }
    if (s.model !== QUEUE) break;
    const inFront = (key - best) * sign;
    if (inFront < 0) break;
    const ahead = o.ahead[slot]!;
    if (inFront > 0) o.ahead[slot] = 0;
    else if (ahead === AHEAD_UNKNOWN || ahead > bestSize) o.ahead[slot] = bestSize;
  }
}

/** Resting takers go on at a quote row; those that no longer cross become makers with nothing ahead of them. */
function takeAtQuote(s: SimState, i: number): void {
  for (let direction = 0; direction < 2; direction++) {
    const book = s.books[i * 2 + direction]!;
    for (let at = book.count - 1; at >= 0; at--) {
      const slot = book.slots[at]!;
      if ((s.orders.traits[slot]! & TAKING_BIT) === 0) continue;
      if (!crosses(s, slot)) settleDown(s, slot);
      else if (takeAvailable(s, slot)) {
        book.removeAt(at);
        s.taking[i]!--;
      }
    }
  }
}

/** Without a book takers take the whole of what they want at the next trade's price, if their limit allows. */
function takeAtTrade(s: SimState, i: number, price: number): void {
  const o = s.orders;
  for (let direction = 0; direction < 2; direction++) {
    const book = s.books[i * 2 + direction]!;
    for (let at = book.count - 1; at >= 0; at--) {
      const slot = book.slots[at]!;
      if ((o.traits[slot]! & TAKING_BIT) === 0) continue;
      if ((o.key[slot]! - price) * book.sign < 0) settleDown(s, slot);
      else if (takeAvailable(s, slot)) {
        book.removeAt(at);
        s.taking[i]!--;
      }
    }
  }
}

function settleDown(s: SimState, slot: number): void {
  const o = s.orders;
  o.traits[slot]! &= ~TAKING_BIT;
  s.taking[o.instrument[slot]!]!--;
}

/** Whether the order's limit reaches the opposite quote (or, without a book, the last trade). A market order always does. */
export function crosses(s: SimState, slot: number): boolean {
  const o = s.orders;
  return keyCrosses(s, o.instrument[slot]!, (o.traits[slot]! & SELL_BIT) !== 0, o.key[slot]!);
}

export function keyCrosses(s: SimState, i: number, isSale: boolean, key: number): boolean {
  const m = s.market;
  if (m.hasBook[i] === 0) {
    const last = m.last[i]!;
    if (last === 0) return isSale ? key === 0 : key === FARTHEST;
    return isSale ? key <= last : key >= last;
  }
  if (isSale) return key === 0 || (m.bid[i]! > 0 && key <= m.bid[i]!);
  return key >= m.ask[i]!;
}

/**
 * Takes what there is for a crossing order: the opposite quote's remaining size, or all of it at the last trade where there is no
 * book. Returns true when the order has ended by it.
 */
export function takeAvailable(s: SimState, slot: number): boolean {
  const o = s.orders;
  const m = s.market;
  const i = o.instrument[slot]!;
  const isSale = (o.traits[slot]! & SELL_BIT) !== 0;
  const open = o.size[slot]! - o.filled[slot]!;
  const noBook = m.hasBook[i] === 0;
  const price = noBook ? m.last[i]! : isSale ? m.bid[i]! : m.ask[i]!;
  if (price === 0 || price === FARTHEST) return false;
  const left = noBook ? open : isSale ? m.bidLeft[i]! : m.askLeft[i]!;
  let size = open < left ? open : left;
  if (size === 0) return false;
  if ((o.traits[slot]! & (SPOT_BIT | MARKET_BIT | SELL_BIT)) === (SPOT_BIT | MARKET_BIT)) {
    size = affordableLots(s, slot, price, size);
    if (size === 0) {
      drop(s, slot);
      return true;
    }
  }
  if (!noBook) (isSale ? m.bidLeft : m.askLeft)[i]! -= size;
  fill(s, slot, price, size, TAKER);
  if (o.filled[slot]! < o.size[slot]!) return false;
  finish(s, slot, FILLED);
  return true;
}
