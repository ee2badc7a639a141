/** A leg as own fills prove it, in whatever order they are told. */
import { expect, test } from 'vitest';
import { Leg } from '../../../../src/engine/state/records/leg.ts';

const LOTS = [4, -4, 3, -2] as const;

test('fills of a leg give the same lots in every order, and never fewer than none', () => {
  for (const order of permutations(LOTS)) {
    const leg = new Leg(0);
    order.forEach((lots, now) => {
      if (lots > 0) leg.opened(lots, 100, now);
      else leg.closed(-lots, now);
      leg.tell(lots);
      expect(leg.total).toBeGreaterThanOrEqual(0);
    });
    expect([leg.total, leg.proven, leg.delivered, leg.changedAt], order.join()).toEqual([1, 1, 1, 3]);
  }
});

test('what was closed before its opening was shown is closed when a read or an opening fill shows it', () => {
  const leg = new Leg(0);
  leg.closed(4, 1);
  expect([leg.total, leg.proven]).toEqual([0, -4]);
  leg.opened(6, 100, 2);
  expect([leg.total, leg.proven, leg.entry]).toEqual([2, 2, 100]);
  leg.closed(5, 3);
  leg.adopt(leg.proven + 3, 4);
  expect([leg.total, leg.proven, leg.flatAt]).toEqual([0, 0, 4]);
});

function permutations<T>(of: readonly T[]): T[][] {
  if (of.length < 2) return [[...of]];
  return of.flatMap((one, k) => permutations(of.toSpliced(k, 1)).map((rest) => [one, ...rest]));
}

test('times of the venue that its clock has not come to were written by the clock of before', () => {
  const leg = new Leg(0);
  Object.assign(leg, { agreedUpTo: 5_000, provenAt: 4_000, shownAt: 900 });
  leg.clockSet(1_000, -3_600);
  expect([leg.agreedUpTo, leg.provenAt, leg.shownAt]).toEqual([1_000, 400, 900]);
  // A process that begins does not know by how much, and whether its first answer is a copy.
  Object.assign(leg, { agreedUpTo: 5_000, provenAt: 4_000 });
  leg.clockShown(1_000);
  expect([leg.agreedUpTo, leg.provenAt]).toEqual([1_000, 4_000]);
  leg.clockSet(1_000, 0);
  expect([leg.agreedUpTo, leg.provenAt]).toEqual([1_000, 1_000]);
  // The clock comes to them again: lists from before the fills are old, and what agreed may be too early.
  leg.clockSet(3_000, 2_000);
  expect([leg.agreedUpTo, leg.provenAt]).toEqual([1_000, 3_000]);
  leg.clockSet(9_000, 6_000);
  expect([leg.agreedUpTo, leg.provenAt]).toEqual([1_000, 4_000]);
});
