/** Checks the simulator: recomputes everything that is stored redundantly and compares it exactly. */
import { assert } from '../../base/failure/assert.ts';
import { WORKING } from '../../domain/orders/order.ts';
import { TRIGGER, SPOT } from '../state/kinds.ts';
import type { Account, Leg, Pair } from '../state/account.ts';
import type { MarketState } from '../state/market-state.ts';
import type { Order } from '../state/order.ts';
import { spentCoin, spotHold } from '../matching/spot-settle.ts';
import type { SimState } from '../state/state.ts';
import { ZeroSum } from '../state/wide-sum.ts';

/** Sums over the working orders of a leg or account. */
class Claims {
  readonly locked = new Map<Leg, number>();
  readonly opening = new Map<Leg, number>();
  readonly holds = new Map<Account, number>();
  readonly coins = new Map<Account, number[]>();
}

/**
 * Checks that money and coins of all accounts and the clearing account add up to the deposits. Costs one pass over the accounts.
 * @throws AssertionError at the first difference
 */
export function assertConserved(s: SimState): void {
  const { clearing, accounts } = s;
  const futures = new ZeroSum();
  for (const sum of [clearing.fees, clearing.market, clearing.funding, clearing.insurance]) futures.addSum(sum);
  for (const account of accounts) {
    const { realised, fees, funding, insurance, flow } = account;
    assert(flow + account.entry() === realised, 'what was sold and bought = what was realised and what is held at entry');
    for (const amount of [realised, -fees, funding, insurance]) futures.add(amount);
  }
  assert(futures.isZero(), 'changes of all wallets and of the clearing account add up to zero');
  clearing.assertBalanced();
  for (const [coin, name] of s.coins.entries()) {
    const sum = new ZeroSum();
    sum.addSum(clearing.coins[coin]!);
    for (const { free, locked, spotDeposits } of accounts) sum.add(free[coin]! + locked[coin]! - spotDeposits[coin]!);
    assert(sum.isZero(), `accounts and market together have as much ${name} as was deposited`);
  }
}

/** Checks every redundant value. @throws AssertionError at the first difference */
export function audit(s: SimState): void {
  const claims = new Claims();
  assertConserved(s);
  let resting = 0;
  for (const market of s.markets) resting += auditMarket(market, claims);
  let working = 0;
  for (const order of s.orders.all) {
    if (order.no === 0) continue;
    assert(s.orders.find(order.no) === order, 'a number finds its order');
    if (order.status === WORKING) working++;
  }
  assert(working === resting, 'every working order rests in a book or waits for a trigger');
  for (const account of s.accounts) {
    for (const pair of account.pairs) {
      auditLeg(pair.long, claims);
      auditLeg(pair.short, claims);
    }
    auditMoney(account, claims.holds.get(account) ?? 0);
    const { ended, endedTags } = account;
    assert(ended.length === endedTags.length, 'every ended order has its tag beside it');
    for (const [k, { tag }] of ended.entries()) assert(endedTags.at(k) === tag, 'the tag beside an ended order is its own');
    for (const [coin, free] of account.free.entries()) {
      assert(free >= 0, 'a free balance is not negative');
      assert(account.locked[coin] === (claims.coins.get(account)?.[coin] ?? 0), 'locked coins = what resting spot orders hold');
    }
  }
}

/** Checks the orders of a market. Returns the number of resting orders and trigger orders. */
function auditMarket(market: MarketState, claims: Claims): number {
  let taking = 0;
  for (const side of [market.buys, market.sells]) {
    const orders = side.list();
    for (const [k, order] of orders.entries()) {
      assert(order.market === market && order.isSell === side.sign < 0, 'an order rests in its own book');
      if (k > 0) assertRank(orders[k - 1]!, order, side.sign);
      if (order.isTaking) taking++;
      addClaim(claims, order);
    }
  }
  assert(taking === market.taking, 'resting takers are counted');
  for (const order of market.triggerOrders) {
    assert(order.kind === TRIGGER && order.status === WORKING, 'a waiting trigger order is working');
  }
  for (const p of market.brackets) assert(p.leg.total > 0, 'a flat leg has no bracket');
  return market.buys.size + market.sells.size + market.triggerOrders.length;
}

