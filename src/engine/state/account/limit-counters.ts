/** Interfaces of the limits that count: profit and loss (risk/losses.ts) and events (risk/guards.ts). */
import type { InstrumentContext } from '../records/instrument-context.ts';
import type { Leg } from '../records/leg.ts';
import type { Order } from '../records/order.ts';
import type { Owner } from '../records/owner.ts';

/** Counts profit, loss and equity. */
export interface LossCounter {
  /** False if no limit needs fills or equity; then the calls may be skipped. */
  readonly isOn: boolean;
  /** A fill changes the leg now. `price` in ticks, 0 if unknown. */
  filled(leg: Leg, effect: number, lots: number, price: number, owner: Owner, isMaker: boolean): void;
  /** The record of an order shows `total` money of profit and fees so far. */
  booked(order: Order, total: number): void;
  /** The record of order `seq` is final. */
  settled(seq: number): void;
  /** Another party, or the venue, closed `lots` of the leg. `profit` is its result in money, NaN if unknown. */
  closedExternally(leg: Leg, lots: number, price: number, profit: number, owner: Owner): void;
  legsRead(context: InstrumentContext): void;
  /** The account's equity was read, in money. */
  equityIs(equity: number): void;
  /** A deposit of `amount` arrived. */
  deposited(amount: number): void;
}

/** A bracket at the venue that fired. */
export interface FiredBracket {
  readonly seq: number;
  readonly isStop: boolean;
  /** Trigger price in ticks; 0 for a limit order. */
  readonly trigger: number;
  /** Fill price in ticks; 0 if unknown. */
  readonly price: number;
}

/** Counts fired stop-losses, and fills worse than the price at decision time. */
export interface GuardCounter {
  readonly isOn: boolean;
  /** True if orders must store the price at decision time. */
  readonly hasSlippage: boolean;
  filled(order: Order, price: number): void;
  bracketFired(context: InstrumentContext, side: number, owner: Owner, exit: FiredBracket): void;
}
