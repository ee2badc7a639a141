/**
 * Tests of the best of many trials against luck: the reality check of White (2000), the test for superior predictive ability (SPA) of Hansen
 * (2005), and the stepwise test of Romano & Wolf (2005), which names each trial that passes. All three resample the same periods of all
 * trials at once, so that trials that resemble each other count as few.
 */
import type { Random } from '../base/random.ts';
import { blockLength, stationaryIndices } from './bootstrap.ts';
import { mean } from './moments.ts';

export interface SnoopingResult {
  /** Probability that the best mean of trials without skill is as high as the one found (White 2000). */
  readonly realityCheck: number;
  /** The same with studentised means and without the trials that are clearly bad (Hansen 2005, consistent version). */
  readonly spa: number;
  /** Hansen's bounds of `spa`: the liberal and the conservative version. */
  readonly spaLower: number;
  readonly spaUpper: number;
  /** Places of the trials that beat the benchmark with a family-wise error of at most `level` (Romano & Wolf 2005), best first. */
  readonly passed: readonly number[];
  /** Mean length of the resampled blocks, in periods. */
  readonly blockLength: number;
}

export interface SnoopingOptions {
  readonly rounds: number;
  /** Family-wise error of `passed`, 0 to 1. */
  readonly level: number;
  readonly random: Random;
}

/**
 * `excess`: for each trial its returns above the benchmark, one for each period; all of equal length.
 * @throws RangeError without trials, or with fewer than 10 periods
 */
export function testForLuck(excess: readonly Float64Array[], { rounds, level, random }: SnoopingOptions): SnoopingResult {
  const periods = excess[0]?.length ?? 0;
  if (periods < 10)
    throw new RangeError(`expected at least one trial with 10 periods or more, found ${excess.length} trials of ${periods} periods`);
  const means = Float64Array.from(excess, mean);
  const length = medianBlockLength(excess);
  const resampled = resampledMeans(excess, rounds, length, random);
  const root = Math.sqrt(periods);
  const errors = Float64Array.from(means, (centre, k) => {
    let sum = 0;
    for (const round of resampled) sum += ((round[k] ?? 0) - centre) ** 2;
    return Math.sqrt((periods * sum) / rounds);
  });

  const bestMean = root * Math.max(...means, 0);
  const studentised = (k: number, value: number): number => ((errors[k] ?? 0) > 0 ? (root * value) / (errors[k] ?? 1) : 0);
  const bestStudentised = Math.max(0, ...means.map((value, k) => studentised(k, value)));
  const doubtful = Math.sqrt(2 * Math.log(Math.log(periods)));
  const centres = {
    white: means,
    lower: means.map((value) => Math.max(value, 0)),
    consistent: means.map((value, k) => (studentised(k, value) >= -doubtful ? value : 0)),
  };

  const count = { white: 0, lower: 0, consistent: 0, upper: 0 };
  for (const round of resampled) {
    let white = 0;
    let lower = 0;
    let consistent = 0;
    let upper = 0;
    for (let k = 0; k < means.length; k++) {
      const value = round[k] ?? 0;
      white = Math.max(white, root * (value - (centres.white[k] ?? 0)));
      lower = Math.max(lower, studentised(k, value - (centres.lower[k] ?? 0)));
      consistent = Math.max(consistent, studentised(k, value - (centres.consistent[k] ?? 0)));
      upper = Math.max(upper, studentised(k, value - (means[k] ?? 0)));
    }
    if (white >= bestMean) count.white++;
    if (lower >= bestStudentised) count.lower++;
    if (consistent >= bestStudentised) count.consistent++;
    if (upper >= bestStudentised) count.upper++;
  }
  // One is added above and below: a p-value of a finite number of rounds is never 0 (Davison & Hinkley 1997, section 4.2).
  const share = (hits: number): number => (hits + 1) / (rounds + 1);
  return {
    realityCheck: share(count.white),
    spa: share(count.consistent),
    spaLower: share(count.lower),
    spaUpper: share(count.upper),
    passed: stepwise(means, resampled, studentised, level),
    blockLength: length,
  };
}

/** The median of the block lengths that suit the trials; at most 200 trials are looked at, evenly spread. */
function medianBlockLength(excess: readonly Float64Array[]): number {
  const step = Math.max(1, Math.floor(excess.length / 200));
  const lengths = excess
    .filter((_, k) => k % step === 0)
    .map(blockLength)
    .toSorted((a, b) => a - b);
  return lengths[Math.floor(lengths.length / 2)] ?? 1;
}

/** For each round the mean of each trial over the same resampled periods. */
function resampledMeans(excess: readonly Float64Array[], rounds: number, length: number, random: Random): readonly Float64Array[] {
  const periods = excess[0]?.length ?? 0;
  const indices = new Uint32Array(periods);
  const weights = new Float64Array(periods);
  return Array.from({ length: rounds }, () => {
    stationaryIndices(indices, length, random);
    weights.fill(0);
    for (const index of indices) weights[index] = (weights[index] ?? 0) + 1;
    return Float64Array.from(excess, (returns) => {
      let sum = 0;
      for (let i = 0; i < periods; i++) sum += (weights[i] ?? 0) * (returns[i] ?? 0);
      return sum / periods;
    });
  });
}

/** Romano & Wolf's algorithm 4.1: what is above the bound of all trials passes, then the rest is judged by its own bound, until none passes. */
function stepwise(
  means: Float64Array,
  resampled: readonly Float64Array[],
  studentised: (k: number, value: number) => number,
  level: number,
): number[] {
  const scores = Array.from(means, (value, k) => studentised(k, value));
  let open = scores.map((_, k) => k);
  const passed: number[] = [];
  while (open.length > 0) {
    const highest = resampled
      .map((round) => Math.max(...open.map((k) => studentised(k, (round[k] ?? 0) - (means[k] ?? 0)))))
      .toSorted((a, b) => a - b);
    const bound = highest[Math.min(Math.ceil((1 - level) * (highest.length + 1)) - 1, highest.length - 1)] ?? Number.POSITIVE_INFINITY;
    const found = open.filter((k) => (scores[k] ?? 0) > Math.max(bound, 0));
    if (found.length === 0) break;
    passed.push(...found);
    open = open.filter((k) => !found.includes(k));
  }
  return passed.toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
}
