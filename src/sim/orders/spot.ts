/** Places spot orders (E1). They use the books and fill rules of futures, paid with coins. Sizes are in the base coin. */
import { MARKET } from '../../domain/codes.ts';
import type { Command } from '../../domain/orders/command.ts';
import { SPOT } from '../state/kinds.ts';
import { VALUE_MAX, type Account } from '../state/account.ts';
import type { MarketState } from '../state/market-state.ts';
import { introduce } from '../matching/book.ts';
import { create } from './create.ts';
import { isFull } from './open-orders.ts';
import { lockSpot, spotCost } from '../matching/spot-settle.ts';
import type { SimState } from '../state/state.ts';

/** Returns the order's number, or 0 with `refusal`. `command.side` is BUY or SELL. */
export function placeSpot(s: SimState, a: number, c: Command, tag: number, time: number): number {
  s.now = time;
  const market = s.markets[c.instrument];
  if (market === undefined || !market.isSpot) return s.refuse('unknown-instrument');
  const account = s.accounts[a]!;
  const isSell = c.side === 1;
  const isMarket = c.type === MARKET;
  if (c.size > market.maxSize) return s.refuse('size-too-large');
  if (c.size <= 0 || c.size < market.minSize) return s.refuse('size-too-small');
  if (!isMarket && c.price <= 0) return s.refuse('price-required');
  const price = isMarket ? market.reference(isSell) : c.price;
  const value = c.size * price * market.unitValue;
  if (!isExact(account, market, isSell, c.size, price)) return s.refuse('size-too-large');
  if (price > 0 && value < market.minNotional) return s.refuse('size-too-small');
  const needed = isSell ? c.size * market.coinUnit : spotCost(market, price, c.size);
  if (needed > account.free[isSell ? market.baseCoin : market.quoteCoin]!) return s.refuse('insufficient-balance');
  if (isFull(s, account, market)) return s.refuse('size-too-large');
  const order = create(s, account.pairs[market.index]!.long, SPOT, c.side, 0, isMarket ? 0 : c.price, c.size, tag);
  lockSpot(order);
  return introduce(s, order);
}

/** True if the order's value (of a sell: at the price it would take) and the balances after it are exact numbers. */
function isExact(account: Account, market: MarketState, isSell: boolean, size: number, price: number): boolean {
  const worth = size * market.unitValue * (isSell ? Math.max(price, market.reference(isSell)) : price);
  const coin = isSell ? market.quoteCoin : market.baseCoin;
  const held = account.free[coin]! + account.locked[coin]!;
  return worth <= VALUE_MAX && held + (isSell ? worth : size * market.coinUnit) <= Number.MAX_SAFE_INTEGER;
}
