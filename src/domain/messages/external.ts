/** One external event, as it is reported. */
export interface ExternalFact {
  readonly kind: ExternalKind;
  readonly action: ExternalAction;
  /** Index of the instrument; −1 if the whole account is concerned. */
  readonly instrument: number;
  /** LONG, SHORT, or −1. */
  readonly side: number;
  /** A sentence with figures. */
  readonly text: string;
  readonly time: number;
}
/**
 * Changes of the account that the bot did not make, and the action for each. Configuration, defaults, documentation and engine all use this
 * table.
 */

/** What the bot does after such an event. */
export const EXTERNAL_ACTIONS = {
  halt: 'opens of the affected side, symbol or bot stop until `tickwright resume`. Own resting orders that would open there are cancelled. Closes and cancels go on',
  adopt: 'the bot takes over the new state, logs a warning, calls `onExternal` of its strategies and continues trading',
  ignore: 'as `adopt`, but the log line is at info, and no `onExternal` is called',
} as const;
/** What the bot does after a change that it did not cause (docs/reference/external-events.md). */
export type ExternalAction = keyof typeof EXTERNAL_ACTIONS;

interface KindRow {
  readonly action: ExternalAction;
  /** Scope of the halt under `halt`. */
  readonly scope: 'leg' | 'symbol' | 'all';
  /** What happened. */
  readonly doc: string;
  /** How it is detected. */
  readonly found: string;
}

export const EXTERNAL_KINDS = {
  position: {
    action: 'halt',
    scope: 'leg',
    doc: 'a position changed and no order of this bot explains it: a human, another program, auto-deleveraging',
    found: 'two position reads in a row (E19) that own orders, brackets (take-profit and stop-loss) and trigger orders do not explain',
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
    found:
      'a new pending or completed record in the withdrawal list (E5). The list is read every `poll.withdrawals`; records of the first read do not count',
  },
  transfer: {
    action: 'halt',
    scope: 'all',
    doc: 'money left the futures account and no trade, fee or funding of the bot explains it',
    found:
      'two reads of the balance (E9) in a row are lower than the records of all orders on the account explain. Each balance is compared `listLagMs` later, when all earlier records have been read. Before a difference counts, the bot reads the order history (E17) again. Differences below 0.05 % of the balance are ignored. What left while the bot was away is told after the start and halts nothing',
  },
  equityDrop: {
    action: 'halt',
    scope: 'all',
    doc: 'the equity fell by `external.equityDropShare` of its highest within 24 hours, whatever the cause',
    found: 'two account reads (E9) in a row',
  },
  leverage: {
    action: 'halt',
    scope: 'symbol',
    doc: 'another party changed the leverage of a symbol; the bot has no command for that',
    found: 'two account reads (E9) in a row, or two position reads (E19) of a leg that is held',
  },
  marginMode: {
    action: 'halt',
    scope: 'symbol',
    doc: 'another party changed the margin mode of a symbol',
    found:
      'two account reads (E9) or position reads (E19) in a row that show another mode than own orders use; or an order refused with 40013 (margin mode conflict), after which the account is read again',
  },
  offline: {
    action: 'halt',
    scope: 'symbol',
    doc: 'the venue no longer knows or trades a symbol',
    found:
      'a read or an order refused with "symbol does not exist", confirmed by a position read (E20); for spot the status in the symbol list (E3). `adopt`: opens wait until two reads know the symbol again',
  },
} as const satisfies Readonly<Record<string, KindRow>>;
/** What changed without the bot (docs/reference/external-events.md). */
export type ExternalKind = keyof typeof EXTERNAL_KINDS;

/** Drop of the equity within a day that counts as an event, as a share. */
export const EQUITY_DROP_SHARE = '0.5';

/** Action by kind. */
export type ExternalPolicy = Readonly<Record<ExternalKind, ExternalAction>>;

export const EXTERNAL_DEFAULTS = Object.fromEntries(
  Object.entries(EXTERNAL_KINDS).map(([kind, { action }]) => [kind, action]),
) as ExternalPolicy;
