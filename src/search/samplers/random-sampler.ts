/** Random search (Bergstra & Bengio, "Random search for hyper-parameter optimization", 2012): points drawn independently and uniformly. */
import type { Random } from '../../base/random.ts';
import { keyOf, pointFrom, sizeOf, type Dimension } from '../space.ts';
import type { Sampler } from './sampler.ts';

const BATCH = 27;
/** Draws after which a space is taken as used up. */
const TRIES = 1_000;

/** Points that were not drawn before. In a space with few points left the search for one is given up after a thousand draws. */
export function randomSampler(space: readonly Dimension[], random: Random): Sampler {
  const fresh = new FreshPoints(space, random);
  return {
    lead: Infinity,
    ask() {
      const places: (readonly number[])[] = [];
      while (places.length < BATCH) {
        const place = fresh.draw();
        if (place === null) break;
        places.push(place);
      }
      return places;
    },
    tell: () => undefined,
  };
}

/** Draws points that were not used yet. */
export class FreshPoints {
  readonly #space: readonly Dimension[];
  readonly #random: Random;
  readonly #used = new Set<string>();
  readonly #size: number;

  constructor(space: readonly Dimension[], random: Random) {
    this.#space = space;
    this.#random = random;
    this.#size = sizeOf(space);
  }

  /** Marks the point of `place` as used. False if it was used before. */
  take(place: readonly number[]): boolean {
    const key = keyOf(this.#space, pointFrom(this.#space, place));
    if (this.#used.has(key)) return false;
    this.#used.add(key);
    return true;
  }

  /** A place of an unused point, now used; null if none is left or none was found. */
  draw(): readonly number[] | null {
    for (let k = 0; k < TRIES && this.#used.size < this.#size; k++) {
      const place = this.#space.map(() => this.#random.uniform());
      if (this.take(place)) return place;
    }
    return null;
  }
}
