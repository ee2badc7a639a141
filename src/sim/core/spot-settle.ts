/**
 * Spot money. A limit buy locks value + taker fee of what is unfilled in the quote coin, a sell locks its base coin, a market buy
 * locks nothing and takes only what the free balance pays. Fees are always in the quote coin: added to a buy, taken from a sale.
 */
import { assert } from '../../base/assert.ts';
import { feeOf } from '../../domain/instrument.ts';
import { MARKET_BIT, SELL_BIT } from './orders.ts';
import type { SimState } from './state.ts';

/** Quote coin that a buy of `lots` at `price` may cost: value and the higher of the two fees. */
export function spotCost(s: SimState, i: number, price: number, lots: number): number {
  const value = price * lots * s.unitValue[i]!;
  return value + feeOf(value, Math.max(s.makerRate[i]!, s.takerRate[i]!, 0));
}

/** Locks what the order in `slot` may need. The caller has checked that it is free. */
export function lockSpot(s: SimState, slot: number): void {
  const o = s.orders;
  const i = o.instrument[slot]!;
  const traits = o.traits[slot]!;
  const isSale = (traits & SELL_BIT) !== 0;
  const coin = isSale ? s.spot.baseCoin[i]! : s.spot.quoteCoin[i]!;
  let hold = 0;
  if (isSale) hold = o.size[slot]! * s.spot.coinUnit[i]!;
  else if ((traits & MARKET_BIT) === 0) hold = spotCost(s, i, o.price[slot]!, o.size[slot]!);
  const at = s.spot.at(o.account[slot]!, coin);
  s.spot.free[at]! -= hold;
  s.spot.locked[at]! += hold;
  o.hold[slot] = hold;
}

/** Gives back what an ended order still locks. */
export function releaseSpot(s: SimState, slot: number): void {
  const o = s.orders;
  const i = o.instrument[slot]!;
  const coin = (o.traits[slot]! & SELL_BIT) !== 0 ? s.spot.baseCoin[i]! : s.spot.quoteCoin[i]!;
  const at = s.spot.at(o.account[slot]!, coin);
  s.spot.locked[at]! -= o.hold[slot]!;
  s.spot.free[at]! += o.hold[slot]!;
}

/** Lots, at most `lots`, that a market buy can pay at `price`. */
export function affordableLots(s: SimState, slot: number, price: number, lots: number): number {
  const i = s.orders.instrument[slot]!;
  const free = s.spot.free[s.spot.at(s.orders.account[slot]!, s.spot.quoteCoin[i]!)]!;
  const unit = price * s.unitValue[i]!;
  let affordable = Math.min(lots, Math.floor(free / unit));
  const fits = (n: number): boolean => n * unit + feeOf(n * unit, Math.max(s.takerRate[i]!, 0)) <= free;
  if (fits(affordable)) return affordable;
  affordable = Math.min(affordable, Math.floor(free / (unit * (1 + s.takerRate[i]! / 1e8))) + 1);
  while (affordable > 0 && !fits(affordable)) affordable--;
  return affordable;
}

/**
 * Moves the coins of a fill whose size the order's `filled` already counts, and returns the fee that was charged: never more
 * than what the order has locked for it, so that fees rounded up fill by fill cannot overdraw by a last digit.
 */
export function settleSpot(s: SimState, slot: number, value: number, size: number, fee: number): number {
  const o = s.orders;
  const i = o.instrument[slot]!;
  const a = o.account[slot]!;
  const b = s.spot;
  const base = b.at(a, b.baseCoin[i]!);
  const quote = b.at(a, b.quoteCoin[i]!);
  const coins = size * b.coinUnit[i]!;
  let charged = fee;
  if ((o.traits[slot]! & SELL_BIT) !== 0) {
    b.locked[base]! -= coins;
    o.hold[slot]! -= coins;
    charged = Math.min(fee, value);
    b.free[quote]! += value - charged;
  } else {
    const left = o.size[slot]! - o.filled[slot]!;
    if ((o.traits[slot]! & MARKET_BIT) === 0) {
      const hold = spotCost(s, i, o.price[slot]!, left);
      const released = o.hold[slot]! - hold;
      charged = Math.min(fee, released - value);
      b.locked[quote]! -= released;
      b.free[quote]! += released;
      o.hold[slot] = hold;
    }
    b.free[quote]! -= value + charged;
    b.free[base]! += coins;
  }
  assert(b.free[quote]! >= 0 && b.free[base]! >= 0 && b.locked[base]! >= 0, 'a spot balance is never below zero');
  tellCash(s, slot, value, coins, charged);
  return charged;
}

function tellCash(s: SimState, slot: number, value: number, coins: number, fee: number): void {
  const { sink, spot, orders: o } = s;
  if (sink === null) return;
  const i = o.instrument[slot]!;
  const a = o.account[slot]!;
  const sign = (o.traits[slot]! & SELL_BIT) !== 0 ? 1 : -1;
  const quote = spot.coins[spot.quoteCoin[i]!]!;
  sink.cash(a, spot.coins[spot.baseCoin[i]!]!, -sign * coins, 'spot', o.no[slot]!);
  sink.cash(a, quote, sign * value, 'spot', o.no[slot]!);
  if (fee !== 0) sink.cash(a, quote, -fee, 'fee', o.no[slot]!);
}
