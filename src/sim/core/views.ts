/** Fresh plain objects for readers in no hurry: orders, legs, accounts. Formulas of derived fields stand beside them. */
import { directionOf } from '../../domain/codes.ts';
import { WORKING } from '../../domain/order.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { Lots, Millis, Money, Rate, Ticks } from '../../domain/units.ts';
import { PLAN, type FUTURES, type SPOT } from '../kinds.ts';
import type { SimAccountView, SimBalance, SimOrder, SimPosition } from '../types.ts';
import type { Account, Leg } from './account.ts';
import { activeLegs, crossMaintenance, maintenanceOf } from './margin.ts';
import type { Order } from './order.ts';
import type { SimState } from './state.ts';

const ONE = 100_000_000n;

/** Money of one base coin when `lots` cost `value`: floor(value · sizeScale / (lots · lotStep)). */
function unitPrice(x: Instrument, value: number, lots: number): number {
  if (lots === 0) return 0;
  return Number((BigInt(value) * BigInt(x.sizeScale)) / (BigInt(lots) * BigInt(x.lotStep)));
}

export function orderOf(order: Order): SimOrder {
  const { line, hasExits } = order;
  const exit = (ticks: number): Ticks => (hasExits ? ticks : 0) as Ticks;
  const isPlan = order.kind === PLAN;
  return {
    no: order.no,
    account: order.account.index,
    tag: order.tag,
    instrument: line.index,
    kind: order.kind as typeof FUTURES | typeof PLAN | typeof SPOT,
    side: order.side,
    effect: order.effect,
    direction: directionOf(order.side, order.effect),
    type: order.isMarket ? 1 : 0,
    price: order.price as Ticks,
    size: order.size as Lots,
    filled: order.filled as Lots,
    filledValue: order.filledValue as Money,
    averagePrice: unitPrice(line.instrument, order.filledValue, order.filled),
    fee: order.fee as Money,
    realised: order.realised as Money,
    status: order.status,
    postOnly: order.isPostOnly,
    marginMode: order.isIsolated ? 1 : 0,
    leverage: line.leverage,
    trigger: (isPlan ? order.trigger : 0) as Ticks,
    triggerBy: isPlan && order.isByMark ? 1 : 0,
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

/** Working orders of an instrument, or with −1 of all, newest first. */
export function pending(s: SimState, a: number, i: number): SimOrder[] {
  const lines = i < 0 ? s.lines : s.lines.slice(i, i + 1);
  const orders = lines.flatMap((line) => [...line.buys.list(), ...line.sells.list(), ...line.plans]);
  const own = orders.filter((x) => x.account.index === a);
  return own.sort((x, y) => y.no - x.no).map(orderOf);
}

/** The working order that a plan became, or 0. */
export function childOf(s: SimState, a: number, orderNo: number): number {
  if (s.orders.find(orderNo)?.kind !== PLAN) return 0;
  return pending(s, a, -1).find((x) => x.parent === orderNo)?.no ?? 0;
}

/** Up to `limit` ended orders with numbers below `below`, newest number first; one walk over the ring, whatever its length. */
export function history(s: SimState, a: number, i: number, below: number, limit: number): SimOrder[] {
  const { ended, endedNext } = s.accounts[a]!;
  const found: Order[] = [];
  for (let back = 1; back <= ended.length; back++) {
    const next = ended[(endedNext - back + ended.length) % ended.length]!;
    if (next.no >= below || (i >= 0 && next.line.index !== i)) continue;
    if (found.length >= limit) {
      if (next.no < found[limit - 1]!.no) continue;
      found.pop();
    }
    let at = found.length;
    // Orders end about in the order of their numbers, so the place is near the end.
    if (limit < Infinity) while (at > 0 && found[at - 1]!.no < next.no) at--;
    found.splice(at, 0, next);
  }
  if (limit === Infinity) found.sort((x, y) => y.no - x.no);
  return found.map(orderOf);
}

/** Ended orders that carry `tag`, newest number first. */
export function endedOf(s: SimState, a: number, i: number, tag: number): SimOrder[] {
  const found = s.accounts[a]!.ended.filter((order) => order.tag === tag && (i < 0 || order.line.index === i));
  return found.sort((x, y) => y.no - x.no).map(orderOf);
}

export function positions(s: SimState, a: number, i: number): SimPosition[] {
  const legs = activeLegs(s.accounts[a]!);
  return legs.filter((leg) => i < 0 || leg.line.index === i).map(positionOf);
}

function positionOf(leg: Leg): SimPosition {
  const { line, account, total } = leg;
  const isIsolated = leg.pair.isIsolated;
  const unrealised = leg.unrealised();
  const backing = isIsolated ? leg.margin + unrealised : account.crossEquity();
  const maintenance = isIsolated ? maintenanceOf(leg) : crossMaintenance(account);
  return {
    account: account.index,
    instrument: line.index,
    side: leg.side,
    total: total as Lots,
    available: (total - leg.locked) as Lots,
    locked: leg.locked as Lots,
    opening: leg.opening as Lots,
    entryValue: leg.entryValue as Money,
    entryPrice: unitPrice(line.instrument, leg.entryValue, total),
    margin: leg.margin as Money,
    marginMode: isIsolated ? 1 : 0,
    leverage: line.leverage,
    realised: leg.realised as Money,
    unrealised: unrealised as Money,
    fees: leg.fees as Money,
    funding: leg.funding as Money,
    markPrice: line.mark() as Ticks,
    liquidationPrice: liquidationPrice(leg, backing - unrealised, maintenance - maintenanceOf(leg)),
    breakEvenPrice: breakEvenPrice(leg),
    marginRate: rate(maintenance, backing) as Rate,
    maintenanceRate: line.maintenanceRate as Rate,
    createdAt: leg.createdAt as Millis,
    updatedAt: leg.updatedAt as Millis,
  };
}

/** maintenance / backing, at most 1 (reached when it is liquidated). */
function rate(maintenance: number, backing: number): number {
  if (backing <= 0 || maintenance >= backing) return Number(ONE);
  return Number((BigInt(maintenance) * ONE) / BigInt(backing));
}

/**
 * Where this leg's value makes backing = maintenance, all else equal. LONG: V − V·m = entryValue − rest; SHORT: V + V·m =
 * entryValue + rest; rest = what backs it without its own profit − the other legs' maintenance. 0 when no price above zero does.
 */
function liquidationPrice(leg: Leg, backingWithout: number, otherMaintenance: number): number {
  const m = BigInt(leg.line.maintenanceRate);
  const rest = BigInt(backingWithout - otherMaintenance);
  const entry = BigInt(leg.entryValue);
  return leg.side === 0 ? grossPrice(leg, entry - rest, ONE - m) : grossPrice(leg, entry + rest, ONE + m);
}

/** Where closing as taker returns the fees so far, net of funding. LONG: V·(1 − t) = entry + costs; SHORT: V·(1 + t) = entry − costs. */
function breakEvenPrice(leg: Leg): number {
  const t = BigInt(leg.line.takerRate);
  const costs = BigInt(leg.fees - leg.funding);
  const entry = BigInt(leg.entryValue);
  return leg.side === 0 ? grossPrice(leg, entry + costs, ONE - t) : grossPrice(leg, entry - costs, ONE + t);
}

/** Price of one base coin in 10^-8, rounded down, where the leg's value times `share` (of ONE) is `value`; 0 when none above zero is. */
function grossPrice(leg: Leg, value: bigint, share: bigint): number {
  if (value <= 0n) return 0;
  const x = leg.line.instrument;
  return Number((value * ONE * BigInt(x.sizeScale)) / (share * BigInt(leg.total) * BigInt(x.lotStep)));
}

/**
 * locked = margin kept back for OPEN orders; unrealised = of all legs; available = equity − locked − unrealised, so what margins
 * of positions use is still in it, as the interface's identity wants; crossMaxAvailable = what a new order may use, not below
 * zero; isolatedMaxAvailable the same; maxTransferOut = the same without counting unrealised profit.
 */
export function accountOf(s: SimState, a: number, i: number): SimAccountView {
  const account = s.accounts[a]!;
  const equity = account.equity();
  const unrealised = account.unrealised();
  const usable = Math.max(0, account.available());
  const leverage = s.lines[i]?.leverage ?? 0;
  return {
    equity: equity as Money,
    available: (equity - account.holds - unrealised) as Money,
    locked: account.holds as Money,
    unrealised: unrealised as Money,
    crossMaxAvailable: usable as Money,
    isolatedMaxAvailable: usable as Money,
    maxTransferOut: Math.max(0, usable - Math.max(0, account.crossUnrealised())) as Money,
    marginMode: account.pairs[i]?.isIsolated === true ? 1 : 0,
    longLeverage: leverage,
    shortLeverage: leverage,
  };
}

export function balances(s: SimState, a: number): SimBalance[] {
  const { free, locked } = s.accounts[a]!;
  return s.coins.map((coin, k) => ({ coin, free: free[k]!, locked: locked[k]! }));
}

export interface Totals {
  readonly deposits: Money;
  readonly realised: Money;
  readonly unrealised: Money;
  readonly fees: Money;
  readonly funding: Money;
}

export function totals(account: Account): Totals {
  return {
    deposits: account.deposits as Money,
    realised: account.realised as Money,
    unrealised: account.unrealised() as Money,
    fees: account.fees as Money,
    funding: account.funding as Money,
  };
}

export function accountNamed(s: SimState, name: string): number {
  return s.accounts.findIndex((account) => account.name === name);
}

export function futures(s: SimState): number[] {
  return s.lines.filter((line) => !line.isSpot).map((line) => line.index);
}
