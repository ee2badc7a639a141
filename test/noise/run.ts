/**
 * The noise test of the whole, through `optimize`: `npm run noise -- [studies] [trials] [seed] [large] [planted]`. Searches among strategies without
 * skill on drawn noise (`NOISES`, in turns) and in a large one on a market of `tape synth`; then searches with one edge of the size that the report
 * says it finds 8 times in 10. Each has a seed of its own, counted from `seed`. Ends with 1 if noise is called skill too often: of 400 studies
 * or more, if the upper end of the 95 % interval of the share is above 8 %; of fewer, if its lower end is above 5 %. And if the edge is
 * found less often than 8 times in 10, beyond three standard deviations of chance.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SearchResult } from '../../src/report/research/search-result.ts';
import type { SearchCost } from '../../src/statistics/overfitting/search-cost.ts';
import { sharpeSample } from '../../src/statistics/sharpe.ts';
import { NOISES, noiseStudy, plantedStudy, synthStudy } from './studies.ts';

const [studies = 400, trials = 20, seed = 1, most = 200, planted = 100] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'tickwright-noise-'));
const kinds = Object.keys(NOISES);

function costOf(result: SearchResult): SearchCost {
  const cost = result.selectionBias?.cost ?? null;
  if (cost === null) throw new Error(`a study has no cost: ${JSON.stringify(result.counts)}`);
  return cost;
}

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
const share = (value: number): string => `${(100 * value).toFixed(1)} %`;

/** The results of `count` studies in order, one on each processor at a time. */
async function all<T>(count: number, one: (k: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let k = next++; k < count; k = next++) results[k] = await one(k);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return results;
}

/** The interval of Clopper & Pearson (1934) that holds the true share with 95 %, from `hits` of `count`. */
function interval(hits: number, count: number): readonly [number, number] {
  const atMost = (limit: number, p: number): number => {
    let term = (1 - p) ** count;
    let sum = 0;
    for (let k = 0; k <= limit; k++) {
      sum += term;
      term *= ((count - k) / (k + 1)) * (p / (1 - p));
    }
    return sum;
  };
  const solve = (isAbove: (p: number) => boolean): number => {
    let [low, high] = [0, 1];
    for (let k = 0; k < 50; k++) {
      const middle = (low + high) / 2;
      if (isAbove(middle)) high = middle;
      else low = middle;
    }
    return high;
  };
  return [hits === 0 ? 0 : solve((p) => 1 - atMost(hits - 1, p) > 0.025), hits === count ? 1 : solve((p) => atMost(hits, p) < 0.025)];
}

try {
  const noise = await all(studies, async (k) => {
    const kind = kinds[k % kinds.length]!;
    return { kind, cost: costOf(await noiseStudy({ folder, seed: seed + k, trials, workers: 1 }, kind)) };
  });
  const isSkill = ({ cost }: (typeof noise)[number]): boolean => cost.verdict === 'skill';
  const called = noise.filter(isSkill).length;
  const [lower, upper] = interval(called, studies);
  const each = kinds.map((kind) => `${kind} ${noise.filter((one) => one.kind === kind && isSkill(one)).length}`).join(', ');
  console.log(
    `${studies} searches of ${trials} strategies of noise: ${called} called skill (${each}); 95 % interval ${share(lower)} to ${share(upper)}`,
  );
  const bySearch = noise.filter(({ cost: { luck, deflatedSharpe } }) => luck.spa <= 0.05 && deflatedSharpe >= 0.95).length;
  console.log(`  ${bySearch} of them pass the tests on the searched part, ${bySearch - called} of these earn nothing in the part held out`);
  const large = costOf(await synthStudy({ folder, seed: seed + studies, trials: most, workers: availableParallelism() }));
  console.log(
    `a search of ${most} strategies of noise: ${large.verdict}, ${large.luck.passed.length} of them pass step by step; ${large.sentence}`,
  );
  // What the report claims depends on the trials without skill, which the planted market has as well.
  const pilot = await all(5, async (k) => {
    const result = await plantedStudy({ folder, seed: seed + 10_000 + k, trials, workers: 1, edge: 0 });
    // The page says a ratio of a year; an edge is planted in each span.
    return costOf(result).detectable * Math.sqrt(result.selectionBias!.spanMs / (365 * 86_400_000));
  });
  const edge = mean(pilot);
  const found = await all(planted, async (k) => {
    const result = await plantedStudy({ folder, seed: seed + 20_000 + k, trials, workers: 1, edge });
    const { verdict, best } = costOf(result);
    return { isFound: verdict === 'skill' && best === 0, measured: sharpeSample(result.trials[0]!.returns).sharpe };
  });
  const hits = found.filter(({ isFound }) => isFound).length;
  const measured = mean(found.map((one) => one.measured)).toFixed(2);
  console.log(
    `${planted} searches with one edge of ${edge.toFixed(2)} a span (measured ${measured}): ${hits} found; 95 % interval ${interval(hits, planted).map(share).join(' to ')}`,
  );
  const isRight =
    (studies < 400 ? lower <= 0.05 : upper <= 0.08) &&
    large.verdict === 'not shown' &&
    large.luck.passed.length <= 0.05 * most &&
    hits >= 0.8 * planted - 3 * Math.sqrt(planted * 0.16);
  console.log(isRight ? 'as promised' : 'NOT as promised');
  process.exitCode = isRight ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
