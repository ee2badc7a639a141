/** Trigger orders and spot orders of unknown outcome, which no listing shows. */
import { describe, expect, test } from 'vitest';
import { CANCEL, CANCEL_SPOT, CANCEL_TRIGGER, LONG, PLACE_SPOT } from '../../../../src/domain/codes.ts';
import { createInstrument } from '../../../../src/domain/instrument.ts';
import type { OrderReport } from '../../../../src/domain/report.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import type { OrderNumber } from '../../../../src/engine/intents/market-types.ts';
import { BTCUSDT } from '../../../support/specs.ts';
import {
  btc,
  orderReport,
  polledRig,
  POLLS,
  positionReport,
  rejection,
  rig,
  settleReads,
  START,
  type Rig,
} from '../../../support/engine/engine-kit.ts';
import { settle } from '../../../support/engine/operator-commands.ts';

const SPOT = createInstrument({ ...BTCUSDT, product: 'spot' }, 1);
const withSpot = (): Rig => polledRig({}, { instruments: [btc(), SPOT] });

/** For `ms`, every read returns these orders, and every command in `fails` gets an unknown outcome. */
function pass(r: Rig, ms: number, orders: Parameters<typeof settleReads>[1] = [], positions: Parameters<typeof settleReads>[2] = []): void {
  for (let passed = 0; passed < ms; passed += 100) {
    r.advance(100);
    for (let left = 4; left > 0 && r.open.length > 0; left--) settleReads(r, orders, positions);
  }
}

const sent = (r: Rig, kind: number): number => r.venue.commands.filter((command) => command.kind === kind).length;
const halts = (r: Rig): string[] => r.kernel.status().halts.map(({ code, ends }) => `${code}: ${ends}`);

