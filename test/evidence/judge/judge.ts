/** Two judges of the solver: every world of a small leg (is the answer exact?), and the truth of large legs. */
import { everyWorld } from './every-world.ts';
import { solveLeg } from '../solver/solve-leg.ts';
import { randomWorld, type Size } from './worlds.ts';

/** Small enough to go through every world. */
export const SMALL: Size = { orders: 3, lots: 3, facts: 5, time: 6, lag: 2 };
export const LARGE: Size = { orders: 8, lots: 30, facts: 25, time: 60, lag: 12 };
/** Steps of search for each end of a range: small legs are settled, large ones stay fast. */
export const FULL_BUDGET = 2_000;
export const BUDGET = 20;
/** Small legs with more states than this are left out. */
export const MOST_STATES = 30_000;

/** What was wrong, by a line with its seed each. */
export interface Compared {
  worlds: number;
  /** Worlds left out: too many states. */
  leftOut: number;
  ranges: number;
  /** Ranges whose ends the search did not settle. */
  unsettled: number;
  readonly unsound: string[];
  readonly wide: string[];
}

/** Small legs by seed, solved and gone through: both must name the same ends. `isWhole`: no read falls into a millisecond. */
export function compareWithEveryWorld(from: number, count: number, isWhole = false): Compared {
  const sum: Compared = { worlds: 0, leftOut: 0, ranges: 0, unsettled: 0, unsound: [], wide: [] };
  for (let seed = from; seed < from + count; seed++) {
    const { leg } = randomWorld(seed, { ...SMALL, isWhole });
    const found = everyWorld(leg, MOST_STATES);
    if (found === 'too many' || found === null) {
      sum.leftOut++;
      continue;
    }
    sum.worlds++;
    const { fills, position } = solveLeg(leg, FULL_BUDGET);
    for (const [k, { lo, hi, isExact }] of [...fills, position].entries()) {
      const [least, most] = found.fills[k] ?? found.position;
      const text = `seed ${seed}, ${k < fills.length ? `order ${k}` : 'position'}: ${lo} to ${hi}, every world: ${least} to ${most}`;
      sum.ranges++;
      if (!isExact) sum.unsettled++;
      if (lo > least || hi < most || Number.isNaN(lo)) sum.unsound.push(text);
      else if (lo < least || hi > most) sum.wide.push(text);
    }
  }
  return sum;
}

/** Large legs by seed: the truth must be inside. */
export function compareWithTruth(from: number, count: number, isWhole = false): Compared {
  const sum: Compared = { worlds: 0, leftOut: 0, ranges: 0, unsettled: 0, unsound: [], wide: [] };
  for (let seed = from; seed < from + count; seed++) {
    const { leg, truth } = randomWorld(seed, { ...LARGE, isWhole });
    sum.worlds++;
    const { isPossible, fills } = solveLeg(leg, BUDGET);
    if (!isPossible) sum.unsound.push(`seed ${seed}: no world`);
    for (const [k, { lo, hi, isExact }] of fills.entries()) {
      if (!isExact) sum.unsettled++;
      if (!(lo <= truth[k]! && truth[k]! <= hi)) sum.unsound.push(`seed ${seed}, order ${k}: ${lo} to ${hi}, in truth ${truth[k]}`);
    }
  }
  return sum;
}
