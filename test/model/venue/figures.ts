/** Derives everything from the lists: positions from their events, accounts from their positions and orders. */
import { markOf } from './market.ts';
import { type Decimal, down8, least, most, sum, ZERO } from './money.ts';
import { leftOf, type LegEvent, type ModelLeg, type ModelOrder, type World } from './world.ts';

export interface LegFigures {
  readonly lots: number;
  /** Sum of opened values less what closes released. */
  readonly entryValue: Decimal;
  /** Margin added and not yet released: the margin of an isolated position. */
  readonly moved: Decimal;
  /** Since the position was last flat, and over its whole life. */
  readonly realised: Decimal;
  readonly fees: Decimal;
  readonly everRealised: Decimal;
  readonly everFees: Decimal;
  /** Funding received less funding paid, since the position was last flat and in total. */
  readonly funding: Decimal;
  readonly everFunding: Decimal;
  /** Losses paid by the insurance fund because the margin did not suffice. */
  readonly insured: Decimal;
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
  funding: ZERO,
  everFunding: ZERO,
  insured: ZERO,
  createdAt: 0,
  updatedAt: 0,
};

/** Folds a list. Lists only grow, so the result so far is cached; the value is that of the whole list. */
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
 * difference to what it traded for." An OPEN adds its initial margin. A complete close releases the margin. A partial close releases its
 * share, or what its cost (fee − realised) needs if that is more. A partial liquidation releases only what the cost needs.
 */
function afterEvent(w: World, of: ModelLeg, leg: LegFigures, e: LegEvent): LegFigures {
  if (e.what === 'margin') return { ...leg, moved: leg.moved.plus(e.amount), updatedAt: e.time };
  if (e.what === 'funding') {
    const [funding, everFunding] = [leg.funding.plus(e.amount), leg.everFunding.plus(e.amount)];
    return { ...leg, moved: leg.moved.plus(e.amount), funding, everFunding, updatedAt: e.time };
  }
  if (e.what === 'open') {
    const since = leg.lots > 0 ? leg : { ...leg, realised: ZERO, fees: ZERO, funding: ZERO, createdAt: e.time };
    return {
      ...since,
      lots: leg.lots + e.size,
      entryValue: leg.entryValue.plus(e.value),
      moved: leg.moved.plus(w.margin(of, e.value)),
      fees: since.fees.plus(e.fee),
      everFees: leg.everFees.plus(e.fee),
      updatedAt: e.time,
    };
  }
  const share = (whole: Decimal): Decimal => (e.size === leg.lots ? whole : down8(whole.times(e.size).div(leg.lots)));
  const released = share(leg.entryValue);
  const realised = of.side === 0 ? e.value.minus(released) : released.minus(e.value);
  const cost = e.fee.minus(realised);
  const part = e.isLiquidation && e.size < leg.lots ? ZERO : share(leg.moved);
  const freed = most(part, least(cost, leg.moved));
  const insured = e.isIsolated ? most(ZERO, cost.minus(leg.moved)) : ZERO;
  return {
    ...leg,
    lots: leg.lots - e.size,
    entryValue: leg.entryValue.minus(released),
    moved: leg.moved.minus(freed),
    insured: leg.insured.plus(insured),
    realised: leg.realised.plus(realised),
    everRealised: leg.everRealised.plus(realised),
    fees: leg.fees.plus(e.fee),
    everFees: leg.everFees.plus(e.fee),
    updatedAt: e.time,
  };
}

/** A position and its value at the mark. */
export interface LegWorth extends LegFigures {
  readonly leg: ModelLeg;
  readonly isIsolated: boolean;
  readonly value: Decimal;
  readonly unrealised: Decimal;
  /** Cross: initial margin of the entry value. Isolated: the margin added. */
  readonly margin: Decimal;
  /** "Maintenance margin of a leg at the mark, rounded up." */
  readonly maintenance: Decimal;
}

/** Lots of a position: opened less closed. */
export const lotsOf = (w: World, account: number, i: number, side: number): number => legFigures(w, w.leg(account, i, side)).lots;

/** An open position fixes the margin mode of its symbol. */
export function hasPosition(w: World, account: number, i: number): boolean {
  return lotsOf(w, account, i, 0) > 0 || lotsOf(w, account, i, 1) > 0;
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
    margin: isIsolated ? figures.moved : w.margin(leg, figures.entryValue),
    maintenance: w.maintenance(instrument, value),
  };
}

/** An account with all positions that ever had an event. */
export interface AccountFigures {
  readonly legs: readonly LegWorth[];
  readonly realised: Decimal;
  readonly fees: Decimal;
  readonly unrealised: Decimal;
  readonly equity: Decimal;
  /** Margin reserved for OPEN orders. */
  readonly holds: Decimal;
  /** "Equity that backs the cross legs." */
  readonly crossEquity: Decimal;
  readonly crossUnrealised: Decimal;
  readonly crossMaintenance: Decimal;
  readonly funding: Decimal;
  readonly insured: Decimal;
  /** "What a new OPEN order on cross margin may use." */
  readonly available: Decimal;
  /** "What may leave the cross legs' pool": unrealised profit does not count. */
  readonly movable: Decimal;
}

export function accountFigures(w: World, account: number, without: ModelOrder | null = null): AccountFigures {
  const legs = w.legs.filter((leg) => leg.account === account && leg.events.length > 0).map((leg) => legWorth(w, leg));
  const cross = legs.filter((leg) => !leg.isIsolated);
  const isolated = legs.filter((leg) => leg.isIsolated);
  const realised = sum(legs.map((leg) => leg.everRealised));
  const fees = sum(legs.map((leg) => leg.everFees));
  const unrealised = sum(legs.map((leg) => leg.unrealised));
  const funding = sum(legs.map((leg) => leg.everFunding));
  const insured = w.insured[account]!.plus(sum(legs.map((leg) => leg.insured)));
  const wallet = sum(w.deposits[account]!).plus(realised).minus(fees).plus(funding).plus(insured);
  const holds = sum(w.live.filter((o) => o.account === account && o !== without).map((o) => holdOf(w, o)));
  const crossUnrealised = sum(cross.map((leg) => leg.unrealised));
  const pool = wallet.minus(sum(isolated.map((leg) => leg.margin)));
  const crossEquity = pool.plus(crossUnrealised);
  const used = holds.plus(sum(cross.map((leg) => leg.margin)));
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
    funding,
    insured,
    available: crossEquity.minus(used),
    movable: pool.plus(least(ZERO, crossUnrealised)).minus(used),
  };
}

/** Margin reserved for an OPEN order: that of the unfilled part, at the order's margin price. */
function holdOf(w: World, o: ModelOrder): Decimal {
  if (o.kind !== 'futures' || !o.isOpen) return ZERO;
  return w.margin(o, w.value(o.instrument, o.marginPrice, leftOf(o)));
}

/** Lots that open CLOSE (or OPEN) orders of a position still want. */
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

/** Quote coin that a spot buy may cost: value plus the higher of the two fees. */
export function spotCost(w: World, i: number, price: number, lots: number): Decimal {
  const value = w.value(i, price, lots);
  return value.plus(most(ZERO, most(w.fee(i, value, true), w.fee(i, value, false))));
}

/** Coins of a spot account locked by resting orders. */
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