describe('a trigger order', () => {
  /** A trigger order resting at the venue. */
  function resting(r: Rig): OrderNumber {
    const n = r.ctx().placeTrigger({ market: r.ctx().markets[0]!, side: 'LONG', size: 0.01, trigger: 1010 });
    r.venue.accepted(n, 'p1');
    return n;
  }

  test.each(['unknown', 'unsent'] as const)('whose cancel is %s is cancelled again until there is an outcome [outcomes E16]', (how) => {
    const r = polledRig();
    const n = resting(r);
    r.ctx().cancel(n);
    r.venue[how](r.venue.last().seq, 'timeout');
    pass(r, 1_000);
    expect(sent(r, CANCEL_TRIGGER)).toBe(2);
    expect(r.venue.last()).toMatchObject({ kind: CANCEL_TRIGGER, target: n });
    r.venue.accepted(r.venue.last().seq, '');
    expect(r.ctx().order(n)?.isAlive ?? false).toBe(false);
    pass(r, 120_000);
    expect(sent(r, CANCEL_TRIGGER)).toBe(2);
  });

  test('whose cancel is lost five times halts its symbol, names the command, and keeps trying', () => {
    const r = polledRig();
    const n = resting(r);
    r.ctx().cancel(n);
    for (let k = 0; k < 5; k++) {
      r.venue.unknown(r.venue.last().seq, 'timeout');
      pass(r, 5_000);
    }
    expect(sent(r, CANCEL_TRIGGER)).toBe(5);
    expect(r.log.events()).toContain('cancel-unresolved');
    expect(halts(r)[0]).toContain(`tickwright settle ${n} landed VENUE-ID (or: not-landed)`);
    expect(r.ctx().markets[0]!.long.opening).toBe(0.01);
    pass(r, 60_000);
    expect(sent(r, CANCEL_TRIGGER)).toBe(6);
    r.venue.accepted(r.venue.last().seq, '');
    expect(halts(r)).toEqual([]);
    expect(r.ctx().markets[0]!.long.opening).toBe(0);
  });

  test('without a cancel outcome is settled by an operator, or its cancel is repeated', () => {
    for (const venueId of [null, 'p1']) {
      const r = polledRig();
      const n = resting(r);
      r.ctx().cancel(n);
      for (let k = 0; k < 5; k++) {
        r.venue.unknown(r.venue.last().seq, 'timeout');
        pass(r, 5_000);
      }
      r.venue.unknown(r.venue.last().seq, 'timeout');
      expect(settle(r.kernel, n, venueId)).toBe(true);
      expect(halts(r)).toEqual([]);
      const before = sent(r, CANCEL_TRIGGER);
      pass(r, 1_000);
      expect(sent(r, CANCEL_TRIGGER) - before).toBe(venueId === null ? 0 : 1);
      expect(r.ctx().order(n)?.isAlive ?? false).toBe(venueId !== null);
    }
  });

  test('not found by its cancel stays in the exposure for the horizon [outcomes E16]', () => {
    const r = polledRig();
    const n = resting(r);
    r.ctx().cancel(n);
    r.venue.rejected(r.venue.last().seq, rejection('order-not-found'));
    expect(r.ctx().order(n)!.state).toBe('unknown');
    pass(r, 55_000);
    expect([r.ctx().order(n)!.state, r.ctx().markets[0]!.long.opening, r.ctx().markets[0]!.isHalted]).toEqual(['unknown', 0.01, false]);
    pass(r, 30_000);
    expect(r.ctx().order(n)?.isAlive ?? false).toBe(false);
    expect(r.ctx().markets[0]!.long.opening).toBe(0);
  });

  test('not found by its cancel has triggered if the position shows its fill', () => {
    const r = polledRig();
    const n = resting(r);
    r.ctx().cancel(n);
    r.venue.rejected(r.venue.last().seq, rejection('order-not-found'));
    pass(r, 5_000, [], [positionReport(LONG, 10)]);
    // No record names a trigger order. Until every list would show what else may have filled, it only counts in the exposure.
    expect(r.ctx().markets[0]!.long).toMatchObject({ size: 0, opening: 0.01 });
    pass(r, 15_000, [], [positionReport(LONG, 10)]);
    expect(r.ctx().markets[0]!.long.size).toBe(0.01);
    expect(r.ctx().order(n)?.filled ?? 0.01).toBe(0.01);
    pass(r, 80_000, [], [positionReport(LONG, 10)]);
    expect([r.ctx().markets[0]!.long.size, r.ctx().markets[0]!.long.opening]).toEqual([0.01, 0]);
    expect(r.log.events()).not.toContain('position-external');
  });

  test('of unknown outcome is probed by its cancel; a success proves that it had landed [outcomes E13]', () => {
    const r = polledRig();
    const n = r.ctx().placeTrigger({ market: r.ctx().markets[0]!, side: 'LONG', size: 0.01, trigger: 1010 });
    r.venue.unknown(n, 'timeout');
    pass(r, 500);
    expect(r.venue.last()).toMatchObject({ kind: CANCEL_TRIGGER, target: n });
    r.venue.rejected(r.venue.last().seq, rejection('order-not-found'));
    expect([r.ctx().order(n)!.state, r.ctx().markets[0]!.isHalted]).toEqual(['unknown', true]);
    pass(r, 20_000);
    expect(sent(r, CANCEL_TRIGGER)).toBe(2);
    r.venue.accepted(r.venue.last().seq, '');
    expect(r.ctx().order(n)?.isAlive ?? false).toBe(false);
    expect(r.ctx().markets[0]!.isHalted).toBe(false);
  });

  test('is cancelled after a restart if its cancel was in flight, lost or not', () => {
    for (const isObserved of [true, false]) {
      const first = polledRig();
      const n = resting(first);
      first.ctx().cancel(n);
      if (isObserved) first.venue.unknown(first.venue.last().seq, 'timeout');
      for (const snapshot of [foldRecords(null, first.records), first.kernel.snapshot()]) {
        const second = rig({}, { polls: POLLS });
        second.kernel.restore(snapshot);
        second.kernel.inbox.start();
        pass(second, 2_000);
        expect(second.venue.last()).toMatchObject({ kind: CANCEL_TRIGGER, target: n });
      }
    }
  });
});

