/** Random commands for two venues at once, as plain records that fast-check can shrink. Prices are offsets from a moving mid price. */
import * as fc from 'fast-check';
import type { FillModel } from '../../src/sim/state/types.ts';

const WHATS = [
  'quote', 'trade', 'burst', 'place', 'plan', 'modify', 'cancel', 'mode', 'margin', 'pass', 'jump', 'operator', 'restore',
] as const; // prettier-ignore
export type What = (typeof WHATS)[number];

/** One step. Every step has all fields and reads only those it needs. */
export interface Step {
  readonly what: What;
  /** Milliseconds since the previous step. */
  readonly after: number;
  readonly account: number;
  readonly instrument: number;
  readonly side: number;
  readonly isClose: boolean;
  /** 0 limit, 1 market, 2 post-only. */
  readonly type: number;
  /** Offset of a price from the mid price in ticks; the spread of a quote; the index among the latest orders. */
  readonly offset: number;
  readonly spread: number;
  readonly recent: number;
  readonly size: number;
  readonly otherSize: number;
  readonly isIsolated: boolean;
  /** 0 for none, else the distance of each trigger and execute price. */
  readonly exits: readonly [number, number, number, number];
  /** Thousandths of the free amount, for margin. */
  readonly amount: number;
}

export interface Scenario {
  readonly fillModel: FillModel;
  /** False: a market with trades only. */
  readonly hasBook: boolean;
  /** True if there is a market before the first step. */
  readonly isOpen: boolean;
  readonly leverage: number;
  /** True if the first account has its own leverage for each position side. */
  readonly ownLeverage: boolean;
  readonly historyLimit: number;
  readonly keepTrades: number;
  /** Deposits as a multiple of what the largest order needs. */
  readonly wealth: readonly [number, number];
  readonly rebate: boolean;
  /** True if the market often jumps and orders are as large as affordable, which causes liquidations. */
  readonly isStormy: boolean;
  /** True if the accounts trade with each other. */
  readonly crossing: boolean;
  readonly funding: 'none' | 'constant' | 'negative' | 'premium';
  /** True if large positions need more maintenance margin and allow less leverage. */
  readonly isTiered: boolean;
  readonly bracketsBy: 'last' | 'mark';
  readonly modify: 'atomic' | 'cancel-first';
  readonly blockedExits: 'stay' | 'replace';
  readonly bracketSide: 'checked' | 'any';
  readonly steps: readonly Step[];
}

const weighted = <T>(...pairs: readonly (readonly [number, T])[]): fc.Arbitrary<T> => {
  const all = pairs.flatMap(([weight, value]) => Array.from({ length: weight }, () => value));
  return fc.nat({ max: all.length - 1 }).map((k) => all[k]!);
};

const whats = weighted<What>(
  [6, 'quote'],
  [5, 'trade'],
  [1, 'burst'],
  [9, 'place'],
  [2, 'plan'],
  [2, 'modify'],
  [2, 'cancel'],
  [2, 'mode'],
  [1, 'margin'],
  [1, 'pass'],
  [2, 'jump'],
  [1, 'operator'],
  [1, 'restore'],
);

const exit = weighted([4, 0], [1, 1], [1, 2], [1, 5]);

const stepArbitrary: fc.Arbitrary<Step> = fc.record({
  what: whats,
  after: weighted([6, 0], [2, 1], [1, 400], [1, 1_000]),
  account: fc.nat({ max: 1 }),
  instrument: weighted([5, 0], [2, 1], [2, 2]),
  side: fc.nat({ max: 1 }),
  isClose: weighted([3, false], [2, true]),
  type: weighted([6, 0], [2, 1], [1, 2]),
  offset: fc.integer({ min: -4, max: 4 }),
  spread: weighted([4, 1], [3, 2], [1, 4], [1, 0]),
  recent: fc.nat({ max: 7 }),
  size: fc.integer({ min: 1, max: 12 }),
  otherSize: fc.integer({ min: 1, max: 12 }),
  isIsolated: weighted([4, false], [1, true]),
  exits: fc.tuple(exit, exit, exit, exit),
  amount: fc.integer({ min: -600, max: 600 }),
});

export function scenarioArbitrary(fillModel: FillModel): fc.Arbitrary<Scenario> {
  return fc.record({
    fillModel: fc.constant(fillModel),
    hasBook: weighted([5, true], [1, false]),
    isOpen: weighted([5, true], [1, false]),
    leverage: weighted([2, 7], [1, 1], [1, 50]),
    ownLeverage: weighted([2, false], [1, true]),
    historyLimit: weighted([3, 100], [1, 2], [1, 0]),
    keepTrades: weighted([2, 0], [1, 4]),
    wealth: fc.tuple(weighted([1, 1], [2, 2], [2, 5], [1, 40]), weighted([1, 1], [2, 2], [1, 8])),
    rebate: weighted([3, false], [1, true]),
    isStormy: weighted([2, false], [1, true]),
    crossing: weighted([2, false], [1, true]),
    funding: weighted<Scenario['funding']>([3, 'none'], [1, 'constant'], [1, 'negative'], [1, 'premium']),
    isTiered: weighted([1, false], [1, true]),
    bracketsBy: weighted<Scenario['bracketsBy']>([3, 'last'], [1, 'mark']),
    modify: weighted<Scenario['modify']>([3, 'atomic'], [1, 'cancel-first']),
    blockedExits: weighted<Scenario['blockedExits']>([2, 'stay'], [1, 'replace']),
    bracketSide: weighted<Scenario['bracketSide']>([1, 'checked'], [1, 'any']),
    steps: fc.array(stepArbitrary, { minLength: 1, maxLength: 44, size: 'max' }),
  });
}

/** Readable form of a scenario: settings, then a line per step with its relevant fields. */
export function wordsOf({ steps, ...settings }: Scenario): string {
  const shown = (step: Step): string => {
    const fields = Object.entries(step).filter(
      ([name, value]) => name !== 'what' && value !== 0 && value !== false && String(value) !== '0,0,0,0',
    );
    return `${step.what} ${fields.map(([name, value]) => `${name}=${String(value)}`).join(' ')}`;
  };
  return [JSON.stringify(settings), ...steps.map(shown)].join('\n');
}
