/**
 * The outcome of one attempt to send a command. Silence is never treated as a rejection: `unknown` stays unknown until a read resolves it.
 */

export type OutcomeStatus = 'accepted' | 'rejected' | 'unsent' | 'unknown';

/** Why the venue rejected a command; contract/ maps (endpoint, code, message) to one of these. */
export type Reason =
  | 'unknown-instrument'
  | 'symbol-not-trading'
  | 'unauthorized'
  | 'invalid-request'
  | 'too-many-orders'
  | 'invalid-time'
  | 'coin-not-found'
  | 'no-records'
  | 'system-error'
  | 'upstream-invalid'
  | 'no-position'
  | 'duplicate-client-id'
  | 'already-ordering'
  | 'margin-mode-conflict'
  | 'margin-mode-unsupported'
  | 'cross-margin-unsupported'
  | 'amount-not-a-number'
  | 'size-too-large'
  | 'size-too-small'
  | 'size-precision'
  | 'price-required'
  | 'price-precision'
  | 'price-invalid'
  | 'trigger-required'
  | 'trigger-precision'
  | 'insufficient-balance'
  | 'insufficient-position-margin'
  | 'take-profit-precision'
  | 'take-profit-limit-precision'
  | 'stop-loss-precision'
  | 'stop-loss-limit-precision'
  | 'would-take'
  | 'exceeds-position'
  | 'order-not-found'
  | 'order-id-required'
  | 'new-client-id-required'
  | 'nothing-to-modify';

/** A rejection with the venue's code and message, and our reason. */
export interface Rejection {
  readonly reason: Reason;
  readonly code: string;
  readonly message: string;
}
