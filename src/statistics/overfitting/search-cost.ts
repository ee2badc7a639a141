/**
 * The cost of a search: the best of many trials looks good even when no trial has skill. This file combines the tests of the other files
 * and gives the verdict in one sentence.
 */
import { Random } from '../../base/random.ts';
import { probabilityOfOverfitting, type Overfitting } from './backtest-overfitting.ts';
import { testForLuck, type SnoopingResult } from './data-snooping.ts';
import { effectiveTrials } from './effective-trials.ts';
import { deviation } from '../samples/moments.ts';
import { deflatedSharpe, detectableSharpe, expectedBestSharpe } from './deflated-sharpe.ts';
import { sharpeSample } from '../sharpe.ts';

/** Fewer periods than this prove nothing. */
const LEAST_PERIODS = 30;
const ROUNDS = 1_000;
/** The share of searches in pure noise that may be called skill. */
const LEVEL = 0.05;
/** The probability with which an edge of `detectable` is called skill. */
const POWER = 0.8;
/** The blocks of the cross-validation: as many as leave 4 periods in each, at most 16. */
const blocksFor = (periods: number): number => Math.min(16, 2 * Math.floor(periods / 8));

export interface SearchTestOptions {
  readonly seed?: number;
  /** At least the number of `returns`. */
  readonly tried?: number;
}

/** How the chosen trial did in the part that took no part in the search. */
export interface HeldOut {
  /** Its Sharpe ratio per period of the searched part. */
  readonly sharpe: number;
  /** Length of the part, in such periods. */
  readonly periods: number;
}

/** The tests of the trials of a search, from its searched part alone. */
export interface SearchTests {
  /** Everything that was tried, and how many of them ran to the end: the others were given up. */
  readonly trials: number;
  readonly finished: number;
  readonly effectiveTrials: number;
  readonly periods: number;
  /** Place of the trial with the highest Sharpe ratio. */
  readonly best: number;
  /** Its Sharpe ratio per period, and the one that the best trial without skill is expected to show. */
  readonly sharpe: number;
  readonly expectedBest: number;
  /** Probability that the true ratio is above `expectedBest`. */
  readonly deflatedSharpe: number;
  /** Standard deviation of the ratios per period of all trials but the best. */
  readonly spread: number;
  /** Absent with a single trial. */
  readonly overfitting: Overfitting | null;
  readonly luck: SnoopingResult;
}

export interface SearchCost extends SearchTests {
  /** Null if nothing was held out, or the trial failed there. */
  readonly heldOut: HeldOut | null;
  /** The ratio per period that the best must truly have for this search to call it skill 8 times in 10. */
  readonly detectable: number;
  readonly verdict: 'skill' | 'not shown';
  readonly sentence: string;
}

/**
 * `returns`: for each trial that ran to the end its return in each period (the same periods for all), above the benchmark if there is one. `tried`
 * counts those that were given up as well. They are part of the search, because the others were chosen from them: every test is adjusted as if
 * they were as many more trials of the same kind (Šidák 1967). Null when there are fewer than `LEAST_PERIODS` periods or nothing was tried.
 */
export function searchTests(
  returns: readonly Float64Array[],
  { seed = 1, tried = returns.length }: SearchTestOptions = {},
): SearchTests | null {
  const periods = returns[0]?.length ?? 0;
  if (periods < LEAST_PERIODS) return null;
  const samples = returns.map(sharpeSample);
  const ratios = samples.map(({ sharpe }) => sharpe);
  const best = ratios.indexOf(Math.max(...ratios));
  const sample = samples[best];
  if (sample === undefined) return null;
  const more = tried / returns.length;
  const effective = Math.ceil(more * effectiveTrials(returns, seed));
  const spread = returns.length > 1 ? deviation(ratios) : 0;
  return {
    trials: tried,
    finished: returns.length,
    effectiveTrials: effective,
    periods,
    best,
    sharpe: sample.sharpe,
    expectedBest: expectedBestSharpe(effective, spread),
    deflatedSharpe: deflatedSharpe(sample, effective, spread),
    spread: returns.length > 2 ? deviation(ratios.filter((_, k) => k !== best)) : spread,
    overfitting: returns.length > 1 ? probabilityOfOverfitting(returns, blocksFor(periods)) : null,
    luck: adjusted(more, testForLuck(returns, { rounds: ROUNDS, level: ofAll(1 / more, LEVEL), random: new Random(seed) })),
  };
}

/**
 * The verdict: skill if the tests pass and the part that was held out does not contradict them, by a Sharpe ratio of 0 or less. Without
 * skill, half of what passes the tests by luck is found so.
 */
export function searchCost(tests: SearchTests, heldOut: HeldOut | null = null): SearchCost {
  const { trials, effectiveTrials: effective, periods, spread, sharpe, luck } = tests;
  const isPassed = luck.spa <= LEVEL && tests.deflatedSharpe >= 1 - LEVEL && sharpe > 0;
  const verdict = isPassed && !isLost(heldOut) ? 'skill' : 'not shown';
  return {
    ...tests,
    heldOut,
    detectable: detectableSharpe({ trials, effective, spread, periods, heldOut: heldOut?.periods ?? null, level: LEVEL, power: POWER }),
    verdict,
    sentence: sentenceOf(tests, heldOut, verdict),
  };
}

/** The part that was held out contradicts the search. */
const isLost = (heldOut: HeldOut | null): boolean => heldOut !== null && !(heldOut.sharpe > 0);

/** The probability of at least one of `count` independent events of probability `one` (Šidák 1967). */
const ofAll = (count: number, one: number): number => (count === 1 ? one : 1 - (1 - one) ** count);

function adjusted(more: number, luck: SnoopingResult): SnoopingResult {
  const [realityCheck, spa, spaLower, spaUpper] = [luck.realityCheck, luck.spa, luck.spaLower, luck.spaUpper].map((p) => ofAll(more, p));
  return { ...luck, realityCheck: realityCheck!, spa: spa!, spaLower: spaLower!, spaUpper: spaUpper! };
}

const percent = (share: number): string => (share < 0.01 ? 'less than 1 %' : `${Math.round(share * 100)} %`);

function sentenceOf({ trials, luck }: SearchTests, heldOut: HeldOut | null, verdict: SearchCost['verdict']): string {
  const tries = trials === 1 ? 'One try' : `The best of ${trials} tries`;
  const odds = `${tries} on noise would look this good ${percent(luck.spa)} of the time`;
  if (verdict === 'skill') {
    return `${odds}${heldOut === null ? '' : ', and the part held out earns too'}: this is more than the search itself explains.`;
  }
  const lost = luck.spa <= LEVEL && isLost(heldOut) ? ', but the part held out earns nothing' : '';
  return `${odds}${lost}: the search alone may explain this result.`;
}
