/**
 * NSGA-II (Deb, Pratap, Agarwal & Meyarivan 2002): a population moves towards the front of several objectives. Simulated binary crossover
 * (Deb & Agrawal 1995) and polynomial mutation with the paper's settings: crossover in 0.9 of the pairs, mutation of one dimension in
 * `dimensions`, distribution indices of 20. A dimension of choices is exchanged or drawn again, never interpolated.
 */
import type { Random } from '../../base/random.ts';
import { crowdingOf, frontsOf } from '../ranking.ts';
import type { Dimension } from '../space.ts';
import type { Trial } from '../trial.ts';
import type { Sampler } from './sampler.ts';

const CROSSOVER = 0.9;
const INDEX = 20;
/** Size of a population unless it is given. */
const POPULATION = 40;

interface Member {
  readonly trial: Trial;
  /** Number of its front, and how far its neighbours in the front are. */
  readonly front: number;
  readonly crowding: number;
}

/** Each batch is a generation. `population` is an even number. */
export function nsga2Sampler(space: readonly Dimension[], random: Random, population = POPULATION): Sampler {
  let parents: Member[] = [];
  return {
    lead: 1,
    ask() {
      if (parents.length === 0) return Array.from({ length: population }, () => space.map(() => random.uniform()));
      const children: number[][] = [];
      while (children.length < population) {
        const [a, b] = crossed(space, winner(parents, random).trial.place, winner(parents, random).trial.place, random);
        children.push(mutated(space, a, random), mutated(space, b, random));
      }
      return children.slice(0, population);
    },
    tell(trials) {
      parents = survivors([...parents.map(({ trial }) => trial), ...trials], population);
    },
  };
}

/** The best fronts; of the last front that fits only in part, those in the least crowded places. */
function survivors(trials: readonly Trial[], population: number): Member[] {
  const kept: Member[] = [];
  for (const [number, front] of frontsOf(trials).entries()) {
    const distance = crowdingOf(trials, front);
    const members = front.map((i, at): Member => ({ trial: trials[i]!, front: number, crowding: distance[at]! }));
    if (kept.length + members.length > population) members.sort((a, b) => (a.crowding === b.crowding ? 0 : b.crowding - a.crowding));
    kept.push(...members.slice(0, population - kept.length));
    if (kept.length === population) break;
  }
  return kept;
}

/** Binary tournament by the crowded comparison. */
function winner(parents: readonly Member[], random: Random): Member {
  const a = parents[random.below(parents.length)]!;
  const b = parents[random.below(parents.length)]!;
  if (a.front !== b.front) return a.front < b.front ? a : b;
  return a.crowding >= b.crowding ? a : b;
}

function crossed(space: readonly Dimension[], a: readonly number[], b: readonly number[], random: Random): [number[], number[]] {
  const first = [...a];
  const second = [...b];
  if (random.uniform() > CROSSOVER) return [first, second];
  for (const [i, dimension] of space.entries()) {
    if (random.uniform() > 0.5) continue;
    const low = Math.min(a[i]!, b[i]!);
    const high = Math.max(a[i]!, b[i]!);
    if (dimension.kind === 'choice') {
      first[i] = b[i]!;
      second[i] = a[i]!;
    } else if (high - low > 1e-14) {
      const u = random.uniform();
      const below = spread(u, 1 + (2 * low) / (high - low));
      const above = spread(u, 1 + (2 * (1 - high)) / (high - low));
      const children = [bounded(0.5 * (low + high - below * (high - low))), bounded(0.5 * (low + high + above * (high - low)))];
      const isSwapped = random.uniform() < 0.5;
      first[i] = children[isSwapped ? 1 : 0]!;
      second[i] = children[isSwapped ? 0 : 1]!;
    }
  }
  return [first, second];
}

/** The spread factor of simulated binary crossover within bounds; `room` is the distance to the bound in spreads. */
function spread(u: number, room: number): number {
  const alpha = 2 - room ** -(INDEX + 1);
  return u <= 1 / alpha ? (u * alpha) ** (1 / (INDEX + 1)) : (1 / (2 - u * alpha)) ** (1 / (INDEX + 1));
}

function mutated(space: readonly Dimension[], place: readonly number[], random: Random): number[] {
  return place.map((x, i) => {
    if (random.uniform() > 1 / space.length) return x;
    if (space[i]!.kind === 'choice') return random.uniform();
    const u = random.uniform();
    const power = 1 / (INDEX + 1);
    const step =
      u < 0.5 ? (2 * u + (1 - 2 * u) * (1 - x) ** (INDEX + 1)) ** power - 1 : 1 - (2 * (1 - u) + 2 * (u - 0.5) * x ** (INDEX + 1)) ** power;
    return bounded(x + step);
  });
}

function bounded(x: number): number {
  return Math.min(1, Math.max(0, x));
}
