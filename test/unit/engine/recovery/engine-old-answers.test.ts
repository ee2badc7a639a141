/** Answers that the venue gave long ago, repeated by a cache on the way: nothing follows from them. */
import { expect, test } from 'vitest';
import { LONG } from '../../../../src/domain/codes.ts';
import type { OrderNumber } from '../../../../src/engine/intents/market-types.ts';
import type { Command } from '../../../../src/domain/orders/command.ts';
import type { OrderReport, PositionReport } from '../../../../src/domain/report.ts';
import { orderReport, polledRig, positionReport, settleReads, START, type Rig } from '../../../support/engine/engine-kit.ts';

/** Lots of the order's fills in the journal. */
function filledOf(r: Rig, seq: number): number {
  return r.records.reduce((sum, { data, kind, seq: of }) => (kind === 'fill' && of === seq ? sum + Number(data['lots']) : sum), 0);
}

function limit(r: Rig): Command {
  const seq = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
  r.venue.accepted(seq, `v${seq}`);
  return r.venue.last();
}

/** For `seconds`, pending orders and order history return these records. */
function show(r: Rig, seconds: number, orders: readonly OrderReport[], positions: readonly PositionReport[] = []): void {
  for (let k = 0; k < seconds; k++) {
    r.advance(1_000);
    for (let left = 4; left > 0 && r.open.length > 0; left--) settleReads(r, orders, positions);
  }
}

test('a filled order that lists long show as open is not adopted: its fills are counted once [outcomes 2.8]', () => {
  const r = polledRig();
  const placed = limit(r);
  const filled = orderReport(placed, 'filled', { averagePrice: 999, updatedAt: START + 100 });
  const held = [positionReport(LONG, 10, { updatedAt: START + 100 })];
  show(r, 2, [filled], held);
  expect(filledOf(r, placed.seq)).toBe(10);
  const sent = r.venue.commands.length;
  show(r, 60, [orderReport(placed, 'open'), filled], held);
  expect([filledOf(r, placed.seq), r.log.events().includes('order-adopted'), r.venue.commands.length - sent]).toEqual([10, false, 0]);
});

test('a refused order that all lists show as open is cancelled [outcomes 2.8]', () => {
  const r = polledRig();
  const seq = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
  r.venue.rejected(seq, { reason: 'insufficient-balance', code: '40012', message: '' });
  show(r, 30, [orderReport(r.venue.last(), 'open')]);
  expect(r.venue.commands.at(-1)).toMatchObject({ target: seq });
});

/** Minutes until an order of unknown outcome is presumed not to exist. Lists do not show it and have the venue time `venueTime(now)`. */
function presumedAfter(r: Rig, venueTime: (now: number) => number): number | 'never' {
  const seq: OrderNumber = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, '0.01');
  r.venue.unknown(seq, 'time-out');
  for (let second = 1; second < 300; second++) {
    r.advance(1_000);
    const now = r.clock.time;
    const lists = r.open.filter(({ kind }) => kind === 'pending' || kind === 'history');
    for (const query of lists) {
      r.open.splice(r.open.indexOf(query), 1);
      r.venue.answered(query, { kind: query.kind, orders: [] } as never, now, venueTime(now));
    }
    settleReads(r, [], []);
    if (r.log.events().includes('presumed-not-landed')) return Math.ceil(second / 60);
  }
  return 'never';
}

test('lists made before they were requested do not prove an absence [outcomes R16]', () => {
  expect(presumedAfter(polledRig(), (now) => now)).toBe(2);
  const r = polledRig();
  expect(presumedAfter(r, () => START)).toBe('never');
  expect(r.kernel.status().counts['old-read pending']).toBeGreaterThan(3);
});

test('one wrong venue time in the future does not make later answers old', () => {
  const r = polledRig();
  r.advance(1_000);
  r.answer({ kind: 'quotes', quotes: [] }, r.clock.time + 3_600_000);
  const placed = limit(r);
  show(r, 3, [orderReport(placed, 'filled', { averagePrice: 999, updatedAt: START + 1_100 })]);
  expect(filledOf(r, placed.seq)).toBe(10);
});

test('after a setback of the venue’s clock for all answers, they are used again as soon as they have run for a second', () => {
  const r = polledRig();
  r.advance(60_000);
  settleReads(r, [], []);
  const placed = limit(r);
  const filled = orderReport(placed, 'filled', { averagePrice: 999, updatedAt: START + 100 });
  const told: number[] = [];
  for (let second = 1; second <= 40; second++) {
    r.advance(1_000);
    settleReads(r, [filled], [], r.clock.time - 50_000);
    if (filledOf(r, placed.seq) > 0) told.push(second);
  }
  expect(told[0]).toBe(2);
});

test('an unknown outcome of an order whose record has shown its end already changes nothing', () => {
  const r = polledRig();
  const n = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
  r.advance(1_000);
  settleReads(r, [orderReport(r.venue.last(), 'filled', { averagePrice: 999 })], [positionReport(LONG, 10)]);
  r.venue.unknown(n, 'timeout');
  expect([r.ctx().markets[0]!.long.size, r.ctx().order(n)?.state ?? null]).toEqual([0.01, null]);
  expect(r.log.events()).not.toContain('outcome-unknown');
  expect([r.ctx().markets[0]!.isHalted, r.kernel.status().halts]).toEqual([false, []]);
});
