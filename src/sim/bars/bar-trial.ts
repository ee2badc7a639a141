/**
 * Tries what would happen in a market without letting it happen: the state that a try may change is copied before and put back after it.
 * Nothing is reported meanwhile.
 */
import type { Account } from '../state/account.ts';
import { ClearingAccount } from '../state/clearing-account.ts';
import type { MarketState } from '../state/market-state.ts';
import type { Order } from '../state/order.ts';
import type { SimState } from '../state/state.ts';
import type { SimTap } from '../state/types.ts';

/** Puts back what it was made of. */
type Undo = () => void;

/** Runs `run` on the state and puts the state back. `tap` hears of the fills of account 0. Gives the equity of all accounts after it. */
export function tried(s: SimState, tap: SimTap | null, run: () => void): number {
  const undo = [fieldsOf(s), fieldsOf(s.fill), ...s.accounts.flatMap(accountOf), ...s.markets.flatMap(marketOf)];
  Object.assign(s, { sink: null, ledger: null, clearing: new ClearingAccount(s.coins.length), fees: triedFees(s) });
  for (const [k, account] of s.accounts.entries()) account.tap = k === 0 ? tap : null;
  const made: Order[] = [];
  s.trial = made;
  try {
    run();
    return s.accounts.reduce((sum, account) => sum + account.equity(), 0);
  } finally {
    for (const one of undo) one();
    // In reverse, so that the pool is as it was.
    for (const order of made.toReversed()) s.orders.release(order);
    s.trial = null;
  }
}

/** All own fields that are no functions; lists and records in them keep their own state. */
function fieldsOf(one: object): Undo {
  const copy = { ...one };
  return () => void Object.assign(one, copy);
}

function listOf(list: unknown[]): Undo {
  const copy = [...list];
  return () => {
    list.length = 0;
    for (const one of copy) list.push(one);
  };
}

/** Models that tell their rates and count nothing. */
function triedFees({ fees }: SimState): SimState['fees'] {
  return fees && fees.map((model) => ({ rate: (...given) => model.rate(...given), filled: () => undefined }));
}

function accountOf(account: Account): Undo[] {
  const coins = [account.free, account.locked].map((amounts) => {
    const copy = amounts.slice();
    return (): void => amounts.set(copy);
  });
  const pairs = account.pairs.flatMap((pair) => [fieldsOf(pair), fieldsOf(pair.long), fieldsOf(pair.short)]);
  return [fieldsOf(account), ...coins, ...pairs, listOf(account.active)];
}

function marketOf(market: MarketState): Undo[] {
  const { buys, sells, triggerOrders, brackets } = market;
  const [bought, sold] = [buys.list(), sells.list()];
  return [
    ...[...bought, ...sold, ...triggerOrders, ...brackets].map(fieldsOf),
    listOf(triggerOrders),
    listOf(brackets),
    (): void => {
      buys.load(bought);
      sells.load(sold);
    },
    fieldsOf(market),
  ];
}
