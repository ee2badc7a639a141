/**
 * Spot money. A limit buy locks value + taker fee of its unfilled part in the quote coin. A sell locks base coin. A market buy locks nothing
 * and fills only as far as the free balance pays. Fees are in the quote coin: added to a buy, deducted from a sell.
 */
import { assert } from '../../base/failure/assert.ts';
import { feeOf } from '../../domain/instrument.ts';
import type { MarketState } from '../state/market-state.ts';
import type { Order } from '../state/order.ts';
import type { SimState } from '../state/state.ts';
import { ONE } from '../../domain/amounts/units.ts';

/** Highest cost in quote coin of a buy of `lots` at `price`: value plus the higher of maker and taker fee. */
export function spotCost(market: MarketState, price: number, lots: number): number {
  const value = price * lots * market.unitValue;
  return value + feeOf(value, Math.max(market.makerRate, market.takerRate, 0));
}

/** Amount that a resting spot order of `lots` locks. */
export function spotHold(order: Order, lots: number): number {
  if (order.isSell) return lots * order.market.coinUnit;
  return order.isMarket ? 0 : spotCost(order.market, order.price, lots);
}

/** Index of the coin that the order spends. */
export function spentCoin(order: Order): number {
  return order.isSell ? order.market.baseCoin : order.market.quoteCoin;
}

/** Locks the amount that the order may need. The caller has checked the free balance. */
export function lockSpot(order: Order): void {
  const coin = spentCoin(order);
  order.hold = spotHold(order, order.size);
  order.account.free[coin]! -= order.hold;
  order.account.locked[coin]! += order.hold;
}

/** Releases the amount that an ended order still locks. */
export function releaseSpot(order: Order): void {
  const coin = spentCoin(order);
  order.account.locked[coin]! -= order.hold;
  order.account.free[coin]! += order.hold;
}

/** Lots that a market buy can pay at `price`, at most `lots`. */
export function affordableLots(order: Order, price: number, lots: number): number {
  const { market, account } = order;
  const free = account.free[market.quoteCoin]!;
  const unit = price * market.unitValue;
  const fits = (n: number): boolean => n * unit + feeOf(n * unit, Math.max(market.takerRate, 0)) <= free;
  let affordable = Math.min(lots, Math.floor(free / unit));
  if (fits(affordable)) return affordable;
  affordable = Math.min(affordable, Math.floor(free / (unit * (1 + market.takerRate / ONE))) + 1);
  while (affordable > 0 && !fits(affordable)) affordable--;
  return affordable;
}

/**
 * Exchanges the coins of a fill; `order.filled` already includes it. Returns the fee charged. It is at most the amount that the order has
 * locked for it, so that fees rounded up per fill cannot overdraw the account.
 */
export function settleSpot(s: SimState, order: Order, value: number, coins: number, fee: number): number {
  const { market, account } = order;
  const { free, locked } = account;
  const base = market.baseCoin;
  const quote = market.quoteCoin;
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
  const quote = s.coins[order.market.quoteCoin]!;
  s.ledger.cash(a, s.coins[order.market.baseCoin]!, -sign * coins, 'spot', order.no, 'spot');
  s.ledger.cash(a, quote, sign * value, 'spot', order.no, 'spot');
  if (fee !== 0) s.ledger.cash(a, quote, -fee, 'fee', order.no, 'spot');
}
