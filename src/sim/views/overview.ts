/** Summary of the venue for a person, over all accounts: complete counts and short lists. */
import type { Lots, Money, Ticks } from '../../domain/amounts/units.ts';
import type { SimLeg, SimOrder, SimOverview, SimWealth } from '../state/types.ts';
import type { Account, Leg } from '../state/account.ts';
import type { Order } from '../state/order.ts';
import type { SimState } from '../state/state.ts';
import { orderOf } from './views.ts';

/**
 * Lists orders and legs of the instruments marked in `isWanted`, at most `limit` of each, newest orders first, and the first `accounts`
 * accounts. Costs one pass over working orders and legs.
 */
export function overview(s: SimState, isWanted: readonly boolean[], limit: number, accounts: number): SimOverview {
  const byInstrument = s.markets.map(() => 0);
  const byAccount = s.accounts.map(() => 0);
  const newest: Order[] = [];
  let orders = 0;
  for (const market of s.markets) {
    for (const list of [market.buys.list(), market.sells.list(), market.triggerOrders]) {
      for (const order of list) {
        byInstrument[market.index]!++;
        byAccount[order.account.index]!++;
        if (!isWanted[market.index]) continue;
        orders++;
        keepNewest(newest, order, limit);
      }
    }
  }
  const legs = s.accounts.flatMap((account) => account.active.filter((leg) => isWanted[leg.market.index]));
  return {
    ordersByInstrument: byInstrument,
    fills: s.fill.fillNo,
    orders: { total: orders, newest: newest.map((order): SimOrder => orderOf(order)) },
    legs: { total: legs.length, first: legs.slice(0, limit).map(legOf) },
    accounts: s.accounts.slice(0, accounts).map((account, k) => wealthOf(account, byAccount[k]!)),
  };
}

/** Inserts an order into `kept`, which is sorted by number, highest first, and has at most `limit` entries. */
function keepNewest(kept: Order[], order: Order, limit: number): void {
  if (kept.length >= limit) {
    if (limit === 0 || order.no < kept[limit - 1]!.no) return;
    kept.pop();
  }
  let at = kept.length;
  while (at > 0 && kept[at - 1]!.no < order.no) at--;
  kept.splice(at, 0, order);
}

function legOf(leg: Leg): SimLeg {
  return {
    account: leg.account.index,
    instrument: leg.market.index,
    side: leg.side,
    total: leg.total as Lots,
    entryValue: leg.entryValue as Money,
    value: leg.value() as Money,
    markPrice: leg.market.mark() as Ticks,
    margin: leg.margin as Money,
    marginMode: leg.pair.isIsolated ? 1 : 0,
    unrealised: leg.unrealised() as Money,
    brackets: leg.market.brackets
      .filter((bracket) => bracket.leg === leg)
      .map(({ size, takeProfit, stopLoss }) => ({ size: size as Lots, takeProfit: takeProfit as Ticks, stopLoss: stopLoss as Ticks })),
  };
}

function wealthOf(account: Account, orders: number): SimWealth {
  const unrealised = account.unrealised();
  return {
    name: account.name,
    equity: (account.wallet() + unrealised) as Money,
    available: account.available() as Money,
    unrealised: unrealised as Money,
    realised: account.realised as Money,
    fees: account.fees as Money,
    funding: account.funding as Money,
    legs: account.active.length,
    orders,
  };
}
