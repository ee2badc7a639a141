/** What readers of the model venue see: the simulator's records, each field by its formula in the interface. */
import { CANCELLED, FILLED, REPLACED, WORKING } from '../../../src/domain/orders/order.ts';
import { markOf } from './market.ts';
import { coins, Decimal, down8, most, sum, units, ZERO } from './money.ts';
import { freeCoins, lockedCoins, wantedLots, type AccountFigures, type LegWorth } from './figures.ts';
import { feesOf, filledOf, type Kind, type ModelOrder, type Status, type World } from './world.ts';

export type Shown = Record<string, number | boolean | string>;

const KINDS: Record<Kind, number> = { futures: 0, plan: 1, spot: 2 };
const STATUSES: Record<Status, number> = { working: WORKING, filled: FILLED, cancelled: CANCELLED, replaced: REPLACED };

/** The price of one base coin if `lots` cost `value`, rounded down. */
function unitPrice(w: World, i: number, value: Decimal, lots: number): number {
  return lots === 0 ? 0 : units(down8(value.div(w.baseCoins(i, lots))));
}

export function showOrder(w: World, o: ModelOrder): Shown {
  const value = sum(o.fills.map((f) => f.value));
  const filled = filledOf(o);
  return {
    no: o.no,
    account: o.account,
    tag: o.tag,
    instrument: o.instrument,
    kind: KINDS[o.kind],
    side: o.side,
    effect: o.isOpen ? 0 : 1,
    direction: o.isBuy ? 0 : 1,
    type: o.isMarket ? 1 : 0,
    price: o.price,
    size: o.size,
    filled,
    filledValue: units(value),
    averagePrice: unitPrice(w, o.instrument, value, filled),
    fee: units(feesOf(o)),
    realised: units(sum(o.fills.map((f) => f.realised))),
    status: STATUSES[o.status],
    force: Number(o.isPostOnly),
    marginMode: o.isIsolated ? 1 : 0,
    leverage: w.leverage(o.account, o.instrument, o.kind === 'spot' ? 0 : o.side),
    trigger: o.trigger,
    triggerBy: o.isByMark ? 1 : 0,
    takeProfit: o.exits?.takeProfit ?? 0,
    takeProfitLimit: o.exits?.takeProfitLimit ?? 0,
    stopLoss: o.exits?.stopLoss ?? 0,
    stopLossLimit: o.exits?.stopLossLimit ?? 0,
    byVenue: o.isByVenue,
    parent: o.parent,
    createdAt: o.createdAt,
    updatedAt: o.updatedAt,
  };
}

/** Open orders, the newest first. */
export function pending(w: World, account: number): ModelOrder[] {
  return w.live.filter((o) => o.account === account).toReversed();
}

/** Ended orders that are still kept, the newest number first. */
export function history(w: World, account: number): ModelOrder[] {
  const { historyLimit } = w.spec;
  const own = w.ended.filter((o) => o.account === account);
  return (historyLimit === 0 ? [] : own.slice(-historyLimit)).toSorted((a, b) => b.no - a.no);
}

/** Positions that are not flat, by instrument, LONG before SHORT. */
export function showPositions(w: World, account: number, figures: AccountFigures): Shown[] {
  return figures.legs.filter((leg) => leg.lots > 0).map((leg) => showPosition(w, account, figures, leg));
}

function showPosition(w: World, account: number, figures: AccountFigures, p: LegWorth): Shown {
  const { instrument, side } = p.leg;
  const x = w.instruments[instrument]!;
  const locked = wantedLots(w, account, instrument, side, false);
  const backing = p.isIsolated ? p.margin.plus(p.unrealised) : figures.crossEquity;
  const maintenance = p.isIsolated ? p.maintenance : figures.crossMaintenance;
  return {
    account,
    instrument,
    side,
    total: p.lots,
    available: p.lots - locked,
    locked,
    opening: wantedLots(w, account, instrument, side, true),
    entryValue: units(p.entryValue),
    entryPrice: unitPrice(w, instrument, p.entryValue, p.lots),
    margin: units(p.margin),
    marginMode: p.isIsolated ? 1 : 0,
    leverage: w.leverage(account, instrument, side),
    realised: units(p.realised),
    unrealised: units(p.unrealised),
    fees: units(p.fees),
    funding: units(p.funding),
    markPrice: markOf(w, instrument),
    liquidationPrice: liquidationPrice(w, p, backing.minus(p.unrealised), maintenance.minus(p.maintenance)),
    breakEvenPrice: breakEvenPrice(w, p),
    marginRate: units(rate(maintenance, backing)),
    maintenanceRate: x.tiers[w.tier(instrument, p.value)]!.rate,
    createdAt: p.createdAt,
    updatedAt: p.updatedAt,
  };
}

