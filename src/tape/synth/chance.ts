/**
 * Random numbers for synthetic markets, the same on every machine. `Math.log` and `Math.exp` differ between engines in the last digits;
 * here they only fill tables, rounded to 2^-24. Everything else is + − × ÷ √, which IEEE 754 defines. @hot
 */
import type { Random } from '../../base/random.ts';

const CELLS = 4096;
const GRAIN = 2 ** 24;
/** The last cell's end is taken at this share of the cell, for a finite longest wait (11.1 means) and longest run. */
const TAIL = 1 / 16;

const EXPONENTIAL = tabled((u) => -Math.log(1 - u));
const PARETO = tabled((u) => (1 - u) ** (-2 / 3));
const NORMAL = bell();

const DECAY_STEPS = 64;
const DECAY_END = 16;
const DECAY = new Float64Array(DECAY_STEPS * DECAY_END + 2);
for (let i = 0; i < DECAY.length; i++) DECAY[i] = Math.round(Math.exp(-i / DECAY_STEPS) * GRAIN) / GRAIN;

/** Quantiles of a distribution: `of(u)` at CELLS + 1 places. */
function tabled(of: (u: number) => number): Float64Array {
  const table = new Float64Array(CELLS + 1); // hot-ok: once
  for (let i = 0; i <= CELLS; i++) table[i] = Math.round(of(i === CELLS ? 1 - TAIL / CELLS : i / CELLS) * GRAIN) / GRAIN;
  return table;
}

/** Quantiles of the normal distribution, from 48 half steps of a symmetric walk: exact in doubles, and normal to a hundredth up to 3.5. */
function bell(): Float64Array {
  const steps = 48;
  const table = new Float64Array(CELLS + 1); // hot-ok: once
  let weight = 2 ** -steps;
  let below = 0;
  let cell = 0;
  for (let k = 0; k <= steps; k++) {
    const from = (2 * k - 1 - steps) / Math.sqrt(steps);
    const wide = 2 / Math.sqrt(steps);
    for (; cell <= CELLS && cell / CELLS <= below + weight; cell++) table[cell] = from + (wide * (cell / CELLS - below)) / weight;
    below += weight;
    weight = (weight * (steps - k)) / (k + 1);
  }
  table[0] = -3.7;
  table[CELLS] = 3.7;
  return table;
}

function lookUp(table: Float64Array, word: number): number {
  const cell = word >>> 20;
  const low = table[cell]!;
  return low + (table[cell + 1]! - low) * ((word & 0xfffff) / 0x100000);
}

/** A wait of mean 1 without memory. */
export function exponential(random: Random): number {
  return lookUp(EXPONENTIAL, random.uint32());
}

/** A length of at least 1 whose tail falls as length^(−3/2): the mean is 3, long runs are common. */
export function pareto(random: Random): number {
  return lookUp(PARETO, random.uint32());
}

/** A standard normal deviate within ±3.7. */
export function normal(random: Random): number {
  return lookUp(NORMAL, random.uint32());
}

/** e^−x for x ≥ 0; 0 beyond 16. */
export function decay(x: number): number {
  if (!(x < DECAY_END)) return 0;
  const at = x * DECAY_STEPS;
  const cell = Math.floor(at);
  const high = DECAY[cell]!;
  return high + (DECAY[cell + 1]! - high) * (at - cell);
}

/** −ln(1 − y) for 0 ≤ y < 1. */
export function negativeLog(y: number): number {
  const at = y * CELLS;
  const cell = Math.floor(at);
  const low = EXPONENTIAL[cell]!;
  return low + (EXPONENTIAL[cell + 1]! - low) * (at - cell);
}

/** A distribution as a few of its quantiles, straight lines between them. */
export class Quantiles {
  readonly #table: Float64Array;

  /** `values` at the shares `at`, both rising, from share 0 to 1. */
  constructor(values: readonly number[], at: readonly number[]) {
    this.#table = new Float64Array(CELLS + 1);
    let k = 0;
    for (let i = 0; i <= CELLS; i++) {
      const share = i / CELLS;
      while (k < at.length - 2 && share > at[k + 1]!) k++;
      this.#table[i] = values[k]! + ((values[k + 1]! - values[k]!) * (share - at[k]!)) / (at[k + 1]! - at[k]!);
    }
  }

  /** Half of the draws are below it. */
  get mid(): number {
    return this.#table[CELLS / 2]!;
  }

  /** The mean of the draws to this power: 1 or 2. */
  moment(power: number): number {
    let sum = 0;
    for (let k = 0; k < this.#table.length; k++) sum += power === 1 ? this.#table[k]! : this.#table[k]! * this.#table[k]!;
    return sum / this.#table.length;
  }

  draw(random: Random): number {
    return lookUp(this.#table, random.uint32());
  }
}
