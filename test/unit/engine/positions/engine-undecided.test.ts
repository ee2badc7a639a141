/** Ended orders whose fills no record shows: when their leg takes what reads of the position show, and what their profit counts as. */
import { expect, test } from 'vitest';
import { LONG } from '../../../../src/domain/codes.ts';
import type { OrderReport, PositionReport } from '../../../../src/domain/report.ts';
import { orderReport, polledRig, positionReport, settleReads, START, type Rig } from '../../../support/engine/engine-kit.ts';

/** For `ms`, every read returns these order records and this position. */
function pass(r: Rig, ms: number, orders: readonly OrderReport[], positions: readonly PositionReport[]): void {
  for (let passed = 0; passed < ms; passed += 100) {
    r.advance(100);
    for (let left = 4; left > 0 && r.open.length > 0; left--) settleReads(r, orders, positions);
  }
}

/**
 * A bot that bought 100 lots at 1000.0 and cancelled two closing orders of 50 lots. Together they closed 60 lots. `ended`: what their records
 * show; null if no read shows them. `pass` lets time go by.
 */
function closed(ended: Partial<OrderReport> | null): { r: Rig; passes: (ms: number) => unknown[] } {
  const r = polledRig({}, { risk: { maxDailyLoss: { BTCUSDT: '0.03' } } });
  const [m] = r.ctx().markets;
  r.venue.accepted(r.ctx().open(m!, 'LONG', { size: 0.1 }), 'v1');
  const entry = orderReport(r.venue.last(), 'filled', { averagePrice: 1000, createdAt: START + 10, updatedAt: START + 20 });
  pass(r, 2_000, [entry], [positionReport(LONG, 100, { updatedAt: START + 20 })]);
  const at = r.clock.time;
  const records = ['c1', 'c2'].map((venueId) => {
    const seq = r.ctx().limit(m!, 'LONG', 'CLOSE', 990, 0.05);
    r.venue.accepted(seq, venueId);
    const command = r.venue.last();
    r.ctx().cancel(seq);
    r.venue.accepted(r.venue.last().seq, '');
    return orderReport(command, 'cancelled', { venueId, createdAt: at, updatedAt: at + 10, ...ended });
  });
  const shown = [entry, ...(ended === null ? [] : records)];
  const passes = (ms: number): unknown[] => {
    pass(r, ms, shown, [positionReport(LONG, 40, { updatedAt: at + 10 })]);
    return r.log.lines.filter(({ event }) => event === 'fills-undecided').map(({ fields }) => fields['lots']);
  };
  return { r, passes };
}

const halts = (r: Rig): string[] => r.kernel.status().halts.map(({ code }) => code);

test('lots that ended orders closed at an unknown price count as closed at the market: here only the fee of 0.036 is lost', () => {
  const { r, passes } = closed(null);
  expect([passes(100_000), r.ctx().markets[0]!.long.size]).toEqual([[-60], 0.04]);
  expect(halts(r)).toEqual(['daily-loss']);
});

test('lots whose money their records have shown are not counted a second time', () => {
  const { r, passes } = closed({ averagePrice: 1000 });
  // Each order closed at least the 11 lots that the other cannot have closed.
  expect([passes(100_000), r.ctx().markets[0]!.long.size]).toEqual([[-38], 0.04]);
  expect(halts(r)).toEqual([]);
});

test('the leg is decided by the first read that begins as late as the longest lag of a list, if the records are read', () => {
  const readAfter = (ms: number): unknown[] => {
    const { r, passes } = closed({ averagePrice: 1000 });
    passes(11_200);
    r.advance(1_000);
    const positions = [positionReport(LONG, 40, { updatedAt: START + 2_011 })];
    r.answer({ kind: 'positions', positions }, START + 2_001 + ms);
    return passes(0);
  };
  expect([readAfter(11_999), readAfter(12_000)]).toEqual([[], [-38]]);
});
