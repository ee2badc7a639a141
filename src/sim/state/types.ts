/**
 * The words of the venue's truth: what the simulator is built from and what it tells. All amounts are integers (ticks, lots,
 * money of 10^-8); nothing here knows of strings on the wire, clocks or the bot.
 * size: every word of the door, each with what it means
 */
import type { Instrument } from '../../domain/instrument.ts';
import type { Lots, Millis, Money, Rate, Ticks } from '../../domain/units.ts';
import type { FUTURES, TRIGGER, SPOT } from './kinds.ts';
import type { FundingSpec, Leverage, LiquidationStep } from './terms.ts';

export type FillModel = 'touch' | 'through' | 'queue';

export interface SimAccountSpec {
  readonly name: string;
  /** Deposit on the futures account in the quote coin, a decimal string of at most 8 decimals. */
  readonly futures: string;
  /** Deposits on the spot account: coin → amount, decimal strings of at most 8 decimals. */
  readonly spot: Readonly<Record<string, string>>;
  /** By symbol where it differs from the venue's; capped by the instrument's own maximum. */
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
  /** Recent market trades kept per instrument for E8; 0 keeps none. */
  readonly keepTrades: number;
  /** Keep the rolling 24 hours for E6. Default true; a backtest that never asks saves a few nanoseconds a trade. */
  readonly keepStats?: boolean | undefined;
  /** Orders of different accounts trade with each other, see core/cross.ts. Default false: each account is alone with the market. */
  readonly crossing?: boolean | undefined;
  /** Whether a refused modify leaves the order as it was, or has cancelled it by then. Default "atomic". */
  readonly modify?: 'atomic' | 'cancel-first' | undefined;
  /** What a preset exit does about lots that the account's own CLOSE orders hold: they stay protected, or the orders are cancelled. Default "stay". */
  readonly blockedExits?: 'stay' | 'replace' | undefined;
  /** Default: no funding. */
  readonly funding?: FundingSpec | null | undefined;
  /** What the preset exits of E12 watch. Default "last". */
  readonly presetsBy?: 'last' | 'mark' | undefined;
}

/** What an order number names. */
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
  /** Money of the quote coin, rounded up against the trader; negative for a rebate. */
  fee: number;
  /** MAKER or TAKER. */
  liquidity: number;
  /** Profit taken by this fill, before fees; 0 when opening and for spot. */
  realised: number;
}

/** The two accounts of money: futures margin, and coins. */
export type Wallet = 'futures' | 'spot';

export type CashReason = 'deposit' | 'realised' | 'fee' | 'funding' | 'spot' | 'liquidation' | 'insurance';

/**
 * The truth, in order, called synchronously. A sink must not call the simulator's account calls; it may read `VenueSim.order`.
 * With `wantsFillsAlone` it hears nothing of orders, ends and cash.
 */
export interface LedgerSink {
  readonly wantsFillsAlone?: boolean | undefined;
  /** An order was accepted and exists. */
  order(orderNo: number): void;
  /** It ends: FILLED, CANCELLED or REPLACED of domain/order.ts. What `VenueSim.order` gives may say so only after the call. */
  ended(orderNo: number, how: number): void;
  fill(fill: SimFill): void;
  /**
   * `amount` of `coin` (10^-8, signed) moved on the account. Futures money has the quote coin of the contract. `realised`
   * becomes `liquidation` where the venue closed the leg, `insurance` is a loss that the venue's fund took over. `orderNo` is 0
   * where no order is behind it. An account's moves of one wallet and coin sum up to what is in it, profit not yet taken left out.
   */
  cash(account: number, coin: string, amount: number, why: CashReason, orderNo: number, wallet: Wallet): void;
  /** The take-profit or stop-loss of an order placed with `tag` fired and created order `orderNo`. */
  bracket?(orderNo: number, tag: number, isProfit: boolean): void;
  /** Before each step of a liquidation: what follows is of that step. */
  step?(step: LiquidationStep): void;
}

/**
 * Told at once of what happens to one account's orders, in the same call in which it happens. That an order is full say its fills, and
 * that a modify has replaced it the answer to the modify.
 */
export interface SimTap {
  filled(fill: SimFill): void;
  ended(orderNo: number, tag: number, how: number): void;
}

/** An order as a fresh plain object, for readers that are not in a hurry. */
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
  /** Average filled price of one base coin in 10^-8, rounded down; 0 when nothing filled. */
  readonly averagePrice: number;
  readonly fee: Money;
  readonly realised: Money;
  /** WORKING, FILLED, CANCELLED or REPLACED of domain/order.ts. A triggered plan order is FILLED. */
  readonly status: number;
  readonly postOnly: boolean;
  readonly marginMode: number;
  readonly leverage: number;
  readonly trigger: Ticks;
  readonly triggerBy: number;
  readonly takeProfit: Ticks;
  readonly takeProfitLimit: Ticks;
  readonly stopLoss: Ticks;
  readonly stopLossLimit: Ticks;
  /** True where the venue made the order itself: preset exit, liquidation, a plan order's child. */
  readonly byVenue: boolean;
  /** Number of the order this one came from (modify, plan, preset) or 0. */
  readonly parent: number;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
}

