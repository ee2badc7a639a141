/**
 * Spot money. A limit buy locks value + taker fee of what is unfilled in the quote coin, a sell locks its base coin, a market buy
 * locks nothing and takes only what the free balance pays. Fees are always in the quote coin: added to a buy, taken from a sale.
 */
import { assert } from '../../base/assert.ts';
import { feeOf } from '../../domain/instrument.ts';
import type { MarketState } from '../state/market-state.ts';
import type { Order } from '../state/order.ts';
import type { SimState } from '../state/state.ts';

/** Quote coin that a buy of `lots` at `price` may cost: value and the higher of the two fees. */
export function spotCost(line: MarketState, price: number, lots: number): number {
  const value = price * lots * line.unitValue;
  return value + feeOf(value, Math.max(line.makerRate, line.takerRate, 0));
}

/** What a resting spot order of `lots` locks. */
export function spotHold(order: Order, lots: number): number {
  if (order.isSell) return lots * order.line.coinUnit;
  return order.isMarket ? 0 : spotCost(order.line, order.price, lots);
}

/** Number of the coin that the order spends. */
export function spentCoin(order: Order): number {
  return order.isSell ? order.line.baseCoin : order.line.quoteCoin;
}

/** Locks what the order may need. The caller has checked that it is free. */
export function lockSpot(order: Order): void {
  const coin = spentCoin(order);
  order.hold = spotHold(order, order.size);
  order.account.free[coin]! -= order.hold;
  order.account.locked[coin]! += order.hold;
}

/** Gives back what an ended order still locks. */
export function releaseSpot(order: Order): void {
  const coin = spentCoin(order);
  order.account.locked[coin]! -= order.hold;
  order.account.free[coin]! += order.hold;
}

/** Lots, at most `lots`, that a market buy can pay at `price`. */
export function affordableLots(order: Order, price: number, lots: number): number {
  const { line, account } = order;
  const free = account.free[line.quoteCoin]!;
  const unit = price * line.unitValue;
  const fits = (n: number): boolean => n * unit + feeOf(n * unit, Math.max(line.takerRate, 0)) <= free;
  let affordable = Math.min(lots, Math.floor(free / unit));
  if (fits(affordable)) return affordable;
  affordable = Math.min(affordable, Math.floor(free / (unit * (1 + line.takerRate / 1e8))) + 1);
  while (affordable > 0 && !fits(affordable)) affordable--;
  return affordable;
}

/**
 * Moves the coins of a fill whose size the order's `filled` already counts, and returns the fee that was charged: never more
 * than what the order has locked for it, so that fees rounded up fill by fill cannot overdraw by a last digit.
 */
export function settleSpot(s: SimState, order: Order, value: number, coins: number, fee: number): number {
  const { line, account } = order;
  const { free, locked } = account;
  const base = line.baseCoin;
  const quote = line.quoteCoin;
  let charged = fee;
  if (order.isSell) {
    locked[base]! -= coins;
    order.hold -= coins;
    charged = Math.min(fee, value);
    free[quote]! += value - charged;
  } else {
    if (!order.isMarket) {
      const hold = spotHold(order, order.size - order.filled);
      const released = order.hold - hold;
      charged = Math.min(fee, released - value);
      locked[quote]! -= released;
      free[quote]! += released;
      order.hold = hold;
    }
    free[quote]! -= value + charged;
    free[base]! += coins;
  }
  const sign = order.isSell ? 1 : -1;
  s.clearing.coins[base]!.add(sign * coins);
  s.clearing.coins[quote]!.add(charged - sign * value);
  assert(free[quote]! >= 0 && free[base]! >= 0 && locked[base]! >= 0, 'a spot balance is never below zero');
  assert(Math.max(free[quote]!, free[base]!) <= Number.MAX_SAFE_INTEGER, 'a spot balance is exact');
  reportCash(s, order, value, coins, charged);
  return charged;
}

function reportCash(s: SimState, order: Order, value: number, coins: number, fee: number): void {
  if (s.ledger === null) return;
  const sign = order.isSell ? 1 : -1;
  const a = order.account.index;
  const quote = s.coins[order.line.quoteCoin]!;
  s.ledger.cash(a, s.coins[order.line.baseCoin]!, -sign * coins, 'spot', order.no, 'spot');
  s.ledger.cash(a, quote, sign * value, 'spot', order.no, 'spot');
  if (fee !== 0) s.ledger.cash(a, quote, -fee, 'fee', order.no, 'spot');
}
