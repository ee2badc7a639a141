/**
 * Random small worlds of one leg: what really happened, and what late reads showed of it. In a world whole lots fill one at a time, several
 * may fill in a millisecond, orders end at any moment, and a read may fall between two events of one millisecond.
 */
import { Random } from '../../../src/base/random.ts';
import { CLOSE, OPEN, type Fact, type LegFacts, type OwnOrder } from '../solver/facts.ts';

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
  /** When each order last filled. */
  readonly filledAt: readonly number[];
  /** How often each order was modified, and when last. */
  readonly version: readonly number[];
  readonly modifiedAt: readonly number[];
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
  /** Without brackets, trigger orders, cancels and lists in a row. */
  readonly isPlain?: boolean;
  /** No read falls between two events of one millisecond. */
  readonly isWhole?: boolean;
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
  const { effect } = orders[k]!;
  const size = sizeIn(state, orders, k);
  const lots = state.filled[k]! + 1;
  return {
    ...state,
    filled: state.filled.with(k, lots),
    status: lots === size ? state.status.with(k, FILLED) : state.status,
    updatedAt: state.updatedAt.with(k, time),
    filledAt: state.filledAt.with(k, time),
    total: state.total + effect,
    legCreatedAt: state.total === 0 ? time : state.legCreatedAt,
    legUpdatedAt: time,
  };
}

/** The state after order `k` was cancelled. */
export function cancelled(state: State, k: number, time: number): State {
  return { ...state, status: state.status.with(k, CANCELLED), updatedAt: state.updatedAt.with(k, time) };
}

/** The state after order `k` was modified. */
export function modified(state: State, k: number, time: number): State {
  return {
    ...state,
    version: state.version.with(k, state.version[k]! + 1),
    modifiedAt: state.modifiedAt.with(k, time),
    updatedAt: state.updatedAt.with(k, time),
  };
}

/** True if the next modify of order `k` may land: while it has not filled. */
export function mayModify(state: State, orders: readonly OwnOrder[], k: number, time: number): boolean {
  return state.status[k] === ALIVE && state.filled[k] === 0 && time >= (orders[k]!.later?.[state.version[k]!]?.from ?? Infinity);
}

function sizeIn(state: State, orders: readonly OwnOrder[], k: number): number {
  const version = state.version[k]!;
  return version === 0 ? orders[k]!.size : orders[k]!.later![version - 1]!.size;
}

/** The state after funding or a margin step: the position has a new time, and no other lots. */
export function touched(state: State, time: number): State {
  return { ...state, legUpdatedAt: time };
}

export function beginning(orders: readonly OwnOrder[], start: number): State {
  const none = orders.map(() => 0);
  return {
    filled: none,
    status: none,
    createdAt: none,
    updatedAt: none,
    filledAt: none,
    version: none,
    modifiedAt: none,
    total: start,
    legCreatedAt: -1,
    legUpdatedAt: -1,
  };
}

/** True if order `k` may fill a lot: a close needs a lot to close, and the exit of a bracket one that the bracket protects. */
export function mayFill(state: State, { orders, within }: Pick<LegFacts, 'orders' | 'within'>, k: number): boolean {
  if (state.status[k] !== ALIVE || (orders[k]!.effect === CLOSE && state.total === 0)) return false;
  if (within === undefined || !within.inner.includes(k)) return true;
  const lots = (of: readonly number[]): number => of.reduce((sum, one) => sum + state.filled[one]!, 0);
  return lots(within.inner) < lots(within.outer) + within.more;
}

interface Read {
  readonly kind: number;
  /** Times of the first and the last of the lists in a row that this is. */
  readonly first: number;
  readonly answered: number;
  readonly order: number;
  /** With the lots that orders have left, or when the order last filled. */
  readonly isFull: boolean;
}

/** The answer of a read that shows `state`; null if there is none. */
function shown(state: State, orders: readonly OwnOrder[], { answered, first, isFull, kind, order }: Read): Fact | null {
  const { total, legCreatedAt: createdAt, legUpdatedAt: updatedAt } = state;
  if (kind === 0) {
    if (total === 0) return { kind: 'flat', first, answered };
    const locked = isFull ? leftOf(state, orders, CLOSE) : -1;
    return { kind: 'position', answered, total, createdAt, updatedAt, locked, opening: isFull ? leftOf(state, orders, OPEN) : -1 };
  }
  const status = state.status[order]!;
  const [version, isChain] = [state.version[order]!, orders[order]!.later !== undefined];
  // Absence is asked of orders that keep their id.
  if (isChain && kind === 1 && version > 0) {
    const times = { createdAt: state.createdAt[order]!, updatedAt: state.modifiedAt[order]! };
    return { kind: 'order', answered, order, status: 'replaced', isTraded: false, ...times };
  }
  if (isChain && kind < 3 && (status === ABSENT || (kind === 1) !== (status === ALIVE))) return null;
  if (kind === 1 && status !== ALIVE) return { kind: 'not-pending', first, answered, order };
  if (kind === 2 && status !== FILLED && status !== CANCELLED) return { kind: 'not-ended', first, answered, order };
  if (kind === 3 && status === CANCELLED) return { kind: 'cancelled', answered, order };
  if (status === ABSENT) return null;
  const isTraded = state.filled[order]! > 0;
  const times = { createdAt: state.createdAt[order]!, updatedAt: state.updatedAt[order]! };
  const since = isTraded && isFull ? { since: state.filledAt[order]! } : {};
  if (version > 0) Object.assign(times, { createdAt: -Infinity });
  return {
    kind: 'order',
    answered,
    order,
    status: wordOf(status),
    size: sizeIn(state, orders, order),
    version,
    isTraded,
    ...times,
    ...since,
  };
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
  if (fact.kind === 'cancelled') return status === CANCELLED;
  const version = state.version[fact.order]!;
  if (fact.kind === 'order' && fact.status === 'replaced') return version > 0 && state.modifiedAt[fact.order] === fact.updatedAt;
  if (fact.kind === 'order' && version !== (fact.version ?? 0)) return false;
  if (fact.kind !== 'order' || status === ABSENT || fact.status !== wordOf(status) || fact.updatedAt !== state.updatedAt[fact.order])
    return false;
  if (fact.since !== undefined && state.filledAt[fact.order]! > fact.since) return false;
  return (version > 0 || fact.createdAt === state.createdAt[fact.order]) && fact.isTraded === state.filled[fact.order]! > 0;
}

