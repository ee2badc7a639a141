/**
 * Legs and accounts for readers in no hurry, as fresh plain objects. Every derived field of the interface's records has its
 * formula here: V is the leg's value at the mark (mark · total · unitValue), E its entry value, prices are those of one base coin
 * in 10^-8 rounded down, and money is whole units of 10^-8 of the quote coin.
 */
import { unitPrice } from '../../domain/instrument.ts';
import { tierOf, type Tier } from '../../domain/tiers.ts';
import type { Lots, Millis, Money, Rate, Ticks } from '../../domain/units.ts';
import type { SimClearing } from '../state/terms.ts';
import type { SimAccountView, SimBalance, SimPosition } from '../state/types.ts';
import type { Account, Leg } from '../state/account.ts';
import { activeLegs, backingOf, crossMaintenance, maintenanceOf } from './liquidation.ts';
import type { SimState } from '../state/state.ts';

const ONE = 100_000_000n;

/** Legs that are not flat, by instrument (−1: all), LONG before SHORT. */
export function positions(s: SimState, a: number, i: number): SimPosition[] {
  const legs = activeLegs(s.accounts[a]!);
  return legs.filter((leg) => i < 0 || leg.market.index === i).map(positionOf);
}

/**
 * §2.10. openDelegateSize = lots unfilled of the leg's OPEN orders; locked = lots unfilled of its CLOSE orders; available = total −
 * locked; marginSize: cross ceil(E / leverage), isolated what is in it; achievedProfits = Σ realised since the leg was last flat,
 * before fees and funding; openPriceAvg = E per base coin; unrealizedPL: LONG V − E, SHORT E − V; keepMarginRate = rate of the
 * tier of V; totalFee = Σ funding since the leg was last flat, below zero when more was paid than received.
 */
function positionOf(leg: Leg): SimPosition {
  const { market, account, total } = leg;
  const isIsolated = leg.pair.isIsolated;
  const unrealised = leg.unrealised();
  const backing = isIsolated ? backingOf(leg) : account.crossEquity();
  const maintenance = isIsolated ? maintenanceOf(leg) : crossMaintenance(account);
  const rest = backing - unrealised - (maintenance - maintenanceOf(leg));
  return {
    account: account.index,
    instrument: market.index,
    side: leg.side,
    total: total as Lots,
    available: (total - leg.locked) as Lots,
    locked: leg.locked as Lots,
    opening: leg.opening as Lots,
    entryValue: leg.entryValue as Money,
    entryPrice: unitPrice(market.instrument, leg.entryValue, total),
    margin: leg.margin as Money,
    marginMode: isIsolated ? 1 : 0,
    leverage: leg.leverage,
    realised: leg.realised as Money,
    unrealised: unrealised as Money,
    fees: leg.fees as Money,
    funding: leg.funding as Money,
    markPrice: market.mark() as Ticks,
    liquidationPrice: liquidationPrice(leg, rest),
    breakEvenPrice: breakEvenPrice(leg),
    marginRate: marginRate(maintenance, backing) as Rate,
    maintenanceRate: market.tiers[tierOf(market.tiers, leg.value())]!.rate,
    createdAt: leg.createdAt as Millis,
    updatedAt: leg.updatedAt as Millis,
  };
}

/**
 * marginRate = floor(maintenance · 10^8 / backing), 1 where backing ≤ maintenance: there the leg is liquidated. Isolated: the
 * leg's own maintenance and margin + unrealised; cross: Σ maintenance of the cross legs and crossEquity.
 */
function marginRate(maintenance: number, backing: number): number {
  if (backing <= 0 || maintenance >= backing) return Number(ONE);
  return Number((BigInt(maintenance) * ONE) / BigInt(backing));
}

/**
 * liquidationPrice: where backing = maintenance if only this leg's mark moved. With `rest` = backing − the leg's own unrealised −
 * maintenance of the others, and the rate m and deduction d of a tier, the value V* is LONG (E − rest − d) / (1 − m), SHORT (E +
 * rest + d) / (1 + m), in the tier that V* itself lies in. 0 where no price does it.
 */
