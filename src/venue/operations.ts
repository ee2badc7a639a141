/**
 * The operations of an exchange, as functions: one for each endpoint of the interface, in its types. A dialect answers its own endpoints by
 * calling them.
 */
import type { EndpointName, GivenTo, ReplyTo } from '../contract/endpoints/endpoints.ts';
import type { Reason } from '../domain/orders/outcome.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { DecimalString } from '../domain/amounts/units.ts';

/** The caller's account (−1 on public endpoints) and the venue time in milliseconds. */
export interface Call {
  readonly account: number;
  readonly time: number;
}

/** The exchange refused. The error table of the called endpoint gives code and message for the reason. */
export class Refused {
  readonly reason: Reason;
  constructor(reason: Reason) {
    this.reason = reason;
  }
}

export type Operations = { readonly [N in EndpointName]: (given: GivenTo<N>, call: Call) => ReplyTo<N> | Refused } & {
  /** What no endpoint of the interface says: how much of a futures order has filled, as a decimal. */
  readonly filled: (orderId: string, call: Call) => DecimalString;
  /** Pending trigger orders as pending orders are listed, and what each waits for. */
  readonly triggers: (given: GivenTo<'pendingOrders'>, call: Call) => ReplyTo<'pendingOrders'> & { readonly waits: readonly Waiting[] };
  /** The futures of the exchange. */
  readonly futures: () => readonly Instrument[];
};

/** What a trigger order waits for. */
export interface Waiting {
  readonly triggerPrice: DecimalString;
  readonly triggerPriceType: 'LAST' | 'MARK';
}

/** Answers one endpoint: returns the `data` of a success, or a refusal. `given`: its parameters after validation. */
export type Serve = (given: never, call: Call) => unknown;
