/** The states of an order and the allowed transitions. The tracker and the documentation use this table; any other transition is a bug. */

export const SUBMITTING = 0;
export const WORKING = 1;
export const MODIFYING = 2;
export const CANCELLING = 3;
/** Sent, but the outcome is unknown. Counts as alive. */
export const UNKNOWN = 4;
export const FILLED = 5;
export const CANCELLED = 6;
/** The venue rejected it. */
export const REJECTED = 7;
/** Ended because a modify replaced it. */
export const REPLACED = 8;
/** We refused it (risk), or it was never sent: nothing reached the venue. */
export const REFUSED = 9;

export const ORDER_STATES = [
  'submitting',
  'working',
  'modifying',
  'cancelling',
  'unknown',
  'filled',
  'cancelled',
  'rejected',
  'replaced',
  'refused',
] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** What can happen to an order. */
type OrderEvent =
  | 'accepted'
  | 'modify-sent'
  | 'cancel-sent'
  | 'rests-again'
  | 'outcome-unknown'
  | 'found'
  | 'filled'
  | 'cancelled'
  | 'replaced'
  | 'rejected'
  | 'refused';

/** Every transition, an arm a line: state, event, next state. Ended states have no arms: an ended order stays ended. */
export const ARMS: readonly (readonly [from: number, event: OrderEvent, to: number])[] = [
  [SUBMITTING, 'accepted', WORKING], // the venue took the order, or a read shows it
  [SUBMITTING, 'cancel-sent', CANCELLING], // a restart sends a cancel before the order has an outcome
  [SUBMITTING, 'outcome-unknown', UNKNOWN], // the answer was lost: reads decide
  [SUBMITTING, 'filled', FILLED], // it filled at once
  [SUBMITTING, 'cancelled', CANCELLED], // the venue took it and ended it, such as a post-only order that would have traded
  [SUBMITTING, 'rejected', REJECTED], // the venue refused it
  [SUBMITTING, 'refused', REFUSED], // a risk rule refused it, or it never left
  [WORKING, 'modify-sent', MODIFYING], // a modify is under way, which makes a new order
  [WORKING, 'cancel-sent', CANCELLING], // a cancel is under way
  [WORKING, 'outcome-unknown', UNKNOWN], // reads no longer show it
  [WORKING, 'filled', FILLED], // fills reached its size
  [WORKING, 'cancelled', CANCELLED], // the venue or a person cancelled it
  [WORKING, 'replaced', REPLACED], // a read shows the order of a modify in its place
  [MODIFYING, 'rests-again', WORKING], // the modify had no effect
  [MODIFYING, 'cancel-sent', CANCELLING], // a cancel overtakes the modify
  [MODIFYING, 'outcome-unknown', UNKNOWN], // whether the modify took effect is not known
  [MODIFYING, 'filled', FILLED], // it filled before the modify arrived
  [MODIFYING, 'cancelled', CANCELLED], // it ended before the modify arrived
  [MODIFYING, 'replaced', REPLACED], // the modify took effect
  [CANCELLING, 'rests-again', WORKING], // the cancel had no effect
  [CANCELLING, 'outcome-unknown', UNKNOWN], // whether the order is still there is not known
  [CANCELLING, 'filled', FILLED], // it filled before the cancel arrived
  [CANCELLING, 'cancelled', CANCELLED], // the cancel took effect
  [CANCELLING, 'replaced', REPLACED], // an earlier modify took effect
  [CANCELLING, 'rejected', REJECTED], // the venue had refused the order itself
  [CANCELLING, 'refused', REFUSED], // the order itself had never left
  [UNKNOWN, 'found', WORKING], // a read shows it
  [UNKNOWN, 'cancel-sent', CANCELLING], // a person or the resolver cancels what may be there
  [UNKNOWN, 'filled', FILLED], // its record shows the fill
  [UNKNOWN, 'cancelled', CANCELLED], // its record shows the cancel
  [UNKNOWN, 'replaced', REPLACED], // a modify of it took effect
  [UNKNOWN, 'rejected', REJECTED], // its record shows the refusal
  [UNKNOWN, 'refused', REFUSED], // complete reads show that it never arrived
];

/** What may follow each state, by number: the arms without the names of their events. */
export const TRANSITIONS: readonly (readonly number[])[] = ORDER_STATES.map((_, state) =>
  ARMS.filter(([from]) => from === state).map(([, , to]) => to),
);

/** The state that `event` leads to, or null where the event cannot happen. */
export function transition(state: number, event: OrderEvent): number | null {
  return ARMS.find(([from, name]) => from === state && name === event)?.[2] ?? null;
}

/** True for a state that ends an order. */
export function isEnded(state: number): boolean {
  return state >= FILLED;
}

/** True if `to` may follow `from`. */
export function mayFollow(from: number, to: number): boolean {
  return TRANSITIONS[from]?.includes(to) ?? false;
}