/** Lots that the open orders of one effect have left. */
function leftOf(state: State, orders: readonly OwnOrder[], effect: number): number {
  let lots = 0;
  for (const [k, one] of orders.entries())
    if (one.effect === effect && state.status[k] === ALIVE) lots += sizeIn(state, orders, k) - state.filled[k]!;
  return lots;
}

function wordOf(status: number): 'new' | 'filled' | 'cancelled' {
  return status === ALIVE ? 'new' : status === FILLED ? 'filled' : 'cancelled';
}

/** A world by its seed. In a share of them the last order is the exit of a bracket, or one of two orders of a trigger was found. */
export function randomWorld(seed: number, size: Size): World {
  const random = new Random(seed);
  const { isWhole = false } = size;
  const start = random.below(size.lots + 1);
  const orders: OwnOrder[] = [];
  const count = 1 + random.below(size.orders);
  for (let k = 0; k < count; k++) {
    const from = random.below(Math.ceil(size.time / 2));
    const late = random.below(3);
    const isModified = size.isPlain !== true && random.below(4) === 0;
    orders.push({
      ...(isModified ? { later: [{ size: 1 + random.below(size.lots), from: from + random.below(3) }] } : {}),
      effect: random.below(2) === 0 ? OPEN : CLOSE,
      size: 1 + random.below(size.lots),
      from,
      by: late === 2 ? Infinity : from + late * random.below(3),
    });
  }
  const at = orders.map(({ from, by }) =>
    by === Infinity ? (random.below(3) === 0 ? Infinity : from + random.below(4)) : from + random.below(by - from + 1),
  );
  const leg = { orders, ...(size.isPlain === true ? {} : tiesOf(random, orders)) };
  for (const { triggers } of leg.choices ?? []) at[triggers[0]!] = Infinity;
  for (const [k, one] of orders.entries()) {
    const isLost = size.isPlain !== true && (at[k] === Infinity || random.below(6) === 0);
    if (isLost) at[k] = Infinity;
    if (isLost && one.by < Infinity) orders[k] = { ...one, mayFail: true };
  }
  let state = beginning(orders, start);
  const seen: State[][] = [[state]];
  for (let time = 0; time <= size.time; time++) {
    const moments = [state];
    for (const [k, when] of at.entries()) if (when === time) moments.push((state = created(state, k, time)));
    for (let tries = random.below(4); tries > 0; tries--) {
      const k = random.below(count);
      if (random.below(12) === 0 && state.total > 0) moments.push((state = touched(state, time)));
      else if (random.below(5) === 0 && state.status[k] === ALIVE) moments.push((state = cancelled(state, k, time)));
      else if (random.below(2) === 0 && mayModify(state, orders, k, time)) moments.push((state = modified(state, k, time)));
      else if (mayFill(state, leg, k)) moments.push((state = filled(state, orders, k, time)));
    }
    seen[time] = moments;
  }
  const facts: Fact[] = [];
  for (let k = 1 + random.below(size.facts); k > 0; k--) {
    const answered = random.below(size.time + 1);
    const [kind, order] = [random.below(size.isPlain === true ? 3 : 5), random.below(count)];
    if (kind === 4) {
      if (seen[answered]![0]!.filled[order] === 0) facts.push({ kind: 'untouched', answered, order });
      continue;
    }
    const first = kind === 3 || random.below(2) === 0 ? answered : Math.max(0, answered - random.below(3));
    const within = seen[Math.max(0, answered - random.below(answered - first + size.lag + 1))]!;
    const moments = isWhole ? within.slice(-1) : within;
    const moment = moments[random.below(moments.length)]!;
    const fact = shown(moment, orders, {
      kind,
      first,
      answered,
      order,
      isFull: random.below(2) === 0 && (kind > 0 || !orders.some(({ later }) => later !== undefined)),
    });
    // Only absence is shown by several lists in a row: all else is by the last of them.
    if (
      fact === null ||
      (!('first' in fact) &&
        !seen
          .slice(Math.max(0, answered - size.lag), answered + 1)
          .flat()
          .includes(moment))
    )
      continue;
    facts.push(fact);
  }
  return { leg: { ...leg, facts, start, begun: -1, lag: size.lag, now: size.time, isWhole }, truth: state.filled };
}

/** What ties orders of a leg together. */
function tiesOf(random: Random, orders: readonly OwnOrder[]): Pick<LegFacts, 'within' | 'choices'> {
  const at = (effect: number): number[] => orders.flatMap((one, k) => (one.effect === effect ? [k] : []));
  const [opens, closes] = [at(OPEN), at(CLOSE)];
  if (closes.length > 0 && random.below(2) === 0)
    return { within: { inner: closes.slice(0, 1 + random.below(2)), outer: opens.slice(0, 1 + random.below(2)), more: random.below(2) } };
  if (opens.length > 2 && random.below(2) === 0) return { choices: [{ order: opens[2]!, triggers: opens.slice(0, 2) }] };
  return {};
}
