/**
 * @hot The one place where an order trades or ends: order, leg, account, ledger sink and tap move together, in integers.
 * An OPEN adds its value to the leg's entry value. A CLOSE of q of Q lots releases floor(entryValue · q / Q) of it and realises the
 * difference to what it traded for; the remainder stays in the leg, so nothing is lost to rounding.
 */
import { assert } from '../../base/assert.ts';
import { MAKER } from '../../domain/codes.ts';
import { feeOf } from '../../domain/instrument.ts';
import { CANCELLED, FILLED } from '../../domain/order.ts';
import { mulDivFloor } from '../../domain/scale.ts';
import { EFFECT_BIT, EXITS_BIT, LIQUIDATION_BIT, PLAN_BIT, SELL_BIT, SIDE_BIT, SPOT_BIT } from './orders.ts';
import { releaseSpot, settleSpot } from './spot-settle.ts';
import type { SimState } from './state.ts';

/** How often open positions and mark triggers are looked at, in venue milliseconds. */
export const TICK_MS = 1_000;

/** Initial margin of `value`: rounded up, so that margins never promise more than the account has. */
export function marginOf(value: number, leverage: number): number {
  return Math.ceil(value / leverage);
}

/** `size` lots of the order in `slot` trade at `price`. The caller takes a full order out of its book and ends it. */
export function fill(s: SimState, slot: number, price: number, size: number, liquidity: number): void {
  const o = s.orders;
  const i = o.instrument[slot]!;
  const traits = o.traits[slot]!;
  const value = price * size * s.unitValue[i]!;
  assert(size > 0 && o.filled[slot]! + size <= o.size[slot]!, 'a fill is within what is left of its order');
  assert(value <= Number.MAX_SAFE_INTEGER, 'the value of a fill is an exact integer');
  const rate = liquidity === MAKER ? s.makerRate[i]! : s.takerRate[i]!;
  let fee = feeOf(value, rate) as number;
  o.filled[slot]! += size;
  o.filledValue[slot]! += value;
  o.updatedAt[slot] = s.now;
  let realised = 0;
  if ((traits & SPOT_BIT) !== 0) fee = settleSpot(s, slot, value, size, fee);
  else if ((traits & EFFECT_BIT) === 0) open(s, slot, value, size, fee);
  else realised = close(s, slot, value, size, fee);
  o.fee[slot]! += fee;
  o.realised[slot]! += realised;
  tell(s, slot, price, size, fee, liquidity, realised);
  if ((traits & (EXITS_BIT | EFFECT_BIT | SPOT_BIT)) === EXITS_BIT) s.triggers.protect(o, i, slot, size);
}

function open(s: SimState, slot: number, value: number, size: number, fee: number): void {
  const o = s.orders;
  const l = s.ledger;
  const leg = o.leg[slot]!;
  const a = o.account[slot]!;
  const leverage = s.leverage[o.instrument[slot]!]!;
  if (l.total[leg] === 0) begin(s, a, leg);
  l.total[leg]! += size;
  l.entryValue[leg]! += value;
  l.opening[leg]! -= size;
  rehold(s, slot);
  const before = l.margin[leg]!;
  if (l.mode[leg >> 1] === 0) {
    const margin = marginOf(l.entryValue[leg]!, leverage);
    l.margin[leg] = margin;
    l.crossMargin[a]! += margin - before;
  } else {
    const moved = marginOf(value, leverage);
    l.margin[leg] = before + moved;
    l.isolatedMargin[a]! += moved;
  }
  pay(s, slot, leg, a, value, fee);
}

function close(s: SimState, slot: number, value: number, size: number, fee: number): number {
  const o = s.orders;
  const l = s.ledger;
  const leg = o.leg[slot]!;
  const a = o.account[slot]!;
  const total = l.total[leg]!;
  assert(size <= total, 'a close is within its leg');
  const entry = l.entryValue[leg]!;
  const released = size === total ? entry : mulDivFloor(entry, size, total);
  const realised = (o.traits[slot]! & SIDE_BIT) === 0 ? value - released : released - value;
  l.total[leg] = total - size;
  l.entryValue[leg] = entry - released;
  l.locked[leg]! -= size;
  const before = l.margin[leg]!;
  if (l.mode[leg >> 1] === 0) {
    const margin = marginOf(entry - released, s.leverage[o.instrument[slot]!]!);
    l.margin[leg] = margin;
    l.crossMargin[a]! += margin - before;
  } else {
    const freed = size === total ? before : mulDivFloor(before, size, total);
    l.margin[leg] = before - freed;
    l.isolatedMargin[a]! -= freed;
  }
  l.realised[a]! += realised;
  l.legRealised[leg]! += realised;
  l.everRealised[leg]! += realised;
  pay(s, slot, leg, a, value, fee);
  if (size === total) {
    l.deactivate(a, leg);
    s.triggers.dropLeg(o, o.instrument[slot]!, leg);
  }
  return realised;
}

