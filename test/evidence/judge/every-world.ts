/**
 * All worlds that the facts of a leg allow, by going through every order of events. Knows what a venue does and what a read shows, and
 * nothing of rows or points. For small worlds only.
 */
import type { Fact, LegFacts } from '../solver/facts.ts';
import {
  ABSENT,
  ALIVE,
  beginning,
  cancelled,
  created,
  filled,
  isShownBy,
  mayFill,
  mayModify,
  modified,
  touched,
  type State,
} from './worlds.ts';

export interface Ends {
  readonly fills: readonly (readonly [lo: number, hi: number])[];
  readonly position: readonly [lo: number, hi: number];
}

/** Least and greatest fills and position now, over all worlds; null if no world shows all facts, or if there are too many to go through. */
export function everyWorld(leg: LegFacts, most: number): Ends | null | 'too many' {
  const { orders, facts, lag, now, isWhole = false } = leg;
  const all = (1 << facts.length) - 1;
  // What can be created when: an order whose acceptance is not known may never come to be.
  let states = new Map<string, [State, number]>();
  let visited = 0;
  const isSince = facts.some((fact) => fact.kind === 'order' && fact.since !== undefined);
  const keyOf = (state: State): string => {
    const { filled: lots, filledAt, modifiedAt, status, version, createdAt, updatedAt, legCreatedAt, legUpdatedAt } = state;
    return [
      ...lots,
      ...status,
      ...createdAt,
      ...updatedAt,
      legCreatedAt,
      legUpdatedAt,
      ...(isSince ? filledAt : []),
      ...version,
      ...modifiedAt,
    ].join(' ');
  };
  // The facts that are known after a moment of the millisecond `time` was read.
  const readAt = (state: State, before: number, time: number): number => {
    let mask = before;
    for (const [k, fact] of facts.entries())
      if ((mask & (1 << k)) === 0 && fact.answered >= time && firstOf(fact) - lag <= time && isShownBy(fact, state, leg)) mask |= 1 << k;
    return mask;
  };
  const first = beginning(orders, leg.start);
  states.set(keyOf(first), [first, 0]);
  for (let time = 0; time <= now; time++) {
    const due = new Map<string, Map<number, State>>();
    const queue: [State, number][] = [];
    const see = (state: State, before: number): void => {
      const mask = isWhole ? before : readAt(state, before, time);
      const key = keyOf(state);
      let masks = due.get(key);
      if (masks === undefined) due.set(key, (masks = new Map()));
      if (masks.has(mask)) return;
      masks.set(mask, state);
      queue.push([state, mask]);
      visited++;
    };
    for (const [state, mask] of states.values()) {
      // What had filled nothing at the beginning of this millisecond.
      let shown = mask;
      for (const [k, fact] of facts.entries())
        if (fact.kind === 'untouched' && fact.answered === time && state.filled[fact.order] === 0) shown |= 1 << k;
      // Between two milliseconds there is a moment of both.
      see(state, isWhole ? readAt(state, shown, time) : shown);
    }
    for (let head = 0; head < queue.length; head++) {
      if (visited > most) return 'too many';
      const [state, mask] = queue[head]!;
      if (state.total > 0) see(touched(state, time), mask);
      for (const [k, order] of orders.entries()) {
        if (state.status[k] === ABSENT && time >= order.from && time <= order.by) see(created(state, k, time), mask);
        if (mayFill(state, leg, k)) see(filled(state, orders, k, time), mask);
        if (state.status[k] === ALIVE) see(cancelled(state, k, time), mask);
        if (mayModify(state, orders, k, time)) see(modified(state, k, time), mask);
      }
    }
    states = new Map();
    const isMissed = (mask: number): boolean => facts.some(({ answered }, k) => answered <= time && (mask & (1 << k)) === 0);
    for (const [key, masks] of due)
      for (const [before, state] of masks) {
        const mask = isWhole ? readAt(state, before, time) : before;
        if (isMissed(mask) || orders.some(({ by, mayFail }, k) => state.status[k] === ABSENT && by <= time && mayFail !== true)) continue;
        states.set(`${key} ${mask}`, [state, mask]);
      }
  }
  const isChosen = ({ filled: lots }: State): boolean => (leg.choices ?? []).every(({ triggers }) => triggers.some((k) => lots[k] === 0));
  const ends = [...states.values()].filter(([state, mask]) => mask === all && isChosen(state)).map(([state]) => state);
  if (ends.length === 0) return null;
  const rangeOf = (values: readonly number[]): [number, number] => [Math.min(...values), Math.max(...values)];
  return {
    fills: orders.map((_, k) => rangeOf(ends.map((state) => state.filled[k]!))),
    position: rangeOf(ends.map((state) => state.total)),
  };
}

function firstOf(fact: Fact): number {
  return 'first' in fact ? fact.first : fact.answered;
}
