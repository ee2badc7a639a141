/** Spot orders (E1, E2): the same books and fill rules as futures, paid from the spot account's coins. Sizes are in the base coin. */
import { MARKET } from '../../domain/codes.ts';
import type { Command } from '../../domain/command.ts';
import { MARKET_BIT, SELL_BIT, SPOT_BIT } from './orders.ts';
import { create, introduce, LEG_VALUE_MAX, referencePrice, refuse } from './place.ts';
import { lockSpot, spotCost } from './spot-settle.ts';
import type { SimState } from './state.ts';

/** Answers the order's number, or 0 with `refusal`. `command.side` is BUY or SELL. */
export function placeSpot(s: SimState, a: number, c: Command, tag: number, time: number): number {
  s.now = time;
  const i = c.instrument;
  if (!(i >= 0 && i < s.count) || s.isSpot[i] === 0) return refuse(s, 'unknown-instrument');
  const isSale = c.side === 1;
  const isMarket = c.type === MARKET;
  if (c.size > s.maxSize[i]!) return refuse(s, 'size-too-large');
  if (c.size <= 0 || c.size < s.minSize[i]!) return refuse(s, 'size-too-small');
  if (!isMarket && c.price <= 0) return refuse(s, 'price-required');
  const at = isMarket ? referencePrice(s, i, isSale) : c.price;
  const value = c.size * at * s.unitValue[i]!;
  if (value > LEG_VALUE_MAX) return refuse(s, 'size-too-large');
  if (at > 0 && value < s.minNotional[i]!) return refuse(s, 'size-too-small');
  const coin = isSale ? s.spot.baseCoin[i]! : s.spot.quoteCoin[i]!;
  const needed = isSale ? c.size * s.spot.coinUnit[i]! : spotCost(s, i, at, c.size);
  if (needed > s.spot.free[s.spot.at(a, coin)]!) return refuse(s, 'insufficient-balance');
  const traits = SPOT_BIT | c.side | (isSale ? SELL_BIT : 0) | (isMarket ? MARKET_BIT : 0);
  const slot = create(s, a, i, -1, traits, isMarket ? 0 : c.price, c.size, tag, 0);
  lockSpot(s, slot);
  return introduce(s, slot);
}
