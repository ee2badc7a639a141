/**
 * The traits of every kind of command: one table with a row for each kind. The rate lanes, the journal's gate, the resolver, the wire and
 * the reports read it, so a new kind of command is described in one place. @hot
 */
import * as codes from '../codes.ts';

const { CANCEL, CANCEL_SPOT, CANCEL_TRIGGER, CLOSE, PLACE } = codes;

/**
 * How an unknown outcome is found. `look`: pending orders (E18), then the history (E17). `again`: the command names a target state and is
 * repeated. `mode-read`, `margin-read`: reads of the account (E9) or of the position (E20). `operator`: no endpoint shows it, so a person
 * decides.
 */
export type ResolvedBy = 'look' | 'again' | 'mode-read' | 'margin-read' | 'operator';

/** What is done when the outcome of a command is unknown. It alone decides whether a command may be sent again. */
export interface ResolvePolicy {
  readonly endpoint: string;
  readonly by: ResolvedBy;
  /** True if opens of the symbol are halted until the outcome is known. */
  readonly halts: boolean;
  /** True if repeated absence beyond the horizon may end the search. */
  readonly mayPresume: boolean;
  /** True if a cancel by client id is sent as a probe when reads do not show the order. Its success proves that the order had landed. */
  readonly probes: boolean;
  /** How often the command is repeated at most before an alarm; 0 for never. */
  readonly tries: number;
}

export interface CommandTraits {
  /** True if its number is also the number of an order that it creates. */
  readonly makesOrder: boolean;
  /**
   * True if its order waits at the venue for a trigger price. When it fires, the venue places another order with another id, and no read
   * lists the old one any more.
   */
  readonly waitsForTrigger: boolean;
  /** True if it ends an order. Cancels wait for no journal and go first. */
  readonly isCancel: boolean;
  readonly product: 'futures' | 'spot';
  /** The rate bucket that it is counted in. */
  readonly bucket: CommandBucket;
  /** The kind of command that cancels the order that this one makes; 0 where it makes none. A modified order is a plain order. */
  readonly cancelledBy: number;
  readonly unknown: ResolvePolicy;
}

export type CommandBucket = 'order' | 'spot' | 'margin';

const MAKES = { makesOrder: true, waitsForTrigger: false, isCancel: false } as const;
const MAKES_WAITING = { ...MAKES, waitsForTrigger: true } as const;
const CANCELS = { makesOrder: false, waitsForTrigger: false, isCancel: true, cancelledBy: 0 } as const;
const SETS = { makesOrder: false, waitsForTrigger: false, isCancel: false, cancelledBy: 0 } as const;
const FUTURES = { product: 'futures', bucket: 'order' } as const;
const SPOT = { product: 'spot', bucket: 'spot' } as const;
const MARGIN = { product: 'futures', bucket: 'margin' } as const;

const AGAIN = { by: 'again', halts: false, mayPresume: false, probes: false, tries: 4 } as const;
const LOOK = { by: 'look', halts: true, mayPresume: true, tries: 0 } as const;

export const COMMAND_TRAITS: Readonly<Record<number, CommandTraits>> = {
  [codes.PLACE]: { ...MAKES, ...FUTURES, cancelledBy: CANCEL, unknown: { endpoint: 'E12', ...LOOK, probes: true } },
  [codes.MODIFY]: { ...MAKES, ...FUTURES, cancelledBy: CANCEL, unknown: { endpoint: 'E14', ...LOOK, probes: false } },
  [codes.CANCEL]: { ...CANCELS, ...FUTURES, unknown: { endpoint: 'E15', ...AGAIN } },
  [codes.PLACE_TRIGGER]: { ...MAKES_WAITING, ...FUTURES, cancelledBy: CANCEL_TRIGGER, unknown: { endpoint: 'E13', ...LOOK, probes: true } },
  [codes.CANCEL_TRIGGER]: { ...CANCELS, ...FUTURES, unknown: { endpoint: 'E16', ...AGAIN } },
  [codes.SET_MARGIN_MODE]: {
    ...SETS,
    ...MARGIN,
    unknown: { endpoint: 'E10', by: 'mode-read', halts: false, mayPresume: false, probes: false, tries: 4 },
  },
  [codes.ADJUST_MARGIN]: {
    ...SETS,
    ...MARGIN,
    unknown: { endpoint: 'E11', by: 'margin-read', halts: true, mayPresume: true, probes: false, tries: 0 },
  },
  [codes.PLACE_SPOT]: {
    ...MAKES,
    ...SPOT,
    cancelledBy: CANCEL_SPOT,
    unknown: { endpoint: 'E1', by: 'operator', halts: true, mayPresume: false, probes: false, tries: 0 },
  },
  [codes.CANCEL_SPOT]: { ...CANCELS, ...SPOT, unknown: { endpoint: 'E2', ...AGAIN } },
};

const CANCEL_MASK = maskOf((traits) => traits.isCancel);
const TRIGGER_MASK = maskOf((traits) => traits.waitsForTrigger);
const MAKES_MASK = maskOf((traits) => traits.makesOrder);
const SPOT_MASK = maskOf((traits) => traits.product === 'spot');
const MARGIN_MASK = maskOf((traits) => traits.bucket === 'margin');

/** One bit a kind, so that the order path asks the table by a shift. */
function maskOf(has: (traits: CommandTraits) => boolean): number {
  let mask = 0;
  for (const kind of Object.keys(COMMAND_TRAITS)) if (has(COMMAND_TRAITS[Number(kind)]!)) mask |= 1 << Number(kind);
  return mask;
}

export function isCancel(kind: number): boolean {
  return ((CANCEL_MASK >> kind) & 1) === 1;
}

export function makesOrder(kind: number): boolean {
  return ((MAKES_MASK >> kind) & 1) === 1;
}

export function waitsForTrigger(kind: number): boolean {
  return ((TRIGGER_MASK >> kind) & 1) === 1;
}

export function isSpot(kind: number): boolean {
  return ((SPOT_MASK >> kind) & 1) === 1;
}

export function productOf(kind: number): 'futures' | 'spot' {
  return isSpot(kind) ? 'spot' : 'futures';
}

/** An ordinary order, one that waits for its trigger price, or an order of a spot market. */
export type OrderKindName = 'order' | 'trigger' | 'spot';

export function orderKindName(kind: number): OrderKindName {
  return waitsForTrigger(kind) ? 'trigger' : isSpot(kind) ? 'spot' : 'order';
}

export function isMargin(kind: number): boolean {
  return ((MARGIN_MASK >> kind) & 1) === 1;
}

/** The kind of an order that a command of `kind` makes: a modified order is a plain order. */
export function orderKindOf(kind: number): number {
  return kind === codes.MODIFY ? PLACE : kind;
}

/** The command that cancels an order of this kind. */
export function cancelOf(kind: number): number {
  return COMMAND_TRAITS[kind]!.cancelledBy;
}

/** Lanes of a bucket: lower goes first. A pause that the venue asks for holds back one lane alone. */
export const CANCEL_LANE = 0;
const CLOSE_LANE = 1;
export const OPEN_LANE = 2;
export const LANES = ['cancel', 'close', 'open'] as const;
export type LaneName = (typeof LANES)[number];

/** The lane of a command. */
export function laneOf(kind: number, effect: number): number {
  if (isCancel(kind)) return CANCEL_LANE;
  return effect === CLOSE ? CLOSE_LANE : OPEN_LANE;
}
