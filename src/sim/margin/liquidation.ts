/**
 * Liquidates an account below its maintenance margin, step by step until it is covered: cancels its orders, reduces its legs tier by tier,
 * then closes them. The insurance fund pays a loss beyond its money. The venue closes as taker at the opposite quote, regardless of the
 * displayed size, or at the mark without a book.
 */
import { CLOSE, LONG } from '../../domain/codes.ts';
import { CANCELLED } from '../../domain/orders/order.ts';
import { maintenanceAtMost, maintenanceMargin, tierOf } from '../../domain/tiers.ts';
import type { Money } from '../../domain/amounts/units.ts';
import { FUTURES } from '../state/kinds.ts';
import type { LiquidationStep } from '../state/terms.ts';
import type { Account, Leg, Pair } from '../state/account.ts';
import { fill, finish, insure, TAKES } from '../matching/fills.ts';
import type { Order } from '../state/order.ts';
import { claim, create } from '../orders/create.ts';
import { withdraw } from '../orders/place.ts';
import type { SimState } from '../state/state.ts';

/** Maintenance margin of a leg: from its value at the mark and the instrument's tiers. */
export function maintenanceOf(leg: Leg): number {
  return maintenanceMargin(leg.market.tiers, leg.value());
}

/** Σ maintenance margin of the account's cross legs. */
export function crossMaintenance(account: Account): number {
  const active = account.active;
  let sum = 0;
  for (let k = 0; k < active.length; k++) if (!active[k]!.pair.isIsolated) sum += maintenanceOf(active[k]!);
  return sum;
}

/** The account's legs with a position, by instrument, LONG before SHORT. */
export function activeLegs(account: Account): Leg[] {
  return account.active.toSorted((x, y) => x.market.index - y.market.index || x.side - y.side);
}

/** Liquidates isolated legs first, each alone, then all cross legs together. Checks first whether any needs it, which is rare. */
export function liquidate(s: SimState, account: Account): void {
  const active = account.active;
  let isAny = false;
  for (let k = 0; k < active.length; k++) if (isExhausted(active[k]!)) isAny = true;
  if (isAny) for (const leg of activeLegs(account)) if (isExhausted(leg)) liquidateIsolated(s, leg);
  if (isUncovered(account)) liquidateCross(s, account);
}

/** True if the account, or an isolated leg of it, must be liquidated. */
export function isShort(account: Account): boolean {
  return account.active.some(isExhausted) || (account.active.length > 0 && isUncovered(account));
}

/** Liquidates the accounts of which that is true. */
export function liquidateShort(s: SimState): void {
  for (const account of s.accounts.filter(isShort)) liquidate(s, account);
}

/** True if the cross legs must be liquidated: crossEquity ≤ Σ maintenance. */
function isUncovered(account: Account): boolean {
  const equity = account.crossEquity();
  return equity <= crossMaintenanceAtMost(account) && equity <= crossMaintenance(account);
}

/** A bound of `crossMaintenance` that is cheaper. */
function crossMaintenanceAtMost({ active }: Account): number {
  let sum = 0;
  for (let k = 0; k < active.length; k++) {
    const leg = active[k]!;
    if (!leg.pair.isIsolated) sum += maintenanceAtMost(leg.market.tiers, leg.value());
  }
  return sum;
}

/** Liquidates a leg on the operator's command. Refused with 'no-position' if it is flat. */
export function liquidateLeg(s: SimState, a: number, i: number, side: number, time: number): boolean {
  s.now = time;
  const pair = s.accounts[a]!.pairs[i]!;
  const leg = side === LONG ? pair.long : pair.short;
  if (leg.total === 0) return s.deny('no-position');
  cancelAll(s, leg.account, [pair], leg);
  closePart(s, leg, leg.total, backingOf(leg), maintenanceOf(leg));
  return true;
}

/** True if an isolated leg must be liquidated: margin + unrealised ≤ maintenance. */
function isExhausted(leg: Leg): boolean {
  return leg.pair.isIsolated && leg.total > 0 && backingOf(leg) <= maintenanceOf(leg);
}

/** Equity behind an isolated leg: margin + unrealised. */
export function backingOf(leg: Leg): number {
  return leg.margin + leg.unrealised();
}

