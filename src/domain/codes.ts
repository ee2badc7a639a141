/**
 * The enumerations of trading as small integers, for columns and hot loops, each with its names. Cold code and strategies use the names.
 * The mapping is defined only here.
 */

/** Position side: the leg of an order. */
export const LONG = 0;
export const SHORT = 1;
export const SIDES = ['LONG', 'SHORT'] as const;
/** The leg (position side) of an order or position. A market has both at the same time. */
export type SideName = (typeof SIDES)[number];

/** Effect: an order opens or closes its leg. */
export const OPEN = 0;
export const CLOSE = 1;
export const EFFECTS = ['OPEN', 'CLOSE'] as const;
/** Whether an order opens a position on its leg or closes one. */
export type EffectName = (typeof EFFECTS)[number];

/** Direction in the book, and aggressor of a trade. LONG+OPEN and SHORT+CLOSE buy. */
export const BUY = 0;
export const SELL = 1;
export const DIRECTIONS = ['BUY', 'SELL'] as const;
/** Whether coins are bought or sold: opening LONG and closing SHORT buy. */
export type DirectionName = (typeof DIRECTIONS)[number];

/** The direction of an order: `side ^ effect`. */
export function directionOf(side: number, effect: number): number {
  return side ^ effect;
}

export const LIMIT = 0;
export const MARKET = 1;
export const ORDER_TYPES = ['LIMIT', 'MARKET'] as const;
/** An order with a limit price, or at the market price. */
export type OrderTypeName = (typeof ORDER_TYPES)[number];

export const CROSS = 0;
export const ISOLATED = 1;
export const MARGIN_MODES = ['CROSS', 'ISOLATED'] as const;
/** Margin shared by all positions of the account, or set aside for one position. */
export type MarginModeName = (typeof MARGIN_MODES)[number];

/** The price that a trigger order compares with its trigger. */
export const BY_LAST = 0;
export const BY_MARK = 1;
export const TRIGGERS_BY = ['LAST', 'MARK'] as const;
/** The price that a trigger order is compared with: of the last trade, or the mark price of the venue. */
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
