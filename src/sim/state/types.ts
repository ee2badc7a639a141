/**
 * Types of the simulator: its settings, its events and its views. All amounts are integers: ticks, lots, money in 10⁻⁸.
 * size: all public types of the simulator, documented
 */
import type { Instrument } from '../../domain/instrument.ts';
import type { FeeModel } from '../../domain/models/fees.ts';
import type { FillModelName } from '../../domain/models/fill.ts';
import type { Lots, Millis, Money, Rate, Ticks } from '../../domain/amounts/units.ts';
import type { FUTURES, TRIGGER, SPOT } from './kinds.ts';
import type { FundingSpec, ImpactSpec, Leverage, LiquidationStep } from './terms.ts';

export type FillModel = FillModelName;

export interface SimAccountSpec {
  readonly name: string;
  /** Deposit on the futures account in the quote coin, a decimal string of at most 8 decimals. */
  readonly futures: string;
  /** Deposits on the spot account: coin → amount, decimal strings of at most 8 decimals. */
  readonly spot: Readonly<Record<string, string>>;
  /** By symbol if it differs from the venue's; at most the instrument's maximum. */
  readonly leverage?: Readonly<Record<string, Leverage>> | undefined;
}

export interface SimSpec {
  /** Dense: `instruments[k].index === k`. Futures and spot may be mixed. */
  readonly instruments: readonly Instrument[];
  readonly accounts: readonly SimAccountSpec[];
  /** When a resting order fills; see core/match.ts. */
  readonly fillModel: FillModel;
  /** Leverage of every leg, 1 or more; capped by the instrument's own maximum. */
  readonly leverage: number;
  /** Ended orders kept per account; the oldest are forgotten first. */
  readonly historyLimit: number;
  /** Number of recent market trades kept per instrument for trades (E8); 0 keeps none. */
  readonly keepTrades: number;
  /** Keep 24-hour statistics for tickers (E6). Default true. */
  readonly keepStats?: boolean | undefined;
  /** True: orders of different accounts trade with each other, see matching/account-trades.ts. Default false: each account trades with the tape only. */
  readonly crossing?: boolean | undefined;
  /** "atomic": a refused modify leaves the order as it was. "cancel-first": it has cancelled the order. Default "atomic". */
  readonly modify?: 'atomic' | 'cancel-first' | undefined;
  /** When a bracket fires and CLOSE orders hold its lots: "stay" keeps those lots in the bracket, "replace" cancels the orders. Default "stay". */
  readonly blockedExits?: 'stay' | 'replace' | undefined;
  /** Default: no funding. */
  readonly funding?: FundingSpec | null | undefined;
  /** Mark prices of a recording. Default, and before the first of an instrument: those of `MarketState.mark`. */
  readonly marks?: readonly MarkRows[] | undefined;
  /** True if the mark is the mid of the book itself, as on bars. Default false: it is smoothed, see core/mark.ts. */
  readonly noSlowMid?: boolean | undefined;
  /** Default: none. */
  readonly impact?: ImpactSpec | undefined;
  /** Makes the fee model of an account. A snapshot does not hold it, so it is for backtests. Default: the rates of the instruments. */
  readonly fees?: (() => FeeModel | null) | undefined;
  /** Price that brackets watch: last trade or mark. Default "last". */
  readonly bracketsBy?: 'last' | 'mark' | undefined;
  /** "checked": an order with a take-profit or stop-loss on the wrong side of its entry is refused (A69). Default "checked". */
  readonly bracketSide?: 'checked' | 'any' | undefined;
  /** Most open orders of an account on a symbol (A73); 0 for any number. Default 0. */
  readonly openOrders?: number | undefined;
}

/** A bar as it is played: prices in ticks, the volume in lots (0: not known). Bid and ask are `below` and `above` ticks from a price of it. */
export interface PlayedBar {
  readonly start: number;
  /** Time when it is known, and what its fills are stamped with. */
  readonly end: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  readonly below: number;
  readonly above: number;
}

/** What acts inside a bar beside the venue: the exits that a bot watches itself. */
export interface PathHolder {
  /** The first price from `from` to `to`, both included, at which it acts; NaN for none. */
  next(from: number, to: number): number;
  /** The market is at `price`. What it orders now meets the market at this price. */
  reached(price: number): void;
  /** The market has moved between these prices. */
  moved?(from: number, to: number): void;
  /** Hears of fills during a try. */
  readonly tap?: SimTap | undefined;
}

/** Mark prices of an instrument: ascending milliseconds since 1970, and ticks. */
export interface MarkRows {
  readonly instrument: number;
  readonly time: Float64Array;
  readonly ticks: Float64Array;
}

/** Kind of an order. */
export type OrderKind = typeof FUTURES | typeof TRIGGER | typeof SPOT;

