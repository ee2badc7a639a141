/** Orders whose end or arrival is seen late: what the bot counts meanwhile, and what it asks the venue once more. */
import { describe, expect, test } from 'vitest';
import { CANCEL, CANCEL_TRIGGER, LONG } from '../../../../src/domain/codes.ts';
import type { OrderReport } from '../../../../src/domain/report.ts';
import type { OrderNumber } from '../../../../src/engine/intents/market-types.ts';
import {
  orderReport,
  polledRig,
  POLLS,
  positionReport,
  rejection,
  rig,
  settleReads,
  type Rig,
} from '../../../support/engine/engine-kit.ts';

/** For `ms`, every read returns these orders and positions. */
function pass(r: Rig, ms: number, orders: readonly OrderReport[] = [], positions: Parameters<typeof settleReads>[2] = []): void {
  for (let passed = 0; passed < ms; passed += 100) {
    r.advance(100);
    for (let left = 4; left > 0 && r.open.length > 0; left--) settleReads(r, orders, positions);
  }
}

/** Cancels find nothing. */
function withoutCancels(): Rig {
  const r = polledRig({}, { idWatchMs: 2_000 });
  r.venue.onExecute = ({ kind, seq }) => {
    if (kind === CANCEL || kind === CANCEL_TRIGGER) r.venue.rejected(seq, rejection('order-not-found'));
  };
  return r;
}

test('a modify of unknown outcome counts in the exposure after the order that it may have replaced has ended', () => {
  const r = withoutCancels();
  const m = r.ctx().markets[0]!;
  const a = r.ctx().limit(m, 'LONG', 'OPEN', 999, 0.01);
  const old = r.venue.last();
  r.venue.accepted(a, 'v1');
  r.advance(1);
  const b = r.ctx().modify(a, { limit: 998 });
  r.venue.unknown(b, 'rate-limited');
  pass(r, 2_000, [orderReport(old, 'cancelled', { venueId: 'v1' })]);
  expect(r.ctx().order(b)!.state).toBe('unknown');
  expect(m.long.opening).toBe(0.01);
});

describe('an order that lands after it was presumed not to', () => {
  /** It was presumed not landed. */
  function presumed(r: Rig): OrderNumber {
    const n = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 1_001, 0.01);
    r.venue.unknown(n, 'timeout');
    pass(r, 85_000);
    expect(r.log.events()).toContain('presumed-not-landed');
    return n;
  }

  test('and has filled is in the position at once, and halts its leg', () => {
    const r = withoutCancels();
    presumed(r);
    const landed = orderReport(r.venue.commands[0]!, 'filled', { averagePrice: 1_000 });
    pass(r, 2_500, [landed]);
    expect(r.ctx().markets[0]!.long.size).toBe(0.01);
    expect(r.kernel.status().halts).toMatchObject([{ code: 'late-landing', scope: 'leg:BTCUSDT:LONG' }]);
    pass(r, 30_000, [landed], [positionReport(LONG, 10, { updatedAt: r.clock.time })]);
    expect(r.ctx().markets[0]!.long.size).toBe(0.01);
    expect(r.log.events()).not.toContain('external');
  });

  test('and rests is cancelled, and halts its leg', () => {
    const r = withoutCancels();
    presumed(r);
    r.venue.onExecute = null;
    pass(r, 1_500, [orderReport(r.venue.commands[0]!, 'open')]);
    expect(r.venue.last()).toMatchObject({ kind: CANCEL, target: 1 });
    expect(r.kernel.status().halts).toMatchObject([{ code: 'late-landing', scope: 'leg:BTCUSDT:LONG' }]);
  });
});

test('a trigger order that was presumed not landed is cancelled once more, at once and after another horizon', () => {
  const r = withoutCancels();
  r.ctx().placeTrigger({ market: r.ctx().markets[0]!, side: 'LONG', size: 0.01, trigger: 1010 });
  r.venue.unknown(1, 'timeout');
  for (let k = 0; k < 1_000 && !r.log.events().includes('presumed-not-landed'); k++) pass(r, 100);
  const at = r.clock.time;
  const probes = (): number[] =>
    r.venue.commands.filter(({ kind, time }) => kind === CANCEL_TRIGGER && time > at - 200).map(({ time }) => time - at);
  expect(probes().map((ms) => Math.abs(ms) < 200)).toEqual([true]);
  pass(r, 120_000);
  expect(
    probes()
      .slice(1)
      .map((ms) => Math.round(ms / 1_000)),
  ).toEqual([60]);
  expect(r.venue.last()).toMatchObject({ kind: CANCEL_TRIGGER, target: 1 });
});

