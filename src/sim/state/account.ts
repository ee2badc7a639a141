/**
 * @hot Accounts and their legs. An account's futures equity is at all times deposits + realised + unrealised − fees + funding +
 * insurance; `flow` keeps the same truth by another road. All money is whole units of 10^-8.
 */
import { valueLimit } from '../../domain/tiers.ts';
import type { Leverage } from './terms.ts';
import type { SimTap } from './types.ts';
import type { MarketState } from './market-state.ts';
import type { Order } from './order.ts';

/** Set at first to numbers that are not small integers, so that fields of money never change their representation. */
const WIDE = 0.5;

/** A leg, with all its orders at their prices, stays below this value, so that sums of money stay exact: 22.5 million of the coin. */
export const VALUE_MAX = 2 ** 51;

/** One side of an account's position in an instrument. */
export class Leg {
  declare readonly account: Account;
  declare readonly market: MarketState;
  /** Set by the pair, when that has all its fields. */
  declare pair: Pair;
  /** LONG or SHORT. */
  declare readonly side: number;
  declare leverage: number;
  /** Highest value it may have with its orders: as far as its leverage is allowed in the tiers, and VALUE_MAX. */
  declare maxValue: number;
  total = 0;
  /** Σ value of what was opened less what closes have released. */
  entryValue = WIDE;
  /** Cross: ceil(entryValue / leverage). Isolated: what was moved in and is still there. */
  margin = WIDE;
  /** Lots in resting CLOSE orders, and lots unfilled of OPEN orders. */
  locked = 0;
  opening = 0;
  /** Since the leg was last flat. */
  realised = WIDE;
  fees = WIDE;
  funding = WIDE;
  createdAt = WIDE;
  updatedAt = WIDE;
  /** Over its whole life. */
  everRealised = WIDE;

  constructor(account: Account, market: MarketState, side: number, leverage: number) {
    this.account = account;
    this.market = market;
    this.side = side;
    this.setLeverage(leverage);
    this.entryValue = 0;
    this.margin = 0;
    this.realised = 0;
    this.fees = 0;
    this.funding = 0;
    this.createdAt = 0;
    this.updatedAt = 0;
    this.everRealised = 0;
  }

  setLeverage(leverage: number): void {
    this.leverage = leverage;
    this.maxValue = Math.min(VALUE_MAX, valueLimit(this.market.tiers, leverage));
  }

  /** Initial margin of `value`: rounded up, so that margins never promise more than the account has. */
  marginOf(value: number): number {
    return Math.ceil(value / this.leverage);
  }

  /** Its margin becomes what cross mode asks for the value it has. */
  setCrossMargin(): void {
    const account = this.account;
    const margin = this.marginOf(this.entryValue);
    account.crossMargin += margin - this.margin;
    this.margin = margin;
  }

  /** Profit if it were closed at the mark, before fees: a whole number, because the mark is a whole number of ticks. */
  unrealised(): number {
    return this.unrealisedAt(this.market.mark());
  }

  unrealisedAt(mark: number): number {
    const value = mark * this.total * this.market.unitValue;
    return this.side === 0 ? value - this.entryValue : this.entryValue - value;
  }

  /** Value at the mark. */
  value(): number {
    return this.market.mark() * this.total * this.market.unitValue;
  }
}

/** Both legs of an account in an instrument, which share the margin mode. */
export class Pair {
  declare readonly market: MarketState;
  declare readonly long: Leg;
  declare readonly short: Leg;
  /** The next of the account's pairs that are not flat, while this one is not. */
  next: Pair | null = null;
  isIsolated = false;

  constructor(account: Account, market: MarketState, { long, short }: Leverage) {
    this.market = market;
    this.long = new Leg(account, market, 0, long);
    this.short = new Leg(account, market, 1, short);
    this.long.pair = this;
    this.short.pair = this;
  }

  /** Σ unrealised of both legs. */
  unrealised(): number {
    const market = this.market;
    const long = this.long;
    const short = this.short;
    return market.mark() * (long.total - short.total) * market.unitValue - long.entryValue + short.entryValue;
  }

  /** The same if they are in cross mode, else 0. */
  crossUnrealised(): number {
    return this.isIsolated ? 0 : this.unrealised();
  }

  /** An open position fixes the margin mode. */
  hasPosition(): boolean {
    return this.long.total > 0 || this.short.total > 0;
  }

  /** Both legs are flat: the symbol and the orders of the account that wait in it are of this mode from now on. */
  switchMode(isIsolated: boolean): void {
    this.isIsolated = isIsolated;
    const { account, market } = this.long;
    for (const order of market.buys.list()) if (order.account === account) order.isIsolated = isIsolated;
    for (const order of market.sells.list()) if (order.account === account) order.isIsolated = isIsolated;
    for (const order of market.triggerOrders) if (order.account === account) order.isIsolated = isIsolated;
  }
}

/** What an account is built from; leverages by instrument. */
export interface AccountParts {
  readonly index: number;
  readonly name: string;
  readonly deposits: number;
  readonly markets: readonly MarketState[];
  readonly leverages: readonly Leverage[];
  /** How many spot coins there are. */
  readonly coins: number;
}

