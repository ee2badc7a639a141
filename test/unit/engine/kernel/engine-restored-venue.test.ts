/** Signs of a venue that was put back to an earlier state, and what looks like one and is none. */
import { expect, test } from 'vitest';
import { LONG } from '../../../../src/domain/codes.ts';
import type { OrderReport } from '../../../../src/domain/report.ts';
import { orderReport, polledRig, positionReport, settleReads, type Rig } from '../../../support/engine/engine-kit.ts';

const CODE = 'venue-restored';

/** For so many seconds, the lists show these orders and this position. */
function show(r: Rig, seconds: number, orders: readonly OrderReport[], lots: number): void {
  for (let k = 0; k < seconds; k++) {
    r.advance(1_000);
    const held = lots > 0 ? [positionReport(LONG, lots, { updatedAt: r.clock.time - 500 })] : [];
    for (let left = 4; left > 0 && r.open.length > 0; left--) settleReads(r, orders, held);
  }
}

function filled(r: Rig): OrderReport {
  const seq = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 1_001, 0.01);
  r.venue.accepted(seq, `v${seq}`);
  return orderReport(r.venue.last(), 'filled', { averagePrice: 1_001, updatedAt: r.clock.time });
}

function codes(r: Rig): string[] {
  return r.kernel.status().halts.map(({ code }) => code);
}

test('a position that goes back together with the history of an own order is one halt', () => {
  const r = polledRig();
  const order = filled(r);
  show(r, 5, [order], 10);
  expect(codes(r)).toEqual([]);
  show(r, 60, [], 0);
  expect(codes(r)).toEqual([CODE]);
  expect(r.kernel.status().halts[0]!.ends).toBe('tickwright resume --i-know');
  // The same again is no halt of its own.
  show(r, 30, [], 7);
  expect(codes(r)).toEqual([CODE]);
});

test('a position that another party closed is no restored venue: the history still has the order', () => {
  const r = polledRig();
  const order = filled(r);
  show(r, 5, [order], 10);
  show(r, 60, [order], 0);
  expect(codes(r)).toEqual(['external-position']);
});

test('after a person has confirmed it, ids of the lost time that the venue gives again are no further sign', () => {
  const r = polledRig();
  const order = filled(r);
  const lost = ['x1', 'x2', 'x3'].map((venueId, k) =>
    orderReport(r.venue.last(), 'open', { venueId, clientId: `lost-${k}`, createdAt: r.clock.time }),
  );
  show(r, 3, [order, ...lost], 10);
  expect(codes(r)).toEqual([]);
  const again = lost.map((one, k) => ({ ...one, clientId: `again-${k}`, createdAt: r.clock.time + k }) as OrderReport);
  show(r, 3, [order, again[0]!], 10);
  expect(codes(r)).toEqual([CODE]);
  r.kernel.inbox.operate({ name: 'resume', scope: 'all', by: 'ann', why: '', confirmed: true });
  expect(codes(r)).toEqual([]);
  show(r, 3, [order, ...again], 10);
  expect(codes(r)).toEqual([]);
});

test('an id that two orders have had is a sign; one that an order keeps when it is changed is none', () => {
  const r = polledRig();
  const order = filled(r);
  show(r, 3, [order], 10);
  const changed = orderReport(r.venue.last(), 'open', { venueId: 'x1', clientId: 'person-1', createdAt: r.clock.time });
  show(r, 3, [order, changed], 10);
  show(r, 3, [order, { ...changed, clientId: 'person-2' }], 10);
  expect(codes(r)).toEqual([]);
  show(r, 3, [order, { ...changed, clientId: 'person-3', createdAt: r.clock.time } as OrderReport], 10);
  expect(codes(r)).toEqual([CODE]);
  expect(r.kernel.status().halts[0]!.detail).toMatch(
    /x1 was the id of person-2 and is that of person-3 now|x1 was the id of person-1 and is that of person-3 now/,
  );
});