test('a trigger order that a record without our id is taken for is cancelled: the record may be somebody else’s', () => {
  const r = polledRig({}, { idWatchMs: 2_000 });
  const n = r.ctx().placeTrigger({ market: r.ctx().markets[0]!, side: 'LONG', size: 0.01, trigger: 1010 });
  r.venue.accepted(n, 'p1');
  const other = orderReport(r.venue.last(), 'filled', { venueId: 'child', clientId: '', averagePrice: 1_010 });
  pass(r, 2_500, [other]);
  expect(r.ctx().markets[0]!.long.size).toBe(0.01);
  expect(r.venue.last()).toMatchObject({ kind: CANCEL_TRIGGER, target: n });
});

test('a bot that is stopped before its first reads are in starts no strategy', () => {
  let started = 0;
  const r = rig({ onStart: () => void started++ }, { polls: POLLS });
  r.kernel.inbox.start();
  r.kernel.inbox.stop();
  for (let k = 0; k < 20; k++) {
    settleReads(r, [], []);
    r.advance(500);
  }
  expect([r.kernel.phase, started]).toEqual(['stopping', 0]);
});

test('an order that a position seemed to fill, and that ended unfilled, leaves a finite doubt', () => {
  const r = polledRig({}, { idWatchMs: 2_000, risk: { maxPosition: { '*': '0.03' } } });
  const m = r.ctx().markets[0]!;
  const n = r.ctx().placeTrigger({ market: m, side: 'LONG', size: 0.01, trigger: 1010, limit: 1010 });
  r.venue.accepted(n, 'p1');
  pass(r, 30_000, [], [positionReport(LONG, 4, { updatedAt: r.clock.time })]);
  expect(m.long.size).toBe(0.004);
  pass(r, 2_500, [orderReport(r.venue.last(), 'cancelled', { venueId: 'p1' })], [positionReport(LONG, 4, { updatedAt: r.clock.time })]);
  expect(r.ctx().limit(m, 'LONG', 'OPEN', 999, 0.01)).toBeGreaterThan(0);
  const leg = r.kernel.markets[0]!.long;
  expect([leg.opening, leg.size]).toEqual([0.01, 0.004]);
});

test('a bot that starts with its clock behind the journal takes the orders of the journal for older than its reads', () => {
  const first = polledRig();
  first.advance(20_000);
  settleReads(first, [], []);
  const n = first.ctx().limit(first.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
  const command = first.venue.last();
  first.venue.accepted(n, 'v1');
  const told: number[] = [];
  const r = rig({ onOrder: ({ fillSize }) => void (fillSize > 0 && told.push(fillSize)) }, { polls: POLLS, idWatchMs: 2_000 });
  r.clock.time = first.clock.time - 5_000;
  r.kernel.restore(first.kernel.snapshot());
  r.kernel.inbox.start();
  // The position shows the fill before a list shows the record.
  pass(r, 1_000, [], [positionReport(LONG, 10, { updatedAt: first.clock.time })]);
  for (let k = 0; k < 20; k++) pass(r, 100, [orderReport(command, 'open')], [positionReport(LONG, 10, { updatedAt: first.clock.time })]);
  pass(r, 20_000, [orderReport(command, 'filled', { averagePrice: 999 })], [positionReport(LONG, 10, { updatedAt: first.clock.time })]);
  expect(r.log.events()).not.toContain('external');
  expect([told, r.kernel.markets[0]!.long.size]).toEqual([[0.01], 0.01]);
});

test('the search for orders with its name begins where the bot began, and goes on from there', () => {
  const r = polledRig({}, { idWatchMs: 2_000 });
  const began = r.clock.time;
  const since = (): number[] => {
    r.advance(2_000);
    const asked = r.open.flatMap((query) => (query.kind === 'history' && query.instrument === -1 ? [query.since] : []));
    settleReads(r, [], []);
    return asked;
  };
  // Each read overlaps the one before by ten seconds.
  const found = [since(), since(), since()].flat();
  expect(found).toHaveLength(3);
  expect(Math.abs(found[0]! - (began - 10_000))).toBeLessThanOrEqual(2);
  expect(found[2]).toBeGreaterThan(found[0]! + 1_000);
});
