/**
 * Local state with lists that are late, empty, incomplete, shuffled, duplicated or repeated, failing commands and reads, and kills that
 * leave only the journal. No position exceeds its limit with all its resting orders, no false fill is reported, and at rest local state
 * equals venue state. Judged by the simulator's ledger. TICKWRIGHT_ENGINE_FAULT_RUNS worlds are run.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { copiesOf, judge, scheduleOf, worldOf } from '../../support/faults/fault-verdict.ts';
import { MOST_LOTS, type FaultWorld } from '../../support/faults/fault-world.ts';

const RUNS = Number(process.env['TICKWRIGHT_ENGINE_FAULT_RUNS'] ?? 120);

const LAG = fc.constantFrom(0, 300, 1_000, 3_000, 10_000);
const SHARE = fc.constantFrom(0, 0.02, 0.1, 0.3);

const ANY = {
  seed: fc.integer(),
  upMs: fc.nat(120),
  downMs: fc.nat(120),
  steps: fc.integer({ min: 50, max: 300 }),
  strategy: fc.constantFrom('chaos' as const, 'chaos' as const, 'ema-cross' as const, 'quoter' as const),
  fillModel: fc.constantFrom('touch' as const, 'through' as const, 'queue' as const),
  /** Number of steps between kills. */
  life: fc.constantFrom(Infinity, 150, 40),
  blockages: fc.constant(false),
  symbols: fc.constantFrom(1, 1, 2, 3),
  triggers: fc.constantFrom('none' as const, 'none' as const, 'named' as const, 'hidden' as const),
};
const NO_LAG = fc.constant({ pending: 0, history: 0, positions: 0 });
const LAGS = fc.record({ pending: LAG, history: LAG, positions: LAG });

function check(world: FaultWorld): void {
  expect(judge(world).problems).toEqual([]);
}

function checkWorlds(world: Partial<Record<keyof FaultWorld, fc.Arbitrary<unknown>>>, runs: number): void {
  fc.assert(fc.property(fc.record({ ...ANY, ...world }) as fc.Arbitrary<FaultWorld>, check), { numRuns: Math.ceil(runs) });
}

const patience = { timeout: 300_000 + RUNS * 500 };

test(`at most ${MOST_LOTS} lots a side, true fills, local = venue state at rest: commands and reads fail`, patience, () => {
  const lists = fc.record({ lagMs: NO_LAG, isSteady: fc.constant(true), damage: fc.constant(0) });
  checkWorlds({ rate: SHARE, lists }, RUNS / 4);
});

test('the same with lists that lag, each differently, up to 10 s [fault R1] [outcomes 2.8]', patience, () => {
  const lists = fc.record({ lagMs: LAGS, isSteady: fc.constant(true), damage: fc.constant(0) });
  checkWorlds({ rate: fc.constantFrom(0, 0.02), lists }, RUNS / 4);
});

test('the same with lists that go back in time from answer to answer [fault R2]', patience, () => {
  const lists = fc.record({ lagMs: LAGS, isSteady: fc.constant(false), damage: fc.constant(0) });
  checkWorlds({ rate: fc.constantFrom(0, 0.02), lists }, RUNS / 4);
});

test('the same with answers that are empty, incomplete, shuffled, doubled or repeated [fault R4]', patience, () => {
  const lists = fc.record({ lagMs: LAGS, isSteady: fc.boolean(), damage: fc.constantFrom(0.02, 0.1, 0.2) });
  checkWorlds({ rate: SHARE, lists }, RUNS / 4);
});

test('short schedules of racing orders: the fill of one is never reported for another', () => {
  for (let seed = 200; seed < 250; seed++) expect(judge(scheduleOf(seed)).problems, `schedule ${seed}`).toEqual([]);
});

test.each([12_722, 13_400, 16_101])(
  'schedule %i: an order that two triggers fit is not assigned to the one left when the other ends [outcomes 2.5]',
  (seed) => {
    expect(judge(scheduleOf(seed)).problems).toEqual([]);
  },
);

test.each([46_372, 83_105])(
  'schedule %i: fills of two orders of a position are assigned by evidence of the same time [outcomes 2.8]',
  (seed) => {
    expect(judge(scheduleOf(seed)).problems).toEqual([]);
  },
);

test.each([31_447, 53_454, 99_211])(
  'schedule %i: with as many fired orders as matching trigger orders, none of those waits [outcomes 2.5]',
  (seed) => {
    expect(judge(scheduleOf(seed)).problems).toEqual([]);
  },
);

test('schedule 2187: an order that a read does not show yet is not settled with older ones of its leg [outcomes 2.8]', () => {
  expect(judge(scheduleOf(2_187)).problems).toEqual([]);
});

test('world 1109: a copy of an old list does not reopen a filled order [fault R4] [outcomes 2.8]', () => {
  expect(judge(worldOf(1_109)).problems).toEqual([]);
});

test('world 2738: a copy as the first answer after a start makes no late list a new one [fault R1] [N12]', () => {
  expect(judge(worldOf(2_738)).problems).toEqual([]);
});

test.each([55, 220, 262, 275])(
  'world %i of copies: what a cache repeats after a start shows no change by others [N12] [fault R1]',
  (seed) => {
    expect(judge(copiesOf(seed)).problems).toEqual([]);
  },
);

test('world 3796: a trigger order is not presumed gone while its probe was lost [N14] [outcomes E13]', () => {
  expect(judge(worldOf(3_796)).problems).toEqual([]);
});

test('the same with lists and commands stopped one by one and released in any order [N14]', patience, () => {
  const lists = fc.record({ lagMs: LAGS, isSteady: fc.boolean(), damage: fc.constantFrom(0, 0.05) });
  checkWorlds({ rate: fc.constantFrom(0, 0.02), lists, blockages: fc.constant(true) }, RUNS / 4);
});

test('an order whose last fills a position has proven is final once its record was read, with their profit and fees', () => {
  expect(judge(scheduleOf(3_926_513)).problems).toEqual([]);
});
