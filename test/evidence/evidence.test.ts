/** What reads of a leg leave possible is exact on small legs, and the truth is always inside. `TICKWRIGHT_EVIDENCE_RUNS` runs more. */
import { WORLDS, type WorldName } from '../simulation/batch.ts';
import { describe, expect, it } from 'vitest';
import { CLOSE, OPEN, type LegFacts, type PositionRecord } from './solver/facts.ts';
import { emptySum, kindOf, percentile, type Compared } from './shadow/compared.ts';
import { compareInSimulation } from './shadow/in-simulation.ts';
import { compareWithEveryWorld, compareWithTruth, SMALL } from './judge/judge.ts';
import { solveLeg } from './solver/solve-leg.ts';
import { casesOf, findMutant, mutated, SOLVER_MUTANTS } from './judge/mutants.ts';
import { quoterLeg } from './judge/quoter.ts';
import { randomWorld } from './judge/worlds.ts';

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

  it('finds no world when a read fell into a millisecond and it is assumed that none does', () => {
    const filled = { kind: 'order', answered: 900, order: 0, status: 'filled', isTraded: true, createdAt: 105, updatedAt: 200 } as const;
    const inside = { ...legOf([OPEN, OPEN], [filled, position(13, 200, 205)]), isWhole: true };
    expect(solveLeg(inside, 100).isPossible).toBe(false);
    const after = solveLeg({ ...inside, facts: [filled, position(16, 200, 205)] }, 100);
    expect(after.fills[1]).toMatchObject({ lo: 1 });
  });

  it('takes an order for never landed that lists do not show after the time by which it had to land', () => {
    const absent = { first: 300, answered: 320, order: 0 };
    const facts = [{ kind: 'not-pending', ...absent } as const, { kind: 'not-ended', ...absent, first: 400, answered: 420 } as const];
    expect(solveLeg(legOf([OPEN, OPEN], facts), 100).fills[0]).toMatchObject({ lo: 0, hi: 0 });
    expect(solveLeg(legOf([OPEN, OPEN], facts.slice(0, 1)), 100).fills[0]).toMatchObject({ lo: 0, hi: 5 });
  });

  it('knows by two records with one fee that nothing filled between them', () => {
    const record = { kind: 'order', answered: 900, order: 0, status: 'cancelled', isTraded: true, createdAt: 105, updatedAt: 800 } as const;
    const read = position(12, 200, 300);
    expect(solveLeg(legOf([OPEN, CLOSE], [{ ...record, since: 150 }, read]), 100).fills[0]!.lo).toBe(2);
    expect(solveLeg(legOf([OPEN, CLOSE], [record, read]), 100).fills[0]!.lo).toBe(2);
    const alone = { ...legOf([OPEN, OPEN], []), facts: [{ ...record, since: 150 }, read] };
    const none = { kind: 'cancelled', answered: 140, order: 1 } as const;
    expect(solveLeg({ ...alone, facts: [...alone.facts, none] }, 100).position).toMatchObject({ hi: 12 });
    expect(solveLeg({ ...alone, facts: [record, read, none] }, 100).position).toMatchObject({ hi: 16 });
  });

  it('closes by brackets no more than their orders filled', () => {
    const leg = legOf([OPEN, CLOSE], [{ kind: 'cancelled', answered: 200, order: 0 }]);
    const within = { inner: [1], outer: [0], more: 0 };
    expect(solveLeg({ ...leg, within }, 100).fills[1]).toMatchObject({ lo: 0, hi: 4 });
  });

  it('finds no world when somebody else changed the leg', () => {
    expect(solveLeg(legOf([OPEN, OPEN], [position(9, 200, 900)]), 100).isPossible).toBe(false);
  });
});

