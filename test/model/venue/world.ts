/**
 * The state of the model venue: rules, the market as last shown, orders, and for each position the list of its events. Prices are whole
 * ticks and sizes whole lots; money is Decimal. No value is a sum of other values.
 */
import type { Instrument } from '../../../src/domain/instrument.ts';
import type { FillModel, SimSpec } from '../../../src/sim/state/types.ts';
import { coins, Decimal, sum, up8, ZERO } from './money.ts';

export type Kind = 'futures' | 'plan' | 'spot';
export type Status = 'working' | 'filled' | 'cancelled' | 'replaced';

/** Bracket exits; 0 = none, an execute price of 0 = at market. */
export interface Exits {
  readonly takeProfit: number;
  readonly takeProfitLimit: number;
  readonly stopLoss: number;
  readonly stopLossLimit: number;
}

export interface ModelOrder {
  readonly no: number;
  readonly account: number;
  readonly tag: number;
  readonly instrument: number;
  readonly kind: Kind;
  /** Futures: 0 LONG, 1 SHORT. Spot: 0 BUY, 1 SELL. */
  readonly side: number;
  readonly isOpen: boolean;
  readonly isBuy: boolean;
  readonly isMarket: boolean;
  readonly isPostOnly: boolean;
  isIsolated: boolean;
  /** 0 for a market order. */
  readonly price: number;
  readonly size: number;
  readonly exits: Exits | null;
  readonly trigger: number;
  readonly isByMark: boolean;
  readonly isUpward: boolean;
  readonly isByVenue: boolean;
  readonly isLiquidation: boolean;
  readonly parent: number;
  readonly createdAt: number;
  /** The price by which its margin is computed. */
  readonly marginPrice: number;
  readonly fills: ModelFill[];
  status: Status;
  updatedAt: number;
  /** True if it crossed on arrival and no row has shown since that it no longer does: it takes. */
  takes: boolean;
  /** Lots of others before it in the queue; null = not known yet. */
  ahead: number | null;
}

export interface ModelFill {
  readonly time: number;
  readonly price: number;
  readonly size: number;
  readonly value: Decimal;
  readonly fee: Decimal;
  readonly realised: Decimal;
  readonly isTaker: boolean;
}

/** The events of a position, in order. */
export type LegEvent =
  | {
      readonly what: 'open' | 'close';
      readonly time: number;
      readonly size: number;
      readonly value: Decimal;
      readonly fee: Decimal;
      readonly isLiquidation: boolean;
      readonly isIsolated: boolean;
    }
  | { readonly what: 'margin'; readonly time: number; readonly amount: Decimal }
  | { readonly what: 'funding'; readonly time: number; readonly amount: Decimal };

export interface ModelLeg {
  readonly account: number;
  readonly instrument: number;
  readonly side: number;
  readonly events: LegEvent[];
}

/** Active bracket exits for `size` lots of a position. */
export interface Bracket {
  readonly order: ModelOrder;
  readonly exits: Exits;
  size: number;
}

export interface Book {
  readonly bid: number;
  readonly bidSize: number;
  /** 0 if nobody offers. */
  readonly ask: number;
  readonly askSize: number;
  readonly time: number;
  /** Lots that our orders took from each side of this quote. */
  readonly takenFromBid: number[];
  readonly takenFromAsk: number[];
}

export interface MarketTrade {
  readonly id: number;
  readonly price: number;
  readonly size: number;
  readonly aggressor: number;
  readonly time: number;
}

export interface Market {
  book: Book | null;
  /** 0 before the first. */
  last: number;
  /** The slow mid price in 1024ths of a tick; null while nobody needs it. */
  slow: Decimal | null;
  readonly trades: MarketTrade[];
  brackets: Bracket[];
}

export class World {
  readonly spec: SimSpec;
  readonly instruments: readonly Instrument[];
  readonly model: FillModel;
  readonly markets: readonly Market[];
  readonly legs: readonly ModelLeg[];
  /** By account, then instrument: whether it is isolated. */
  readonly isIsolated: boolean[][];
  /** Deposits and withdrawals, by account. */
  readonly deposits: readonly Decimal[][];
  readonly coins: readonly string[];
  /** All orders ever, by number − 1. */
  readonly orders: ModelOrder[] = [];
  /** Open orders, by number. */
  live: ModelOrder[] = [];
  /** Ended orders, in the order of their ends. */
  readonly ended: ModelOrder[] = [];
  /** Lines of the ledger. */
  readonly told: string[] = [];
  fills = 0;
  now = 0;
  /** Next check of positions and mark triggers. */
  nextLook = Infinity;
  lastLook = 0;
  nextFunding = 0;
  /** Losses that the insurance fund paid, by account. */
  readonly insured: Decimal[];
  refusal = 'invalid-request';
  /** The value of one lot at one tick, by instrument. */
  readonly #unit: readonly Decimal[];
  readonly #lot: readonly Decimal[];
  /** Movements of spot coins by account and coin; locking by resting orders is not a movement. */
  readonly #coinMoves = new Map<string, Decimal[]>();

