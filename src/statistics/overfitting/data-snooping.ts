/**
 * Tests of the best of many trials against luck: the reality check of White (2000), the test for superior predictive ability (SPA) of Hansen
 * (2005), and the stepwise test of Romano & Wolf (2005), which names each trial that passes. All three resample the same periods of all
 * trials at once, so that trials that resemble each other count as few.
 */
import type { Random } from '../../base/random.ts';
import { blockLength, stationaryIndices } from '../bootstrap.ts';
import { deviation, mean } from '../samples/moments.ts';

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
  const resampled = resample(excess, rounds, length, random);
  const root = Math.sqrt(periods);
  const errors = Float64Array.from(means, (centre, k) => {
    let sum = 0;
    for (const round of resampled) sum += ((round.means[k] ?? 0) - centre) ** 2;
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
      const value = round.means[k] ?? 0;
      const scale = round.scales[k] ?? 1;
      white = Math.max(white, root * (value - (centres.white[k] ?? 0)));
      lower = Math.max(lower, scale * studentised(k, value - (centres.lower[k] ?? 0)));
      consistent = Math.max(consistent, scale * studentised(k, value - (centres.consistent[k] ?? 0)));
      upper = Math.max(upper, scale * studentised(k, value - (means[k] ?? 0)));
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

/** One round: of each trial the mean over the same resampled periods, and the deviation of all its returns divided by that of the resampled. */
interface Round {
  readonly means: Float64Array;
  readonly scales: Float64Array;
}

/**
 * A round divides by the deviation of its own returns (the bootstrap-t, as Romano & Wolf advise): the largest of many ratios with an estimated
 * deviation is larger than one with the true deviation, and with 64 returns of 80 trials a test without this calls 9 % of the noise skill at 5 %.
 */
function resample(excess: readonly Float64Array[], rounds: number, length: number, random: Random): readonly Round[] {
  const periods = excess[0]?.length ?? 0;
  const whole = excess.map((returns) => deviation(returns) * Math.sqrt(1 - 1 / periods));
  const indices = new Uint32Array(periods);
  const weights = new Float64Array(periods);
  return Array.from({ length: rounds }, () => {
    stationaryIndices(indices, length, random);
    weights.fill(0);
    for (const index of indices) weights[index] = (weights[index] ?? 0) + 1;
    const round = { means: new Float64Array(excess.length), scales: new Float64Array(excess.length) };
    excess.forEach((returns, k) => {
      let sum = 0;
      let squares = 0;
      for (let i = 0; i < periods; i++) {
        const weighted = weights[i]! * returns[i]!;
        sum += weighted;
        squares += weighted * returns[i]!;
      }
      const centre = sum / periods;
      const spread = Math.sqrt(Math.max(squares / periods - centre * centre, 0));
      round.means[k] = centre;
      round.scales[k] = spread > 1e-6 * whole[k]! ? whole[k]! / spread : 1;
    });
    return round;
  });
}

/** Romano & Wolf's algorithm 4.1: what is above the bound of all trials passes, then the rest is judged by its own bound, until none passes. */
function stepwise(
  means: Float64Array,
  resampled: readonly Round[],
  studentised: (k: number, value: number) => number,
  level: number,
): number[] {
  const scores = Array.from(means, (value, k) => studentised(k, value));
  let open = scores.map((_, k) => k);
  const passed: number[] = [];
  while (open.length > 0) {
    const highest = resampled
      .map((round) => Math.max(...open.map((k) => (round.scales[k] ?? 1) * studentised(k, (round.means[k] ?? 0) - (means[k] ?? 0)))))
      .toSorted((a, b) => a - b);
    const bound = highest[Math.min(Math.ceil((1 - level) * (highest.length + 1)) - 1, highest.length - 1)] ?? Number.POSITIVE_INFINITY;
    const found = open.filter((k) => (scores[k] ?? 0) > Math.max(bound, 0));
    if (found.length === 0) break;
    passed.push(...found);
    open = open.filter((k) => !found.includes(k));
  }
  return passed.toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
}
