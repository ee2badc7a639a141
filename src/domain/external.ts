/**
 * What may happen to an account that the bot did not do, and what is done about it: one table, from which the configuration, its
 * defaults, the documentation and the engine read.
 */

/** What the bot does when such an event is found. */
export const EXTERNAL_ACTIONS = {
  halt: 'opens stop in the scope of the event until `tickwright resume`; own resting orders that would open there are cancelled; closes and cancels go on',
  adopt: 'the new state is taken as the own one, a warning is logged, strategies are told, and trading goes on',
  ignore: 'the new state is believed, one line is logged at info, no strategy handler `onExternal` is called, and trading goes on',
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
} as const satisfies Readonly<Record<string, KindRow>>;
export type ExternalKind = keyof typeof EXTERNAL_KINDS;

/** What is done by kind. */
export type ExternalPolicy = Readonly<Record<ExternalKind, ExternalAction>>;

export const EXTERNAL_DEFAULTS = Object.fromEntries(
  Object.entries(EXTERNAL_KINDS).map(([kind, { action }]) => [kind, action]),
) as ExternalPolicy;
