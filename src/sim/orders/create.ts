/**
 * @hot Creates the record of a new order and claims its lots of the leg and the margin that `checkOpen` computed.
 */
import * as codes from '../../domain/codes.ts';
import * as states from '../../domain/orders/order.ts';
import * as kinds from '../state/kinds.ts';
import type { Leg } from '../state/account.ts';
import type { Order } from '../state/order.ts';
import * as resting from '../state/resting.ts';
import type { SimState } from '../state/state.ts';
import { GTC } from '../../domain/orders/time-in-force.ts';

const { CLOSE } = codes;
const { TRIGGER } = kinds;
const { FARTHEST } = resting;
const { WORKING } = states;

/** The record of a new order, without claims. `price` is 0 for a market order. For spot `leg` is any leg of the account. */
export function create(s: SimState, leg: Leg, kind: number, side: number, effect: number, price: number, size: number, tag: number): Order {
  const order = s.orders.claim(++s.lastNo, leg.account, leg.market, leg);
  const isSell = side !== effect;
  order.tag = tag;
  order.parent = 0;
  order.kind = kind;
  order.side = side;
  order.effect = effect;
  order.isSell = isSell;
  order.force = GTC;
  order.isIsolated = false;
  order.isTaking = false;
  order.isByVenue = false;
  order.isLiquidation = false;
  order.hasExits = false;
  order.status = WORKING;
  if (price > 0 || isSell) order.key = price;
  else order.key = FARTHEST;
  order.price = price;
  order.size = size;
  order.filled = 0;
  order.filledValue = 0;
  order.fee = 0;
  order.realised = 0;
  order.ahead = 0;
  order.hold = 0;
  order.createdAt = s.now;
  order.updatedAt = s.now;
  s.made = order;
  if (s.trial !== null) s.trial.push(order);
  return order;
}

/** Claims lots to close, or lots to open and the margin that `checkOpen` computed. Fixes the order's margin mode. */
export function claim(s: SimState, order: Order, isIsolated: boolean): void {
  const leg = order.leg;
  order.isIsolated = isIsolated;
  if (leg.pair.isIsolated !== isIsolated) leg.pair.switchMode(isIsolated);
  if (order.kind === TRIGGER) return;
  if (order.effect === CLOSE) {
    leg.locked += order.size;
    return;
  }
  order.holdPrice = s.computed;
  order.hold = s.margin;
  leg.opening += order.size;
  order.account.holds += s.margin;
}

export function setBracket(order: Order, takeProfit: number, takeProfitLimit: number, stopLoss: number, stopLossLimit: number): void {
  order.hasExits = takeProfit > 0 || stopLoss > 0;
  order.takeProfit = takeProfit;
  order.takeProfitLimit = takeProfitLimit;
  order.stopLoss = stopLoss;
  order.stopLossLimit = stopLossLimit;
}
