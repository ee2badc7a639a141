/** What reads of a leg leave possible is exact on small legs, and the truth is always inside. `TICKWRIGHT_EVIDENCE_RUNS` runs more. */
import { describe, expect, it } from 'vitest';
import { CLOSE, OPEN, type LegFacts, type PositionRecord } from './facts.ts';
import { compareInSimulation, compareWithEveryWorld, compareWithTruth } from './judge.ts';
import { solveLeg } from './solve-leg.ts';

const RUNS = Number(process.env['TICKWRIGHT_EVIDENCE_RUNS'] ?? 1);

const position = (total: number, updatedAt: number, answered: number, left = { locked: -1, opening: -1 }): PositionRecord => ({
  kind: 'position',
  answered,
  total,
  createdAt: 0,
  updatedAt,
  ...left,
});

/** Two orders of 5 lots, sent at 100, accepted by 110, on a leg of 10 lots. */
function legOf(effects: readonly [1 | -1, 1 | -1], facts: LegFacts['facts']): LegFacts {
  const orders = effects.map((effect) => ({ effect, size: 5, from: 100, by: 110 }));
  return { orders, facts, start: 10, begun: 50, lag: 10, now: 1_000 };
}

describe('the solver for fills', () => {
  it('says what two orders of one side filled together, and leaves open which of them did', () => {
    const { fills, position: held } = solveLeg(legOf([OPEN, OPEN], [position(17, 200, 900)]), 100);
    expect(fills).toEqual([
      { lo: 2, hi: 5, isExact: true },
      { lo: 2, hi: 5, isExact: true },
    ]);
    expect(held).toEqual({ lo: 17, hi: 20, isExact: true });
  });

  it('splits an open from a close by the lots that the venue says they have left', () => {
    const { fills } = solveLeg(legOf([OPEN, CLOSE], [position(10, 200, 900, { locked: 2, opening: 2 })]), 100);
    expect(fills.map(({ lo }) => lo)).toEqual([3, 3]);
  });

  it('takes no fill of the millisecond of a read for one that the read shows', () => {
    const filled = { kind: 'order', answered: 900, order: 0, status: 'filled', isTraded: true, createdAt: 105, updatedAt: 200 } as const;
    const atOnce = solveLeg(legOf([OPEN, OPEN], [filled, position(13, 200, 205)]), 100);
    expect(atOnce.fills[1]).toMatchObject({ lo: 0, hi: 5 });
    const later = solveLeg(legOf([OPEN, OPEN], [filled, position(18, 201, 205)]), 100);
    expect(later.fills[1]).toMatchObject({ lo: 3, hi: 5 });
  });

  it('finds no world when somebody else changed the leg', () => {
    expect(solveLeg(legOf([OPEN, OPEN], [position(9, 200, 900)]), 100).isPossible).toBe(false);
  });
});

describe('the judges of the solver', () => {
  it('every world of a small leg: the same ends, no wider and no narrower', () => {
    // The single seeds have worlds in which one rule alone decides.
    const found = [compareWithEveryWorld(1, 60 * RUNS), ...[262, 292, 330, 353].map((seed) => compareWithEveryWorld(seed, 1))];
    expect(found.flatMap(({ unsound, wide }) => [...unsound, ...wide])).toEqual([]);
    expect(found.every(({ unsettled }) => unsettled === 0)).toBe(true);
    const [{ worlds }] = found as [(typeof found)[0]];
    expect(worlds).toBeGreaterThan(40);
  });

  it('large legs: the truth is inside', () => {
    expect(compareWithTruth(1, 400 * RUNS).unsound).toEqual([]);
  });

  it('the simulation: the truth is inside after each read, and the bot tells hardly a fill before the solver knows it', async () => {
    const { unsound, later, same, earlier, worlds } = await compareInSimulation(1, 120 * RUNS);
    expect(unsound).toEqual([]);
    expect(worlds).toBeGreaterThan(20);
    expect(later / (same + earlier + later)).toBeLessThan(0.002);
  });
});