describe('the judges of the solver', () => {
  it('every world of a small leg: the same ends, no wider and no narrower', () => {
    // The single seeds have worlds in which one rule alone decides.
    const single = [56, 143, 151, 183, 601, 1_001];
    const found = [
      compareWithEveryWorld(1, 25 * RUNS),
      compareWithEveryWorld(1, 15 * RUNS, true),
      ...single.map((seed) => compareWithEveryWorld(seed, 1)),
    ];
    expect(found.flatMap(({ unsound }) => unsound)).toEqual([]);
    expect(found.every(({ unsettled }) => unsettled === 0)).toBe(true);
    const sum = (count: (one: (typeof found)[0]) => number): number => found.reduce((all, one) => all + count(one), 0);
    expect(sum(({ wide }) => wide.length) / sum(({ ranges }) => ranges)).toBeLessThan(0.02);
    expect(sum(({ worlds }) => worlds)).toBeGreaterThan(20);
  });

  it('large legs: the truth is inside', () => {
    expect(compareWithTruth(1, 300 * RUNS).unsound).toEqual([]);
    expect(compareWithTruth(1, 300 * RUNS, true).unsound).toEqual([]);
  });

  it('a fact more widens nothing, and the order of facts does not matter', () => {
    for (let seed = 1; seed <= 100 * RUNS; seed++) {
      const { leg } = randomWorld(seed, SMALL);
      const { fills, position: held } = solveLeg(leg, 2_000);
      expect(solveLeg({ ...leg, facts: leg.facts.toReversed() }, 2_000), `seed ${seed}`).toMatchObject({
        fills,
        position: held,
        isPossible: true,
      });
      for (const fact of leg.facts) {
        const less = solveLeg({ ...leg, facts: leg.facts.filter((one) => one !== fact) }, 2_000);
        for (const [k, { lo, hi }] of [...fills, held].entries()) {
          const before = less.fills[k] ?? less.position;
          expect(lo >= before.lo && hi <= before.hi, `seed ${seed}`).toBe(true);
        }
      }
    }
  });

  it('is cheap, counted in terms of rows: 200 undecided orders at once, and the truth is inside', () => {
    for (let seed = 1; seed <= 20 * RUNS; seed++) {
      const { leg, truth } = quoterLeg(200, seed);
      const { fills, isCapped, work } = solveLeg(leg, 20);
      expect([isCapped, truth.every((lots, k) => fills[k]!.lo <= lots && lots <= fills[k]!.hi)], `seed ${seed}`).toEqual([true, true]);
      expect(work, `seed ${seed}`).toBeLessThan(8_000);
    }
  });

  it('has mutants that fit the solver, and finds some of them on few worlds', async () => {
    expect(SOLVER_MUTANTS.filter((one) => mutated(one) === null).map(({ name }) => name)).toEqual([]);
    const cases = casesOf(1, 0, 100);
    for (const name of [
      'an order that filled had filled before',
      'what others leave is rounded up',
      'a position is of the time of its answer',
    ])
      expect(
        await findMutant(
          SOLVER_MUTANTS.find((one) => one.name === name)!,
          cases,
        ),
        name,
      ).not.toBeNull();
  });

  it.each<[WorldName, number]>([
    ['all', 30],
    ['trades', 4],
    ['people', 3],
  ])('the simulation, %s: the truth is inside, no range is wider than the bot’s, and fills are known as fast', async (name, count) => {
    const sums = new Map<string, Compared>();
    for (let seed = 1; seed <= count * RUNS; seed++) {
      const plan = WORLDS[name](seed);
      const kind = kindOf(plan);
      if (!sums.has(kind)) sums.set(kind, emptySum());
      await compareInSimulation(plan, sums.get(kind)!);
    }
    for (const [kind, { falseHalts, known, oldFalseHalts, provenUnsound, provenWrong, reads, told, unsound, wider }] of sums) {
      expect([unsound, provenUnsound, provenWrong], kind).toEqual([0, 0, 0]);
      expect(falseHalts, kind).toBeLessThanOrEqual(oldFalseHalts);
      // Somebody else's trades leave more open: a small sample has few reads.
      expect(wider / Math.max(1, reads), kind).toBeLessThan(kind === 'people' ? 0.02 : 0.002);
      for (const share of [0.5, 0.99]) expect(percentile(known, share), kind).toBeLessThanOrEqual(percentile(told, share));
    }
  });
});
