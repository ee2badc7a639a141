/** Everything that follows from the lists: legs from what happened to them, accounts from their legs and orders. */
import { markOf } from './market.ts';
import { coins, type Decimal, down8, most, sum, up8, ZERO } from './money.ts';
import { leftOf, type LegEvent, type ModelLeg, type ModelOrder, type World } from './world.ts';

export interface LegFigures {
  readonly lots: number;
  /** Σ value of what was opened less what closes released. */
  readonly entryValue: Decimal;
  /** What was moved in and is not freed: the margin of an isolated leg. */
  readonly moved: Decimal;
  /** Since the leg was last flat, and over its whole life. */
  readonly realised: Decimal;
  readonly fees: Decimal;
  readonly everRealised: Decimal;
  readonly everFees: Decimal;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const NOTHING: LegFigures = {
  lots: 0,
  entryValue: ZERO,
  moved: ZERO,
  realised: ZERO,
  fees: ZERO,
  everRealised: ZERO,
  everFees: ZERO,
  createdAt: 0,
  updatedAt: 0,
};

/** Lists only grow, so a fold over one is remembered as far as it has got; what it gives is that of the whole list all the same. */
function folded<E, F>(memory: WeakMap<readonly E[], { upTo: number; so: F }>, list: readonly E[], first: F, next: (so: F, e: E) => F): F {
  const known = memory.get(list) ?? { upTo: 0, so: first };
  while (known.upTo < list.length) known.so = next(known.so, list[known.upTo++]!);
  memory.set(list, known);
  return known.so;
}

const legMemory = new WeakMap<readonly LegEvent[], { upTo: number; so: LegFigures }>();

export function legFigures(w: World, leg: ModelLeg): LegFigures {
  return folded(legMemory, leg.events, NOTHING, (so, event) => afterEvent(w, leg, so, event));
}

/**
 * "An OPEN adds its value to the leg's entry value. A CLOSE of q of Q lots releases floor(entryValue · q / Q) of it and realises the
 * difference to what it traded for." An OPEN moves its initial margin in, a CLOSE frees its share of what is in.
 */
function afterEvent(w: World, { instrument, side }: ModelLeg, leg: LegFigures, e: LegEvent): LegFigures {
  if (e.what === 'margin') return { ...leg, moved: leg.moved.plus(e.amount), updatedAt: e.time };
  if (e.what === 'open') {
    const since = leg.lots > 0 ? leg : { ...leg, realised: ZERO, fees: ZERO, createdAt: e.time };
    return {
      ...since,
      lots: leg.lots + e.size,
      entryValue: leg.entryValue.plus(e.value),
      moved: leg.moved.plus(w.margin(instrument, e.value)),
      fees: since.fees.plus(e.fee),
      everFees: leg.everFees.plus(e.fee),
      updatedAt: e.time,
    };
  }
  const share = (of: Decimal): Decimal => (e.size === leg.lots ? of : down8(of.times(e.size).div(leg.lots)));
  const released = share(leg.entryValue);
  const realised = side === 0 ? e.value.minus(released) : released.minus(e.value);
  return {
    ...leg,
    lots: leg.lots - e.size,
    entryValue: leg.entryValue.minus(released),
    moved: leg.moved.minus(share(leg.moved)),
    realised: leg.realised.plus(realised),
    everRealised: leg.everRealised.plus(realised),
    fees: leg.fees.plus(e.fee),
    everFees: leg.everFees.plus(e.fee),
    updatedAt: e.time,
  };
}

/** A leg and what it is worth at the mark. */
export interface LegWorth extends LegFigures {
  readonly leg: ModelLeg;
  readonly isIsolated: boolean;
  readonly value: Decimal;
  readonly unrealised: Decimal;
  /** Cross: initial margin of the entry value. Isolated: what was moved in. */
  readonly margin: Decimal;
  /** "Maintenance margin of a leg at the mark, rounded up." */
  readonly maintenance: Decimal;
}

/** Lots of a leg: what was opened less what was closed. */
export const lotsOf = (w: World, account: number, i: number, side: number): number => legFigures(w, w.leg(account, i, side)).lots;

/** An open position or order fixes the margin mode of its symbol. */
export function hasStake(w: World, account: number, i: number): boolean {
  const isAny = w.live.some((o) => o.account === account && o.instrument === i);
  return isAny || lotsOf(w, account, i, 0) > 0 || lotsOf(w, account, i, 1) > 0;
}

export function legWorth(w: World, leg: ModelLeg): LegWorth {
  const figures = legFigures(w, leg);
  const { account, instrument, side } = leg;
  const value = w.value(instrument, markOf(w, instrument), figures.lots);
  const isIsolated = w.isIsolated[account]![instrument]!;
  return {
    ...figures,
    leg,
    isIsolated,
    value,
    unrealised: side === 0 ? value.minus(figures.entryValue) : figures.entryValue.minus(value),
    margin: isIsolated ? figures.moved : w.margin(instrument, figures.entryValue),
    maintenance: up8(value.times(coins(w.instruments[instrument]!.maintenanceRate))),
  };
}

/** An account with all its legs that ever had something happen to them. */
export interface AccountFigures {
  readonly legs: readonly LegWorth[];
  readonly realised: Decimal;
  readonly fees: Decimal;
  readonly unrealised: Decimal;
  readonly equity: Decimal;
  /** What is kept back for OPEN orders. */
  readonly holds: Decimal;
  /** "Equity that backs the cross legs." */
  readonly crossEquity: Decimal;
  readonly crossUnrealised: Decimal;
  readonly crossMaintenance: Decimal;
  /** "What a new OPEN order or a transfer into isolated margin may use." */
  readonly available: Decimal;
}

export function accountFigures(w: World, account: number, without: ModelOrder | null = null): AccountFigures {
  const legs = w.legs.filter((leg) => leg.account === account && leg.events.length > 0).map((leg) => legWorth(w, leg));
  const cross = legs.filter((leg) => !leg.isIsolated);
  const isolated = legs.filter((leg) => leg.isIsolated);
  const realised = sum(legs.map((leg) => leg.everRealised));
  const fees = sum(legs.map((leg) => leg.everFees));
  const unrealised = sum(legs.map((leg) => leg.unrealised));
  const wallet = w.deposits[account]!.plus(realised).minus(fees);
  const holds = sum(w.live.filter((o) => o.account === account && o !== without).map((o) => holdOf(w, o)));
  const crossUnrealised = sum(cross.map((leg) => leg.unrealised));
  const crossEquity = wallet.minus(sum(isolated.map((leg) => leg.margin))).plus(crossUnrealised);
  return {
    legs,
    realised,
    fees,
    unrealised,
    equity: wallet.plus(unrealised),
    holds,
    crossEquity,
    crossUnrealised,
    crossMaintenance: sum(cross.map((leg) => leg.maintenance)),
    available: crossEquity.minus(holds).minus(sum(cross.map((leg) => leg.margin))),
  };
}

/** Margin kept back for an OPEN order: that of what is unfilled, at the price it was reckoned by. */
export function holdOf(w: World, o: ModelOrder): Decimal {
  if (o.kind !== 'futures' || !o.isOpen) return ZERO;
  return w.margin(o.instrument, w.value(o.instrument, o.marginPrice, leftOf(o)));
}

/** Lots that the working CLOSE (or OPEN) orders of a leg still want. */
export function wantedLots(w: World, account: number, i: number, side: number, isOpen: boolean, without: ModelOrder | null = null): number {
  let lots = 0;
  for (const o of w.live) {
    const isSame = o.kind === 'futures' && o.account === account && o.instrument === i && o.side === side && o.isOpen === isOpen;
    if (isSame && o !== without) lots += leftOf(o);
  }
  return lots;
}

/** "A limit buy locks value + taker fee of what is unfilled in the quote coin, a sell locks its base coin, a market buy nothing." */
export function lockOf(w: World, o: ModelOrder, lots = leftOf(o)): Decimal {
  if (!o.isBuy) return w.baseCoins(o.instrument, lots);
  return o.isMarket ? ZERO : spotCost(w, o.instrument, o.price, lots);
}

/** Quote coin that a spot buy may cost: value and the higher of the two fees. */
export function spotCost(w: World, i: number, price: number, lots: number): Decimal {
  const value = w.value(i, price, lots);
  return value.plus(most(ZERO, most(w.fee(i, value, true), w.fee(i, value, false))));
}

/** Coins of a spot account that resting orders lock. */
export function lockedCoins(w: World, account: number, coin: string): Decimal {
  const own = w.live.filter((o) => o.kind === 'spot' && o.account === account);
  const spends = (o: ModelOrder): string => (o.isBuy ? w.instruments[o.instrument]!.quoteCoin : w.instruments[o.instrument]!.baseCoin);
  return sum(own.filter((o) => spends(o) === coin).map((o) => lockOf(w, o)));
}

const coinMemory = new WeakMap<readonly Decimal[], { upTo: number; so: Decimal }>();

export function freeCoins(w: World, account: number, coin: string): Decimal {
  const all = folded(coinMemory, w.coinMoves(account, coin), ZERO, (so, amount) => so.plus(amount));
  return all.minus(lockedCoins(w, account, coin));
}
