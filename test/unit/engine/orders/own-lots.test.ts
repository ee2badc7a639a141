/** Which lots of a leg orders of this bot opened: what a flatten may close. */
import { describe, expect, test } from 'vitest';
import { Leg } from '../../../../src/engine/state/records/leg.ts';
import { EMPTY_SNAPSHOT } from '../../../../src/engine/recovery/registry.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import type { SavedLeg } from '../../../../src/engine/state/records/saved.ts';
import { defineStrategy } from '../../../../src/engine/strategy/definition/define.ts';
import { btc, polledRig, positionReport, restarted, settleReads } from '../../../support/engine/engine-kit.ts';

/** 20 own lots and 10 of others. */
function shared(): Leg {
  const leg = new Leg(0);
  leg.begin(10, 10);
  leg.opened(20, 100, 1);
  return leg;
}

const partsOf = ({ total, own, foreign }: Leg): number[] => [total, own, foreign];

describe('a leg that is partly of others', () => {
  test('own closes take own lots first, then those of others', () => {
    const leg = shared();
    leg.closed(15, 2);
    expect(partsOf(leg)).toEqual([15, 5, 10]);
    leg.closed(8, 3);
    expect(partsOf(leg)).toEqual([7, 0, 7]);
    leg.closed(7, 4);
    leg.opened(3, 100, 5);
    expect(partsOf(leg)).toEqual([3, 3, 0]);
  });

  test('closes by others take theirs first, then own ones', () => {
    const leg = shared();
    leg.adopt(25, 2);
    leg.byOthers(-5);
    expect(partsOf(leg)).toEqual([25, 20, 5]);
    leg.adopt(12, 3);
    leg.byOthers(-13);
    expect(partsOf(leg)).toEqual([12, 12, 0]);
  });

  test('a gain whose cause is not known yet is not own', () => {
    const leg = shared();
    leg.adopt(37, 2);
    leg.unexplained = 7;
    expect(leg.own).toBe(20);
    leg.unexplained = 0;
    leg.byOthers(7);
    expect(partsOf(leg)).toEqual([37, 20, 17]);
  });
});

const saved = (own: number | undefined): SavedLeg => ({ symbol: 'BTCUSDT', side: 0, total: 30, own, provenAt: 0 });

test('the own part of a leg survives a restart', () => {
  const r = restarted({ ...EMPTY_SNAPSHOT, legs: [saved(20)] }, 30);
  expect(r.kernel.legOf(0, 0).own).toBe(20);
  expect(r.kernel.snapshot().legs).toMatchObject([{ total: 30, own: 20 }, { total: 0 }]);
});

test('a journal of an earlier version: a leg is own if a strategy trades it', () => {
  expect(restarted({ ...EMPTY_SNAPSHOT, legs: [saved(undefined)] }, 30).kernel.legOf(0, 0).own).toBe(30);
  const instruments = [btc(0), btc(1, 'ETHUSDT')];
  const strategies = [{ strategy: defineStrategy({ name: 'probe', create: () => ({}) }), instruments: [1] }];
  expect(restarted({ ...EMPTY_SNAPSHOT, legs: [saved(undefined)] }, 30, { instruments, strategies }).kernel.legOf(0, 0).own).toBe(0);
});

test('what was there before the journal began, or what others open later, is not own; the journal says so', () => {
  const r = polledRig({}, { external: { position: 'adopt' } });
  for (let k = 0; k < 8; k++) {
    r.advance(1_000);
    settleReads(r, [], [positionReport(0, 10)]);
  }
  expect([r.ctx().markets[0]!.long.lots, r.kernel.legOf(0, 0).own]).toEqual([10, 0]);
  expect(foldRecords(null, r.records).legs).toContainEqual(expect.objectContaining({ side: 0, total: 10, own: 0 }));
});