describe('the order of a fired trigger order', () => {
  const fired = (r: Rig, n: OrderNumber, changes = {}): ReturnType<typeof orderReport> =>
    orderReport(
      r.venue.commands.find(({ seq }) => seq === n)!,
      'open',
      { venueId: 'child', ...changes },
    );

  function waiting(r: Rig, changes = {}): OrderNumber {
    const n = r.ctx().placeTrigger({ market: r.ctx().markets[0]!, side: 'LONG', size: 0.01, trigger: 1010, limit: 1010, ...changes });
    r.venue.accepted(n, `p${n}`);
    return n;
  }

  test.each(['with our client id', 'with an id of the venue'])('is recognised %s and cancelled by its venue id [outcomes 2.5]', (how) => {
    const r = polledRig();
    const n = waiting(r);
    const report = fired(r, n, how === 'with our client id' ? {} : { clientId: '' });
    pass(r, 1_500, [report]);
    expect(r.ctx().order(n)).toMatchObject({ state: 'working', venueId: 'child' });
    expect(r.kernel.status().foreignOrders).toBe(0);
    expect(r.ctx().cancel(n)).toBe(true);
    expect(r.venue.last()).toMatchObject({ kind: CANCEL, target: 0, targetVenueId: 'child' });
    r.venue.accepted(r.venue.last().seq, '');
    expect([r.ctx().order(n)?.isAlive ?? false, r.ctx().markets[0]!.long.opening]).toEqual([false, 0]);
  });

  test.each([
    ['another size', { size: 11 }],
    ['the other side', { side: 1 }],
    ['another price', { price: 10_110 }],
    ['a time before it', { createdAt: 1 }],
  ])('is not assigned to the trigger order with %s [outcomes 2.5]', (_name, changes) => {
    const r = polledRig();
    const n = waiting(r);
    pass(r, 1_500, [fired(r, n, { clientId: '', ...changes })]);
    expect([r.ctx().order(n)!.venueId, r.kernel.status().foreignOrders]).toEqual([`p${n}`, 1]);
  });

  test('that matches two trigger orders is ambiguous: both stay in the exposure, with an alarm [outcomes 2.5]', () => {
    const r = polledRig();
    const [a, b] = [waiting(r), waiting(r)];
    pass(r, 3_000, [fired(r, a, { clientId: '' })]);
    expect(r.log.events().filter((event) => event === 'trigger-ambiguous')).toHaveLength(1);
    expect([r.ctx().order(a)!.venueId, r.ctx().order(b)!.venueId]).toEqual([`p${a}`, `p${b}`]);
    expect([r.ctx().markets[0]!.long.opening, r.kernel.status().foreignOrders]).toEqual([0.02, 1]);
  });

  /** Two similar trigger orders. The cancel of the first found nothing, and reads have not shown it for the horizon. */
  function oneOfTwo(order: ReturnType<typeof orderReport> | null, status: 'open' | 'filled'): { r: Rig; a: OrderNumber; b: OrderNumber } {
    const r = polledRig();
    const [a, b] = [waiting(r), waiting(r)];
    const orders = order === null ? [] : [order];
    pass(r, 1_500, orders);
    r.ctx().cancel(a);
    r.venue.rejected(r.venue.last().seq, rejection('order-not-found'));
    pass(r, 90_000, status === 'open' ? orders : [], []);
    return { r, a, b };
  }
  const child = (status: OrderReport['status'], changes = {}): OrderReport => {
    const r = polledRig();
    return fired(r, waiting(r), { clientId: '', status, averagePrice: status === 'open' ? 0 : 1010, ...changes });
  };

  test('is not assigned to one of two if the end of the other was only presumed [outcomes 2.5]', () => {
    const { r, a, b } = oneOfTwo(null, 'filled');
    expect(r.ctx().order(a)?.isAlive ?? false).toBe(false);
    pass(r, 3_000, [child('filled')], [positionReport(LONG, 10)]);
    expect(r.ctx().order(b)).toMatchObject({ state: 'working', filled: 0 });
    expect(r.ctx().markets[0]!.long).toMatchObject({ size: 0, opening: 0.01 });
    // The same after a restart, from the journal and from a snapshot.
    for (const snapshot of [foldRecords(null, r.records), r.kernel.snapshot()]) {
      const second = rig({}, { polls: POLLS });
      second.clock.time = r.clock.time;
      second.kernel.restore(snapshot);
      second.kernel.inbox.start();
      pass(second, 3_000, [child('filled')], [positionReport(LONG, 10)]);
      expect(second.ctx().order(b)).toMatchObject({ state: 'working', filled: 0 });
    }
  });

  test('is assigned to the second when the venue cancels the first as still waiting [outcomes 2.5]', () => {
    const r = polledRig();
    const [a, b] = [waiting(r), waiting(r)];
    pass(r, 1_500, [child('open')]);
    r.ctx().cancel(a);
    r.venue.accepted(r.venue.last().seq, '');
    pass(r, 1_500, [child('open')]);
    expect(r.ctx().order(b)).toMatchObject({ state: 'working', venueId: 'child' });
    expect(r.ctx().order(a)?.isAlive ?? false).toBe(false);
  });

  test('at rest keeps its possible trigger order from being presumed gone, with a halt [outcomes 2.5]', () => {
    const { r, a, b } = oneOfTwo(child('open'), 'open');
    expect(r.ctx().order(a)!.state).toBe('unknown');
    expect(r.ctx().markets[0]!.long.opening).toBe(0.02);
    expect(r.kernel.status().halts).toMatchObject([{ code: 'outcome-unknown', seq: a }]);
    expect(r.kernel.status().halts[0]!.detail).toContain('the order child');
    pass(r, 30_000, [{ ...child('open'), status: 'cancelled' }]);
    expect([r.ctx().order(a)?.isAlive ?? false, r.ctx().order(b)!.state]).toEqual([false, 'working']);
    expect([r.kernel.status().halts, r.ctx().markets[0]!.long.opening]).toEqual([[], 0.01]);
  });

  /** The states of two similar trigger orders. */
  const two = (second: OrderReport['status']): OrderReport[] => [
    child('filled', { venueId: 'one', fee: 300 }),
    child(second, { venueId: 'two', fee: 400, createdAt: START + 60 }),
  ];
  function notFound(r: Rig, n: OrderNumber): void {
    expect(r.ctx().cancel(n)).toBe(true);
    r.venue.rejected(r.venue.last().seq, rejection('order-not-found'));
  }

  test('fills all matching trigger orders if as many filled orders match [outcomes 2.5]', () => {
    const r = polledRig();
    const both = [waiting(r), waiting(r)];
    notFound(r, both[1]!);
    const orders = two('filled');
    pass(r, 3_000, orders.slice(1));
    expect(r.records.filter(({ kind }) => kind === 'fill')).toEqual([]);
    // Only records show it: no position does so far.
    pass(r, 5_000, orders);
    const fees = r.records.filter(({ kind }) => kind === 'fee').map(({ data }) => data);
    expect(fees).toHaveLength(2);
    expect(fees).toContainEqual({ order: both[0], fee: 300, profit: 0 });
    expect(fees).toContainEqual({ order: both[1], fee: 400, profit: 0 });
    expect(r.ctx().markets[0]!.long).toMatchObject({ size: 0.02, opening: 0 });
    expect(both.map((n) => r.ctx().order(n)?.isAlive ?? false)).toEqual([false, false]);
  });

  test.each([1, 2])('at rest while %i of two fired trigger orders must go is cancelled if both must [outcomes 2.5]', (many) => {
    const r = polledRig();
    const both = [waiting(r), waiting(r)];
    const orders = two('partial');
    for (const n of both.slice(0, many)) notFound(r, n);
    const holds = [positionReport(LONG, 15)];
    pass(r, 90_000, orders, holds);
    const cancels = r.venue.commands.filter(({ kind }) => kind === CANCEL);
    if (many === 1) return expect([cancels, r.kernel.status().halts]).toMatchObject([[], [{ code: 'outcome-unknown' }]]);
    expect(cancels[0]).toMatchObject({ target: 0, targetVenueId: 'two' });
    for (const { seq } of cancels) r.venue.accepted(seq, '');
    pass(r, 120_000, two('cancelled'), holds);
    expect(both.map((n) => r.ctx().order(n)?.isAlive ?? false)).toEqual([false, false]);
    expect(r.kernel.status()).toMatchObject({ halts: [], unknownOutcomes: 0 });
    // One of them filled 10 lots and the other 5. Which one is unknown: only the position has them.
    expect(r.ctx().markets[0]!.long).toMatchObject({ size: 0.015, opening: 0 });
  });

  test('may belong to a presumed end, so the other trigger order does not get its fill [outcomes E13]', () => {
    const r = polledRig();
    const a = r.ctx().placeTrigger({ market: r.ctx().markets[0]!, side: 'LONG', size: 0.01, trigger: 1010, limit: 1010 });
    const b = waiting(r);
    r.venue.unknown(a, 'timeout');
    // Its probes do not find it either.
    for (let k = 0, probed = 0; k < 45; k++) {
      pass(r, 2_000, [], [positionReport(LONG, 10)]);
      const { kind, seq } = r.venue.last();
      if (kind === CANCEL_TRIGGER && seq > probed) r.venue.rejected((probed = seq), rejection('order-not-found'));
    }
    expect(r.ctx().order(a)?.isAlive ?? false).toBe(false);
    pass(r, 60_000, [], [positionReport(LONG, 10)]);
    expect(r.ctx().order(b)).toMatchObject({ state: 'working', filled: 0 });
  });

  test('is cancelled between two reads: the trigger cancel fails, then a read shows it', () => {
    const r = polledRig();
    const n = waiting(r);
    r.ctx().cancel(n);
    r.venue.rejected(r.venue.last().seq, rejection('order-not-found'));
    pass(r, 1_500, [fired(r, n)]);
    expect(r.venue.last()).toMatchObject({ kind: CANCEL, target: 0, targetVenueId: 'child' });
    // It was still the waiting order, which this venue lists: the trigger cancel is tried again.
    r.venue.rejected(r.venue.last().seq, rejection('order-not-found'));
    pass(r, 500, [fired(r, n)]);
    expect(r.venue.last()).toMatchObject({ kind: CANCEL_TRIGGER, target: n });
    r.venue.accepted(r.venue.last().seq, '');
    expect(r.ctx().order(n)?.isAlive ?? false).toBe(false);
  });

  test('is matched again after a restart', () => {
    const first = polledRig();
    const n = waiting(first);
    pass(first, 1_500, [fired(first, n, { clientId: '' })]);
    for (const snapshot of [foldRecords(null, first.records), first.kernel.snapshot()]) {
      const second = rig({}, { polls: POLLS });
      second.clock.time = first.clock.time;
      second.kernel.restore(snapshot);
      second.kernel.inbox.start();
      pass(second, 1_500, [fired(first, n, { clientId: '' })]);
      expect(second.kernel.markets[0]!.orders.map(({ number, venueId }) => [number, venueId])).toEqual([[n, 'child']]);
    }
  });
});