/** Cancels the account's orders of the symbol, then reduces the leg one tier at a time. In the lowest tier it is closed. */
function liquidateIsolated(s: SimState, leg: Leg): void {
  cancelAll(s, leg.account, [leg.pair], leg);
  while (isExhausted(leg)) {
    const size = excessOf(leg);
    closePart(s, leg, size, backingOf(leg), maintenanceOf(leg));
  }
}

/**
 * Liquidates the cross legs, which share one margin. First all cross orders of the account are cancelled. Then, until the rest is covered,
 * the leg in the highest tier is reduced by a tier; with equal tiers the one of greater value. When all are in the lowest tier, the leg
 * with the greatest loss is closed (ties: lower instrument, then LONG). If no leg is left and the wallet without isolated margins is
 * negative, the insurance fund pays the difference.
 */
function liquidateCross(s: SimState, account: Account): void {
  const crossLegs = (): Leg[] => activeLegs(account).filter((leg) => !leg.pair.isIsolated);
  if (crossLegs().length > 0) {
    const pairs = account.pairs.filter((pair) => !pair.isIsolated && !pair.long.market.isSpot);
    cancelAll(s, account, pairs, null);
    for (let legs = crossLegs(); legs.length > 0 && isUncovered(account); legs = crossLegs()) {
      const leg = legs.reduce((worst, next) => (isWorse(next, worst) ? next : worst));
      closePart(s, leg, excessOf(leg), account.crossEquity(), crossMaintenance(account));
    }
  }
  const missing = -account.crossEquity();
  if (missing <= 0 || crossLegs().length > 0) return;
  tell(s, { account: account.index, step: 'insurance', instrument: -1, side: -1, size: 0, mark: 0 }, -missing, 0);
  insure(s, account, missing, 0);
  s.clearing.assertBalanced();
}

/** True if `next` is liquidated before `worst`, which precedes it in the list. */
function isWorse(next: Leg, worst: Leg): boolean {
  const [tier, highest] = [next, worst].map((leg) => tierOf(leg.market.tiers, leg.value())) as [number, number];
  if (tier !== highest) return tier > highest;
  return tier > 0 ? next.value() > worst.value() : next.unrealised() < worst.unrealised();
}

/**
 * Lots to close in this step: above the lowest tier those beyond floor(upTo of the tier below / value of one lot), or all if that is 0. In
 * the lowest tier all.
 */
function excessOf(leg: Leg): number {
  const { market, total } = leg;
  const tier = tierOf(market.tiers, leg.value());
  if (tier === 0) return total;
  return total - Math.floor(market.tiers[tier - 1]!.upTo / (market.mark() * market.unitValue));
}

/** Cancels the account's futures orders of these pairs, trigger orders included, in order of their numbers. */
function cancelAll(s: SimState, account: Account, pairs: readonly Pair[], leg: Leg | null): void {
  const orders = pairs.flatMap(({ long: { market } }) => [...market.buys.list(), ...market.sells.list(), ...market.triggerOrders]);
  const own = orders.filter((order) => order.account === account).sort((x, y) => x.no - y.no);
  if (own.length === 0) return;
  const about = { account: account.index, step: 'cancel', instrument: leg?.market.index ?? -1, side: leg?.side ?? -1, size: 0 } as const;
  const backing = leg === null ? account.crossEquity() : backingOf(leg);
  const maintenance = leg === null ? crossMaintenance(account) : maintenanceOf(leg);
  tell(s, { ...about, mark: leg?.market.mark() ?? 0 }, backing, maintenance);
  for (const order of own) end(s, order);
}

function end(s: SimState, order: Order): void {
  withdraw(s, order);
  finish(s, order, CANCELLED);
}

function closePart(s: SimState, leg: Leg, size: number, backing: number, maintenance: number): void {
  const { market, account, side } = leg;
  const step = size < leg.total ? 'reduce' : 'close';
  tell(s, { account: account.index, step, instrument: market.index, side, size, mark: market.mark() }, backing, maintenance);
  const order = create(s, leg, FUTURES, side, CLOSE, 0, size, 0);
  order.isByVenue = true;
  order.isLiquidation = true;
  claim(s, order, leg.pair.isIsolated);
  s.ledger?.order(order.no);
  fill(s, order, market.reference(order.isSell), size, TAKES);
}

function tell(s: SimState, about: Omit<LiquidationStep, 'time' | 'backing' | 'maintenance'>, backing: number, maintenance: number): void {
  s.sink?.step?.({ time: s.now, ...about, backing: backing as Money, maintenance: maintenance as Money });
}
