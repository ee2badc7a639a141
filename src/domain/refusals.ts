/** Why an intent is refused before it reaches the venue. */

/** Names of the risk rules. */
export type RuleName =
  | 'standing'
  | 'flood'
  | 'trading-hours'
  | 'cooldown'
  | 'refusal-circuit'
  | 'order-rate'
  | 'order-size'
  | 'max-open-orders'
  | 'known-position'
  | 'max-position'
  | 'max-notional'
  | 'close-size'
  | 'price-collar'
  | 'max-distance'
  | 'exit-side'
  | 'stop-distance'
  | 'stale-data'
  | 'price-unconfirmed'
  | 'max-spread';

/** A mistake in the intent itself. */
export type IntentFault =
  | 'bad-amount'
  | 'bad-side'
  | 'bad-trade'
  | 'bad-execution'
  | 'unknown-field'
  | 'wrong-product'
  | 'margin'
  | 'margin-mode'
  | 'modify-after-fill'
  | 'nothing-to-modify';

/** The reason of an order that never reached the venue, as far as is known. */
export type RefusalReason = RuleName | IntentFault | 'unsent' | 'presumed-not-landed' | 'settled-by-hand';