function liquidationPrice(leg: Leg, rest: number): number {
  const { tiers } = leg.market;
  const isLong = leg.side === 0;
  const entry = BigInt(leg.entryValue);
  const at = (tier: Tier): [bigint, bigint] => {
    const [rate, shift] = [BigInt(tier.rate), BigInt(rest) + BigInt(tier.deduction)];
    return isLong ? [entry - shift, ONE - rate] : [entry + shift, ONE + rate];
  };
  // Backing less maintenance runs one way in V: V* is at most upTo exactly where this tier's own formula says so.
  const isWithin = (tier: Tier): boolean => {
    if (tier.upTo === Infinity) return true;
    const [top, share] = at(tier);
    return BigInt(tier.upTo) * share >= top * ONE;
  };
  return grossPrice(leg, ...at(tiers.find(isWithin)!));
}

/**
 * breakEvenPrice: where closing as taker ends the whole life of the leg at zero. With costs = fees − funding − realised and the taker
 * rate t: LONG V* = (E + costs) / (1 − t), SHORT V* = (E − costs) / (1 + t). 0 where no price does it.
 */
function breakEvenPrice(leg: Leg): number {
  const t = BigInt(leg.market.takerRate);
  const costs = BigInt(leg.fees) - BigInt(leg.funding) - BigInt(leg.realised);
  const entry = BigInt(leg.entryValue);
  return leg.side === 0 ? grossPrice(leg, entry + costs, ONE - t) : grossPrice(leg, entry - costs, ONE + t);
}

/**
 * Price where the leg's value times `share` (of ONE) is `value`: floor(value · ONE · sizeScale / (share · total · lotStep)). 0 when value
 * ≤ 0, and beyond the greatest amount of money: a little leg of a large account may have to rise to a price that is none.
 */
function grossPrice(leg: Leg, value: bigint, share: bigint): number {
  if (value <= 0n) return 0;
  const x = leg.market.instrument;
  const price = (value * ONE * BigInt(x.sizeScale)) / (share * BigInt(leg.total) * BigInt(x.lotStep));
  return price > Number.MAX_SAFE_INTEGER ? 0 : Number(price);
}

/**
 * §2.11. accountEquity = wallet + Σ unrealised of all legs; locked = Σ ceil(value unfilled / leverage) of the OPEN orders;
 * unrealizedPL = Σ unrealised of all legs; available = accountEquity − locked − unrealizedPL, so what margins of positions use is
 * still in it, as the interface's identity wants; crossMaxAvailable = what a new order on cross margin may use, wallet −
 * isolated margins + Σ unrealised of the cross legs − locked − cross margins; isolatedMaxAvailable = the same where profit that is not
 * realised does not count, and maxTransferOut is that too; none of these three is below zero. longLever and shortLever are
 * those of the symbol asked for. coupon is always 0.
 */
export function accountOf(s: SimState, a: number, i: number): SimAccountView {
  const account = s.accounts[a]!;
  const equity = account.equity();
  const unrealised = account.unrealised();
  const movable = Math.max(0, account.movable()) as Money;
  const pair = account.pairs[i];
  return {
    equity: equity as Money,
    available: (equity - account.holds - unrealised) as Money,
    locked: account.holds as Money,
    unrealised: unrealised as Money,
    crossMaxAvailable: Math.max(0, account.available()) as Money,
    isolatedMaxAvailable: movable,
    maxTransferOut: movable,
    marginMode: pair?.isIsolated === true ? 1 : 0,
    longLeverage: pair?.long.leverage ?? 0,
    shortLeverage: pair?.short.leverage ?? 0,
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
  /** Losses that the insurance fund took over. */
  readonly insurance: Money;
}

export function totals(account: Account): Totals {
  return {
    deposits: account.deposits as Money,
    realised: account.realised as Money,
    unrealised: account.unrealised() as Money,
    fees: account.fees as Money,
    funding: account.funding as Money,
    insurance: account.insurance as Money,
  };
}

/** What the venue's side has come to; with the changes of all wallets it is nothing. */
export function clearingOf(s: SimState): SimClearing {
  const { fees, market, funding, insurance, coins } = s.clearing;
  return {
    fees: fees.value() as Money,
    market: market.value() as Money,
    funding: funding.value() as Money,
    insurance: insurance.value() as Money,
    coins: s.coins.map((coin, k) => ({ coin, amount: coins[k]!.value() })),
  };
}