describe('a spot order', () => {
  function place(r: Rig): OrderNumber {
    const [n] = r.ctx().spot([{ market: r.ctx().markets[1]!, direction: 'BUY', size: 0.01, limit: 999 }]);
    return n!;
  }

  test('of unknown outcome waits for an operator, and its halt names the command [outcomes E1]', () => {
    const r = withSpot();
    const n = place(r);
    r.venue.unknown(n, 'timeout');
    expect(halts(r)[0]).toContain(`tickwright settle ${n} landed VENUE-ID (or: not-landed)`);
    expect(r.log.lines.find(({ event }) => event === 'quarantined')).toMatchObject({ level: 'error', fields: { seq: n, endpoint: 'E1' } });
    pass(r, 200_000);
    expect(r.ctx().order(n)!.state).toBe('unknown');
    expect(place(r)).toBe(0);
    expect(sent(r, PLACE_SPOT)).toBe(1);
    expect(settle(r.kernel, n, '77')).toBe(true);
    expect(r.ctx().order(n)).toMatchObject({ state: 'working', venueId: '77' });
    expect(halts(r)).toEqual([]);
    expect(place(r)).toBeGreaterThan(0);
  });

  test('whose cancel has no outcome is cancelled again; "not found" ends it [outcomes E2]', () => {
    const r = withSpot();
    const n = place(r);
    r.venue.accepted(n, '77');
    r.ctx().cancel(n);
    r.venue.unknown(r.venue.last().seq, 'reset');
    pass(r, 1_000);
    expect(sent(r, CANCEL_SPOT)).toBe(2);
    expect(r.venue.last()).toMatchObject({ kind: CANCEL_SPOT, target: n, targetVenueId: '77' });
    r.venue.rejected(r.venue.last().seq, rejection('order-not-found'));
    expect(r.ctx().order(n)?.isAlive ?? false).toBe(false);
  });
});
