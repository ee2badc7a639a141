/**
 * Several orders of one position side are partly filled, and reads of the position show the sum: which evidence assigns fills to orders.
 */
import { expect, test } from 'vitest';
import { LONG } from '../../../../src/domain/codes.ts';
import type { Command } from '../../../../src/domain/orders/command.ts';
import type { OrderReport, PositionReport } from '../../../../src/domain/report.ts';
import { orderReport, polledRig, positionReport, settleReads, START, type Rig } from '../../../support/engine/engine-kit.ts';

/** For `ms`, every read returns these order records and this position. */
function pass(r: Rig, ms: number, orders: readonly OrderReport[], positions: readonly PositionReport[]): void {
  for (let passed = 0; passed < ms; passed += 100) {
    r.advance(100);
    for (let left = 4; left > 0 && r.open.length > 0; left--) settleReads(r, orders, positions);
  }
}

function limit(r: Rig, effect: 'OPEN' | 'CLOSE', price: number, size: number): Command {
  const seq = r.ctx().limit(r.ctx().markets[0]!, 'LONG', effect, price, size);
  expect(seq).toBeGreaterThan(0);
  r.venue.accepted(seq, `v${seq}`);
  return r.venue.commands.find((one) => one.seq === seq)!;
}

/** Lots of the order's fills in the journal. */
function told(r: Rig, { seq }: Command): number {
  return r.records.reduce((sum, { data, kind, seq: of }) => (kind === 'fill' && of === seq ? sum + Number(data['lots']) : sum), 0);
}

test('a read before the last fill with an equal size does not give the entry price [outcomes 2.8]', () => {
  const r = polledRig();
  const a = limit(r, 'OPEN', 999.8, 0.01);
  const b = limit(r, 'OPEN', 999.9, 0.01);
  // The first filled 2 lots, then the second 3. The records prove one of each.
  const ends = [
    orderReport(a, 'cancelled', { averagePrice: 999.8, createdAt: START + 10, updatedAt: START + 100 }),
    orderReport(b, 'cancelled', { averagePrice: 999.9, createdAt: START + 10, updatedAt: START + 200 }),
  ];
  // The positions lag: they show the two lots of the first.
  pass(r, 1_200, ends, [positionReport(LONG, 2, { entryPrice: 999.8, updatedAt: START + 50 })]);
  expect([told(r, a), told(r, b)]).toEqual([1, 1]);
  pass(r, 30_000, ends, [positionReport(LONG, 5, { entryPrice: 999.86, updatedAt: START + 150 })]);
  expect([told(r, a), told(r, b)]).toEqual([2, 3]);
});

test('lots closed in between leave the entry price ambiguous: no fill is reported', () => {
  const r = polledRig();
  const base = limit(r, 'OPEN', 1000, 0.01);
  const full = orderReport(base, 'filled', { averagePrice: 1000, createdAt: START + 10, updatedAt: START + 20 });
  pass(r, 1_500, [full], [positionReport(LONG, 10, { entryPrice: 1000, updatedAt: START + 20 })]);
  const at = r.clock.time;
  const close = limit(r, 'CLOSE', 1000.1, 0.005);
  const a = limit(r, 'OPEN', 999.9, 0.01);
  const b = limit(r, 'OPEN', 999.4, 0.01);
  // The first order bought 1 lot and the second 2, and 5 were closed after that: (10 · 1000 + 999.9 + 2 · 999.4) / 13. If they were closed
  // before, the same average would mean that the first bought 2 and the second 1.
  const orders = [
    orderReport(close, 'filled', { averagePrice: 1000.1, createdAt: at, updatedAt: at + 50 }),
    orderReport(a, 'cancelled', { averagePrice: 999.9, createdAt: at, updatedAt: at + 300 }),
    orderReport(b, 'cancelled', { averagePrice: 999.4, createdAt: at, updatedAt: at + 300 }),
  ];
  pass(r, 1_200, orders, [positionReport(LONG, 10, { entryPrice: 1000, updatedAt: START + 20 })]);
  expect([told(r, close), told(r, a), told(r, b)]).toEqual([5, 1, 1]);
  pass(r, 100_000, orders, [positionReport(LONG, 8, { entryPrice: 999.9, updatedAt: at + 200 })]);
  expect([told(r, a) <= 1, told(r, b) <= 2], `${told(r, a)} and ${told(r, b)}`).toEqual([true, true]);
  expect(r.ctx().markets[0]!.long.size).toBe(0.008);
  // Which of them filled how much no read shows: they are named, oldest first.
  expect(r.log.lines.find(({ event }) => event === 'fills-undecided')?.fields).toMatchObject({ orders: [a.seq, b.seq] });
});

test('a list of the same millisecond as a position change may be older than it [outcomes 2.8]', () => {
  const r = polledRig();
  const base = limit(r, 'OPEN', 1000, 0.02);
  const full = orderReport(base, 'filled', { averagePrice: 1000, createdAt: START + 10, updatedAt: START + 20 });
  pass(r, 1_500, [full], [positionReport(LONG, 20, { entryPrice: 1000, updatedAt: START + 20 })]);
  const at = r.clock.time;
  const a = limit(r, 'CLOSE', 1000.1, 0.004);
  const b = limit(r, 'CLOSE', 1000.2, 0.016);
  const c = limit(r, 'OPEN', 999, 0.001);
  // The venue accepts the third order, then 4 lots of the first and 5 of the second trade, all within one millisecond. The list was made in
  // between.
  const t = at + 100;
  const before = [
    orderReport(a, 'open', { createdAt: at + 10, updatedAt: at + 10 }),
    orderReport(b, 'partial', { averagePrice: 1000.2, createdAt: at + 10, updatedAt: at + 50 }),
    orderReport(c, 'open', { createdAt: t, updatedAt: t }),
    // The history is as new as the change, so it shows that nobody else traded.
    orderReport(c, 'cancelled', { venueId: 'x', clientId: '', createdAt: t, updatedAt: t }),
  ];
  pass(r, 2_000, before, [positionReport(LONG, 8, { entryPrice: 1000, createdAt: START, updatedAt: t })]);
  // 12 lots were closed: at most 4 by the first, so at least 8 by the second; whether all 12 is unknown.
  expect([told(r, a), told(r, b)]).toEqual([0, 8]);
});

test('an average price before a position change says nothing about later fills', () => {
  const r = polledRig();
  const a = limit(r, 'OPEN', 999.4, 0.01);
  const b = limit(r, 'OPEN', 998.6, 0.01);
  // The first order took a lot at 999.0. The list lags: then it bought one at its limit, and the second order one more.
  const records = [
    orderReport(a, 'partial', { averagePrice: 999, createdAt: START + 10, updatedAt: START + 20 }),
    orderReport(b, 'partial', { averagePrice: 998.6, createdAt: START + 10, updatedAt: START + 30 }),
  ];
  pass(r, 1_200, records, [positionReport(LONG, 2, { entryPrice: 998.8, updatedAt: START + 30 })]);
  expect([told(r, a), told(r, b)]).toEqual([1, 1]);
  pass(r, 3_000, records, [positionReport(LONG, 4, { entryPrice: 998.9, updatedAt: START + 50 })]);
  expect([told(r, a), told(r, b)]).toEqual([1, 1]);
});
