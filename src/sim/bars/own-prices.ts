/** Prices of own orders and exits that wait in a market: where the path of a bar may turn (domain/bar-paths.ts). */
import { CLOSE } from '../../domain/codes.ts';
import type { Leg } from '../state/account.ts';
import type { MarketState } from '../state/market-state.ts';
import type { Order } from '../state/order.ts';

/** On which side of the open the exits act. */
export interface Turns {
  readonly below: number[];
  readonly above: number[];
}

/** Number of orders and triggers with a price in the range, those that a fill would bring included. */
export function inRangeOf({ buys, sells, triggerOrders, brackets }: MarketState, low: number, high: number): number {
  const isIn = (price: number): boolean => price > 0 && price >= low && price <= high;
  let count = 0;
  const exits = (order: Order): void => {
    if (order.hasExits) for (const price of [order.takeProfit, order.stopLoss]) if (isIn(price)) count++;
  };
  for (const order of [...buys.list(), ...sells.list()]) {
    if (order.isTaking || !isIn(order.key)) continue;
    count++;
    exits(order);
  }
  for (const order of triggerOrders) {
    if (!isIn(order.trigger)) continue;
    count++;
    exits(order);
  }
  for (const { takeProfit, stopLoss } of brackets) for (const price of [takeProfit, stopLoss]) if (isIn(price)) count++;
  return count;
}

/** Prices on the path at which orders that wait now would open something. */
export function entriesOf({ buys, sells, triggerOrders }: MarketState): number[] {
  const found: number[] = [];
  for (const order of buys.list()) if (!order.isTaking && order.effect !== CLOSE) found.push(order.key - 1);
  for (const order of sells.list()) if (!order.isTaking && order.effect !== CLOSE) found.push(order.key + 1);
  for (const order of triggerOrders) found.push(order.trigger);
  return found;
}

/** Below 0 if everything that waits would open a LONG, above 0 if everything would open a SHORT. */
export function leanOf(market: MarketState): number {
  const opening = waiting(market).filter(({ effect }) => effect !== CLOSE);
  if (opening.every(({ leg }) => leg.side === 0)) return -opening.length;
  return opening.every(({ leg }) => leg.side === 1) ? opening.length : 0;
}

/** Prices at which stops, or instead of them targets, would close what is held or opened. */
export function turnsOf(market: MarketState, areTargets: boolean): Turns {
  const found: Turns = { below: [], above: [] };
  const add = ({ side }: Leg, price: number): void => {
    if (price > 0) ((side === 0) !== areTargets ? found.below : found.above).push(price);
  };
  const orders = waiting(market);
  const opening = orders.filter(({ hasExits }) => hasExits);
  for (const { leg, takeProfit, stopLoss } of [...market.brackets, ...opening]) add(leg, areTargets ? takeProfit : stopLoss);
  for (const { effect, leg, trigger, isUpward } of market.triggerOrders)
    if (effect === CLOSE && (isUpward === (leg.side === 0)) === areTargets) add(leg, trigger);
  if (!areTargets) return found;
  for (const { effect, leg, key, isTaking, isSell } of [...market.buys.list(), ...market.sells.list()])
    if (effect === CLOSE && !isTaking) add(leg, isSell ? key + 1 : key - 1);
  return found;
}

function waiting({ buys, sells, triggerOrders }: MarketState): Order[] {
  return [...buys.list(), ...sells.list(), ...triggerOrders];
}