/** A leg that is not flat; interface §2.10 as integers. */
export interface SimPosition {
  readonly account: number;
  readonly instrument: number;
  readonly side: number;
  readonly total: Lots;
  /** total − locked. */
  readonly available: Lots;
  /** Lots in resting CLOSE orders of the leg. */
  readonly locked: Lots;
  /** Lots of resting OPEN orders of the leg still to be filled. */
  readonly opening: Lots;
  readonly entryValue: Money;
  /** Average entry price of one base coin in 10^-8, rounded down. */
  readonly entryPrice: number;
  readonly margin: Money;
  readonly marginMode: number;
  readonly leverage: number;
  /** Realised on this leg since it was last flat, before fees and funding. */
  readonly realised: Money;
  readonly unrealised: Money;
  /** Trading fees paid on this leg since it was last flat. */
  readonly fees: Money;
  readonly funding: Money;
  readonly markPrice: Ticks;
  /** Price of one base coin in 10^-8 where this leg would be liquidated if nothing else moved; 0 for none. */
  readonly liquidationPrice: number;
  /** Price of one base coin in 10^-8 where closing as taker gives back all fees so far. */
  readonly breakEvenPrice: number;
  /** Maintenance margin of what backs the leg as a share of it, 10^-8. */
  readonly marginRate: Rate;
  readonly maintenanceRate: Rate;
  readonly createdAt: Millis;
  readonly updatedAt: Millis;
}

/** Interface §2.11 as integers. equity = available + locked + unrealised, exactly. */
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

/** A leg at a glance. */
export interface SimLeg {
  readonly account: number;
  readonly instrument: number;
  readonly side: number;
  readonly total: Lots;
  readonly entryValue: Money;
  /** At the mark. */
  readonly value: Money;
  readonly markPrice: Ticks;
  readonly margin: Money;
  readonly marginMode: number;
  readonly unrealised: Money;
  /** Active brackets of the leg. A price of 0 means none. */
  readonly brackets: readonly { readonly size: Lots; readonly takeProfit: Ticks; readonly stopLoss: Ticks }[];
}

/** An account at a glance: its futures money, and how much it holds and has working (plan and spot orders too). */
export interface SimWealth {
  readonly name: string;
  readonly equity: Money;
  /** What a new order may use; below zero when losses have eaten it. */
  readonly available: Money;
  readonly unrealised: Money;
  readonly realised: Money;
  readonly fees: Money;
  readonly funding: Money;
  readonly legs: number;
  readonly orders: number;
}

/** The venue at a glance; see core/overview.ts. */
export interface SimOverview {
  /** Working orders of everybody, by instrument. */
  readonly ordersByInstrument: readonly number[];
  /** Of everybody, from the beginning. */
  readonly fills: number;
  /** Newest first. */
  readonly orders: { readonly total: number; readonly newest: readonly SimOrder[] };
  readonly legs: { readonly total: number; readonly first: readonly SimLeg[] };
  readonly accounts: readonly SimWealth[];
}

/** A coin on the spot account, 10^-8. */
export interface SimBalance {
  readonly coin: string;
  readonly free: number;
  readonly locked: number;
}

/** E6 as integers. */
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
  /** Price of one base coin in 10^-8, a statistic. */
  readonly weightedPrice: number;
  readonly volume: Lots;
  /** Hundredths of the quote coin, a statistic. */
  readonly quoteVolume: number;
  readonly openTime: Millis;
  readonly closeTime: Millis;
  readonly firstId: number;
  readonly lastId: number;
  readonly count: number;
}

/** E7 as integers. */
export interface SimBookTicker {
  readonly instrument: number;
  readonly bid: Ticks;
  readonly bidSize: Lots;
  readonly ask: Ticks;
  readonly askSize: Lots;
  /** What fills of this venue's accounts left of the displayed sizes. */
  readonly bidLeft: Lots;
  readonly askLeft: Lots;
  readonly time: Millis;
}

/** E8 as integers. */
export interface SimTrade {
  readonly id: number;
  readonly price: Ticks;
  readonly size: Lots;
  /** BUY or SELL. */
  readonly aggressor: number;
  readonly time: Millis;
}

/** Which trades E8 wants; the newest first. Absent bounds do not bind. */
export interface TradesRequest {
  readonly limit: number;
  /** Only ids below `before`, and none after `last`, with which the list ends. */
  readonly before?: number | undefined;
  readonly last?: number | undefined;
  /** Inclusive, milliseconds. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** The simulator's whole state as JSON values; made and read by VenueSim alone. */
export interface SimSnapshot {
  readonly version: 5;
  readonly parts: Readonly<Record<string, unknown>>;
}
