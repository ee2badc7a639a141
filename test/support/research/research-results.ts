/** One small result of each kind of research, with figures that are easy to tell apart. */
import type { ResearchResult } from '../../../src/report/document/research/research-document.ts';
import type { CapacityResult } from '../../../src/report/research/capacity-result.ts';
import type { CrossValidationResult } from '../../../src/report/research/cross-validation-result.ts';
import type { MonteCarloResult } from '../../../src/report/research/monte-carlo-result.ts';
import type { Judged, SearchedTrial, SearchResult } from '../../../src/report/research/search-result.ts';
import type { WalkForwardResult } from '../../../src/report/research/walk-forward-result.ts';
import type { Figures, Objective } from '../../../src/search/trial.ts';
import type { Fan, Spread } from '../../../src/statistics/monte-carlo.ts';

/** Markup in a page, and a column or a new line in a table of Markdown. */
export const HOSTILE_NAME = '<b>cross|&"';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const objectives: readonly Objective[] = [{ figure: 'sharpe', direction: 'max' }];
const figuresOf = (k: number): Figures => ({
  sharpe: 1.234 + k * 10,
  totalReturn: k % 2 === 0 ? 0.0123 + k / 100 : -0.0456,
  maxDrawdown: 0.0789 + k / 1000,
  trades: 31 + k,
  netProfit: 1234.5 * (k + 1),
});
const paramsOf = (k: number): Record<string, string> => ({ fast: String(5 + k), slow: String(20 + k) });

function judgedOf(number: number | null, k: number): Judged {
  return { number, params: paramsOf(k), searched: figuresOf(k), holdout: figuresOf(k + 3) };
}

function trialOf(number: number): SearchedTrial {
  const point = { fast: 5 + number, slow: 20 + number };
  const state = number === 11 ? 'pruned' : 'done';
  return {
    number,
    params: paramsOf(number),
    point,
    state,
    runs: 1,
    figures: figuresOf(number),
    meetsConstraints: true,
    returns: [],
    hash: 'h',
  };
}

const search: SearchResult = {
  kind: 'search',
  strategy: HOSTILE_NAME,
  sampler: 'tpe',
  seed: 7,
  objectives,
  constraints: [{ figure: 'trades', operator: '>=', bound: 30 }],
  space: [
    { name: 'fast', kind: 'steps', low: 2, high: 30, step: 1, isLog: false },
    { name: 'slow', kind: 'steps', low: 11, high: 60, step: 1, isLog: false },
  ],
  fixed: { size: '0.01' },
  searched: { from: START, to: START + 70 * DAY },
  holdout: { from: START + 70 * DAY, to: START + 100 * DAY },
  isComplete: false,
  counts: { done: 11, pruned: 1, failed: 0 },
  best: judgedOf(10, 10),
  front: [judgedOf(10, 10)],
  defaults: judgedOf(null, 1),
  importance: {
    sharpe: [
      { params: ['slow'], share: 0.73 },
      { params: ['fast'], share: 0.21 },
      { params: ['fast', 'slow'], share: 0.06 },
    ],
  },
  selectionBias: {
    figure: 'sharpe',
    spanMs: DAY,
    cost: {
      trials: 12,
      finished: 11,
      effectiveTrials: 3,
      periods: 64,
      best: 10,
      sharpe: 29.53,
      expectedBest: 13.2,
      deflatedSharpe: 0.762,
      detectable: 92.86,
      overfitting: { probability: 0.32, splits: 12_870 },
      luck: { realityCheck: 0.547, spa: 0.345, passed: [] },
      verdict: 'not shown',
      sentence: 'The search alone may explain this result.',
    },
    crossValidation: { splits: 28, paths: 7, judged: [-25.08, 17.8, 47.84], chosen: 27.97, losingPaths: 0.29 },
    plateau: { neighbours: 8, median: 19.01, best: 27.64, rank: 0.9 },
  } as unknown as SearchResult['selectionBias'],
  notes: ['the best of 12 results is chosen for its luck.'],
  trials: Array.from({ length: 12 }, (_, k) => trialOf(k)),
  hash: 'c1cf46aa491e8aa2',
  performance: { wallMs: 1234, workers: 2, runs: 12 },
};

