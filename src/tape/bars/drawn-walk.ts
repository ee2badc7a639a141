/**
 * Draws a walk of single steps up and down by its exact conditional law: all walks of that many steps from the first level to the last that
 * touch both 0 and the top level, and leave neither side, are equally likely. So a step tells nothing of those after it beyond what open,
 * high, low, close and the steps before tell.
 */

/** Prices of a bar are drawn on so many levels at most; a bar of more ticks has levels of several ticks. */
export const LEVELS_MOST = 16;
/** A walk of n steps ranges over 1.6 · √n levels on average. */
const RANGE = 1.6;
export const STEPS_MOST = Math.max(3 * LEVELS_MOST, Math.ceil((LEVELS_MOST / RANGE) ** 2)) + 1;

/** Steps of a walk over `levels` from one level to another: as many as have this range on average, enough to touch both ends. */
export function stepsFor(levels: number, from: number, to: number): number {
  const steps = Math.max(2, 3 * levels, Math.round((levels / RANGE) ** 2));
  return levels > 0 && (steps - Math.abs(to - from)) % 2 !== 0 ? steps + 1 : steps;
}

/** Counts of walks to one level in the four boxes that touch fewer ends: by steps left and level. */
interface Counts {
  readonly all: Float64Array;
  readonly aboveLow: Float64Array;
  readonly belowHigh: Float64Array;
  readonly inside: Float64Array;
}

const known = new Map<number, Counts>();

function countsOf(levels: number, to: number, steps: number): Counts {
  const key = (levels * 64 + to) * 1024 + steps;
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = {
    all: walks(levels, to, steps, 0, levels),
    aboveLow: walks(levels, to, steps, 1, levels),
    belowHigh: walks(levels, to, steps, 0, levels - 1),
    inside: walks(levels, to, steps, 1, levels - 1),
  };
  known.set(key, made);
  return made;
}

/** By steps left and level: the number of walks to `to` that stay between `low` and `high`. Below 2^101, so a double holds its size. */
function walks(levels: number, to: number, steps: number, low: number, high: number): Float64Array {
  const wide = levels + 1;
  const counts = new Float64Array((steps + 1) * wide);
  if (to >= low && to <= high) counts[to] = 1;
  for (let left = 1; left <= steps; left++) {
    for (let level = low; level <= high; level++) {
      const before = (left - 1) * wide + level;
      counts[left * wide + level] = (level > low ? counts[before - 1]! : 0) + (level < high ? counts[before + 1]! : 0);
    }
  }
  return counts;
}

/** Fills `into` with `steps` + 1 levels. `random` gives numbers from 0 to below 1. */
export function drawLevels(into: Uint8Array, levels: number, from: number, to: number, steps: number, random: () => number): void {
  into.fill(from, 0, steps + 1);
  if (levels === 0) return;
  const wide = levels + 1;
  const { all, aboveLow, belowHigh, inside } = countsOf(levels, to, steps);
  /** Walks that still touch what they have not touched yet. */
  const left = (at: number, level: number, hasLow: boolean, hasHigh: boolean): number => {
    if (level < 0 || level > levels) return 0;
    const k = at * wide + level;
    const low = hasLow || level === 0;
    const high = hasHigh || level === levels;
    if (low && high) return all[k]!;
    if (low) return all[k]! - belowHigh[k]!;
    if (high) return all[k]! - aboveLow[k]!;
    return all[k]! - aboveLow[k]! - belowHigh[k]! + inside[k]!;
  };
  let level = from;
  let hasLow = level === 0;
  let hasHigh = level === levels;
  for (let at = 1; at <= steps; at++) {
    const up = left(steps - at, level + 1, hasLow, hasHigh);
    const down = left(steps - at, level - 1, hasLow, hasHigh);
    level += random() * (up + down) < up ? 1 : -1;
    hasLow ||= level === 0;
    hasHigh ||= level === levels;
    into[at] = level;
  }
}