export class Account {
  declare readonly index: number;
  declare readonly name: string;
  deposits = WIDE;
  realised = WIDE;
  fees = WIDE;
  /** Σ funding received less funding paid. */
  funding = WIDE;
  /** Σ losses that the venue's insurance fund took over. */
  insurance = WIDE;
  /** Σ value sold − value bought over all futures fills. */
  flow = WIDE;
  /** Initial margin kept back for OPEN orders. */
  holds = WIDE;
  /** Σ margin of the cross legs, and of the isolated ones. */
  crossMargin = WIDE;
  isolatedMargin = WIDE;
  /** By instrument. */
  declare readonly pairs: readonly Pair[];
  /** Legs that are not flat, in no order. */
  readonly active: Leg[] = [];
  /** Their pairs, in no order: one, which leads to the others. */
  held: Pair | null = null;
  /** Spot coins by number of the coin, 10^-8. */
  declare readonly free: Float64Array;
  declare readonly locked: Float64Array;
  declare readonly spotDeposits: Float64Array;
  /** Ended orders: a ring, the place of the next, and how many it holds. */
  readonly ended: Order[] = [];
  endedNext = 0;
  /** Told at once of fills and ends. */
  tap: SimTap | null = null;

  constructor({ index, name, deposits, markets, leverages, coins }: AccountParts) {
    this.index = index;
    this.name = name;
    this.deposits = deposits;
    this.realised = 0;
    this.fees = 0;
    this.funding = 0;
    this.insurance = 0;
    this.flow = 0;
    this.holds = 0;
    this.crossMargin = 0;
    this.isolatedMargin = 0;
    const pairs: Pair[] = [];
    this.pairs = pairs;
    this.free = new Float64Array(coins);
    this.locked = new Float64Array(coins);
    this.spotDeposits = new Float64Array(coins);
    // Last, so that their legs hold an account that has all its fields.
    for (const [i, market] of markets.entries()) pairs.push(new Pair(this, market, leverages[i]!));
  }

  /** deposits + realised − fees + funding + insurance: the money that is there, margins of isolated legs among it. */
  wallet(): number {
    return this.deposits + this.realised - this.fees + this.funding + this.insurance;
  }

  /** Σ unrealised of the legs in cross mode; mostly they are of one pair. */
  crossUnrealised(): number {
    const pair = this.held;
    if (pair === null) return 0;
    return pair.next === null ? pair.crossUnrealised() : this.#crossOfMany(pair);
  }

  #crossOfMany(first: Pair): number {
    let sum = 0;
    for (let pair: Pair | null = first; pair !== null; pair = pair.next) sum += pair.crossUnrealised();
    return sum;
  }

  /** Σ unrealised of all legs. */
  unrealised(): number {
    let sum = 0;
    for (let pair = this.held; pair !== null; pair = pair.next) sum += pair.unrealised();
    return sum;
  }

  /** Σ entry value of the long legs − that of the short ones. */
  entry(): number {
    return this.active.reduce((sum, leg) => sum + (leg.side === 0 ? leg.entryValue : -leg.entryValue), 0); // hot-ok: audits
  }

  /** Σ value of the legs at the mark, long and short alike. */
  exposure(): number {
    const active = this.active;
    let sum = 0;
    for (let k = 0; k < active.length; k++) sum += active[k]!.value();
    return sum;
  }

  equity(): number {
    return this.wallet() + this.unrealised();
  }

  /** What backs the cross legs: wallet − isolatedMargin + Σ unrealised of the cross legs. */
  crossEquity(): number {
    return this.wallet() - this.isolatedMargin + this.crossUnrealised();
  }

  /** What a new OPEN order on cross margin may use: crossEquity − holds − crossMargin. May be below zero. */
  available(): number {
    return this.crossEquity() - this.holds - this.crossMargin;
  }

  /**
   * What may leave the cross legs' pool, as margin of an isolated leg or as a transfer: as `available`, but profit that is not
   * realised does not count: wallet − isolatedMargin + min(0, Σ unrealised of the cross legs) − holds − crossMargin.
   */
  movable(): number {
    const unrealised = this.crossUnrealised();
    return this.wallet() - this.isolatedMargin + (unrealised < 0 ? unrealised : 0) - this.holds - this.crossMargin;
  }

  /** The leg, which is flat yet, is about to be one no more. */
  activate(leg: Leg): void {
    this.active.push(leg);
    if (!leg.pair.hasPosition()) this.keep(leg.pair);
  }

  /** The leg is flat again. */
  deactivate(leg: Leg): void {
    drop(this.active, leg);
    if (!leg.pair.hasPosition()) this.#letGo(leg.pair);
  }

  /** The pair comes to those that are not flat. */
  keep(pair: Pair): void {
    pair.next = this.held;
    this.held = pair;
  }

  #letGo(pair: Pair): void {
    let before: Pair | null = null;
    for (let one = this.held!; one !== pair; one = one.next!) before = one;
    if (before === null) this.held = pair.next;
    else before.next = pair.next;
    pair.next = null;
  }
}

function drop<T>(list: T[], one: T): void {
  let at = 0;
  while (list[at] !== one) at++;
  list[at] = list[list.length - 1]!;
  list.pop();
}