function pay(s: SimState, slot: number, leg: number, a: number, value: number, fee: number): void {
  const l = s.ledger;
  l.fees[a]! += fee;
  l.legFees[leg]! += fee;
  l.flow[a]! += ((s.orders.traits[slot]! & SELL_BIT) !== 0 ? value : -value) - fee;
  l.updatedAt[leg] = s.now;
}

/** A flat leg comes to life. */
function begin(s: SimState, a: number, leg: number): void {
  const l = s.ledger;
  l.legRealised[leg] = 0;
  l.legFees[leg] = 0;
  l.legFunding[leg] = 0;
  l.createdAt[leg] = s.now;
  l.activate(a, leg);
  wake(s);
}

/** Sets the venue's next look at positions when it had none to make. */
export function wake(s: SimState): void {
  if (s.nextDue === Infinity) s.nextDue = (Math.floor(s.now / TICK_MS) + 1) * TICK_MS;
}

/** Brings an OPEN order's hold down to what is unfilled of it. */
export function rehold(s: SimState, slot: number): void {
  const o = s.orders;
  const i = o.instrument[slot]!;
  const left = o.size[slot]! - o.filled[slot]!;
  const hold = marginOf(left * o.holdPrice[slot]! * s.unitValue[i]!, s.leverage[i]!);
  s.ledger.holds[o.account[slot]!]! += hold - o.hold[slot]!;
  o.hold[slot] = hold;
}

function tell(s: SimState, slot: number, price: number, size: number, fee: number, liquidity: number, realised: number): void {
  const o = s.orders;
  const f = s.fill;
  const a = o.account[slot]!;
  const traits = o.traits[slot]!;
  f.fillNo++;
  f.time = s.now;
  f.account = a;
  f.orderNo = o.no[slot]!;
  f.tag = o.tag[slot]!;
  f.instrument = o.instrument[slot]!;
  f.side = traits & SIDE_BIT;
  f.effect = (traits & EFFECT_BIT) >> 1;
  f.price = price;
  f.size = size;
  f.fee = fee;
  f.liquidity = liquidity;
  f.realised = realised;
  const sink = s.sink;
  if (sink !== null) {
    sink.fill(f);
    if ((traits & SPOT_BIT) === 0) {
      const why = (traits & LIQUIDATION_BIT) !== 0 ? 'liquidation' : 'realised';
      if (realised !== 0) sink.cash(a, s.quoteCoin, realised, why, f.orderNo);
      if (fee !== 0) sink.cash(a, s.quoteCoin, -fee, 'fee', f.orderNo);
    }
  }
  const tap = s.taps[a]!;
  if (tap !== null) tap.filled(f);
}

/** Ends an order that is in no book any more: what it held back is free again, and it moves to the history. */
export function finish(s: SimState, slot: number, how: number): void {
  const o = s.orders;
  const l = s.ledger;
  const a = o.account[slot]!;
  const traits = o.traits[slot]!;
  const left = o.size[slot]! - o.filled[slot]!;
  assert(how !== FILLED || left === 0 || (traits & PLAN_BIT) !== 0, 'a filled order has nothing left');
  if ((traits & SPOT_BIT) !== 0) releaseSpot(s, slot);
  else if ((traits & PLAN_BIT) === 0) {
    const leg = o.leg[slot]!;
    if ((traits & EFFECT_BIT) !== 0) l.locked[leg]! -= left;
    else {
      l.opening[leg]! -= left;
      l.holds[a]! -= o.hold[slot]!;
    }
    l.openOrders[leg >> 1]!--;
  } else l.openOrders[o.leg[slot]! >> 1]!--;
  o.hold[slot] = 0;
  o.status[slot] = how;
  o.updatedAt[slot] = s.now;
  const no = o.no[slot]!;
  const tag = o.tag[slot]!;
  if (s.sink !== null) s.sink.ended(no, how);
  s.history.push(a, slot);
  const tap = s.taps[a]!;
  // A plan that fired lives on in the order it became, which bears the same tag.
  if (tap !== null && !(how === FILLED && (traits & PLAN_BIT) !== 0)) tap.ended(no, tag, how);
}

/** CANCELLED, for callers that end what they took out of a book. */
export function drop(s: SimState, slot: number): void {
  finish(s, slot, CANCELLED);
}
