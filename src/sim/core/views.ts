/** Fresh plain objects for readers in no hurry: orders, legs, accounts. Formulas of derived fields stand beside them. */
import { directionOf } from '../../domain/codes.ts';
import type { Lots, Millis, Money, Rate, Ticks } from '../../domain/units.ts';
import { FUTURES, PLAN, SPOT } from '../kinds.ts';
import type { SimAccountView, SimBalance, SimOrder, SimPosition } from '../types.ts';
import { crossEquity, crossMaintenance, maintenanceOf } from './margin.ts';
import {
  BY_MARK_BIT,
  BY_VENUE_BIT,
  EFFECT_BIT,
  EXITS_BIT,
  ISOLATED_BIT,
  MARKET_BIT,
  PLAN_BIT,
  POST_ONLY_BIT,
  SIDE_BIT,
  SPOT_BIT,
} from './orders.ts';
import type { SimState } from './state.ts';

const ONE = 100_000_000n;

/** Money of one base coin when `lots` cost `value`: floor(value · sizeScale / (lots · lotStep)). */
function unitPrice(s: SimState, i: number, value: number, lots: number): number {
  if (lots === 0) return 0;
  const x = s.instruments[i]!;
  return Number((BigInt(value) * BigInt(x.sizeScale)) / (BigInt(lots) * BigInt(x.lotStep)));
}

export function orderOf(s: SimState, slot: number): SimOrder {
  const o = s.orders;
  const traits = o.traits[slot]!;
  const i = o.instrument[slot]!;
  const hasExits = (traits & EXITS_BIT) !== 0;
  const exit = (ticks: number): Ticks => (hasExits ? ticks : 0) as Ticks;
  const isPlan = (traits & PLAN_BIT) !== 0;
  return {
    no: o.no[slot]!,
    account: o.account[slot]!,
    tag: o.tag[slot]!,
    instrument: i,
    kind: isPlan ? PLAN : (traits & SPOT_BIT) !== 0 ? SPOT : FUTURES,
    side: traits & SIDE_BIT,
    effect: (traits & EFFECT_BIT) >> 1,
    direction: directionOf(traits & SIDE_BIT, (traits & EFFECT_BIT) >> 1),
    type: (traits & MARKET_BIT) !== 0 ? 1 : 0,
    price: o.price[slot]! as Ticks,
    size: o.size[slot]! as Lots,
    filled: o.filled[slot]! as Lots,
    filledValue: o.filledValue[slot]! as Money,
    averagePrice: unitPrice(s, i, o.filledValue[slot]!, o.filled[slot]!),
    fee: o.fee[slot]! as Money,
    realised: o.realised[slot]! as Money,
    status: o.status[slot]!,
    postOnly: (traits & POST_ONLY_BIT) !== 0,
    marginMode: (traits & ISOLATED_BIT) !== 0 ? 1 : 0,
    leverage: s.leverage[i]!,
    trigger: (isPlan ? o.trigger[slot]! : 0) as Ticks,
    triggerBy: (traits & BY_MARK_BIT) !== 0 ? 1 : 0,
    takeProfit: exit(o.takeProfit[slot]!),
    takeProfitLimit: exit(o.takeProfitLimit[slot]!),
    stopLoss: exit(o.stopLoss[slot]!),
    stopLossLimit: exit(o.stopLossLimit[slot]!),
    byVenue: (traits & BY_VENUE_BIT) !== 0,
    parent: o.parent[slot]!,
    createdAt: o.createdAt[slot]! as Millis,
    updatedAt: o.updatedAt[slot]! as Millis,
  };
}

export function pending(s: SimState, account: number, instrument: number): SimOrder[] {
  const slots: number[] = [];
  const to = instrument < 0 ? s.count : instrument + 1;
  for (let i = Math.max(instrument, 0); i < to; i++) {
    for (let direction = 0; direction < 2; direction++) {
      const book = s.books[i * 2 + direction]!;
      for (let k = 0; k < book.count; k++) slots.push(book.slots[k]!);
    }
    slots.push(...s.triggers.plans[i]!);
  }
  const own = slots.filter((slot) => s.orders.account[slot] === account);
  own.sort((x, y) => s.orders.no[y]! - s.orders.no[x]!);
  return own.map((slot) => orderOf(s, slot));
}

/** Up to `limit` ended orders with numbers below `below`, newest number first; one walk over the ring, whatever its length. */
export function history(s: SimState, account: number, instrument: number, below: number, limit: number): SimOrder[] {
  const o = s.orders;
  const found: number[] = [];
  for (let back = 0; back < s.history.count(account); back++) {
    const slot = s.history.slot(account, back);
    const no = o.no[slot]!;
    if (no >= below || (instrument >= 0 && o.instrument[slot] !== instrument)) continue;
    if (found.length >= limit) {
      if (no < o.no[found[limit - 1]!]!) continue;
      found.pop();
    }
    let at = found.length;
    // Orders end about in the order of their numbers, so the place is near the end.
    if (limit < Infinity) while (at > 0 && o.no[found[at - 1]!]! < no) at--;
    found.splice(at, 0, slot);
  }
  if (limit === Infinity) found.sort((x, y) => o.no[y]! - o.no[x]!);
  return found.map((slot) => orderOf(s, slot));
}

export function positions(s: SimState, account: number, instrument: number): SimPosition[] {
  const l = s.ledger;
  const from = account * s.count * 2;
  const legs = Array.from(l.active.subarray(from, from + l.activeCount[account]!));
  legs.sort((x, y) => x - y);
  return legs.filter((leg) => instrument < 0 || l.instrumentOf(leg) === instrument).map((leg) => positionOf(s, leg));
}

