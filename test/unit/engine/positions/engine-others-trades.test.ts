/** Fills inferred from a position that another party changed as well: the fee in the order's own record says which lots are its own. */
import { expect, test } from 'vitest';
import { LONG, MARKET, SHORT } from '../../../../src/domain/codes.ts';
import type { Command } from '../../../../src/domain/orders/command.ts';
import type { OrderReport } from '../../../../src/domain/report.ts';
import { orderReport, polledRig, positionReport, settleReads, START, type Rig } from '../../../support/engine/engine-kit.ts';

/** What a maker pays for these lots at this price in ticks. */
const feeOf = (lots: number, ticks: number): number => lots * ticks * 10_000 * 0.0002;

/** A rig with a resting order of 20 lots at 999.0 LONG. `read` answers what is asked for, `historyReads` counts. */
function resting(): { r: Rig; told: number[]; read: (filled: number, held: number, theirs: number) => void; historyReads: () => number } {
  const told: number[] = [];
  const r = polledRig({ onOrder: ({ fillSize }) => void (fillSize > 0 && told.push(Math.round(fillSize * 1_000))) });
  const n = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.02);
  const command = r.venue.last();
  r.venue.accepted(n, 'v1');
  let reads = 0;
  const read = (filled: number, held: number, theirs: number): void => {
    r.advance(1_000);
    for (let left = 6; left > 0 && r.open.length > 0; left--) {
      reads += r.open.filter((query) => query.kind === 'history' && query.clientId === '').length;
      const own = { averagePrice: 999, fee: feeOf(filled, 9_990), updatedAt: START + 400 };
      const other = { venueId: 'x', clientId: '', size: theirs, averagePrice: 1_000, createdAt: START + 300, updatedAt: START + 300 };
      const orders = [orderReport(command, 'partial', own), ...(theirs > 0 ? [orderReport(command, 'filled', other)] : [])];
      settleReads(r, orders, [positionReport(LONG, held, { updatedAt: START + 400 })]);
    }
  };
  return { r, told, read, historyReads: () => reads };
}

/** A trade of another party on the other leg. */
const ofOtherLeg = { venueId: 'y', clientId: '', side: SHORT, size: 1, averagePrice: 1_000 };

const sum = (lots: readonly number[]): number => lots.reduce((all, one) => all + one, 0);

test('are told at once where the fee is that of the lots', () => {
  const { told, read, historyReads } = resting();
  read(6, 6, 0);
  expect([sum(told), historyReads()]).toEqual([6, 0]);
});

test('wait for the history where it is not, and are told when that shows no other party', () => {
  const { r, told, read } = resting();
  read(0, 0, 0);
  expect(sum(told), 'the order has traded').toBe(1);
  r.advance(1_000);
  const position = positionReport(LONG, 6, { updatedAt: r.clock.time });
  r.answer({ kind: 'positions', positions: [position] });
  expect(sum(told)).toBe(1);
  // A list from before the position changed cannot show who changed it.
  r.answer({ kind: 'history', orders: [orderReport(r.venue.last(), 'filled', { ...ofOtherLeg, updatedAt: r.clock.time - 1 })] });
  expect(sum(told)).toBe(1);
  r.advance(1_000);
  r.answer({ kind: 'positions', positions: [position] });
  r.answer({ kind: 'history', orders: [orderReport(r.venue.last(), 'filled', { ...ofOtherLeg, updatedAt: r.clock.time })] });
  expect(sum(told)).toBe(6);
});

test('are those that the fee shows, where another party opened on the same leg', () => {
  const { r, told, read } = resting();
  for (let k = 0; k < 20; k++) read(6, 14, 8);
  expect(sum(told)).toBe(6);
  expect(r.kernel.markets[0]!.long.size).toBe(0.014);
  expect(r.log.lines.filter(({ event }) => event === 'external').map(({ fields }) => fields['change'])).toEqual(['0.008']);
});

test('are at most those that a later list leaves open: the lot beyond them is another party’s', () => {
  const { r, told, read } = resting();
  read(6, 6, 0);
  // The list shows the order resting, so at least one of its 20 lots is not filled.
  for (let k = 0; k < 20; k++) read(19, 20, 0);
  expect(sum(told)).toBe(19);
  expect(r.log.lines.filter(({ event }) => event === 'external').map(({ fields }) => fields['change'])).toEqual(['0.001']);
});

test('of orders that a position leaves ambiguous are searched for in the history after its second read', () => {
  const r = polledRig();
  for (let k = 0; k < 3; k++) r.venue.accepted(r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01), `v${k + 1}`);
  const orders = r.venue.commands.map((command) => orderReport(command, 'partial', { averagePrice: 999, updatedAt: START + 400 }));
  r.advance(1_000);
  settleReads(r, orders, [positionReport(LONG, 3, { updatedAt: START + 300 })]);
  expect(r.kernel.markets[0]!.long.size).toBe(0.003);
  const asked: number[] = [];
  for (let reads = 1; reads <= 4; reads++) {
    while (!r.open.some(({ kind }) => kind === 'positions')) {
      r.advance(100);
      const [positions, others] = [r.open.filter(({ kind }) => kind === 'positions'), r.open.filter(({ kind }) => kind !== 'positions')];
      r.open.splice(0, r.open.length, ...others);
      settleReads(r, orders, []);
      r.open.push(...positions);
    }
    r.answer({ kind: 'positions', positions: [positionReport(LONG, 12, { updatedAt: START + 400 })] });
    asked.push(r.open.filter(({ kind, ...query }) => kind === 'history' && (query as { clientId: string }).clientId === '').length);
  }
  expect(asked).toEqual([0, 1, 0, 0]);
});

