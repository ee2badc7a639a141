/** Orders as new plain objects. */
import { directionOf, LONG, OPEN } from '../../domain/codes.ts';
import { WORKING } from '../../domain/orders/order.ts';
import { unitPrice } from '../../domain/instrument.ts';
import type { Lots, Millis, Money, Ticks } from '../../domain/amounts/units.ts';
import { TRIGGER, type FUTURES, type SPOT } from '../state/kinds.ts';
import type { SimOrder } from '../state/types.ts';
import type { Order } from '../state/order.ts';
import type { SimState } from '../state/state.ts';

export function orderOf(order: Order): SimOrder {
  const { market, hasExits } = order;
  const exit = (ticks: number): Ticks => (hasExits ? ticks : 0) as Ticks;
  const isTrigger = order.kind === TRIGGER;
  return {
    no: order.no,
    account: order.account.index,
    tag: order.tag,
    instrument: market.index,
    kind: order.kind as typeof FUTURES | typeof TRIGGER | typeof SPOT,
    side: order.side,
    effect: order.effect,
    direction: directionOf(order.side, order.effect),
    type: order.isMarket ? 1 : 0,
    price: order.price as Ticks,
    size: order.size as Lots,
    filled: order.filled as Lots,
    filledValue: order.filledValue as Money,
    averagePrice: unitPrice(market.instrument, order.filledValue, order.filled),
    fee: order.fee as Money,
    realised: order.realised as Money,
    status: order.status,
    force: order.force,
    marginMode: order.isIsolated ? 1 : 0,
    leverage: order.leg.leverage,
    trigger: (isTrigger ? order.trigger : 0) as Ticks,
    triggerBy: isTrigger && order.isByMark ? 1 : 0,
    takeProfit: exit(order.takeProfit),
    takeProfitLimit: exit(order.takeProfitLimit),
    stopLoss: exit(order.stopLoss),
    stopLossLimit: exit(order.stopLossLimit),
    byVenue: order.isByVenue,
    parent: order.parent,
    createdAt: order.createdAt as Millis,
    updatedAt: order.updatedAt as Millis,
  };
}

export function findOrder(s: SimState, orderNo: number): SimOrder | null {
  const found = s.orders.find(orderNo);
  return found === null ? null : orderOf(found);
}

export function isWorking(s: SimState, orderNo: number): boolean {
  return s.orders.find(orderNo)?.status === WORKING;
}

/** Up to `limit` working orders with numbers below `below`, newest first, of an instrument (−1: all). */
export function pending(s: SimState, a: number, i: number, below = Infinity, limit = Infinity): SimOrder[] {
  const found: Order[] = [];
  const take = (order: Order): void => {
    if (order.account.index === a && order.no < below) found.push(order);
  };
  for (const market of i < 0 ? s.markets : s.markets.slice(i, i + 1)) {
    for (const side of [market.buys, market.sells]) side.forEach(take);
    market.triggerOrders.forEach(take);
  }
  found.sort((x, y) => y.no - x.no);
  return found.slice(0, limit).map(orderOf);
}

/** Lots of the account's LONG leg minus those of its SHORT leg. */
export function netLots(s: SimState, a: number, i: number): number {
  const { long, short } = s.accounts[a]!.pairs[i]!;
  return long.total - short.total;
}

/** Lots of the account's working OPEN orders, trigger orders included: of buys minus of sells. */
export function openingLots(s: SimState, a: number, i: number): number {
  const { buys, sells, triggerOrders } = s.markets[i]!;
  let sum = 0;
  const add = (order: Order): void => {
    if (order.account.index === a && order.effect === OPEN) sum += order.side === LONG ? order.size : -order.size;
  };
  for (const side of [buys, sells]) side.forEach(add);
  triggerOrders.forEach(add);
  return sum;
}

/** The account's working order of instrument `i` with this tag, or null. The order that a trigger order creates has its tag. */
export function workingOf(s: SimState, a: number, i: number, tag: number): Order | null {
  const { buys, sells, triggerOrders } = s.markets[i]!;
  for (const orders of [buys.list(), sells.list()]) {
    const found = orders.find((order) => isOf(order, a, tag));
    if (found !== undefined) return found;
  }
  return triggerOrders.find((order) => isOf(order, a, tag)) ?? null;
}

function isOf(order: Order, a: number, tag: number): boolean {
  return order.tag === tag && order.account.index === a;
}

/** Up to `limit` ended orders with numbers below `below`, newest first. Costs one pass over the ring. */
export function history(s: SimState, a: number, i: number, below: number, limit: number): SimOrder[] {
  const { ended, endedNext } = s.accounts[a]!;
  const found: Order[] = [];
  for (let back = 1; back <= ended.length; back++) {
    const next = ended[(endedNext - back + ended.length) % ended.length]!;
    if (next.no >= below || (i >= 0 && next.market.index !== i)) continue;
    if (found.length >= limit) {
      if (next.no < found[limit - 1]!.no) continue;
      found.pop();
    }
    let at = found.length;
    // Orders end roughly in order of their numbers, so the position is near the end.
    if (limit < Infinity) while (at > 0 && found[at - 1]!.no < next.no) at--;
    found.splice(at, 0, next);
  }
  if (limit === Infinity) found.sort((x, y) => y.no - x.no);
  return found.map(orderOf);
}

/** Ended orders with `tag`, newest first. */
export function endedOf(s: SimState, a: number, i: number, tag: number): SimOrder[] {
  const { ended, endedTags } = s.accounts[a]!;
  const found = endedTags.placesOf(tag).map((place) => ended[place]!);
  const wanted = i < 0 ? found : found.filter((order) => order.market.index === i);
  return wanted.sort((x, y) => y.no - x.no).map(orderOf);
}

export function tags(s: SimState): Set<number> {
  return new Set(s.orders.all.filter((order) => order.no > 0 && order.tag > 0).map((order) => order.tag));
}

export function accountNamed(s: SimState, name: string): number {
  return s.accounts.findIndex((account) => account.name === name);
}

export function futures(s: SimState): number[] {
  return s.markets.filter((market) => !market.isSpot).map((market) => market.index);
}
