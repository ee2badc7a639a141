/** One event as it is told. */
export interface ExternalFact {
  readonly kind: ExternalKind;
  readonly action: ExternalAction;
  /** Dense number of the instrument; −1 when it is about the whole account. */
  readonly instrument: number;
  /** LONG, SHORT, or −1. */
  readonly side: number;
  /** A sentence with numbers. */
  readonly text: string;
  readonly time: number;
}
/**
 * What may happen to an account that the bot did not do, and what is done about it: one table, from which the configuration, its
 * defaults, the documentation and the engine read.
 */

/** What the bot does when such an event is found. */
export const EXTERNAL_ACTIONS = {
  halt: 'opens stop where it happened until `tickwright resume`. Own resting orders that would open there are cancelled. Closes and cancels go on',
  adopt: 'the bot takes over the new state, logs a warning, tells its strategies and trades on',
  ignore: 'as `adopt`, but the log line is at info, and no `onExternal` is called',
} as const;
export type ExternalAction = keyof typeof EXTERNAL_ACTIONS;

interface KindRow {
  readonly action: ExternalAction;
  /** What stops under `halt`. */
  readonly scope: 'leg' | 'symbol' | 'all';
  /** What happened. */
  readonly doc: string;
  /** How it is found. */
  readonly found: string;
}

export const EXTERNAL_KINDS = {
  position: {
    action: 'halt',
    scope: 'leg',
    doc: 'a position changed and no order of this bot explains it: a human, another program, auto-deleveraging',
    found: 'two position reads in a row (E19) that own orders, preset exits and plan orders do not explain',
  },
  liquidation: {
    action: 'halt',
    scope: 'leg',
    doc: 'the venue liquidated a position',
    found: 'as above, at or beyond the liquidation price last read',
  },
  withdrawal: {
    action: 'halt',
    scope: 'all',
    doc: 'a withdrawal appears that was not there before: perhaps a theft',
    found: 'a new record of E5 that is pending or completed. E5 is read every `poll.withdrawals`; what the first read shows is of before',
  },
  transfer: {
    action: 'halt',
    scope: 'all',
    doc: 'money left the futures account and no trade, fee or funding of the bot explains it',
    found:
      'two reads of the balance (E9) in a row are lower than records of own orders explain. Each is judged `listLagMs` later, when all records of before have been read. Less than 0.05 % of the balance is not noticed',
  },
  equityDrop: {
    action: 'halt',
    scope: 'all',
    doc: 'the equity fell by `external.equityDropShare` of its highest within 24 hours, whatever the cause',
    found: 'two reads of E9 in a row',
  },
  leverage: {
    action: 'halt',
    scope: 'symbol',
    doc: 'somebody changed the leverage of a symbol: the bot has no command for that',
    found: 'two reads in a row of E9, or of E19 for a leg that is held',
  },
  marginMode: {
    action: 'halt',
    scope: 'symbol',
    doc: 'somebody changed the margin mode of a symbol',
    found:
      'two reads in a row of E9 or E19 that show another mode than that of own orders; or a refusal 40013, after which E9 is read again',
  },
  offline: {
    action: 'halt',
    scope: 'symbol',
    doc: 'the venue does not know a symbol any more, or does not trade it',
    found:
      'a read or an order refused with "symbol does not exist", confirmed by E20; for spot the status of E3. `adopt`: opens wait until two reads know the symbol again',
  },
} as const satisfies Readonly<Record<string, KindRow>>;
export type ExternalKind = keyof typeof EXTERNAL_KINDS;

/** Share of the equity whose loss within a day is an event. */
export const EQUITY_DROP_SHARE = '0.5';

/** What is done by kind. */
export type ExternalPolicy = Readonly<Record<ExternalKind, ExternalAction>>;

export const EXTERNAL_DEFAULTS = Object.fromEntries(
  Object.entries(EXTERNAL_KINDS).map(([kind, { action }]) => [kind, action]),
) as ExternalPolicy;
