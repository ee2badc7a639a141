/**
 * The enumerations of trading as small integers, for columns and hot loops, each with its names. Cold code and strategies use the names.
 * The mapping is defined only here.
 */

/** Position side: the leg of an order. */
export const LONG = 0;
export const SHORT = 1;
export const SIDES = ['LONG', 'SHORT'] as const;
export type SideName = (typeof SIDES)[number];

/** Effect: an order opens or closes its leg. */
export const OPEN = 0;
export const CLOSE = 1;
export const EFFECTS = ['OPEN', 'CLOSE'] as const;
export type EffectName = (typeof EFFECTS)[number];

/** Direction in the book, and aggressor of a trade. LONG+OPEN and SHORT+CLOSE buy. */
export const BUY = 0;
export const SELL = 1;
export const DIRECTIONS = ['BUY', 'SELL'] as const;
export type DirectionName = (typeof DIRECTIONS)[number];

/** The direction of an order: `side ^ effect`. */
export function directionOf(side: number, effect: number): number {
  return side ^ effect;
}

export const LIMIT = 0;
export const MARKET = 1;
export const ORDER_TYPES = ['LIMIT', 'MARKET'] as const;
export type OrderTypeName = (typeof ORDER_TYPES)[number];

export const CROSS = 0;
export const ISOLATED = 1;
export const MARGIN_MODES = ['CROSS', 'ISOLATED'] as const;
export type MarginModeName = (typeof MARGIN_MODES)[number];

/** The price that a trigger order compares with its trigger. */
export const BY_LAST = 0;
export const BY_MARK = 1;
export const TRIGGERS_BY = ['LAST', 'MARK'] as const;
export type TriggerByName = (typeof TRIGGERS_BY)[number];

export const MAKER = 0;
export const TAKER = 1;
export const LIQUIDITIES = ['maker', 'taker'] as const;
export type LiquidityName = (typeof LIQUIDITIES)[number];

/** Kinds of commands. */
export const PLACE = 1;
export const MODIFY = 2;
export const CANCEL = 3;
export const PLACE_TRIGGER = 4;
export const CANCEL_TRIGGER = 5;
export const SET_MARGIN_MODE = 6;
export const ADJUST_MARGIN = 7;
export const PLACE_SPOT = 8;
export const CANCEL_SPOT = 9;
export const COMMANDS = [
  'none',
  'place',
  'modify',
  'cancel',
  'placeTrigger',
  'cancelTrigger',
  'setMarginMode',
  'adjustMargin',
  'placeSpot',
  'cancelSpot',
] as const;
export type CommandName = (typeof COMMANDS)[number];
