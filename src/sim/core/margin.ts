/** Margin mode and isolated margin of a symbol (E10, E11), and the venue's own look at what positions still carry. */
import { CLOSE, ISOLATED, TAKER } from '../../domain/codes.ts';
import { FILLED } from '../../domain/order.ts';
import { drop, fill, finish, marginOf, TICK_MS } from './fills.ts';
import { fireTriggers } from './fire.ts';
import { watch } from './match.ts';
import { BY_VENUE_BIT, ISOLATED_BIT, LIQUIDATION_BIT, MARKET_BIT, PLAN_BIT, SELL_BIT } from './orders.ts';
import { create, deny, hasStake, referencePrice, withdraw } from './place.ts';
import { mulDivCeil } from '../../domain/scale.ts';
import type { SimState } from './state.ts';

/** E10. Refused with 'margin-mode-conflict' while the symbol has a position or an order; the mode it has already is no change. */
export function setMarginMode(s: SimState, a: number, i: number, mode: number, time: number): boolean {
  s.now = time;
  if (!(i >= 0 && i < s.count) || s.isSpot[i] === 1) return deny(s, 'unknown-instrument');
  const pair = a * s.count + i;
  if (s.ledger.mode[pair] === mode) return true;
  if (hasStake(s, pair)) return deny(s, 'margin-mode-conflict');
  s.ledger.mode[pair] = mode;
  return true;
}

/**
 * E11: moves `amount` of money between the account and an isolated leg's margin. What is taken out leaves at least the initial
 * margin of the entry value, with the leg's loss so far on top.
 */
export function adjustMargin(s: SimState, a: number, i: number, side: number, amount: number, time: number): boolean {
  s.now = time;
  const l = s.ledger;
  if (!(i >= 0 && i < s.count) || s.isSpot[i] === 1) return deny(s, 'unknown-instrument');
  const leg = (a * s.count + i) * 2 + side;
  if (l.total[leg] === 0) return deny(s, 'no-position');
  if (!l.isIsolated(leg)) return deny(s, 'cross-margin-unsupported');
  if (amount > 0 && amount > l.available(a)) return deny(s, 'insufficient-balance');
  if (amount < 0) {
    const needed = marginOf(l.entryValue[leg]!, s.leverage[i]!) - Math.min(0, l.unrealised(leg));
    if (l.margin[leg]! + amount < needed) return deny(s, 'insufficient-position-margin');
  }
  l.margin[leg]! += amount;
  l.isolatedMargin[a]! += amount;
  l.updatedAt[leg] = time;
  return true;
}

/** Maintenance margin of a leg at the mark, rounded up. */
export function maintenanceOf(s: SimState, leg: number): number {
  const i = s.ledger.instrumentOf(leg);
  const value = s.market.mark(i) * s.ledger.total[leg]! * s.unitValue[i]!;
  return mulDivCeil(value, s.maintenanceRate[i]!, 100_000_000);
}

/** Equity that backs the account's cross legs. */
export function crossEquity(s: SimState, a: number): number {
  return s.ledger.wallet(a) - s.ledger.isolatedMargin[a]! + s.ledger.unrealisedOf(a, false);
}

/** Σ maintenance margin of the account's cross legs. */
export function crossMaintenance(s: SimState, a: number): number {
  const l = s.ledger;
  const from = a * s.count * 2;
  let sum = 0;
  for (let k = from; k < from + l.activeCount[a]!; k++) {
    const leg = l.active[k]!;
    if (!l.isIsolated(leg)) sum += maintenanceOf(s, leg);
  }
  return sum;
}

/**
 * The venue's own work, once a second of its time while there are positions or mark triggers: mark triggers fire, and
 * what can no longer carry its maintenance margin is liquidated. Prices between two looks do not liquidate.
 */
export function look(s: SimState, time: number): void {
  s.now = time;
  if (s.triggers.markPlans > 0) for (let i = 0; i < s.count; i++) if (s.triggers.plans[i]!.length > 0) fireTriggers(s, i);
  let isWatching = s.triggers.markPlans > 0;
  for (let a = 0; a < s.accounts.length; a++) {
    if (s.ledger.activeCount[a] === 0) continue;
    liquidateIsolated(s, a);
    liquidateCross(s, a);
    if (s.ledger.activeCount[a]! > 0) isWatching = true;
  }
  s.nextDue = isWatching ? (Math.floor(time / TICK_MS) + 1) * TICK_MS : Infinity;
}

/** An isolated leg whose margin and profit together are at most its maintenance margin is closed, its orders cancelled. */
function liquidateIsolated(s: SimState, a: number): void {
  const l = s.ledger;
  const from = a * s.count * 2;
  let isAny = false;
  for (let k = from; k < from + l.activeCount[a]!; k++) if (isExhausted(s, l.active[k]!)) isAny = true;
  if (!isAny) return;
  for (const leg of activeLegs(s, a)) {
    if (!isExhausted(s, leg)) continue;
    cancelWhere(s, a, leg >> 1);
    closeLeg(s, leg);
  }
}

function isExhausted(s: SimState, leg: number): boolean {
  const l = s.ledger;
  return l.isIsolated(leg) && l.total[leg]! > 0 && l.margin[leg]! + l.unrealised(leg) <= maintenanceOf(s, leg);
}

/** Cross legs share one equity: at most the sum of their maintenance margins, all are closed and the account's cross orders cancelled. */
function liquidateCross(s: SimState, a: number): void {
  if (crossEquity(s, a) > crossMaintenance(s, a)) return;
  const legs = activeLegs(s, a).filter((leg) => !s.ledger.isIsolated(leg));
  if (legs.length === 0) return;
  cancelWhere(s, a, -1);
  for (const leg of legs) closeLeg(s, leg);
}

function activeLegs(s: SimState, a: number): number[] {
  const from = a * s.count * 2;
  return Array.from(s.ledger.active.subarray(from, from + s.ledger.activeCount[a]!)).toSorted((x, y) => x - y);
}

/** Cancels the account's orders of one symbol (`pair`), or with −1 of all symbols in cross mode. */
function cancelWhere(s: SimState, a: number, pair: number): void {
  for (let i = 0; i < s.count; i++) {
    const own = a * s.count + i;
    if (pair >= 0 ? own !== pair : s.ledger.mode[own] === ISOLATED) continue;
    if (s.isSpot[i] === 1) continue;
    const resting = s.books.slice(i * 2, i * 2 + 2).flatMap((book) => Array.from(book.slots.subarray(0, book.count)));
    for (const slot of [...resting, ...s.triggers.plans[i]!]) {
      if (s.orders.account[slot] !== a) continue;
      withdraw(s, slot);
      drop(s, slot);
    }
  }
}

/** Closes the whole leg at once as taker at the opposite quote, whatever its size, or at the mark without a book. */
function closeLeg(s: SimState, leg: number): void {
  const l = s.ledger;
  const i = l.instrumentOf(leg);
  const side = leg & 1;
  const isSale = (side ^ CLOSE) === 1;
  let traits = side | (CLOSE << 1) | MARKET_BIT | BY_VENUE_BIT | LIQUIDATION_BIT | (isSale ? SELL_BIT : 0);
  if (l.isIsolated(leg)) traits |= ISOLATED_BIT;
  const slot = create(s, l.accountOf(leg), i, leg, traits & ~PLAN_BIT, 0, l.total[leg]!, 0, 0);
  s.sink?.order(s.orders.no[slot]!);
  fill(s, slot, referencePrice(s, i, isSale), s.orders.size[slot]!, TAKER);
  finish(s, slot, FILLED);
  watch(s, i);
}
