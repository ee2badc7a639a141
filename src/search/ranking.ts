/**
 * The order of trials: which is better, with constraints and several objectives. Constraint domination, the sort into fronts and the
 * crowding distance are those of NSGA-II (Deb, Pratap, Agarwal & Meyarivan, "A fast and elitist multiobjective genetic algorithm:
 * NSGA-II", 2002, sections III and VI).
 */
import type { Trial } from './trial.ts';

type Judged = Pick<Trial, 'state' | 'costs' | 'violation' | 'rungs'>;

/** 0: a result that meets the constraints. 1: a result that breaks one. 2: pruned. 3: none. */
function tierOf({ state, violation }: Judged): number {
  if (state === 'done') return violation > 0 ? 1 : 0;
  return state === 'pruned' ? 2 : 3;
}

/** True if `a` is at least as good as `b` in every cost and better in one. */
function isBelow(a: readonly number[], b: readonly number[]): boolean {
  let isBetter = false;
  for (let k = 0; k < a.length; k++) {
    if (a[k]! > b[k]!) return false;
    if (a[k]! < b[k]!) isBetter = true;
  }
  return isBetter;
}

/** True if `a` dominates `b`. A trial of a better tier always does; of two that break constraints, the one that breaks them by less. */
function dominates(a: Judged, b: Judged): boolean {
  const tiers = tierOf(a) - tierOf(b);
  if (tiers !== 0) return tiers < 0;
  if (tierOf(a) === 1) return a.violation < b.violation;
  if (tierOf(a) === 3) return false;
  if (a.rungs !== b.rungs) return a.rungs > b.rungs;
  return isBelow(a.costs, b.costs);
}

/** Sorts indices of `trials` into fronts: nothing dominates a trial of the first, only those of the first one of the second, and so on. */
export function frontsOf(trials: readonly Judged[]): number[][] {
  const dominated: number[][] = trials.map(() => []);
  const counts: number[] = trials.map(() => 0);
  for (let i = 0; i < trials.length; i++) {
    for (let j = i + 1; j < trials.length; j++) {
      if (dominates(trials[i]!, trials[j]!)) {
        dominated[i]!.push(j);
        counts[j]!++;
      } else if (dominates(trials[j]!, trials[i]!)) {
        dominated[j]!.push(i);
        counts[i]!++;
      }
    }
  }
  const fronts: number[][] = [];
  let front = trials.map((_, i) => i).filter((i) => counts[i] === 0);
  while (front.length > 0) {
    fronts.push(front);
    const next: number[] = [];
    for (const i of front) for (const j of dominated[i]!) if (--counts[j]! === 0) next.push(j);
    front = next.sort((a, b) => a - b);
  }
  return fronts;
}

/** Crowding distance of each trial of a front, in the order of `front`: Infinity at its ends. */
export function crowdingOf(trials: readonly Judged[], front: readonly number[]): number[] {
  const distance = front.map(() => 0);
  const objectives = trials[front[0] ?? 0]?.costs.length ?? 0;
  for (let k = 0; k < objectives; k++) {
    const cost = (at: number): number => trials[front[at]!]!.costs[k]!;
    const order = front.map((_, at) => at).sort((a, b) => cost(a) - cost(b) || a - b);
    const range = cost(order.at(-1)!) - cost(order[0]!);
    distance[order[0]!] = Infinity;
    distance[order.at(-1)!] = Infinity;
    if (!(range > 0)) continue;
    for (let at = 1; at < order.length - 1; at++) {
      distance[order[at]!]! += (cost(order[at + 1]!) - cost(order[at - 1]!)) / range;
    }
  }
  return distance;
}

/** Indices of `trials`, best first: by front, then the less crowded, then the earlier. With one objective this is simply by its value. */
export function bestFirst(trials: readonly Judged[]): number[] {
  const isSingle = trials.every(({ costs }) => costs.length <= 1);
  if (!isSingle) {
    return frontsOf(trials).flatMap((front) => {
      const distance = crowdingOf(trials, front);
      const order = front.map((_, at) => at).sort((a, b) => compare(distance[b]!, distance[a]!) || front[a]! - front[b]!);
      return order.map((at) => front[at]!);
    });
  }
  return trials.map((_, i) => i).sort((a, b) => compareSingle(trials[a]!, trials[b]!) || a - b);
}

function compareSingle(a: Judged, b: Judged): number {
  const tiers = tierOf(a) - tierOf(b);
  if (tiers !== 0) return tiers;
  if (tierOf(a) === 1) return compare(a.violation, b.violation);
  return b.rungs - a.rungs || compare(a.costs[0] ?? 0, b.costs[0] ?? 0);
}

/** Works for infinities, whose difference is not a number. */
function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The trials that no other dominates, among those that are done and meet the constraints; by number. */
export function paretoFront<T extends Judged>(trials: readonly T[]): T[] {
  const feasible = trials.filter((trial) => tierOf(trial) === 0);
  return feasible.filter((one) => !feasible.some((other) => dominates(other, one)));
}

/** The best trial that is done; one that breaks constraints only if all do. Null if none is done. */
export function bestOf<T extends Judged>(trials: readonly T[]): T | null {
  const done = trials.filter(({ state }) => state === 'done');
  const [best] = bestFirst(done);
  return best === undefined ? null : done[best]!;
}