/** One of our fills. The simulator reuses the object: copy what is kept. */
export interface SimFill {
  /** 1, 2, 3, … over all accounts. */
  fillNo: number;
  time: number;
  account: number;
  orderNo: number;
  tag: number;
  instrument: number;
  /** Futures: LONG or SHORT. Spot: BUY or SELL. */
  side: number;
  /** Futures: OPEN or CLOSE. Spot: OPEN. */
  effect: number;
  price: number;
  size: number;
  /** Fee in the quote coin, rounded up; negative for a rebate. */
  fee: number;
  /** MAKER or TAKER. */
  liquidity: number;
  /** Profit realised by this fill, before fees; 0 for opens and for spot. */
  realised: number;
}

/** The two wallets of an account: futures margin and spot coins. */
export type Wallet = 'futures' | 'spot';

export type CashReason = 'deposit' | 'realised' | 'fee' | 'funding' | 'spot' | 'liquidation' | 'insurance';

/**
 * Receives what happens at the venue, in order and synchronously. A sink must not call methods that change the simulator; it may read
 * `VenueSim.order`. With `wantsFillsAlone` orders, ends and cash are not reported.
 */
export interface LedgerSink {
  readonly wantsFillsAlone?: boolean | undefined;
  /** An order was accepted and exists. */
  order(orderNo: number): void;
  /** An order ended: FILLED, CANCELLED or REPLACED (domain/orders/order.ts). `VenueSim.order` may show it only after this call. */
  ended(orderNo: number, how: number): void;
  fill(fill: SimFill): void;
  /**
   * The wallet of an account changed by `amount` of `coin` (10⁻⁸, signed). The coin of futures is the contract's quote coin. `why` is
   * `liquidation` instead of `realised` if the venue closed the leg, and `insurance` for a loss that the fund paid. `orderNo` is 0 without
   * an order. All changes of a wallet and coin add up to its balance, without unrealised profit.
   */
  cash(account: number, coin: string, amount: number, why: CashReason, orderNo: number, wallet: Wallet): void;
  /** The take-profit or stop-loss of an order placed with `tag` fired and created order `orderNo`. */
  bracket?(orderNo: number, tag: number, isProfit: boolean): void;
  /** Called before each step of a liquidation. The events after it belong to the step. */
  step?(step: LiquidationStep): void;
  /** The leg of an account received `amount` of funding, or paid it if negative. */
  funded?(account: number, instrument: number, side: number, amount: number): void;
}

/**
 * Receives fills and ends of one account's orders, and hears of its funding, synchronously. `ended` is not called for an order that filled (see its fills) or that a
 * modify replaced (see the answer to the modify).
 */
export interface SimTap {
  filled(fill: SimFill): void;
  ended(orderNo: number, tag: number, how: number): void;
  /** Funding was paid or received on a leg. */
  funded?(): void;
}

/** An order as a new plain object. */
export interface SimOrder {
  readonly no: number;
  readonly account: number;
  readonly tag: number;
  readonly instrument: number;
  readonly kind: OrderKind;
  /** Futures: LONG or SHORT. Spot: BUY or SELL. */
  readonly side: number;
  /** OPEN or CLOSE; spot: OPEN. */
  readonly effect: number;
  /** BUY or SELL. */
  readonly direction: number;
  readonly type: number;
  /** 0 for a market order. */
  readonly price: Ticks;
  readonly size: Lots;
  readonly filled: Lots;
  /** Σ price · size of its fills. */
  readonly filledValue: Money;
  /** Average price of one base coin in 10⁻⁸, rounded down; 0 without a fill. */
  readonly averagePrice: number;
  readonly fee: Money;
  readonly realised: Money;
  /** WORKING, FILLED, CANCELLED or REPLACED (domain/orders/order.ts). A trigger order that fired is FILLED. */
  readonly status: number;
  readonly force: number;
  readonly marginMode: number;
  readonly leverage: number;
  readonly trigger: Ticks;
  readonly triggerBy: number;
  readonly takeProfit: Ticks;
  readonly takeProfitLimit: Ticks;
  readonly stopLoss: Ticks;
  readonly stopLossLimit: Ticks;
  /** True if the venue created the order: by a bracket, a liquidation or a trigger order. */
  readonly byVenue: boolean;
  /** Number of the order that this one came from (modify, trigger order, bracket); 0 for none. */
  readonly parent: number;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
}

