/**
 * Estimates how much each parameter matters: by functional analysis of variance on a forest of regression trees (Hutter, Hoos &
 * Leyton-Brown, "An efficient approach for assessing hyperparameter importance", 2014). A tree cuts the unit cube into boxes of one value
 * each, so the variance that a parameter, or a pair of them, explains by itself is a finite sum without sampling.
 */
import { Random } from '../base/random.ts';

const TREES = 32;
const LEAF = 2;
const DEPTH = 12;

export interface Importance {
  /** Share of the variance that the parameter explains by itself, from 0 to 1. */
  readonly single: readonly number[];
  /** Share that a pair explains beyond its two parameters; by first index, then second. */
  readonly pairs: readonly { readonly first: number; readonly second: number; readonly share: number }[];
}

interface Box {
  readonly low: readonly number[];
  readonly high: readonly number[];
  readonly value: number;
}

/**
 * Importance of each dimension for `values` at `places` of the unit cube. Null with fewer than 8 results or without any variance.
 * The same inputs and seed give the same result.
 */
export function importanceOf(places: readonly (readonly number[])[], values: readonly number[], seed: number): Importance | null {
  const n = values.length;
  const dimensions = places[0]?.length ?? 0;
  if (n < 8 || dimensions === 0 || values.every((value) => value === values[0])) return null;
  const random = new Random(seed);
  const single = Array.from({ length: dimensions }, () => 0);
  const pairs = new Map<string, number>();
  let trees = 0;
  for (let t = 0; t < TREES; t++) {
    // A bootstrap sample for each tree.
    const rows = Array.from({ length: n }, () => random.below(n));
    const boxes: Box[] = [];
    const low = single.map(() => 0);
    grow(
      { places, values, random, boxes },
      rows,
      low,
      low.map(() => 1),
      0,
    );
    const shares = varianceShares(boxes, dimensions);
    if (shares === null) continue;
    trees++;
    for (const [i, share] of shares.single.entries()) single[i]! += share;
    for (const [key, share] of shares.pairs) pairs.set(key, (pairs.get(key) ?? 0) + share);
  }
  if (trees === 0) return null;
  return {
    single: single.map((sum) => sum / trees),
    pairs: [...pairs].map(([key, sum]) => {
      const [first = 0, second = 0] = key.split(',').map(Number);
      return { first, second, share: sum / trees };
    }),
  };
}

interface Growing {
  readonly places: readonly (readonly number[])[];
  readonly values: readonly number[];
  readonly random: Random;
  readonly boxes: Box[];
}

/** Splits `rows` where the squared error falls most; tries a random half of the dimensions at each node. */
function grow(forest: Growing, rows: readonly number[], low: readonly number[], high: readonly number[], depth: number): void {
  const { values, boxes } = forest;
  const mean = rows.reduce((sum, row) => sum + values[row]!, 0) / rows.length;
  const split = depth >= DEPTH || rows.length < 2 * LEAF ? null : bestSplit(forest, rows, low.length);
  if (split === null) {
    boxes.push({ low, high, value: mean });
    return;
  }
  const { dimension, at, below, above } = split;
  const replaced = (edge: readonly number[]): number[] => edge.map((x, i) => (i === dimension ? at : x));
  grow(forest, below, low, replaced(high), depth + 1);
  grow(forest, above, replaced(low), high, depth + 1);
}

interface Split {
  readonly dimension: number;
  readonly at: number;
  readonly below: readonly number[];
  readonly above: readonly number[];
}