const walkForward: WalkForwardResult = {
  kind: 'walk-forward',
  strategy: HOSTILE_NAME,
  objectives,
  folds: [0, 1].map((k) => ({
    searched: { from: START, to: START + (10 + k) * DAY },
    judged: { from: START + (10 + k) * DAY, to: START + (11 + k) * DAY },
    best: k === 0 ? judgedOf(k, k) : null,
    defaults: judgedOf(null, k + 5),
    hash: 'h',
  })),
  totalReturn: 0.0712,
  defaultsReturn: -0.0391,
  efficiency: 0.7025,
  profitable: 0.5,
  isComplete: false,
};

const crossValidation: CrossValidationResult = {
  kind: 'cross-validation',
  strategy: HOSTILE_NAME,
  sampler: 'random',
  seed: 3,
  objectives,
  trials: 16,
  runs: 64,
  groups: [0, 1, 2].map((k) => ({ from: START + k * DAY, to: START + (k + 1) * DAY })),
  judging: 2,
  purgeMs: 3_600_000,
  embargoMs: 1_800_000,
  splits: [
    {
      groups: [0, 1],
      searched: [{ from: START + 2 * DAY, to: START + 3 * DAY }],
      chosen: { trial: 4, params: paramsOf(4), searched: figuresOf(4), judged: figuresOf(5), rank: 0.67 },
    },
    { groups: [0, 2], searched: [{ from: START + DAY, to: START + 2 * DAY }], chosen: null },
  ],
  paths: [
    [1, 1.1, 1.2],
    [1, 0.9, 0.95],
  ],
  losingPaths: 0.5,
  searched: [1.1, 2.2, 3.3],
  judged: [-4.4, -5.5, 6.6],
  overfitting: null,
  isComplete: true,
};

const spreadOf = (low: number): Spread => ({ p5: low, p25: low + 11, p50: low + 22, p75: low + 33, p95: low + 44 });
const fanOf = (low: number): Fan => ({
  shares: [0.05, 0.25, 0.5, 0.75, 0.95],
  lines: [1, 2, 3, 4, 5].map((k) => [1_000, 1_000 + k]),
  final: spreadOf(1_000 + low),
  maxDrawdown: spreadOf(0.015),
  lossProbability: 0.125,
  runs: 200,
});

const monteCarlo: MonteCarloResult = {
  kind: 'monte-carlo',
  strategy: HOSTILE_NAME,
  start: 1_000,
  net: 194.39,
  trades: 58,
  maxDrawdown: 0.0151,
  shuffled: fanOf(-40.5),
  redrawn: null,
  blocks: fanOf(-12.25),
  periodMs: 3_600_000,
  delays: [{ delayMs: 100, net: 192.45, trades: 57 }],
  missed: [{ share: 0.05, net: spreadOf(-3.5) }],
  markets: { fan: null, words: 'too few bars' },
};

const capacity: CapacityResult = {
  kind: 'capacity',
  strategy: HOSTILE_NAME,
  impact: 'orders that take pay an impact',
  rows: Array.from({ length: 15 }, (_, k) => ({
    multiple: 2 ** k,
    sizes: { size: String(2 ** k) },
    net: (k < 10 ? 84.9 : -19.1) * 2 ** k,
    perSize: k < 10 ? 84.9 : -19.1,
    largest: 569 * 2 ** k,
    turnover: 3_638 * 2 ** k,
    slippage: -43.02 * 2 ** k,
    trades: 15,
    refused: k,
  })),
  halvesAt: 3_100,
  peaksAt: 512,
  isOpen: false,
  sentence: 'The profit peaks at 512 times the size.',
};

/** By kind, and a search of two objectives. */
export const RESULTS: Readonly<Record<string, ResearchResult>> = {
  search,
  'search of two objectives': {
    ...search,
    isComplete: true,
    objectives: [...objectives, { figure: 'maxDrawdown', direction: 'min' }],
    front: [judgedOf(10, 10), { ...judgedOf(3, 3), holdout: null, error: 'it threw' }],
  },
  'walk-forward': walkForward,
  'cross-validation': crossValidation,
  'monte-carlo': monteCarlo,
  capacity,
};