function positionOf(s: SimState, leg: number): SimPosition {
  const l = s.ledger;
  const i = l.instrumentOf(leg);
  const a = l.accountOf(leg);
  const total = l.total[leg]!;
  const isolated = l.isIsolated(leg);
  const unrealised = l.unrealised(leg);
  const backing = isolated ? l.margin[leg]! + unrealised : crossEquity(s, a);
  const maintenance = isolated ? maintenanceOf(s, leg) : crossMaintenance(s, a);
  return {
    account: a,
    instrument: i,
    side: leg & 1,
    total: total as Lots,
    available: (total - l.locked[leg]!) as Lots,
    locked: l.locked[leg]! as Lots,
    opening: l.opening[leg]! as Lots,
    entryValue: l.entryValue[leg]! as Money,
    entryPrice: unitPrice(s, i, l.entryValue[leg]!, total),
    margin: l.margin[leg]! as Money,
    marginMode: isolated ? 1 : 0,
    leverage: s.leverage[i]!,
    realised: l.legRealised[leg]! as Money,
    unrealised: unrealised as Money,
    fees: l.legFees[leg]! as Money,
    funding: l.legFunding[leg]! as Money,
    markPrice: s.market.mark(i) as Ticks,
    liquidationPrice: liquidationPrice(s, leg, backing - unrealised, maintenance - maintenanceOf(s, leg)),
    breakEvenPrice: breakEvenPrice(s, leg),
    marginRate: rate(maintenance, backing) as Rate,
    maintenanceRate: s.maintenanceRate[i]! as Rate,
    createdAt: l.createdAt[leg]! as Millis,
    updatedAt: l.updatedAt[leg]! as Millis,
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
function liquidationPrice(s: SimState, leg: number, backingWithout: number, otherMaintenance: number): number {
  const l = s.ledger;
  const i = l.instrumentOf(leg);
  const m = BigInt(s.maintenanceRate[i]!);
  const rest = BigInt(backingWithout - otherMaintenance);
  const entry = BigInt(l.entryValue[leg]!);
  const isLong = (leg & 1) === 0;
  return isLong ? grossPrice(s, i, entry - rest, ONE - m, l.total[leg]!) : grossPrice(s, i, entry + rest, ONE + m, l.total[leg]!);
}

/** Where closing as taker returns the fees so far, net of funding. LONG: V·(1 − t) = entry + costs; SHORT: V·(1 + t) = entry − costs. */
function breakEvenPrice(s: SimState, leg: number): number {
  const l = s.ledger;
  const i = l.instrumentOf(leg);
  const t = BigInt(s.takerRate[i]!);
  const costs = BigInt(l.legFees[leg]! - l.legFunding[leg]!);
  const entry = BigInt(l.entryValue[leg]!);
  const total = l.total[leg]!;
  return (leg & 1) === 0 ? grossPrice(s, i, entry + costs, ONE - t, total) : grossPrice(s, i, entry - costs, ONE + t, total);
}

/** Price of one base coin in 10^-8, rounded down, where the value of `lots` times `share` (of ONE) is `value`; 0 when none above zero is. */
function grossPrice(s: SimState, i: number, value: bigint, share: bigint, lots: number): number {
  if (value <= 0n) return 0;
  const x = s.instruments[i]!;
  return Number((value * ONE * BigInt(x.sizeScale)) / (share * BigInt(lots) * BigInt(x.lotStep)));
}

/**
 * locked = margin kept back for OPEN orders; unrealised = of all legs; available = equity − locked − unrealised, so what margins
 * of positions use is still in it, as the interface's identity wants; crossMaxAvailable = what a new order may use, not below
 * zero; isolatedMaxAvailable the same; maxTransferOut = the same without counting unrealised profit.
 */
export function accountOf(s: SimState, a: number, i: number): SimAccountView {
  const l = s.ledger;
  const equity = l.equity(a);
  const unrealised = l.unrealisedOf(a, true);
  const usable = Math.max(0, l.available(a));
  const leverage = i >= 0 ? s.leverage[i]! : 0;
  return {
    equity: equity as Money,
    available: (equity - l.holds[a]! - unrealised) as Money,
    locked: l.holds[a]! as Money,
    unrealised: unrealised as Money,
    crossMaxAvailable: usable as Money,
    isolatedMaxAvailable: usable as Money,
    maxTransferOut: Math.max(0, usable - Math.max(0, l.unrealisedOf(a, false))) as Money,
    marginMode: i >= 0 ? l.mode[a * s.count + i]! : 0,
    longLeverage: leverage,
    shortLeverage: leverage,
  };
}

export function balances(s: SimState, a: number): SimBalance[] {
  return s.spot.coins.map((coin, k) => {
    const at = s.spot.at(a, k);
    return { coin, free: s.spot.free[at]!, locked: s.spot.locked[at]! };
  });
}

export function totals(s: SimState, a: number): { deposits: Money; realised: Money; unrealised: Money; fees: Money; funding: Money } {
  const l = s.ledger;
  return {
    deposits: l.deposits[a]! as Money,
    realised: l.realised[a]! as Money,
    unrealised: l.unrealisedOf(a, true) as Money,
    fees: l.fees[a]! as Money,
    funding: l.funding[a]! as Money,
  };
}

/** The working order that a plan became, or 0. */
export function childOf(s: SimState, account: number, orderNo: number): number {
  const plan = s.orders.find(orderNo);
  if (plan < 0 || (s.orders.traits[plan]! & PLAN_BIT) === 0) return 0;
  return pending(s, account, -1).find((order) => order.parent === orderNo)?.no ?? 0;
}

export function futures(s: SimState): number[] {
  return s.instruments.filter((x) => x.product === 'futures').map((x) => x.index);
}
