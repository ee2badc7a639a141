/**
 * @hot Money and legs of every futures account as columns of integers. An account's equity is at all times
 * deposits + realised + unrealised − fees + funding; `flow` keeps the same truth by another road, for the audit.
 */
import type { Market } from './market.ts';

export class Ledger {
  readonly instruments: number;
  readonly accounts: number;

  /* By account. */
  readonly deposits: Float64Array;
  readonly realised: Float64Array;
  readonly fees: Float64Array;
  readonly funding: Float64Array;
  /** Σ value sold − value bought − fees + funding over all fills. */
  readonly flow: Float64Array;
  /** Initial margin kept back for OPEN orders. */
  readonly holds: Float64Array;
  /** Σ margin of the cross legs, and of the isolated ones. */
  readonly crossMargin: Float64Array;
  readonly isolatedMargin: Float64Array;
  readonly activeCount: Int32Array;

  /* By leg = (account · instruments + instrument) · 2 + side. */
  readonly total: Float64Array;
  readonly entryValue: Float64Array;
  /** Cross: ceil(entryValue / leverage). Isolated: what was moved in. */
  readonly margin: Float64Array;
  /** Lots in resting CLOSE orders, and lots unfilled of OPEN orders. */
  readonly locked: Float64Array;
  readonly opening: Float64Array;
  /* Since the leg was last flat. */
  readonly legRealised: Float64Array;
  readonly legFees: Float64Array;
  readonly legFunding: Float64Array;
  readonly createdAt: Float64Array;
  readonly updatedAt: Float64Array;
  /** Realised over the leg's whole life. */
  readonly everRealised: Float64Array;
  /** Place of a leg that is not flat in its account's part of `active`. */
  readonly activeAt: Int32Array;
  /** Legs that are not flat: account · instruments · 2 + k for k < activeCount. */
  readonly active: Int32Array;

  /* By account and instrument = account · instruments + instrument. */
  readonly mode: Uint8Array;
  readonly openOrders: Int32Array;

  readonly #unitValue: Float64Array;
  readonly #market: Market;

  constructor(accounts: number, unitValue: Float64Array, market: Market) {
    this.accounts = accounts;
    this.instruments = unitValue.length;
    this.#unitValue = unitValue;
    this.#market = market;
    const column = (length: number): Float64Array => new Float64Array(length);
    const pairs = accounts * this.instruments;
    const legs = pairs * 2;
    this.deposits = column(accounts);
    this.realised = column(accounts);
    this.fees = column(accounts);
    this.funding = column(accounts);
    this.flow = column(accounts);
    this.holds = column(accounts);
    this.crossMargin = column(accounts);
    this.isolatedMargin = column(accounts);
    this.activeCount = new Int32Array(accounts);
    this.total = column(legs);
    this.entryValue = column(legs);
    this.margin = column(legs);
    this.locked = column(legs);
    this.opening = column(legs);
    this.legRealised = column(legs);
    this.legFees = column(legs);
    this.legFunding = column(legs);
    this.createdAt = column(legs);
    this.updatedAt = column(legs);
    this.everRealised = column(legs);
    this.activeAt = new Int32Array(legs);
    this.active = new Int32Array(legs);
    this.mode = new Uint8Array(pairs);
    this.openOrders = new Int32Array(pairs);
  }

  /** Account of a leg, and instrument of a leg. */
  accountOf(leg: number): number {
    return Math.floor((leg >> 1) / this.instruments);
  }

  instrumentOf(leg: number): number {
    return (leg >> 1) % this.instruments;
  }

  isIsolated(leg: number): boolean {
    return this.mode[leg >> 1] === 1;
  }

  /** deposits + realised − fees + funding. */
  wallet(a: number): number {
    return this.deposits[a]! + this.realised[a]! - this.fees[a]! + this.funding[a]!;
  }

  /** Profit of the leg if it were closed at the mark, before fees: a whole number, because the mark is. */
  unrealised(leg: number): number {
    const i = (leg >> 1) % this.instruments;
    const value = this.#market.mark(i) * this.total[leg]! * this.#unitValue[i]!;
    return (leg & 1) === 0 ? value - this.entryValue[leg]! : this.entryValue[leg]! - value;
  }

  /** Σ unrealised of the account's cross legs, or of all. */
  unrealisedOf(a: number, withIsolated: boolean): number {
    const from = a * this.instruments * 2;
    const to = from + this.activeCount[a]!;
    let sum = 0;
    for (let k = from; k < to; k++) {
      const leg = this.active[k]!;
      if (withIsolated || this.mode[leg >> 1] === 0) sum += this.unrealised(leg);
    }
    return sum;
  }

  equity(a: number): number {
    return this.wallet(a) + this.unrealisedOf(a, true);
  }

  /** Σ value of the account's legs at the mark. */
  exposure(a: number): number {
    const from = a * this.instruments * 2;
    let sum = 0;
    for (let k = from; k < from + this.activeCount[a]!; k++) {
      const leg = this.active[k]!;
      const i = (leg >> 1) % this.instruments;
      sum += this.#market.mark(i) * this.total[leg]! * this.#unitValue[i]!;
    }
    return sum;
  }

  /** What a new OPEN order or a transfer into isolated margin may use. May be below zero. */
  available(a: number): number {
    return this.wallet(a) + this.unrealisedOf(a, false) - this.holds[a]! - this.crossMargin[a]! - this.isolatedMargin[a]!;
  }

  /** Notes that `leg` is no longer flat. */
  activate(a: number, leg: number): void {
    const at = a * this.instruments * 2 + this.activeCount[a]!;
    this.active[at] = leg;
    this.activeAt[leg] = at;
    this.activeCount[a]!++;
  }

  deactivate(a: number, leg: number): void {
    const last = a * this.instruments * 2 + --this.activeCount[a]!;
    const at = this.activeAt[leg]!;
    const moved = this.active[last]!;
    this.active[at] = moved;
    this.activeAt[moved] = at;
  }
}