  constructor(spec: SimSpec) {
    this.spec = spec;
    this.instruments = spec.instruments;
    this.model = spec.fillModel;
    this.markets = spec.instruments.map(() => ({ book: null, last: 0, slow: null, trades: [], brackets: [] }));
    this.#unit = spec.instruments.map((x) => new Decimal(x.tickSize).times(x.lotSize));
    this.#lot = spec.instruments.map((x) => new Decimal(x.lotSize));
    this.isIsolated = spec.accounts.map(() => spec.instruments.map(() => false));
    this.legs = spec.accounts.flatMap((_, account) =>
      spec.instruments.flatMap((x) => [0, 1].map((side) => ({ account, instrument: x.index, side, events: [] }))),
    );
    const spot = spec.instruments.filter((x) => x.product === 'spot');
    this.coins = [...new Set([...spot.flatMap((x) => [x.baseCoin, x.quoteCoin]), ...spec.accounts.flatMap((x) => Object.keys(x.spot))])];
    this.insured = spec.accounts.map(() => ZERO);
    this.deposits = spec.accounts.map((x) => [new Decimal(x.futures)]);
    for (const [account, given] of spec.accounts.entries()) {
      this.cash(account, this.quoteCoin, this.deposits[account]![0]!, 'deposit', 0);
      for (const [coin, amount] of Object.entries(given.spot)) this.moveCoin(account, coin, new Decimal(amount), 'deposit', 0);
    }
  }

  /** The coin of futures money. */
  get quoteCoin(): string {
    return this.instruments.find((x) => x.product === 'futures')?.quoteCoin ?? 'USDT';
  }

  leg(account: number, i: number, side: number): ModelLeg {
    return this.legs[(account * this.instruments.length + i) * 2 + side]!;
  }

  /** The account's own leverage for the position side, or the venue's; at most what the instrument allows. */
  leverage(account: number, i: number, side: number): number {
    const { symbol, maxLeverage } = this.instruments[i]!;
    const own = this.spec.accounts[account]!.leverage?.[symbol];
    const wanted = own === undefined ? this.spec.leverage : side === 0 ? own.long : own.short;
    return Math.min(wanted, maxLeverage);
  }

  value(i: number, price: number, lots: number): Decimal {
    return this.#unit[i]!.times(price * lots);
  }

  baseCoins(i: number, lots: number): Decimal {
    return this.#lot[i]!.times(lots);
  }

  /** "Initial margin: rounded up, so that margins never promise more than the account has." */
  margin({ account, instrument, side }: Pick<ModelLeg, 'account' | 'instrument' | 'side'>, value: Decimal): Decimal {
    return up8(value.div(this.leverage(account, instrument, side)));
  }

  /** "Rounded up to 10^-8: never in the trader's favour"; a rebate, which is negative, toward zero. */
  fee(i: number, value: Decimal, isTaker: boolean): Decimal {
    const x = this.instruments[i]!;
    return up8(value.times(coins(isTaker ? x.takerFeeRate : x.makerFeeRate)));
  }

  /** Writes a cash movement to the ledger, unless the amount is 0. */
  cash(account: number, coin: string, amount: Decimal, why: string, orderNo: number): void {
    if (!amount.isZero()) this.told.push(`cash ${account} ${coin} ${amount.times(1e8).toString()} ${why} ${orderNo}`);
  }

  coinMoves(account: number, coin: string): Decimal[] {
    const key = `${account} ${coin}`;
    const moves = this.#coinMoves.get(key) ?? [];
    this.#coinMoves.set(key, moves);
    return moves;
  }

  moveCoin(account: number, coin: string, amount: Decimal, why: string, orderNo: number): void {
    this.coinMoves(account, coin).push(amount);
    this.cash(account, coin, amount, why, orderNo);
  }

  /** Resting orders of one direction, the best first: market orders, then by price, then by age. */
  resting(i: number, isBuy: boolean): ModelOrder[] {
    const orders = this.live.filter((o) => o.instrument === i && o.isBuy === isBuy && o.kind !== 'plan');
    if (orders.length < 2) return orders;
    const rank = (o: ModelOrder): number => (o.isMarket ? -Infinity : isBuy ? -o.price : o.price);
    return orders.toSorted((a, b) => (rank(a) === rank(b) ? a.no - b.no : rank(a) - rank(b)));
  }

  /** The displayed size less what our orders have taken since the quote arrived. */
  shown(i: number, isAsk: boolean): number {
    const { book } = this.markets[i]!;
    if (book === null) return 0;
    return (isAsk ? book.askSize : book.bidSize) - total(isAsk ? book.takenFromAsk : book.takenFromBid);
  }

  /** Switches the symbol and its waiting orders to this mode. */
  switchMode(account: number, i: number, isIsolated: boolean): void {
    this.isIsolated[account]![i] = isIsolated;
    for (const o of this.live) if (o.account === account && o.instrument === i && o.kind !== 'spot') o.isIsolated = isIsolated;
  }

  /** "value · rate of its tier − the deduction that makes the requirement continuous"; computed the slow way, tier by tier. */
  maintenance(i: number, value: Decimal): Decimal {
    let deduction = ZERO;
    const { tiers } = this.instruments[i]!;
    for (const [k, tier] of tiers.entries()) {
      if (tier.upTo === Infinity || value.lte(coins(tier.upTo))) return up8(value.times(coins(tier.rate))).minus(deduction);
      deduction = deduction.plus(coins(tier.upTo).times(coins(tiers[k + 1]!.rate - tier.rate)));
    }
    return ZERO;
  }

  /** Number of the tier of a position with this value. */
  tier(i: number, value: Decimal): number {
    return this.instruments[i]!.tiers.findIndex(({ upTo }) => upTo === Infinity || value.lte(coins(upTo)));
  }
}

function total(numbers: readonly number[]): number {
  let result = 0;
  for (const n of numbers) result += n;
  return result;
}

export const filledOf = (order: ModelOrder): number => total(order.fills.map((f) => f.size));
export const leftOf = (order: ModelOrder): number => order.size - filledOf(order);
export const feesOf = (order: ModelOrder): Decimal => (order.fills.length === 0 ? ZERO : sum(order.fills.map((f) => f.fee)));
