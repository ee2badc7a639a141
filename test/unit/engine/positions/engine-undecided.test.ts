/** Ended orders whose fills no record shows: when their leg takes what reads of the position show, and what their profit counts as. */
import { expect, test } from 'vitest';
import { CLOSE, LIMIT, LONG, PLACE } from '../../../../src/domain/codes.ts';
import { emptyCommand, formatClientId } from '../../../../src/domain/orders/command.ts';
import { CANCELLED } from '../../../../src/domain/orders/order.ts';
import type { OrderReport, PositionReport } from '../../../../src/domain/report.ts';
import type { KernelOptions } from '../../../../src/engine/options.ts';
import { EMPTY_SNAPSHOT } from '../../../../src/engine/recovery/registry.ts';
import type { Query } from '../../../../src/ports/venue.ts';
import {
  IDENTITY,
  orderReport,
  polledRig,
  POLLS,
  positionReport,
  rig,
  settleReads,
  START,
  type Rig,
} from '../../../support/engine/engine-kit.ts';

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

/**
 * An order of 10 lots with a stop-loss filled 3 and was cancelled: its fee is that of 3 lots by a maker or of one by a taker. One lot was
 * closed by an own order, and the stop-loss closed the other two before a read showed any. `hasStop`: its record is in the history.
 */
function stopped(hasStop: boolean, timings: KernelOptions['timings'] = {}): { filled: number; events: string[] } {
  const r = polledRig({}, { timings });
  const [m] = r.ctx().markets;
  const entry = r.ctx().open(m!, 'LONG', { size: '0.010', limit: 1000, stopLoss: 990 });
  const placed = { ...r.venue.last() };
  r.venue.accepted(entry, 'v1');
  r.ctx().cancel(entry);
  r.venue.accepted(r.venue.last().seq, '');
  const at = r.clock.time + 10;
  const times = { createdAt: at, updatedAt: at };
  const late: Query[] = [];
  r.venue.query = (query) => (query.kind === 'positions' ? late : r.open).push(query);
  const ended = orderReport(placed, 'cancelled', { averagePrice: 1000, fee: 60_000, ...times });
  pass(r, 200, [ended], []);
  const seq = r.ctx().close(m!, 'LONG', { size: '0.001' });
  r.venue.accepted(seq, 'v2');
  const close = orderReport(r.venue.last(), 'filled', { averagePrice: 1000, fee: 60_000, createdAt: at + 200, updatedAt: at + 210 });
  const facts = { venueId: 'x', clientId: '', effect: CLOSE, type: 1, price: 0, size: 2, averagePrice: 989.9 };
  const stop = orderReport(placed, 'filled', { ...facts, createdAt: at + 220, updatedAt: at + 220 });
  pass(r, 200, [ended, close], []);
  r.venue.query = (query) => r.open.push(query);
  for (const query of late) r.venue.failed(query, 'timeout');
  pass(r, 20_000, hasStop ? [ended, close, stop] : [ended, close], []);
  const fills = r.records.filter((record) => record.kind === 'fill' && record.seq === entry);
  const filled = fills.reduce((sum, { data }) => sum + Number(data['lots']), 0);
  return { filled, events: r.log.events().filter((event) => /exit|external|fills-undecided/.test(event)) };
}

test('an ended order filled what its bracket closed again before a read showed it, if the history has that close', () => {
  expect(stopped(true)).toEqual({ filled: 3, events: ['exit'] });
  // Its leg is read first when the horizon is over: the history is read before the order counts as undecided.
  expect(stopped(true, { settleMs: 1_000, horizonMs: 1_000 })).toEqual({ filled: 3, events: ['exit'] });
});

test('it filled what reads of the position show, once the history has no such close', () => {
  expect(stopped(false)).toEqual({ filled: 1, events: [] });
});

/**
 * A bot that starts on a flat leg of which it knows two lots fewer: an order of 10 filled 3, and 5 more that only the fee of its record shows, and
 * own closes and its stop-loss closed them. Then it opens 4, and another party opens `theirs`.
 */
function opensAgain(theirs: number): { held: number; external: unknown[]; undecided: unknown[] } {
  const r = rig({}, { polls: POLLS });
  const earlier = { ...emptyCommand(), kind: PLACE, seq: 1, type: LIMIT, price: 10_000, size: 10, time: START };
  const facts = { strategy: 'probe', symbol: 'BTCUSDT', createdAt: START, sentAt: START, endedAt: START + 10 };
  const order = { ...earlier, ...facts, filled: 3, worth: 30_000, state: CANCELLED, venueId: 'v1', replaces: 0 };
  const leg = { symbol: 'BTCUSDT', side: LONG, total: -2, provenAt: START };
  r.kernel.restore({ ...EMPTY_SNAPSHOT, nextSeq: 2, orders: [order], legs: [leg] });
  r.clock.time += 1_000;
  r.kernel.inbox.start();
  const records = [orderReport(earlier, 'cancelled', { averagePrice: 1000, fee: 160_000, updatedAt: START + 10 })];
  pass(r, 10_000, records, []);
  r.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
  // No history is read of the time between the two positions.
  const late: Query[] = [];
  r.venue.query = (query) => (query.kind === 'history' ? late : r.open).push(query);
  pass(r, 5_000, records, []);
  const seq = r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.004', limit: 1000 });
  r.venue.accepted(seq, 'v2');
  const at = r.clock.time;
  const of = { size: 4, averagePrice: 1000, clientId: formatClientId(IDENTITY, seq), createdAt: at, updatedAt: at };
  records.push(orderReport(r.venue.last(), 'filled', of));
  r.venue.query = (query) => r.open.push(query);
  for (const query of late) r.venue.failed(query, 'timeout');
  const y = { venueId: 'y', clientId: '', size: theirs, averagePrice: 1000, createdAt: at + 10, updatedAt: at + 10 };
  if (theirs > 0) records.push(orderReport(r.venue.last(), 'filled', y));
  pass(r, 100_000, records, [positionReport(LONG, 4 + theirs, { createdAt: at, updatedAt: at + 10 })]);
  const told = (event: string, field: string): unknown[] =>
    r.log.lines.filter((line) => line.event === event).map(({ fields }) => fields[field]);
  return { held: r.kernel.markets[0]!.long.size, external: told('external', 'change'), undecided: told('fills-undecided', 'lots') };
}

test('lots of an earlier position that an order may have filled are not those of another party in the next one', () => {
  expect(opensAgain(0)).toEqual({ held: 0.004, external: [], undecided: [2] });
});

test('what another party opened in the next one is still found', () => {
  expect(opensAgain(2)).toEqual({ held: 0.006, external: ['0.002'], undecided: [2] });
});