test('changes of both legs that nothing explains read the history once for each read of them, so other reads get their turn', () => {
  const r = polledRig();
  const m = r.ctx().markets[0]!;
  const orders = (['LONG', 'SHORT'] as const).map((side) => {
    r.venue.accepted(r.ctx().open(m, side, { size: 0.01 }), side);
    return orderReport(r.venue.last(), 'filled', { venueId: side, averagePrice: 1_000, updatedAt: START + 60_000 });
  });
  settleReads(r, orders, []);
  expect([m.long.size, m.short.size]).toEqual([0.01, 0.01]);
  const answered = { positions: 0, history: 0, pending: 0 };
  for (let k = 0; k < 14; k++) {
    r.advance(1_000);
    for (let left = 50; left > 0; left--) {
      const kind = (['history', 'positions', 'pending'] as const).find((one) => r.open.some((query) => query.kind === one));
      if (kind === undefined) break;
      answered[kind]++;
      const positions = [LONG, SHORT].map((side) => positionReport(side, 30, { updatedAt: START }));
      if (kind === 'positions') r.answer({ kind, positions });
      else r.answer({ kind, orders: [] });
    }
  }
  expect(answered.positions).toBeGreaterThan(10);
  expect(answered.history).toBeLessThanOrEqual(2 * answered.positions);
});

/** A rig that knows the rates of makers and takers. `read` answers with these records and a leg of `held` lots, `placed` is a LONG limit order. */
function rated(): {
  r: Rig;
  told: number[];
  placed: (ticks: number, lots: number) => Command;
  read: (orders: readonly OrderReport[], held: number) => void;
} {
  const told: number[] = [];
  const r = polledRig({ onOrder: ({ fillSize }) => void (fillSize > 0 && told.push(Math.round(fillSize * 1_000))) });
  const [market] = r.ctx().markets;
  const whole: OrderReport[] = [];
  const placed = (ticks: number, lots: number): Command => {
    const n = r.ctx().limit(market!, 'LONG', 'OPEN', ticks / 10, lots / 1_000);
    r.venue.accepted(n, `v${n}`);
    return { ...r.venue.last() };
  };
  const read = (orders: readonly OrderReport[], held: number, afterMs = 1_000): void => {
    r.advance(afterMs);
    for (let left = 6; left > 0 && r.open.length > 0; left--)
      settleReads(r, [...whole, ...orders], held > 0 ? [positionReport(LONG, held, { updatedAt: r.clock.time - 500 })] : []);
  };
  whole.push(orderReport(placed(9_990, 10), 'filled', { averagePrice: 999, fee: feeOf(10, 9_990) }));
  whole.push(orderReport(placed(9_990, 10), 'filled', { averagePrice: 999, fee: 3 * feeOf(10, 9_990) }));
  for (let k = 0; k < 4; k++) read([], 20);
  told.length = 0;
  return { r, told, placed, read };
}

test('of an order that rested are those of a maker: a taker would have paid the same for fewer', () => {
  const { r, told, placed, read } = rated();
  const command = placed(9_990, 10);
  for (let k = 0; k < 12; k++) read([orderReport(command, 'open')], 20);
  // Three lots of a maker pay what one lot of a taker pays. A bracket or somebody else has closed two of them since.
  const ended = orderReport(command, 'cancelled', { averagePrice: 999, fee: feeOf(3, 9_990), updatedAt: r.clock.time });
  for (let k = 0; k < 4; k++) read([ended], 21);
  expect(sum(told)).toBe(3);
});

test.each([
  ['at its limit', 9_990, 0],
  ['at a better price, long after the list', 9_980, 12],
])('of an order that a list showed open before it was matched may be those of a taker: %s', (_what, ticks, lists) => {
  const { r, told, placed, read } = rated();
  const command = placed(9_990, 40);
  for (let k = 0; k <= lists; k++) read([orderReport(command, 'open')], 20);
  // Ten lots of a taker pay what thirty lots of a maker pay.
  const part = orderReport(command, 'partial', { averagePrice: ticks / 10, fee: 3 * feeOf(10, ticks), updatedAt: r.clock.time });
  for (let k = 0; k < 4; k++) read([part], 30);
  expect(sum(told)).toBe(10);
});

test('are at most those that the order has left, where another party opens just as many and a close may hide more', () => {
  const { r, told, placed, read } = rated();
  const command = placed(9_990, 9);
  r.venue.accepted(r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'CLOSE', 1_010, 0.011), 'close');
  const close = orderReport(r.venue.last(), 'open', { venueId: 'close' });
  // Five lots of a taker pay what fifteen lots of a maker pay: more than the order has.
  const part = orderReport(command, 'partial', { averagePrice: 999, fee: 3 * feeOf(5, 9_990), updatedAt: r.clock.time });
  for (let k = 0; k < 4; k++) read([part, close], 25);
  expect(sum(told)).toBe(5);
  const at = r.clock.time;
  const theirs = { venueId: 'x', clientId: '', type: MARKET, price: 0, size: 4, averagePrice: 1_000, createdAt: at, updatedAt: at };
  for (let k = 0; k < 4; k++) read([part, close, orderReport(command, 'filled', theirs)], 29);
  expect(sum(told)).toBe(5);
  expect(r.log.lines.filter(({ event }) => event === 'external').map(({ fields }) => fields['change'])).toEqual(['0.004']);
});
