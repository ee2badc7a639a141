/**
 * What becomes of an account that cannot carry its maintenance margin, step by step until it can: its open orders are cancelled,
 * its legs are reduced tier by tier, then closed, and what is lost beyond its money is the insurance fund's. The venue closes as
 * taker at the opposite quote, whatever the displayed size, or at the mark without a book.
 */
import { CLOSE, LONG } from '../../domain/codes.ts';
import { CANCELLED } from '../../domain/order.ts';
import { maintenanceMargin, tierOf } from '../../domain/tiers.ts';
import type { Money } from '../../domain/units.ts';
import { FUTURES } from '../state/kinds.ts';
import type { LiquidationStep } from '../state/terms.ts';
import type { Account, Leg, Pair } from '../state/account.ts';
import { fill, finish, insure, TAKES } from './fills.ts';
import type { Order } from '../state/order.ts';
import { claim, create } from './create.ts';
import { withdraw } from './place.ts';
import type { SimState } from '../state/state.ts';

/** Maintenance margin of a leg: that of its value at the mark by the instrument's tiers. */
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

/** The account's legs that are not flat, by instrument, LONG before SHORT. */
export function activeLegs(account: Account): Leg[] {
  return account.active.toSorted((x, y) => x.market.index - y.market.index || x.side - y.side);
}

/** Isolated legs first, each for itself, then all cross legs together. That nobody is concerned is found out first: it is nearly always so. */
export function liquidate(s: SimState, account: Account): void {
  const active = account.active;
  let isAny = false;
  for (let k = 0; k < active.length; k++) if (isExhausted(active[k]!)) isAny = true;
  if (isAny) for (const leg of activeLegs(account)) if (isExhausted(leg)) liquidateIsolated(s, leg);
  if (isUncovered(account)) liquidateCross(s, account);
}

/** The cross legs are liquidated when crossEquity ≤ Σ maintenance. */
function isUncovered(account: Account): boolean {
  return account.crossEquity() <= crossMaintenance(account);
}

/** The venue's operator closes a leg, as if it could not be carried any more. Refused with 'no-position' when it is flat. */
export function liquidateLeg(s: SimState, a: number, i: number, side: number, time: number): boolean {
  s.now = time;
  const pair = s.accounts[a]!.pairs[i]!;
  const leg = side === LONG ? pair.long : pair.short;
  if (leg.total === 0) return s.deny('no-position');
  cancelAll(s, leg.account, [pair], leg);
  closePart(s, leg, leg.total, backingOf(leg), maintenanceOf(leg));
  return true;
}

/** An isolated leg is liquidated when margin + unrealised ≤ maintenance. */
function isExhausted(leg: Leg): boolean {
  return leg.pair.isIsolated && leg.total > 0 && backingOf(leg) <= maintenanceOf(leg);
}

/** What backs an isolated leg: margin + unrealised. */
export function backingOf(leg: Leg): number {
  return leg.margin + leg.unrealised();
}

/** The account's orders of the symbol are cancelled, then the leg goes down a tier at a time; in the lowest it is closed. */
function liquidateIsolated(s: SimState, leg: Leg): void {
  cancelAll(s, leg.account, [leg.pair], leg);
  while (isExhausted(leg)) {
    const size = excessOf(leg);
    closePart(s, leg, size, backingOf(leg), maintenanceOf(leg));
  }
}

/**
 * Cross legs share one backing, which does not cover them any more. All orders of the account on cross margin are
 * cancelled; then, one at a time until the rest is carried: the leg in the highest tier goes down a tier, the one of the greater
 * value among equals; when all are in the lowest, the leg with the greatest loss is closed (ties: lower instrument, LONG). When
 * none is left and the wallet without isolated margins is below zero, the insurance fund makes it zero.
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

/** Whether the venue turns to `next` rather than to `worst`, which stands before it. */
function isWorse(next: Leg, worst: Leg): boolean {
  const [tier, highest] = [next, worst].map((leg) => tierOf(leg.market.tiers, leg.value())) as [number, number];
  if (tier !== highest) return tier > highest;
  return tier > 0 ? next.value() > worst.value() : next.unrealised() < worst.unrealised();
}

/**
 * Lots to close in this step: in a tier above the lowest those beyond floor(upTo of the tier below / value of one lot), all when
 * that is none, else all.
 */
function excessOf(leg: Leg): number {
  const { market, total } = leg;
  const tier = tierOf(market.tiers, leg.value());
  if (tier === 0) return total;
  return total - Math.floor(market.tiers[tier - 1]!.upTo / (market.mark() * market.unitValue));
}

/** Cancels the account's futures orders of these pairs, plans too, in the order of their numbers. */
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
