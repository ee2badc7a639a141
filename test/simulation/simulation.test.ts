/** A bounded share of what `npm run simulate` does: every seed is a run of the whole bot in which things go wrong. */
import { expect, test } from 'vitest';
import { batch } from './batch.ts';
import { planOf, type Plan } from './plan.ts';
import { shrink } from './shrink.ts';
import { run } from './verdict.ts';

const TRADE_RUNS = Number(process.env['TICKWRIGHT_SIMULATION_TRADE_RUNS'] ?? 150);
const PEOPLE_RUNS = Number(process.env['TICKWRIGHT_SIMULATION_PEOPLE_RUNS'] ?? 100);
const MIRRORED_RUNS = Number(process.env['TICKWRIGHT_SIMULATION_MIRRORED_RUNS'] ?? 100);
const RUNS = Number(process.env['TICKWRIGHT_SIMULATION_RUNS'] ?? 300);

test(
  `in ${RUNS} seeds: no duplicate, lost, unknown or unexplained order, no limit passed, nothing naked [P2]`,
  { timeout: 300_000 + RUNS * 400 },
  async () => {
    const sum = await batch('all', 1, RUNS + 1);
    expect(sum.wrong).toEqual([]);
    expect(sum.crashes, 'processes die').toBeGreaterThan(RUNS / 5);
    expect(sum.placed, 'orders land').toBeGreaterThan(RUNS * 4);
    expect(sum.virtualMs, 'hours pass').toBeGreaterThan(RUNS * 20_000);
  },
);

test(
  `in ${TRADE_RUNS} seeds: managed trades and executions end, with the sizes and prices of the ledger, whenever the bot dies`,
  { timeout: 300_000 + TRADE_RUNS * 400 },
  async () => {
    const sum = await batch('trades', 1, TRADE_RUNS + 1);
    expect(sum.wrong).toEqual([]);
    expect(sum.crashes, 'processes die').toBeGreaterThan(TRADE_RUNS / 2);
    expect(sum.placed, 'orders land').toBeGreaterThan(TRADE_RUNS * 10);
  },
);

test(
  `in ${PEOPLE_RUNS} seeds: an order of another party explains each of its lots once, and a bracket is never taken for one`,
  { timeout: 300_000 + PEOPLE_RUNS * 400 },
  async () => {
    const sum = await batch('people', 1, PEOPLE_RUNS + 1);
    expect(sum.wrong).toEqual([]);
    expect(sum.crashes, 'processes die').toBeGreaterThan(PEOPLE_RUNS / 2);
  },
);

test(
  `in ${MIRRORED_RUNS} seeds: what a person trades is never told as the fill of an own order of the same size`,
  { timeout: 300_000 + MIRRORED_RUNS * 400 },
  async () => {
    const sum = await batch('mirrored', 1, MIRRORED_RUNS + 1);
    expect(sum.wrong).toEqual([]);
  },
);

test('one seed gives one run, another seed another', async () => {
  const [first, again, other] = [await run(planOf(17)), await run(planOf(17)), await run(planOf(18))];
  expect(again.hash).toBe(first.hash);
  expect(other.hash).not.toBe(first.hash);
});

test('a timeline says what happened when, and is no part of the run', async () => {
  const [told, silent] = [await run(planOf(7), true), await run(planOf(7))];
  expect(told.hash).toBe(silent.hash);
  expect(told.timeline.some((line) => / {2}a1: sends 1 \(tw-/.test(line))).toBe(true);
  expect(silent.timeline).toEqual([]);
});

test('a plan that fails is cut down to what it fails by', async () => {
  const crash = { kind: 'crash', where: 'send', nth: 2, kept: false, downMs: 500, back: 0 } as const;
  const plan: Plan = { ...planOf(7), steps: 40, incidents: [...planOf(4).incidents, crash, ...planOf(7).incidents] };
  // It "fails" when the process dies before the second command leaves.
  const smallest = await shrink(plan, async (one) => (await run(one, true)).timeline.some((line) => line.includes('CRASH at send 2')));
  expect(smallest.incidents).toEqual([crash]);
  expect(smallest.steps).toBeLessThan(plan.steps);
});
