/**
 * Random small worlds of one leg: what really happened, and what late reads showed of it. In a world whole lots fill one at a time, several
 * may fill in a millisecond, orders end at any moment, and a read may fall between two events of one millisecond.
 */
import { Random } from '../../src/base/random.ts';
import { CLOSE, OPEN, type Fact, type LegFacts, type OwnOrder } from './facts.ts';

export const ABSENT = 0;
export const ALIVE = 1;
const FILLED = 2;
const CANCELLED = 3;

/** Everything that reads can show of the leg at one moment. */
export interface State {
  readonly filled: readonly number[];
  readonly status: readonly number[];
  readonly createdAt: readonly number[];
  readonly updatedAt: readonly number[];
  readonly total: number;
  readonly legCreatedAt: number;
  readonly legUpdatedAt: number;
}

export interface World {
  readonly leg: LegFacts;
  /** Lots that the orders filled in truth. */
  readonly truth: readonly number[];
}

export interface Size {
  readonly orders: number;
  readonly lots: number;
  readonly facts: number;
  readonly time: number;
  readonly lag: number;
}

/** The state after order `k` came to be at the venue. */
export function created(state: State, k: number, time: number): State {
  return {
    ...state,
    status: state.status.with(k, ALIVE),
    createdAt: state.createdAt.with(k, time),
    updatedAt: state.updatedAt.with(k, time),
  };
}

/** The state after one more lot of order `k` filled. */
export function filled(state: State, orders: readonly OwnOrder[], k: number, time: number): State {
  const { effect, size } = orders[k]!;
  const lots = state.filled[k]! + 1;
  return {
    ...state,
    filled: state.filled.with(k, lots),
    status: lots === size ? state.status.with(k, FILLED) : state.status,
    updatedAt: state.updatedAt.with(k, time),
    total: state.total + effect,
    legCreatedAt: state.total === 0 ? time : state.legCreatedAt,
    legUpdatedAt: time,
  };
}

/** The state after order `k` was cancelled. */
export function cancelled(state: State, k: number, time: number): State {
  return { ...state, status: state.status.with(k, CANCELLED), updatedAt: state.updatedAt.with(k, time) };
}

/** The state after funding or a margin step: the position has a new time, and no other lots. */
export function touched(state: State, time: number): State {
  return { ...state, legUpdatedAt: time };
}

export function beginning(orders: readonly OwnOrder[], start: number): State {
  const none = orders.map(() => 0);
  return { filled: none, status: none, createdAt: none, updatedAt: none, total: start, legCreatedAt: -1, legUpdatedAt: -1 };
}

/** True if order `k` may fill a lot: a close needs a lot to close. */
export function mayFill(state: State, orders: readonly OwnOrder[], k: number): boolean {
  return state.status[k] === ALIVE && (orders[k]!.effect === OPEN || state.total > 0);
}

/** The answer of a read of this kind that shows `state`. `isFull`: with the lots that orders have left. */
function shown(state: State, orders: readonly OwnOrder[], kind: number, answered: number, order: number, isFull: boolean): Fact {
  const { total, legCreatedAt: createdAt, legUpdatedAt: updatedAt } = state;
  if (kind === 0) {
    if (total === 0) return { kind: 'flat', answered };
    const locked = isFull ? leftOf(state, orders, CLOSE) : -1;
    return { kind: 'position', answered, total, createdAt, updatedAt, locked, opening: isFull ? leftOf(state, orders, OPEN) : -1 };
  }
  const status = state.status[order]!;
  if (kind === 1 && status !== ALIVE) return { kind: 'not-pending', answered, order };
  if (kind === 2 && status !== FILLED && status !== CANCELLED) return { kind: 'not-ended', answered, order };
  const isTraded = state.filled[order]! > 0;
  const times = { createdAt: state.createdAt[order]!, updatedAt: state.updatedAt[order]! };
  return { kind: 'order', answered, order, status: wordOf(status), isTraded, ...times };
}

/** True if a read that shows `state` gives exactly this answer. */
export function isShownBy(fact: Fact, state: State, leg: { orders: readonly OwnOrder[] }): boolean {
  const { total } = state;
  if (fact.kind === 'flat') return total === 0;
  if (fact.kind === 'position') {
    if (total === 0 || total !== fact.total || state.legUpdatedAt !== fact.updatedAt || state.legCreatedAt !== fact.createdAt) return false;
    return fact.locked < 0 || (leftOf(state, leg.orders, CLOSE) === fact.locked && leftOf(state, leg.orders, OPEN) === fact.opening);
  }
  const status = state.status[fact.order]!;
  if (fact.kind === 'not-pending') return status !== ALIVE;
  if (fact.kind === 'not-ended') return status !== FILLED && status !== CANCELLED;
  if (status === ABSENT || fact.status !== wordOf(status) || fact.updatedAt !== state.updatedAt[fact.order]) return false;
  return fact.createdAt === state.createdAt[fact.order] && fact.isTraded === state.filled[fact.order]! > 0;
}

/** Lots that the open orders of one effect have left. */
function leftOf(state: State, orders: readonly OwnOrder[], effect: number): number {
  let lots = 0;
  for (const [k, one] of orders.entries()) if (one.effect === effect && state.status[k] === ALIVE) lots += one.size - state.filled[k]!;
  return lots;
}

function wordOf(status: number): 'new' | 'filled' | 'cancelled' {
  return status === ALIVE ? 'new' : status === FILLED ? 'filled' : 'cancelled';
}

/** A world by its seed. */
export function randomWorld(seed: number, size: Size): World {
  const random = new Random(seed);
  const start = random.below(size.lots + 1);
  const orders: OwnOrder[] = [];
  const count = 1 + random.below(size.orders);
  for (let k = 0; k < count; k++) {
    const from = random.below(Math.ceil(size.time / 2));
    const late = random.below(3);
    orders.push({
      effect: random.below(2) === 0 ? OPEN : CLOSE,
      size: 1 + random.below(size.lots),
      from,
      by: late === 2 ? Infinity : from + late * random.below(3),
    });
  }
  const at = orders.map(({ from, by }) =>
    by === Infinity ? (random.below(3) === 0 ? Infinity : from + random.below(4)) : from + random.below(by - from + 1),
  );
  let state = beginning(orders, start);
  const seen: State[][] = [[state]];
  for (let time = 0; time <= size.time; time++) {
    const moments = [state];
    for (const [k, when] of at.entries()) if (when === time) moments.push((state = created(state, k, time)));
    for (let tries = random.below(4); tries > 0; tries--) {
      const k = random.below(count);
      if (random.below(12) === 0 && state.total > 0) moments.push((state = touched(state, time)));
      else if (random.below(5) === 0 && state.status[k] === ALIVE) moments.push((state = cancelled(state, k, time)));
      else if (mayFill(state, orders, k)) moments.push((state = filled(state, orders, k, time)));
    }
    seen[time] = moments;
  }
  const facts: Fact[] = [];
  for (let k = 1 + random.below(size.facts); k > 0; k--) {
    const answered = random.below(size.time + 1);
    const moments = seen[Math.max(0, answered - random.below(size.lag + 1))]!;
    facts.push(
      shown(moments[random.below(moments.length)]!, orders, random.below(3), answered, random.below(count), random.below(2) === 0),
    );
  }
  return { leg: { orders, facts, start, begun: -1, lag: size.lag, now: size.time }, truth: state.filled };
}
