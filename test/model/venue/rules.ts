/** Decides whether an order is refused: the refusals in the venue's order. */
import { crosses, computedAt, referenceOf } from './market.ts';
import { coins, Decimal, least } from './money.ts';
import { accountFigures, freeCoins, hasPosition, lotsOf, spotCost, wantedLots } from './figures.ts';
import { wouldMeet } from './trading.ts';
import type { Exits, ModelOrder, World } from './world.ts';

/** "A leg, with all its orders at their prices, stays below this value": 2^51 units of 10^-8. */
const VALUE_MAX = new Decimal(2).pow(51).div(1e8);

/** "As far as its leverage is allowed in the tiers." */
function valueMax(w: World, { account, instrument: i, side }: OrderRequest): Decimal {
  const allowed = w.instruments[i]!.tiers.filter((tier) => tier.maxLeverage >= w.leverage(account, i, side));
  const upTo = allowed.at(-1)!.upTo;
  return upTo === Infinity ? VALUE_MAX : least(VALUE_MAX, coins(upTo));
}

export interface OrderRequest {
  readonly account: number;
  readonly instrument: number;
  readonly side: number;
  readonly isOpen: boolean;
  readonly isBuy: boolean;
  readonly isMarket: boolean;
  readonly isPostOnly: boolean;
  readonly isIsolated: boolean;
  readonly price: number;
  readonly size: number;
}

/** Why a futures order is refused, or ''. `old`: the order that it would replace, whose reservations do not count. */
export function refusalOf(w: World, request: OrderRequest, old: ModelOrder | null = null): string {
  const { account, instrument: i, side, isOpen, size, price, isMarket } = request;
  const x = w.instruments[i]!;
  const held = lotsOf(w, account, i, side);
  if (!isOpen && held === 0) return 'no-position';
  if (w.isIsolated[account]![i] !== request.isIsolated && hasPosition(w, account, i)) return 'margin-mode-conflict';
  if (size > x.maxSize) return 'size-too-large';
  if (size <= 0 || (isOpen && size < x.minSize)) return 'size-too-small';
  if (!isMarket && price <= 0) return 'price-required';
  if (!isOpen) return size > held - wantedLots(w, account, i, side, false, old) ? 'exceeds-position' : '';
  const at = computedAt(w, request);
  if (at === 0) return 'price-required';
  const whole = held + wantedLots(w, account, i, side, true, old) + size;
  if (w.value(i, at, whole).gt(valueMax(w, request))) return 'size-too-large';
  const value = w.value(i, at, size);
  if (value.lt(coins(x.minNotional))) return 'size-too-small';
  const { available, movable } = accountFigures(w, account, old);
  return w.margin(request, value).gt(request.isIsolated ? movable : available) ? 'insufficient-balance' : '';
}

/**
 * True if a take-profit or a stop-loss is on the wrong side of the entry: the limit, or the opposite quote where the order would fill better
 * than that. A trigger order enters at its limit or its trigger. Without a price nothing is wrong.
 */
export function isMisplaced(w: World, { instrument, side, isMarket, price }: OrderRequest, exits: Exits | null, trigger = 0): boolean {
  const { book } = w.markets[instrument]!;
  const quote = trigger > 0 || book === null ? 0 : side === 0 ? book.ask : book.bid;
  const entries = [isMarket ? trigger : price, quote].filter((at) => at > 0);
  if (w.spec.bracketSide === 'any' || exits === null || entries.length === 0) return false;
  const { takeProfit, stopLoss } = exits;
  if (side === 0) {
    const entry = Math.min(...entries);
    return (takeProfit > 0 && takeProfit <= entry) || stopLoss >= entry;
  }
  const entry = Math.max(...entries);
  return takeProfit >= entry || (stopLoss > 0 && stopLoss <= entry);
}

/** True if a post-only order would take, from the market or from another account. */
export function wouldTake(w: World, { isPostOnly, account, instrument, isBuy, isMarket, price }: OrderRequest): boolean {
  return isPostOnly && (crosses(w, instrument, isBuy, isMarket, price) || wouldMeet(w, account, instrument, isBuy, price));
}

export function spotRefusalOf(w: World, request: OrderRequest): string {
  const { account, instrument: i, size, price, isMarket, isBuy } = request;
  const x = w.instruments[i]!;
  if (size > x.maxSize) return 'size-too-large';
  if (size <= 0 || size < x.minSize) return 'size-too-small';
  if (!isMarket && price <= 0) return 'price-required';
  const at = isMarket ? referenceOf(w, i, isBuy) : price;
  const value = w.value(i, at, size);
  const worth = isBuy ? value : w.value(i, Math.max(at, referenceOf(w, i, isBuy)), size);
  if (worth.gt(VALUE_MAX)) return 'size-too-large';
  if (at > 0 && value.lt(coins(x.minNotional))) return 'size-too-small';
  const needed = isBuy ? spotCost(w, i, at, size) : w.baseCoins(i, size);
  return needed.gt(freeCoins(w, account, isBuy ? x.quoteCoin : x.baseCoin)) ? 'insufficient-balance' : '';
}
