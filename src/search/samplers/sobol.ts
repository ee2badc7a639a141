/**
 * Sobol sequence: points that fill the space more evenly than random ones. Gray code order (Antonov & Saleev 1979) with the direction
 * numbers of Joe & Kuo, "Constructing Sobol sequences with better two-dimensional projections" (2008), file new-joe-kuo-6.21201.
 */
import type { Random } from '../../base/random.ts';
import type { Dimension } from '../space.ts';
import type { Sampler } from './sampler.ts';
import { DIRECTIONS } from './sobol-directions.ts';

const BITS = 32;
const BATCH = 32;
/** Most dimensions of a Sobol search. */
export const SOBOL_DIMENSIONS = DIRECTIONS.length;

/** The Sobol sequence in `dimensions` dimensions, from its first point (all zeros). `shift`, one 32-bit integer each, is XORed to it. */
export class SobolSequence {
  readonly #directions: readonly Uint32Array[];
  readonly #state: Uint32Array;
  readonly #shift: Uint32Array;
  #index = 0;

  constructor(dimensions: number, shift: readonly number[] = []) {
    this.#directions = DIRECTIONS.slice(0, dimensions).map(directionsOf);
    this.#state = new Uint32Array(dimensions);
    this.#shift = Uint32Array.from({ length: dimensions }, (_, i) => shift[i] ?? 0);
  }

  /** The next point, each coordinate in [0, 1). */
  next(): number[] {
    const point = Array.from(this.#state, (bits, i) => ((bits ^ this.#shift[i]!) >>> 0) / 2 ** BITS);
    // The position of the lowest zero bit of the index says which direction number changes.
    const bit = BITS - 1 - Math.clz32(~this.#index & (this.#index + 1));
    this.#index++;
    for (let i = 0; i < this.#state.length; i++) this.#state[i]! ^= this.#directions[i]![bit]!;
    return point;
  }
}

/** Direction numbers of one dimension from its polynomial and first values: Joe & Kuo, equation 2. */
function directionsOf([polynomial, ...initial]: readonly number[], dimension: number): Uint32Array {
  const numbers = new Uint32Array(BITS);
  if (dimension === 0) return numbers.map((_, k) => (1 << (BITS - 1 - k)) >>> 0);
  const degree = initial.length;
  for (let k = 0; k < BITS; k++) {
    if (k < degree) {
      numbers[k] = initial[k]! << (BITS - 1 - k);
      continue;
    }
    let value = numbers[k - degree]! ^ (numbers[k - degree]! >>> degree);
    for (let j = 1; j < degree; j++) if ((polynomial! >> (degree - j)) & 1) value ^= numbers[k - j]!;
    numbers[k] = value;
  }
  return numbers;
}

/** The sequence with a random digital shift, which keeps how evenly it fills the space. */
export function sobolSampler(space: readonly Dimension[], random: Random): Sampler {
  const sequence = new SobolSequence(
    space.length,
    space.map(() => random.uint32()),
  );
  return { lead: Infinity, ask: () => Array.from({ length: BATCH }, () => sequence.next()), tell: () => undefined };
}
