/** The states of an order, and the one table of what each event does to it. The engine moves orders by this table; any other move is a bug. */

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
/** State of an order. An order in one of the last states cannot fill any more. */
export type OrderState = (typeof ORDER_STATES)[number];

/**
 * What can happen to an order, by number. The event that ends an order has the number of the state it ends in: FILLED, CANCELLED, REJECTED,
 * REPLACED, REFUSED.
 */
export const ACCEPTED = 0;
export const MODIFY_SENT = 1;
export const CANCEL_SENT = 2;
export const RESTS_AGAIN = 3;
export const OUTCOME_UNKNOWN = 4;
export const ORDER_EVENTS = ['accepted', 'modify-sent', 'cancel-sent', 'rests-again', 'outcome-unknown', ...ORDER_STATES.slice(FILLED)];

/** Every transition, an arm a line: state, event, next state. Ended states have no arms: an ended order stays ended. */
export const ARMS: readonly (readonly [from: number, event: number, to: number])[] = [
  [SUBMITTING, ACCEPTED, WORKING], // the venue took the order, or a read shows it
  [SUBMITTING, CANCEL_SENT, CANCELLING], // a restart sends a cancel before the order has an outcome
  [SUBMITTING, OUTCOME_UNKNOWN, UNKNOWN], // the answer was lost: reads decide
  [SUBMITTING, FILLED, FILLED], // it filled at once
  [SUBMITTING, CANCELLED, CANCELLED], // the venue took it and ended it, such as a post-only order that would have traded
  [SUBMITTING, REJECTED, REJECTED], // the venue refused it
  [SUBMITTING, REFUSED, REFUSED], // a risk rule refused it, or it never left
  [WORKING, MODIFY_SENT, MODIFYING], // a modify is under way, which makes a new order
  [WORKING, CANCEL_SENT, CANCELLING], // a cancel is under way
  [WORKING, OUTCOME_UNKNOWN, UNKNOWN], // reads no longer show it
  [WORKING, FILLED, FILLED], // fills reached its size
  [WORKING, CANCELLED, CANCELLED], // the venue or a person cancelled it
  [WORKING, REPLACED, REPLACED], // a read shows the order of a modify in its place
  [MODIFYING, ACCEPTED, WORKING], // its own answer came late, after a read had shown it and a modify had left
  [MODIFYING, RESTS_AGAIN, WORKING], // the modify had no effect
  [MODIFYING, CANCEL_SENT, CANCELLING], // a cancel overtakes the modify
  [MODIFYING, OUTCOME_UNKNOWN, UNKNOWN], // whether the modify took effect is not known
  [MODIFYING, FILLED, FILLED], // it filled before the modify arrived
  [MODIFYING, CANCELLED, CANCELLED], // it ended before the modify arrived
  [MODIFYING, REPLACED, REPLACED], // the modify took effect
  [CANCELLING, ACCEPTED, WORKING], // its own answer came after the cancel had left, or a read shows it still there
  [CANCELLING, RESTS_AGAIN, WORKING], // the cancel had no effect
  [CANCELLING, OUTCOME_UNKNOWN, UNKNOWN], // whether the order is still there is not known
  [CANCELLING, FILLED, FILLED], // it filled before the cancel arrived
  [CANCELLING, CANCELLED, CANCELLED], // the cancel took effect
  [CANCELLING, REPLACED, REPLACED], // an earlier modify took effect
  [CANCELLING, REJECTED, REJECTED], // the venue had refused the order itself
  [CANCELLING, REFUSED, REFUSED], // the order itself had never left
  [UNKNOWN, ACCEPTED, WORKING], // a read shows it, or its answer came late
  [UNKNOWN, RESTS_AGAIN, WORKING], // the modify of it had no effect after all
  [UNKNOWN, CANCEL_SENT, CANCELLING], // a person or the resolver cancels what may be there
  [UNKNOWN, FILLED, FILLED], // its record shows the fill
  [UNKNOWN, CANCELLED, CANCELLED], // its record shows the cancel
  [UNKNOWN, REPLACED, REPLACED], // a modify of it took effect
  [UNKNOWN, REJECTED, REJECTED], // its record shows the refusal
  [UNKNOWN, REFUSED, REFUSED], // complete reads show that it never arrived
];

/** The next state by 16 · state + event; −1 where the event cannot happen. */
const NEXT = new Int8Array(16 * ORDER_STATES.length).fill(-1);
for (const [from, event, to] of ARMS) NEXT[16 * from + event] = to;

/** The state that `event` leads to, or −1 where the event cannot happen. */
export function transition(state: number, event: number): number {
  return NEXT[16 * state + event] ?? -1;
}

/** True for a state that ends an order. */
export function isEnded(state: number): boolean {
  return state >= FILLED;
}