function bestSplit({ places, values, random }: Growing, rows: readonly number[], dimensions: number): Split | null {
  let best: Split | null = null;
  let bestGain = 1e-12;
  const total = rows.reduce((sum, row) => sum + values[row]!, 0);
  for (const dimension of drawn(dimensions, random)) {
    const order = [...rows].sort((a, b) => places[a]![dimension]! - places[b]![dimension]! || a - b);
    let left = 0;
    for (let k = 1; k < order.length; k++) {
      left += values[order[k - 1]!]!;
      const before = places[order[k - 1]!]![dimension]!;
      const after = places[order[k]!]![dimension]!;
      if (before === after || k < LEAF || order.length - k < LEAF) continue;
      const gain = left ** 2 / k + (total - left) ** 2 / (order.length - k) - total ** 2 / order.length;
      if (gain <= bestGain) continue;
      bestGain = gain;
      best = { dimension, at: (before + after) / 2, below: order.slice(0, k), above: order.slice(k) };
    }
  }
  return best;
}

/** Half of the dimensions, at least two of them if there are two. */
function drawn(dimensions: number, random: Random): number[] {
  const all = Array.from({ length: dimensions }, (_, i) => i);
  for (let i = all.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [all[i], all[j]] = [all[j]!, all[i]!];
  }
  return all.slice(0, Math.max(Math.min(2, dimensions), Math.ceil(dimensions / 2)));
}

interface Shares {
  readonly single: readonly number[];
  readonly pairs: ReadonlyMap<string, number>;
}

/** The variance that each dimension and pair explains, as shares of that of the tree; null if the tree is constant. */
function varianceShares(boxes: readonly Box[], dimensions: number): Shares | null {
  const volume = (box: Box, without: readonly number[]): number =>
    box.low.reduce((product, low, i) => (without.includes(i) ? product : product * (box.high[i]! - low)), 1);
  const mean = boxes.reduce((sum, box) => sum + box.value * volume(box, []), 0);
  const variance = boxes.reduce((sum, box) => sum + (box.value - mean) ** 2 * volume(box, []), 0);
  if (!(variance > 1e-300)) return null;
  const edges = Array.from({ length: dimensions }, (_, i) =>
    [...new Set(boxes.flatMap((box) => [box.low[i]!, box.high[i]!]))].sort((a, b) => a - b),
  );
  const single: number[] = [];
  for (let i = 0; i < dimensions; i++) {
    const marginal = edges[i]!.slice(1).map(() => 0);
    for (const box of boxes) {
      const weight = box.value * volume(box, [i]);
      const end = edges[i]!.indexOf(box.high[i]!);
      for (let k = edges[i]!.indexOf(box.low[i]!); k < end; k++) marginal[k]! += weight;
    }
    single.push(marginal.reduce((sum, value, k) => sum + (value - mean) ** 2 * (edges[i]![k + 1]! - edges[i]![k]!), 0));
  }
  const pairs = new Map<string, number>();
  for (let i = 0; i < dimensions; i++) {
    for (let j = i + 1; j < dimensions; j++) {
      const joint = jointVariance(boxes, [i, j], edges, mean, volume);
      pairs.set(`${i},${j}`, Math.max(0, joint - single[i]! - single[j]!) / variance);
    }
  }
  return { single: single.map((value) => value / variance), pairs };
}

function jointVariance(
  boxes: readonly Box[],
  [i, j]: readonly [number, number],
  edges: readonly (readonly number[])[],
  mean: number,
  volume: (box: Box, without: readonly number[]) => number,
): number {
  const columns = edges[j]!.length - 1;
  const marginal = new Float64Array((edges[i]!.length - 1) * columns);
  for (const box of boxes) {
    const weight = box.value * volume(box, [i, j]);
    const [endI, endJ] = [edges[i]!.indexOf(box.high[i]!), edges[j]!.indexOf(box.high[j]!)];
    const firstJ = edges[j]!.indexOf(box.low[j]!);
    for (let k = edges[i]!.indexOf(box.low[i]!); k < endI; k++) {
      for (let l = firstJ; l < endJ; l++) marginal[k * columns + l]! += weight;
    }
  }
  return marginal.reduce((sum, value, at) => {
    const [k, l] = [Math.floor(at / columns), at % columns];
    const area = (edges[i]![k + 1]! - edges[i]![k]!) * (edges[j]![l + 1]! - edges[j]![l]!);
    return sum + (value - mean) ** 2 * area;
  }, 0);
}
