/**
 * Positions and accounts as new plain objects, with the formula of every derived field of the interface's records. V is the leg's value at
 * the mark (mark · total · unitValue), E its entry value. Prices are those of one base coin in 10⁻⁸, rounded down. Money is in whole units
 * of 10⁻⁸ of the quote coin.
 */
import { unitPrice } from '../../domain/instrument.ts';
import { tierOf, type Tier } from '../../domain/tiers.ts';
import type { Lots, Millis, Money, Rate, Ticks } from '../../domain/amounts/units.ts';
import type { SimClearing } from '../state/terms.ts';
import type { SimAccountView, SimBalance, SimPosition } from '../state/types.ts';
import type { Account, Leg } from '../state/account.ts';
import { activeLegs, backingOf, crossMaintenance, maintenanceOf } from '../margin/liquidation.ts';
import type { SimState } from '../state/state.ts';
import * as units from '../../domain/amounts/units.ts';

const ONE = BigInt(units.ONE);

/** Legs with a position, by instrument (−1: all), LONG before SHORT. */
export function positions(s: SimState, a: number, i: number): SimPosition[] {
  const legs = activeLegs(s.accounts[a]!);
  return legs.filter((leg) => i < 0 || leg.market.index === i).map(positionOf);
}

/**
 * The position record (interface §2.10). openDelegateSize = unfilled lots of the leg's OPEN orders; locked = unfilled lots of its CLOSE
 * orders; available = total − locked; marginSize: cross ceil(E / leverage), isolated the assigned margin; achievedProfits = Σ realised since
 * the leg was last flat, before fees and funding; openPriceAvg = E per base coin; unrealizedPL: LONG V − E, SHORT E − V; keepMarginRate =
 * rate of the tier of V; totalFee = Σ funding since the leg was last flat, negative if more was paid than received.
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
 * marginRate = floor(maintenance · 10⁸ / backing); 1 if backing ≤ maintenance, where the leg is liquidated. Isolated: maintenance of the leg,
 * backing = margin + unrealised. Cross: Σ maintenance of the cross legs, backing = crossEquity.
 */
function marginRate(maintenance: number, backing: number): number {
  if (backing <= 0 || maintenance >= backing) return Number(ONE);
  return Number((BigInt(maintenance) * ONE) / BigInt(backing));
}

/**
 * liquidationPrice: the price at which backing = maintenance if only this leg's mark moves. With `rest` = backing − the leg's unrealised −
 * maintenance of the others, and rate m and deduction d of a tier, V* is LONG (E − rest − d) / (1 − m), SHORT (E + rest + d) / (1 + m), in
 * the tier that contains V*. 0 if there is no such price.
 */
function liquidationPrice(leg: Leg, rest: number): number {
  const { tiers } = leg.market;
  const isLong = leg.side === 0;
  const entry = BigInt(leg.entryValue);
  const at = (tier: Tier): [bigint, bigint] => {
    const [rate, shift] = [BigInt(tier.rate), BigInt(rest) + BigInt(tier.deduction)];
    return isLong ? [entry - shift, ONE - rate] : [entry + shift, ONE + rate];
  };
  // Backing − maintenance is monotonic in V, so V* ≤ upTo exactly if this tier's formula gives that.
  const isWithin = (tier: Tier): boolean => {
    if (tier.upTo === Infinity) return true;
    const [top, share] = at(tier);
    return BigInt(tier.upTo) * share >= top * ONE;
  };
  return grossPrice(leg, ...at(tiers.find(isWithin)!));
}

/**
 * breakEvenPrice: the price at which closing as taker makes the total result of the leg zero. With costs = fees − funding − realised and
 * taker rate t: LONG V* = (E + costs) / (1 − t), SHORT V* = (E − costs) / (1 + t). 0 if there is no such price.
 */
function breakEvenPrice(leg: Leg): number {
  const t = BigInt(leg.market.takerRate);
  const costs = BigInt(leg.fees) - BigInt(leg.funding) - BigInt(leg.realised);
  const entry = BigInt(leg.entryValue);
  return leg.side === 0 ? grossPrice(leg, entry + costs, ONE - t) : grossPrice(leg, entry - costs, ONE + t);
}

/**
 * Price at which the leg's value times `share` (of ONE) is `value`: floor(value · ONE · sizeScale / (share · total · lotStep)). 0 if value
 * ≤ 0 or if the price would exceed the largest amount of money.
 */
function grossPrice(leg: Leg, value: bigint, share: bigint): number {
  if (value <= 0n) return 0;
  const x = leg.market.instrument;
  const price = (value * ONE * BigInt(x.sizeScale)) / (share * BigInt(leg.total) * BigInt(x.lotStep));
  return price > Number.MAX_SAFE_INTEGER ? 0 : Number(price);
}

/**
 * The account record (interface §2.11). accountEquity = wallet + Σ unrealised of all legs; locked = Σ ceil(unfilled value / leverage) of the
 * OPEN orders; unrealizedPL = Σ unrealised of all legs; available = accountEquity − locked − unrealizedPL, which still contains the margins
 * of positions, as the interface defines it. crossMaxAvailable = wallet − isolated margins + Σ unrealised of the cross legs − locked − cross
 * margins; isolatedMaxAvailable = maxTransferOut = the same without unrealised profit; none of these three is negative. longLever and
 * shortLever are those of the requested symbol. coupon is always 0.
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
  /** Losses that the insurance fund paid. */
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

/** The clearing account. Together with the changes of all wallets it adds up to zero. */
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