function assertRank(worse: Order, better: Order, sign: number): void {
  const ahead = (better.key - worse.key) * sign;
  assert(ahead > 0 || (ahead === 0 && better.no < worse.no), 'a book is in price-time order');
}

function add<K>(sums: Map<K, number>, key: K, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}

function addClaim(claims: Claims, order: Order): void {
  const { market, leg, account } = order;
  const left = order.size - order.filled;
  assert(order.status === WORKING && left > 0, 'a resting order has an unfilled part');
  assert(order.kind !== TRIGGER, 'a trigger order is in no book');
  if (order.kind === SPOT) {
    assert(order.hold === spotHold(order, left), 'a spot order locks what it may need');
    const coins = claims.coins.get(account) ?? Array.from(account.free, () => 0);
    coins[spentCoin(order)]! += order.hold;
    claims.coins.set(account, coins);
    return;
  }
  if (order.effect === 1) {
    add(claims.locked, leg, left);
    return;
  }
  add(claims.opening, leg, left);
  assert(order.hold === leg.marginOf(left * order.holdPrice * market.unitValue), 'a hold fits what is unfilled');
  add(claims.holds, account, order.hold);
}

function auditLeg(leg: Leg, claims: Claims): void {
  const { total, entryValue } = leg;
  const locked = claims.locked.get(leg) ?? 0;
  assert(Number.isSafeInteger(total) && total >= 0, 'a leg holds a whole number of lots');
  assert(Number.isSafeInteger(entryValue) && entryValue >= 0, 'an entry value is exact');
  assert(total > 0 || entryValue === 0, 'a flat leg has no entry value');
  assert(leg.locked === locked, 'locked = unfilled lots of CLOSE orders');
  assert(leg.opening === (claims.opening.get(leg) ?? 0), 'opening = unfilled lots of OPEN orders');
  assert(locked <= total, 'locked is at most the size of the leg');
  assert(leg.margin >= 0 && (total > 0 || leg.margin === 0), 'a margin is not below zero, and a flat leg has none');
  if (!leg.pair.isIsolated) assert(leg.margin === leg.marginOf(entryValue), 'cross margin = value / leverage');
  assert(leg.account.active.includes(leg) === total > 0, 'the list of legs is complete');
  assert(heldPairs(leg.account).includes(leg.pair) === leg.pair.hasPosition(), 'the list of pairs is complete');
}

function heldPairs(account: Account): Pair[] {
  const pairs: Pair[] = [];
  for (let pair = account.held; pair !== null; pair = pair.next) pairs.push(pair);
  return pairs;
}

/** Computes equity in two ways: from realised profit, and from the values bought and sold. */
function auditMoney(account: Account, holds: number): void {
  const legs = account.pairs.flatMap((pair) => [pair.long, pair.short]);
  const sum = (of: (leg: Leg) => number): number => legs.reduce((total, leg) => total + of(leg), 0);
  const realised = sum((leg) => leg.everRealised);
  assert(realised === account.realised, 'realised = sum over legs');
  assert(holds === account.holds, 'holds = sum over OPEN orders');
  assert(sum((leg) => (leg.pair.isIsolated ? 0 : leg.margin)) === account.crossMargin, 'cross margin = sum over legs');
  assert(sum((leg) => (leg.pair.isIsolated ? leg.margin : 0)) === account.isolatedMargin, 'isolated margin = sum over legs');
  const unrealised = sum((leg) => leg.unrealised());
  const { deposits, fees, funding, insurance, flow } = account;
  const paid = funding + insurance - fees;
  const equity = deposits + realised + unrealised + paid;
  assert(Number.isSafeInteger(equity), 'equity is an exact integer');
  assert(account.equity() === equity, 'equity = deposits + realised + unrealised − fees + funding + insurance');
  const worth = sum((leg) => (leg.side === 0 ? leg.value() : -leg.value()));
  assert(deposits + flow + paid + worth === equity, 'equity = deposits + sold − bought − fees + funding + insurance + worth of legs');
}
