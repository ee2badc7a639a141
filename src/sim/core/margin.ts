/** Margin mode and isolated margin of a symbol (E10, E11), and the venue's own look at what positions still carry. */
import { CLOSE, LONG, MARGIN_MODES, TAKER } from '../../domain/codes.ts';
import { CANCELLED, FILLED } from '../../domain/order.ts';
import { mulDivCeil } from '../../domain/scale.ts';
import { FUTURES } from '../kinds.ts';
import type { Account, Leg, Pair } from './account.ts';
import { fill, finish, marginOf, TICK_MS } from './fills.ts';
import { fireTriggers } from './fire.ts';
import { claim, create, deny, withdraw } from './place.ts';
import type { SimState } from './state.ts';

/** E10. Refused with 'margin-mode-conflict' while the symbol has a position or an order; the mode it has already is no change. */
export function setMarginMode(s: SimState, a: number, i: number, mode: number, time: number): boolean {
  s.now = time;
  const line = s.lines[i];
  if (line === undefined || line.isSpot) return deny(s, 'unknown-instrument');
  const pair = s.accounts[a]!.pairs[i]!;
  const isIsolated = MARGIN_MODES[mode] === 'ISOLATED';
  if (pair.isIsolated === isIsolated) return true;
  if (pair.hasStake()) return deny(s, 'margin-mode-conflict');
  pair.isIsolated = isIsolated;
  return true;
}

/**
 * E11: moves `amount` of money between the account and an isolated leg's margin. What is taken out leaves at least the initial
 * margin of the entry value, with the leg's loss so far on top.
 */
export function adjustMargin(s: SimState, a: number, i: number, side: number, amount: number, time: number): boolean {
  s.now = time;
  const line = s.lines[i];
  if (line === undefined || line.isSpot) return deny(s, 'unknown-instrument');
  const account = s.accounts[a]!;
  const pair = account.pairs[i]!;
  const leg = side === LONG ? pair.long : pair.short;
  if (leg.total === 0) return deny(s, 'no-position');
  if (!pair.isIsolated) return deny(s, 'cross-margin-unsupported');
  if (amount > 0 && amount > account.available()) return deny(s, 'insufficient-balance');
  if (amount < 0) {
    const needed = marginOf(leg.entryValue, line.leverage) - Math.min(0, leg.unrealised());
    if (leg.margin + amount < needed) return deny(s, 'insufficient-position-margin');
  }
  leg.margin += amount;
  account.isolatedMargin += amount;
  leg.updatedAt = time;
  return true;
}

/** Maintenance margin of a leg at the mark, rounded up. */
export function maintenanceOf(leg: Leg): number {
  return mulDivCeil(leg.value(), leg.line.maintenanceRate, 100_000_000);
}

/** Σ maintenance margin of the account's cross legs. */
export function crossMaintenance(account: Account): number {
  let sum = 0;
  for (const leg of account.active) if (!leg.pair.isIsolated) sum += maintenanceOf(leg);
  return sum;
}

/** The account's legs that are not flat, by instrument, LONG before SHORT. */
export function activeLegs(account: Account): Leg[] {
  return account.active.toSorted((x, y) => x.line.index - y.line.index || x.side - y.side);
}

/**
 * The venue's own work, once a second of its time while there are positions or triggers that watch the mark: these fire, and
 * what can no longer carry its maintenance margin is liquidated. Prices between two looks do not liquidate.
 */
export function look(s: SimState, time: number): void {
  s.now = time;
  for (const line of s.lines) if (line.plans.length > 0 || line.protections.length > 0) fireTriggers(s, line, false);
  let isWatching = s.markPlans > 0 || s.lines.some((line) => line.last === 0 && line.plans.length > 0);
  for (const account of s.accounts) {
    if (account.active.length === 0) continue;
    liquidateIsolated(s, account);
    liquidateCross(s, account);
    if (account.active.length > 0) isWatching = true;
  }
  s.nextDue = isWatching ? (Math.floor(time / TICK_MS) + 1) * TICK_MS : Infinity;
}

/** An isolated leg whose margin and profit together are at most its maintenance margin is closed, its symbol's orders cancelled. */
function liquidateIsolated(s: SimState, account: Account): void {
  let isAny = false;
  for (const leg of account.active) if (isExhausted(leg)) isAny = true;
  if (!isAny) return;
  for (const leg of activeLegs(account)) {
    if (!isExhausted(leg)) continue;
    cancelOrders(s, account, leg.pair);
    closeLeg(s, leg);
  }
}

function isExhausted(leg: Leg): boolean {
  return leg.pair.isIsolated && leg.total > 0 && leg.margin + leg.unrealised() <= maintenanceOf(leg);
}

/** Cross legs share one equity: at most the sum of their maintenance margins, all are closed and the account's cross orders cancelled. */
function liquidateCross(s: SimState, account: Account): void {
  if (account.crossEquity() > crossMaintenance(account)) return;
  const legs = activeLegs(account).filter((leg) => !leg.pair.isIsolated);
  if (legs.length === 0) return;
  for (const pair of account.pairs) if (!pair.isIsolated) cancelOrders(s, account, pair);
  for (const leg of legs) closeLeg(s, leg);
}

/** The venue's operator closes a leg, as if it could not be carried any more. Refused with 'no-position' when it is flat. */
export function liquidate(s: SimState, a: number, i: number, side: number, time: number): boolean {
  s.now = time;
  const pair = s.accounts[a]!.pairs[i]!;
  const leg = side === LONG ? pair.long : pair.short;
  if (leg.total === 0) return deny(s, 'no-position');
  cancelOrders(s, leg.account, pair);
  closeLeg(s, leg);
  return true;
}

/**
 * `amount` (10^-8, signed) of `coin` comes to or leaves the spot account (`isSpot`) or the futures account. Refused with
 * 'insufficient-balance' when more would leave than is free, with 'coin-not-found' when the account cannot hold the coin.
 */
export function deposit(s: SimState, a: number, isSpot: boolean, coin: string, amount: number): boolean {
  const account = s.accounts[a]!;
  const number = s.coins.indexOf(coin);
  if (isSpot ? number < 0 : coin !== s.coin) return deny(s, 'coin-not-found');
  const after = isSpot ? account.free[number]! + amount : Math.min(account.available(), account.wallet()) + amount;
  if (amount < 0 && after < 0) return deny(s, 'insufficient-balance');
  if (!Number.isSafeInteger(account.deposits + amount) || !Number.isSafeInteger(after)) return deny(s, 'invalid-request');
  if (isSpot) account.free[number] = after;
  else account.deposits += amount;
  s.sink?.cash(a, coin, amount, 'deposit', 0);
  return true;
}

/** Cancels the account's futures orders of one symbol. */
function cancelOrders(s: SimState, account: Account, pair: Pair): void {
  const { line } = pair.long;
  if (line.isSpot) return;
  for (const order of [...line.buys.list(), ...line.sells.list(), ...line.plans]) {
    if (order.account !== account) continue;
    withdraw(s, order);
    finish(s, order, CANCELLED);
  }
}

/** Closes the whole leg at once as taker at the opposite quote, whatever its size, or at the mark without a book. */
function closeLeg(s: SimState, leg: Leg): void {
  const order = create(s, leg, FUTURES, leg.side, CLOSE, true, 0, leg.total, 0);
  order.isByVenue = true;
  order.isLiquidation = true;
  claim(order, leg.pair.isIsolated, 0);
  s.sink?.order(order.no);
  fill(s, order, leg.line.reference(order.isSale), order.size, TAKER);
  finish(s, order, FILLED);
  leg.line.watch();
}
