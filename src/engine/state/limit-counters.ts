/** What happens to orders and money, as the limits that count it are told. The limits themselves are in losses.ts and guards.ts. */
import type { InstrumentContext } from './instrument-context.ts';
import type { Leg } from './leg.ts';
import type { Order } from './order.ts';
import type { Owner } from './owner.ts';

/** Counts profit, loss and equity. */
export interface LossCounter {
  /** False when no limit needs fills or equity: then nobody has to call it. */
  readonly isOn: boolean;
  /** A fill moves the leg now. `price` in ticks, 0 when it is not known. */
  filled(leg: Leg, effect: number, lots: number, price: number, owner: Owner, isMaker: boolean): void;
  /** The record of an order tells that it has brought `total` money so far. */
  booked(order: Order, total: number): void;
  /** Nothing more will be known of order `seq`. */
  settled(seq: number): void;
  /** Somebody else, or the venue, closed `lots` of the leg; `told` is what that brought in money, NaN when nobody says. */
  closedElsewhere(leg: Leg, lots: number, price: number, told: number, owner: Owner): void;
  legsRead(context: InstrumentContext): void;
  /** The account's equity was read, in money. */
  equityIs(equity: number): void;
  /** Money came in from outside. */
  cameIn(amount: number): void;
}

/** An exit at the venue that fired. */
export interface FiredExit {
  readonly seq: number;
  readonly isStop: boolean;
  /** Ticks; 0 for a limit order. */
  readonly trigger: number;
  /** Ticks; 0 when it is not known. */
  readonly price: number;
}

/** Counts stop-losses that fired and fills that were worse than the price at their decision. */
export interface GuardCounter {
  readonly isOn: boolean;
  /** True when orders must know the price at their decision. */
  readonly hasSlippage: boolean;
  filled(order: Order, price: number): void;
  exited(context: InstrumentContext, side: number, owner: Owner, exit: FiredExit): void;
}
