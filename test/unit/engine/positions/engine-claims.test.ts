/** When reads of positions override what fills prove: two agreeing reads, none older than one before. */
import { expect, test } from 'vitest';
import { LONG } from '../../../../src/domain/codes.ts';
import type { PositionReport } from '../../../../src/domain/report.ts';
import { orderReport, polledRig, positionReport, settleReads, START, type Rig } from '../../../support/engine/engine-kit.ts';

/** A bot that holds 10 lots, shown by its order record and the positions. */
function holding(): Rig {
  const r = polledRig();
  const n = r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.01' });
  r.venue.accepted(n, 'v1');
  const record = orderReport(r.venue.last(), 'filled', { averagePrice: 1000 });
  r.advance(500);
  settleReads(r, [record], []);
  r.advance(1_000);
  settleReads(r, [record], [positionReport(LONG, 10, { updatedAt: START + 500 })]);
  expect(r.ctx().markets[0]!.long.size).toBe(0.01);
  return r;
}

/** The next read of all positions returns these, all else is unchanged. Returns whether an open would be allowed then. */
function shows(r: Rig, positions: readonly PositionReport[]): void {
  r.advance(1_000);
  settleReads(r, [], positions);
  r.advance(1);
  settleReads(r, [], positions);
}

function mayOpen(r: Rig): boolean {
  return r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, '0.001') > 0;
}

function told(r: Rig): unknown[] {
  return r.log.lines.filter(({ event }) => event === 'external').map(({ fields }) => [fields['before'], fields['after']]);
}

test('a change is accepted after two agreeing reads, not after one [outcomes 2.8]', () => {
  const r = holding();
  const changed = [positionReport(LONG, 4, { updatedAt: START + 2_000 })];
  shows(r, changed);
  expect([r.ctx().markets[0]!.long.size, told(r)]).toEqual([0.01, []]);
  expect(mayOpen(r), 'nothing is opened on a leg in doubt').toBe(false);
  shows(r, changed);
  expect([r.ctx().markets[0]!.long.size, told(r)]).toEqual([0.004, [['0.010', '0.004']]]);
});

test('two differing reads do not confirm each other [outcomes 2.8]', () => {
  const r = holding();
  shows(r, [positionReport(LONG, 4, { updatedAt: START + 2_000 })]);
  shows(r, [positionReport(LONG, 5, { updatedAt: START + 2_500 })]);
  expect([r.ctx().markets[0]!.long.size, told(r)]).toEqual([0.01, []]);
  shows(r, [positionReport(LONG, 5, { updatedAt: START + 2_500 })]);
  expect(told(r)).toEqual([['0.010', '0.005']]);
});

test('an answer older than an applied one is ignored [outcomes 2.8]', () => {
  const r = holding();
  expect(mayOpen(r)).toBe(true);
  for (let copy = 0; copy < 3; copy++) {
    r.advance(1_000);
    const at = r.open.findIndex(({ kind }) => kind === 'positions');
    const [query] = r.open.splice(at, 1);
    // Requested now, but made before the position was opened.
    r.venue.answered(query!, { kind: 'positions', positions: [] }, r.clock.time, START + 1);
    settleReads(r, [], [positionReport(LONG, 10, { updatedAt: START + 500 })]);
    expect(mayOpen(r), `copy ${copy + 1}: positions were not read`).toBe(false);
    r.advance(1_000);
    settleReads(r, [], [positionReport(LONG, 10, { updatedAt: START + 500 })]);
    expect(mayOpen(r), `after copy ${copy + 1}`).toBe(true);
  }
  expect(r.log.events()).not.toContain('position-doubted');
  expect(r.ctx().markets[0]!.long.size).toBe(0.01);
});
