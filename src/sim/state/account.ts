/**
 * @hot Accounts and their legs (position sides). Futures equity is always deposits + realised + unrealised − fees + funding + insurance;
 * `flow` allows the audit to compute it a second way. All money is in whole units of 10⁻⁸.
 * size: an account and its legs have many fields
 */
import { valueLimit } from '../../domain/tiers.ts';
import type { Leverage } from './terms.ts';
import type { SimTap } from './types.ts';
import type { MarketState } from './market-state.ts';
import type { Order } from './order.ts';
import { TagRing } from './tag-ring.ts';

/** Initial value of money fields. It is not a small integer, so V8 stores the field as a double from the start. */
const WIDE = 0.5;

/** Largest value of a leg with all its orders (22.5 million of the coin), so that sums of money stay exact. */
export const VALUE_MAX = 2 ** 51;

/** One leg: one side of an account's position in an instrument. */
export class Leg {
  declare readonly account: Account;
  declare readonly market: MarketState;
  /** Set by the constructor of the pair. */
  declare pair: Pair;
  /** LONG or SHORT. */
  declare readonly side: number;
  declare leverage: number;
  /** Highest value with its orders: the limit of the tiers for its leverage, at most VALUE_MAX. */
  declare maxValue: number;
  total = 0;
  /** Σ value of opening fills minus the part that closes released. */
  entryValue = WIDE;
  /** Cross: ceil(entryValue / leverage). Isolated: the margin assigned to the leg. */
  margin = WIDE;
  /** Lots in resting CLOSE orders (locked) and unfilled lots of OPEN orders (opening). */
  locked = 0;
  opening = 0;
  /** Realised profit since the leg was last flat. */
  realised = WIDE;
  fees = WIDE;
  funding = WIDE;
  createdAt = WIDE;
  updatedAt = WIDE;
  /** Realised profit over its whole life. */
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

  /** Initial margin of `value`, rounded up. */
  marginOf(value: number): number {
    return Math.ceil(value / this.leverage);
  }

  /** Sets the margin to that of cross mode. */
  setCrossMargin(): void {
    const account = this.account;
    const margin = this.marginOf(this.entryValue);
    account.crossMargin += margin - this.margin;
    this.margin = margin;
  }

  /** Profit if it were closed at the mark price, before fees. Exact, because the mark is a whole number of ticks. */
  unrealised(): number {
    return this.unrealisedAt(this.market.mark());
  }

  unrealisedAt(mark: number): number {
    const value = mark * this.total * this.market.unitValue;
    return this.side === 0 ? value - this.entryValue : this.entryValue - value;
  }

  /** Value at the mark price. */
  value(): number {
    return this.market.mark() * this.total * this.market.unitValue;
  }
}

/** Both legs of an account in an instrument, which share the margin mode. */
export class Pair {
  declare readonly market: MarketState;
  declare readonly long: Leg;
  declare readonly short: Leg;
  /** Linked list of the account's pairs with a position. */
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

  /** The same in cross mode; 0 in isolated mode. */
  crossUnrealised(): number {
    return this.isIsolated ? 0 : this.unrealised();
  }

  /** True if a leg has a position. The margin mode cannot change then. */
  hasPosition(): boolean {
    return this.long.total > 0 || this.short.total > 0;
  }

  /** Sets the margin mode of the pair and of the account's resting orders. Both legs must be flat. */
  switchMode(isIsolated: boolean): void {
    this.isIsolated = isIsolated;
    const { account, market } = this.long;
    for (const order of market.buys.list()) if (order.account === account) order.isIsolated = isIsolated;
    for (const order of market.sells.list()) if (order.account === account) order.isIsolated = isIsolated;
    for (const order of market.triggerOrders) if (order.account === account) order.isIsolated = isIsolated;
  }
}

/** Parts of a new account; leverages by instrument. */
export interface AccountParts {
  readonly index: number;
  readonly name: string;
  readonly deposits: number;
  readonly markets: readonly MarketState[];
  readonly leverages: readonly Leverage[];
  /** Number of spot coins. */
  readonly coins: number;
}

export class Account {
  declare readonly index: number;
  declare readonly name: string;
  deposits = WIDE;
  realised = WIDE;
  fees = WIDE;
  /** Σ funding received minus funding paid. */
  funding = WIDE;
  /** Σ losses paid by the venue's insurance fund. */
  insurance = WIDE;
  /** Σ value sold − value bought over all futures fills. */
  flow = WIDE;
  /** Initial margin held for OPEN orders. */
  holds = WIDE;
  /** Σ margin of the cross legs, and Σ margin of the isolated legs. */
  crossMargin = WIDE;
  isolatedMargin = WIDE;
  /** By instrument. */
  declare readonly pairs: readonly Pair[];
  /** Legs that are not flat, in no order. */
  readonly active: Leg[] = [];
  /** First of the linked list of pairs with a position, in no order. */
  held: Pair | null = null;
  /** Free spot coins by number of the coin, in 10⁻⁸. */
  declare readonly free: Float64Array;
  declare readonly locked: Float64Array;
  declare readonly spotDeposits: Float64Array;
  /** Ended orders: a ring, beside it their tags, which are searched without touching the orders, and the place of the next entry. */
  readonly ended: Order[] = [];
  readonly endedTags = new TagRing();
  endedNext = 0;
  /** Called synchronously for fills and ends; null for none. */
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
    // Last: the legs refer to an account whose fields are all set.
    for (const [i, market] of markets.entries()) pairs.push(new Pair(this, market, leverages[i]!));
  }

  /** deposits + realised − fees + funding + insurance. It includes the margins of isolated legs. */
  wallet(): number {
    return this.deposits + this.realised - this.fees + this.funding + this.insurance;
  }

  /** Σ unrealised of the legs in cross mode. */
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

  /** Σ entry value of the long legs minus that of the short legs. */
  entry(): number {
    return this.active.reduce((sum, leg) => sum + (leg.side === 0 ? leg.entryValue : -leg.entryValue), 0); // hot-ok: audits
  }

  /** Σ value of all legs at the mark, long and short added. */
  exposure(): number {
    let sum = 0;
    for (let k = 0; k < this.active.length; k++) sum += this.active[k]!.value();
    return sum;
  }

  equity(): number {
    return this.wallet() + this.unrealised();
  }

  /** Equity behind the cross legs: wallet − isolatedMargin + Σ unrealised of the cross legs. */
  crossEquity(): number {
    return this.wallet() - this.isolatedMargin + this.crossUnrealised();
  }

  /** Margin available to a new OPEN order in cross mode: crossEquity − holds − crossMargin. Can be negative. */
  available(): number {
    return this.crossEquity() - this.holds - this.crossMargin;
  }

  /**
   * The amount that can be moved to an isolated leg or withdrawn. Like `available`, but without unrealised profit:
   * wallet − isolatedMargin + min(0, Σ unrealised of the cross legs) − holds − crossMargin.
   */
  movable(): number {
    const unrealised = this.crossUnrealised();
    return this.wallet() - this.isolatedMargin + (unrealised < 0 ? unrealised : 0) - this.holds - this.crossMargin;
  }

  /** Call before a flat leg gets a position. */
  activate(leg: Leg): void {
    this.active.push(leg);
    if (!leg.pair.hasPosition()) this.keep(leg.pair);
  }

  /** Call after a leg has become flat. */
  deactivate(leg: Leg): void {
    drop(this.active, leg);
    if (!leg.pair.hasPosition()) this.#letGo(leg.pair);
  }

  /** Adds the pair to the list of pairs with a position. */
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