/** A leg with a position: the position record (interface §2.10) as integers. */
export interface SimPosition {
  readonly account: number;
  readonly instrument: number;
  readonly side: number;
  readonly total: Lots;
  /** total − locked. */
  readonly available: Lots;
  /** Lots in resting CLOSE orders of the leg. */
  readonly locked: Lots;
  /** Unfilled lots of the leg's OPEN orders. */
  readonly opening: Lots;
  readonly entryValue: Money;
  /** Average entry price of one base coin in 10⁻⁸, rounded down. */
  readonly entryPrice: number;
  readonly margin: Money;
  readonly marginMode: number;
  readonly leverage: number;
  /** Realised profit since the leg was last flat, before fees and funding. */
  readonly realised: Money;
  readonly unrealised: Money;
  /** Trading fees since the leg was last flat. */
  readonly fees: Money;
  readonly funding: Money;
  readonly markPrice: Ticks;
  /** Price of one base coin in 10⁻⁸ at which the leg would be liquidated if nothing else changed; 0 for none. */
  readonly liquidationPrice: number;
  /** Price of one base coin in 10⁻⁸ at which closing as taker covers all fees so far. */
  readonly breakEvenPrice: number;
  /** Maintenance margin divided by the equity behind the leg, in 10⁻⁸. */
  readonly marginRate: Rate;
  readonly maintenanceRate: Rate;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
}

/** The account record (interface §2.11) as integers. equity = available + locked + unrealised, exactly. */
export interface SimAccountView {
  readonly equity: Money;
  readonly available: Money;
  readonly locked: Money;
  readonly unrealised: Money;
  readonly crossMaxAvailable: Money;
  readonly isolatedMaxAvailable: Money;
  readonly maxTransferOut: Money;
  readonly marginMode: number;
  readonly longLeverage: number;
  readonly shortLeverage: number;
}

/** Summary of a leg. */
export interface SimLeg {
  readonly account: number;
  readonly instrument: number;
  readonly side: number;
  readonly total: Lots;
  readonly entryValue: Money;
  /** Value at the mark price. */
  readonly value: Money;
  readonly markPrice: Ticks;
  readonly margin: Money;
  readonly marginMode: number;
  readonly unrealised: Money;
  /** Active brackets of the leg. A price of 0 means none. */
  readonly brackets: readonly { readonly size: Lots; readonly takeProfit: Ticks; readonly stopLoss: Ticks }[];
}

/** Summary of an account: futures money, number of legs, and number of working orders of all kinds. */
export interface SimWealth {
  readonly name: string;
  readonly equity: Money;
  /** Margin available to a new order; negative after large losses. */
  readonly available: Money;
  readonly unrealised: Money;
  readonly realised: Money;
  readonly fees: Money;
  readonly funding: Money;
  readonly legs: number;
  readonly orders: number;
}

/** Summary of the venue; see core/overview.ts. */
export interface SimOverview {
  /** Working orders of all accounts, by instrument. */
  readonly ordersByInstrument: readonly number[];
  /** Fills of all accounts since the start. */
  readonly fills: number;
  /** Newest first. */
  readonly orders: { readonly total: number; readonly newest: readonly SimOrder[] };
  readonly legs: { readonly total: number; readonly first: readonly SimLeg[] };
  readonly accounts: readonly SimWealth[];
}

/** Balance of a coin on the spot account, in 10⁻⁸. */
export interface SimBalance {
  readonly coin: string;
  readonly free: number;
  readonly locked: number;
}

/** A futures ticker (E6) as integers. */
export interface SimTicker {
  readonly instrument: number;
  readonly last: Ticks;
  readonly lastSize: Lots;
  readonly open: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  /** last − open. */
  readonly change: number;
  /** Thousandths of a percent, signed. */
  readonly changePercent: number;
  /** Volume-weighted price of one base coin in 10⁻⁸; a statistic. */
  readonly weightedPrice: number;
  readonly volume: Lots;
  /** Hundredths of the quote coin; a statistic. */
  readonly quoteVolume: number;
  readonly openTime: Millis;
  readonly closeTime: Millis;
  readonly firstId: number;
  readonly lastId: number;
  readonly count: number;
}

/** A book ticker (E7) as integers. */
export interface SimBookTicker {
  readonly instrument: number;
  readonly bid: Ticks;
  readonly bidSize: Lots;
  readonly ask: Ticks;
  readonly askSize: Lots;
  /** Displayed size that fills of this venue's accounts have not taken. */
  readonly bidLeft: Lots;
  readonly askLeft: Lots;
  readonly time: Millis;
}

/** A trade (E8) as integers. */
export interface SimTrade {
  readonly id: number;
  readonly price: Ticks;
  readonly size: Lots;
  /** BUY or SELL. */
  readonly aggressor: number;
  readonly time: Millis;
}

/** Selects trades (E8), newest first. Absent bounds do not apply. */
export interface TradesRequest {
  readonly limit: number;
  /** Only ids below `before`; the list ends with id `last`. */
  readonly before?: number | undefined;
  readonly last?: number | undefined;
  /** Inclusive, milliseconds. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** The simulator's whole state as JSON values. Only VenueSim writes and reads it. */
export interface SimSnapshot {
  readonly version: 5;
  readonly parts: Readonly<Record<string, unknown>>;
}