/** maintenance / backing, at most 1. */
function rate(maintenance: Decimal, backing: Decimal): Decimal {
  const one = new Decimal(1);
  return backing.lte(0) || maintenance.gte(backing) ? one : down8(maintenance.div(backing));
}

/**
 * The price at which the backing of the position, including its profit at that price, equals its maintenance margin plus that of the
 * others. LONG: without + V − entry = V·m + others; SHORT: without + entry − V = V·m + others.
 */
function liquidationPrice(w: World, p: LegWorth, without: Decimal, others: Decimal): number {
  const i = p.leg.instrument;
  const { tiers } = w.instruments[i]!;
  const spare = without.minus(others);
  for (const [k, tier] of tiers.entries()) {
    const m = coins(tier.rate);
    const d = coins(tier.deduction);
    const [top, part] = p.leg.side === 0 ? [p.entryValue.minus(spare).minus(d), m.neg()] : [p.entryValue.plus(spare).plus(d), m];
    const value = top.div(part.plus(1));
    if (value.lte(0) || w.tier(i, value) === k || k === tiers.length - 1) return priceOf(w, p, top, part);
  }
  return 0;
}

/**
 * The price at which closing as taker gives a total of zero. Costs are fees, less funding, less profit realised so far. LONG: V − V·t =
 * entry + costs; SHORT: V + V·t = entry − costs.
 */
function breakEvenPrice(w: World, p: LegWorth): number {
  const t = coins(w.instruments[p.leg.instrument]!.takerFeeRate);
  const costs = p.fees.minus(p.funding).minus(p.realised);
  return p.leg.side === 0 ? priceOf(w, p, p.entryValue.plus(costs), t.neg()) : priceOf(w, p, p.entryValue.minus(costs), t);
}

/** The price of one base coin, rounded down, at which V · (1 + part) = value. 0 if it is not above zero or beyond the range of money. */
function priceOf(w: World, p: LegWorth, value: Decimal, part: Decimal): number {
  if (value.lte(0)) return 0;
  const price = down8(value.div(part.plus(1).times(w.baseCoins(p.leg.instrument, p.lots))));
  return price.gt('90071992.54740991') ? 0 : units(price);
}

/** "equity = available + locked + unrealised, exactly." */
export function showAccount(w: World, account: number, i: number, figures: AccountFigures): Shown {
  const usable = most(ZERO, figures.available);
  return {
    equity: units(figures.equity),
    available: units(figures.equity.minus(figures.holds).minus(figures.unrealised)),
    locked: units(figures.holds),
    unrealised: units(figures.unrealised),
    crossMaxAvailable: units(usable),
    isolatedMaxAvailable: units(most(ZERO, figures.movable)),
    maxTransferOut: units(most(ZERO, figures.movable)),
    marginMode: w.isIsolated[account]![i] ? 1 : 0,
    longLeverage: w.leverage(account, i, 0),
    shortLeverage: w.leverage(account, i, 1),
  };
}

export function showTotals(w: World, account: number, figures: AccountFigures): Shown {
  return {
    deposits: units(sum(w.deposits[account]!)),
    realised: units(figures.realised),
    unrealised: units(figures.unrealised),
    fees: units(figures.fees),
    funding: units(figures.funding),
    insurance: units(figures.insured),
  };
}

export function showBalances(w: World, account: number): Shown[] {
  return w.coins.map((coin) => ({ coin, free: units(freeCoins(w, account, coin)), locked: units(lockedCoins(w, account, coin)) }));
}

export function showBook(w: World, i: number): Shown | null {
  const { book } = w.markets[i]!;
  if (book === null) return null;
  const { bid, bidSize, ask, askSize, time } = book;
  return { instrument: i, bid, bidSize, bidLeft: w.shown(i, false), ask, askSize, askLeft: w.shown(i, true), time };
}

/** The newest first, as many as are kept. */
export function showTrades(w: World, i: number): Shown[] {
  const { keepTrades } = w.spec;
  return keepTrades === 0
    ? []
    : w.markets[i]!.trades.slice(-keepTrades)
        .toReversed()
        .map((t) => ({ ...t }));
}
