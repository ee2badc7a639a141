/**
 * Draws what else could have happened: many equity curves from the results of one run. Trades are drawn in another order (which changes
 * drawdowns, not the end) or drawn with repetition; returns are drawn in blocks, which keeps their dependence (Politis & Romano 1994).
 */
import type { Random } from '../base/random.ts';
import { blockLength, stationaryIndices } from './bootstrap.ts';
import { quantileOfSorted } from './samples/moments.ts';

/** Percentiles of the curves at each of `points` places, and of what matters at the end. */
export interface Fan {
  /** Shares of the lines, ascending, such as 0.05 for the curve that 5 % are below. */
  readonly shares: readonly number[];
  /** One line for each share: equity at each place, the first one before anything happened. */
  readonly lines: readonly (readonly number[])[];
  readonly final: Spread;
  /** Largest fall from a peak as a share of it, 0 to 1 or more when equity falls below 0. */
  readonly maxDrawdown: Spread;
  /** Share of the curves that end below their start. */
  readonly lossProbability: number;
  readonly runs: number;
}

/** The percentiles of one figure over all curves. */
export interface Spread {
  readonly p5: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p95: number;
}

export interface FanOptions {
  readonly start: number;
  readonly runs: number;
  /** Number of places of the lines, at least 2. */
  readonly points: number;
  readonly random: Random;
}

const SHARES = [0.05, 0.25, 0.5, 0.75, 0.95] as const;

/** The percentiles that a fan shows, of any values. */
export function spreadOf(values: Iterable<number>): Spread {
  const sorted = Float64Array.from(values).sort();
  const [p5, p25, p50, p75, p95] = SHARES.map((share) => quantileOfSorted(sorted, share));
  return { p5: p5 ?? Number.NaN, p25: p25 ?? Number.NaN, p50: p50 ?? Number.NaN, p75: p75 ?? Number.NaN, p95: p95 ?? Number.NaN };
}

/** Trades in random order: the same trades, another path. `results` are amounts, added to the start. */
export function shuffledTrades(results: Float64Array, options: FanOptions): Fan {
  const order = results.slice();
  return fan(results.length, options, (random) => {
    for (let i = order.length - 1; i > 0; i--) {
      const j = random.below(i + 1);
      const swap = order[i] ?? 0;
      order[i] = order[j] ?? 0;
      order[j] = swap;
    }
    return { steps: order, compound: false };
  });
}

/** As many trades, each drawn from all of them. `results` are amounts, added to the start. */
export function redrawnTrades(results: Float64Array, options: FanOptions): Fan {
  const drawn = new Float64Array(results.length);
  return fan(results.length, options, (random) => {
    for (let i = 0; i < drawn.length; i++) drawn[i] = results[random.below(results.length)] ?? 0;
    return { steps: drawn, compound: false };
  });
}

/** Returns of equal periods, drawn in blocks and compounded. */
export function redrawnReturns(returns: Float64Array, options: FanOptions): Fan {
  const indices = new Uint32Array(returns.length);
  const drawn = new Float64Array(returns.length);
  const length = blockLength(returns);
  return fan(returns.length, options, (random) => {
    stationaryIndices(indices, length, random);
    for (let i = 0; i < drawn.length; i++) drawn[i] = returns[indices[i] ?? 0] ?? 0;
    return { steps: drawn, compound: true };
  });
}

interface Path {
  readonly steps: Float64Array;
  /** Steps are returns that multiply, not amounts that add. */
  readonly compound: boolean;
}

function fan(length: number, { start, runs, points, random }: FanOptions, draw: (random: Random) => Path): Fan {
  const place = (point: number): number => Math.round((length * point) / (points - 1));
  const curves = Array.from({ length: runs }, (): Course => {
    const { steps, compound } = draw(random);
    const curve = new Float64Array(points);
    let equity = start;
    let peak = start;
    let fall = 0;
    let point = 0;
    for (let i = 0; i <= length; i++) {
      while (point < points && place(point) === i) curve[point++] = equity;
      if (i === length) break;
      const step = steps[i] ?? 0;
      equity = compound ? equity * (1 + step) : equity + step;
      peak = Math.max(peak, equity);
      if (peak > 0) fall = Math.max(fall, (peak - equity) / peak);
    }
    return { curve, final: equity, maxDrawdown: fall };
  });
  return fanOf(curves, start);
}

/** One equity curve of a fan: equity at its places, and at the end; and the largest fall from a peak as a share of it. */
export interface Course {
  readonly curve: Float64Array;
  readonly final: number;
  readonly maxDrawdown: number;
}

/** The fan of at least one curve; all have the same places. */
export function fanOf(courses: readonly Course[], start: number): Fan {
  const points = courses[0]?.curve.length ?? 0;
  const columns = Array.from({ length: points }, (_, point) => Float64Array.from(courses, ({ curve }) => curve[point] ?? start).sort());
  return {
    shares: SHARES,
    lines: SHARES.map((share) => columns.map((column) => quantileOfSorted(column, share))),
    final: spreadOf(courses.map(({ final }) => final)),
    maxDrawdown: spreadOf(courses.map(({ maxDrawdown }) => maxDrawdown)),
    lossProbability: courses.filter(({ final }) => final < start).length / courses.length,
    runs: courses.length,
  };
}
