/** The rows of the resolver's table (design/outcomes.md 2.3 and 2.4), one test each: what is sent, what is told, what is halted. */
import { describe, expect, test } from 'vitest';
import { CANCEL, CANCEL_SPOT, CANCEL_TRIGGER, CLOSE, LONG, MARKET, PLACE, PLACE_SPOT } from '../../src/domain/codes.ts';
import { createInstrument } from '../../src/domain/instrument.ts';
import { foldRecords } from '../../src/engine/records.ts';
import type { OrderNumber } from '../../src/engine/types.ts';
import { RESOLVE_POLICIES } from '../../src/engine/resolve/policy.ts';
import { BTCUSDT } from '../support/specs.ts';
import { btc, orderReport, polledRig, POLLS, positionReport, rejection, rig, settleReads, type Rig } from '../support/engine-kit.ts';

const SPOT = createInstrument({ ...BTCUSDT, product: 'spot' }, 1);
const withSpot = (): Rig => polledRig({}, { instruments: [btc(), SPOT] });

function limit(r: Rig): OrderNumber {
  return r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
}

/** Places one order whose outcome is lost. */
function ambiguous(r: Rig): OrderNumber {
  const n = limit(r);
  r.kernel.unknown(n, 'timeout');
  return n;
}

/** For `ms` every read is answered with these orders, and every command of `fails` fails as unknown. */
function pass(r: Rig, ms: number, orders: Parameters<typeof settleReads>[1] = [], positions: Parameters<typeof settleReads>[2] = []): void {
  for (let passed = 0; passed < ms; passed += 100) {
    r.advance(100);
    for (let left = 4; left > 0 && r.open.length > 0; left--) settleReads(r, orders, positions);
  }
}

const sent = (r: Rig, kind: number): number => r.venue.commands.filter((command) => command.kind === kind).length;
const halts = (r: Rig): string[] => r.kernel.status().halts.map(({ code, ends }) => `${code}: ${ends}`);

describe('a trigger order', () => {
  /** A trigger order that rests at the venue. */
  function resting(r: Rig): OrderNumber {
    const n = r.ctx().plan({ market: r.ctx().markets[0]!, side: 'LONG', size: 0.01, trigger: 1010 });
    r.kernel.accepted(n, 'p1');
    return n;
  }

  test.each(['unknown', 'unsent'] as const)('whose cancel is %s is cancelled again until there is an outcome [outcomes E16]', (how) => {
    const r = polledRig();
    const n = resting(r);
    r.ctx().cancel(n);
    r.kernel[how](r.venue.last().seq, 'timeout');
    pass(r, 1_000);
    expect(sent(r, CANCEL_TRIGGER)).toBe(2);
    expect(r.venue.last()).toMatchObject({ kind: CANCEL_TRIGGER, target: n });
    r.kernel.accepted(r.venue.last().seq, '');
    expect(r.ctx().order(n)?.isAlive ?? false).toBe(false);
    pass(r, 120_000);
    expect(sent(r, CANCEL_TRIGGER)).toBe(2);
  });

  test('whose cancel is lost five times halts its symbol, names what to type, and goes on trying', () => {
    const r = polledRig();
    const n = resting(r);
    r.ctx().cancel(n);
    for (let k = 0; k < 5; k++) {
      r.kernel.unknown(r.venue.last().seq, 'timeout');
      pass(r, 5_000);
    }
    expect(sent(r, CANCEL_TRIGGER)).toBe(5);
    expect(r.log.events()).toContain('cancel-unresolved');
    expect(halts(r)[0]).toContain(`tickwright settle ${n} landed VENUE-ID (or: not-landed)`);
    expect(r.ctx().markets[0]!.long.opening).toBe(0.01);
    pass(r, 60_000);
    expect(sent(r, CANCEL_TRIGGER)).toBe(6);
    r.kernel.accepted(r.venue.last().seq, '');
    expect(halts(r)).toEqual([]);
    expect(r.ctx().markets[0]!.long.opening).toBe(0);
  });

  test('an operator ends a cancel without an outcome, or has it sent again', () => {
    for (const venueId of [null, 'p1']) {
      const r = polledRig();
      const n = resting(r);
      r.ctx().cancel(n);
      for (let k = 0; k < 5; k++) {
        r.kernel.unknown(r.venue.last().seq, 'timeout');
        pass(r, 5_000);
      }
      r.kernel.unknown(r.venue.last().seq, 'timeout');
      expect(r.kernel.settle(n, venueId)).toBe(true);
      expect(halts(r)).toEqual([]);
      const before = sent(r, CANCEL_TRIGGER);
      pass(r, 1_000);
      expect(sent(r, CANCEL_TRIGGER) - before).toBe(venueId === null ? 0 : 1);
      expect(r.ctx().order(n)?.isAlive ?? false).toBe(venueId !== null);
    }
  });

  test('that its cancel does not find stays in the exposure for the horizon [outcomes E16]', () => {
    const r = polledRig();
    const n = resting(r);
    r.ctx().cancel(n);
    r.kernel.rejected(r.venue.last().seq, rejection('order-not-found'));
    expect(r.ctx().order(n)!.state).toBe('unknown');
    pass(r, 55_000);
    expect([r.ctx().order(n)!.state, r.ctx().markets[0]!.long.opening, r.ctx().markets[0]!.isHalted]).toEqual(['unknown', 0.01, false]);
    pass(r, 20_000);
    expect(r.ctx().order(n)?.isAlive ?? false).toBe(false);
    expect(r.ctx().markets[0]!.long.opening).toBe(0);
  });

  test('that its cancel does not find, and whose fill the position shows, has triggered', () => {
    const r = polledRig();
    const n = resting(r);
    r.ctx().cancel(n);
    r.kernel.rejected(r.venue.last().seq, rejection('order-not-found'));
    pass(r, 5_000, [], [positionReport(LONG, 10)]);
    // No record names a trigger order: until every list would show what else may have filled, it counts in the exposure alone.
    expect(r.ctx().markets[0]!.long).toMatchObject({ size: 0, opening: 0.01 });
    pass(r, 15_000, [], [positionReport(LONG, 10)]);
    expect(r.ctx().markets[0]!.long.size).toBe(0.01);
    expect(r.ctx().order(n)?.filled ?? 0.01).toBe(0.01);
    pass(r, 80_000, [], [positionReport(LONG, 10)]);
    expect([r.ctx().markets[0]!.long.size, r.ctx().markets[0]!.long.opening]).toEqual([0.01, 0]);
    expect(r.log.events()).not.toContain('position-external');
  });

  test('whose placing is unknown is probed by its cancel, and a success proves that it had landed [outcomes E13]', () => {
    const r = polledRig();
    const n = r.ctx().plan({ market: r.ctx().markets[0]!, side: 'LONG', size: 0.01, trigger: 1010 });
    r.kernel.unknown(n, 'timeout');
    pass(r, 500);
    expect(r.venue.last()).toMatchObject({ kind: CANCEL_TRIGGER, target: n });
    r.kernel.rejected(r.venue.last().seq, rejection('order-not-found'));
    expect([r.ctx().order(n)!.state, r.ctx().markets[0]!.isHalted]).toEqual(['unknown', true]);
    pass(r, 20_000);
    expect(sent(r, CANCEL_TRIGGER)).toBe(2);
    r.kernel.accepted(r.venue.last().seq, '');
    expect(r.ctx().order(n)?.isAlive ?? false).toBe(false);
    expect(r.ctx().markets[0]!.isHalted).toBe(false);
  });

  test('is cancelled after a restart when its cancel was on its way, lost or not', () => {
    for (const isHeard of [true, false]) {
      const first = polledRig();
      const n = resting(first);
      first.ctx().cancel(n);
      if (isHeard) first.kernel.unknown(first.venue.last().seq, 'timeout');
      for (const snapshot of [foldRecords(null, first.records), first.kernel.snapshot()]) {
        const second = rig({}, { polls: POLLS });
        second.kernel.restore(snapshot);
        second.kernel.start();
        pass(second, 2_000);
        expect(second.venue.last()).toMatchObject({ kind: CANCEL_TRIGGER, target: n });
      }
    }
  });
});

describe('a trigger order that has fired', () => {
  const fired = (r: Rig, n: OrderNumber, changes = {}): ReturnType<typeof orderReport> =>
    orderReport(
      r.venue.commands.find(({ seq }) => seq === n)!,
      'open',
      { venueId: 'child', ...changes },
    );

  function waiting(r: Rig, changes = {}): OrderNumber {
    const n = r.ctx().plan({ market: r.ctx().markets[0]!, side: 'LONG', size: 0.01, trigger: 1010, limit: 1010, ...changes });
    r.kernel.accepted(n, `p${n}`);
    return n;
  }

  test.each(['with our client id', 'with an id of the venue'])('is known %s and cancelled by its venue id [outcomes 2.5]', (how) => {
    const r = polledRig();
    const n = waiting(r);
    const report = fired(r, n, how === 'with our client id' ? {} : { clientId: '' });
    pass(r, 1_500, [report]);
    expect(r.ctx().order(n)).toMatchObject({ state: 'working', venueId: 'child' });
    expect(r.kernel.status().foreignOrders).toBe(0);
    expect(r.ctx().cancel(n)).toBe(true);
    expect(r.venue.last()).toMatchObject({ kind: CANCEL, target: 0, targetVenueId: 'child' });
    r.kernel.accepted(r.venue.last().seq, '');
    expect([r.ctx().order(n)?.isAlive ?? false, r.ctx().markets[0]!.long.opening]).toEqual([false, 0]);
  });

  test.each([
    ['another size', { size: 11 }],
    ['the other side', { side: 1 }],
    ['another price', { price: 10_110 }],
    ['a time before it', { createdAt: 1 }],
  ])('is not an order of nobody with %s [outcomes 2.5]', (_name, changes) => {
    const r = polledRig();
    const n = waiting(r);
    pass(r, 1_500, [fired(r, n, { clientId: '', ...changes })]);
    expect([r.ctx().order(n)!.venueId, r.kernel.status().foreignOrders]).toEqual([`p${n}`, 1]);
  });

  test("is nobody's where two of ours fit: both stay in the exposure, and an alarm is given [outcomes 2.5]", () => {
    const r = polledRig();
    const [a, b] = [waiting(r), waiting(r)];
    pass(r, 3_000, [fired(r, a, { clientId: '' })]);
    expect(r.log.events().filter((event) => event === 'trigger-ambiguous')).toHaveLength(1);
    expect([r.ctx().order(a)!.venueId, r.ctx().order(b)!.venueId]).toEqual([`p${a}`, `p${b}`]);
    expect([r.ctx().markets[0]!.long.opening, r.kernel.status().foreignOrders]).toEqual([0.02, 1]);
  });

  test('between two reads is cancelled all the same: its own cancel finds nothing, then a read shows what it became', () => {
    const r = polledRig();
    const n = waiting(r);
    r.ctx().cancel(n);
    r.kernel.rejected(r.venue.last().seq, rejection('order-not-found'));
    pass(r, 1_500, [fired(r, n)]);
    expect(r.venue.last()).toMatchObject({ kind: CANCEL, target: 0, targetVenueId: 'child' });
    // It was the waiting order after all, which this venue lists: the cancel of trigger orders is tried again.
    r.kernel.rejected(r.venue.last().seq, rejection('order-not-found'));
    pass(r, 500, [fired(r, n)]);
    expect(r.venue.last()).toMatchObject({ kind: CANCEL_TRIGGER, target: n });
    r.kernel.accepted(r.venue.last().seq, '');
    expect(r.ctx().order(n)?.isAlive ?? false).toBe(false);
  });

  test('is found again after a restart', () => {
    const first = polledRig();
    const n = waiting(first);
    pass(first, 1_500, [fired(first, n, { clientId: '' })]);
    for (const snapshot of [foldRecords(null, first.records), first.kernel.snapshot()]) {
      const second = rig({}, { polls: POLLS });
      second.clock.time = first.clock.time;
      second.kernel.restore(snapshot);
      second.kernel.start();
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

  test('of unknown outcome waits for an operator, and its halt says what to type [outcomes E1]', () => {
    const r = withSpot();
    const n = place(r);
    r.kernel.unknown(n, 'timeout');
    expect(halts(r)[0]).toContain(`tickwright settle ${n} landed VENUE-ID (or: not-landed)`);
    expect(r.log.lines.find(({ event }) => event === 'quarantined')).toMatchObject({ level: 'error', fields: { seq: n, endpoint: 'E1' } });
    pass(r, 200_000);
    expect(r.ctx().order(n)!.state).toBe('unknown');
    expect(place(r)).toBe(0);
    expect(sent(r, PLACE_SPOT)).toBe(1);
    expect(r.kernel.settle(n, '77')).toBe(true);
    expect(r.ctx().order(n)).toMatchObject({ state: 'working', venueId: '77' });
    expect(halts(r)).toEqual([]);
    expect(place(r)).toBeGreaterThan(0);
  });

  test('whose cancel has no outcome is cancelled again; "not found" closes it [outcomes E2]', () => {
    const r = withSpot();
    const n = place(r);
    r.kernel.accepted(n, '77');
    r.ctx().cancel(n);
    r.kernel.unknown(r.venue.last().seq, 'reset');
    pass(r, 1_000);
    expect(sent(r, CANCEL_SPOT)).toBe(2);
    expect(r.venue.last()).toMatchObject({ kind: CANCEL_SPOT, target: n, targetVenueId: '77' });
    r.kernel.rejected(r.venue.last().seq, rejection('order-not-found'));
    expect(r.ctx().order(n)?.isAlive ?? false).toBe(false);
  });
});

describe('an answer that is no plain refusal', () => {
  test('"Already ordering" is not a refusal: the order is looked up [outcomes R6b]', () => {
    const r = polledRig();
    const a = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
    r.kernel.rejected(a, rejection('already-ordering'));
    expect(r.ctx().order(a)!.state).toBe('unknown');
  });

  test('an id that the venue has seen before halts all opens; the order is unknown, not rejected [outcomes R8]', () => {
    const told: string[] = [];
    const r = polledRig({ onOrder: (event) => void (event.order.number > 0 && told.push(event.state)) });
    const n = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
    r.kernel.rejected(n, rejection('duplicate-client-id'));
    expect(r.kernel.status().haltedAll).toBe('id-reused');
    expect(told).toEqual(['unknown']);
    expect(r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01)).toBe(0);
    expect(r.ctx().markets[0]!.long.opening).toBe(0.01);
    pass(r, 90_000);
    expect(told).toEqual(['unknown']);
  });

  test('an answer to another request, or one that does not know who asks, halts all opens [outcomes C6] [outcomes C10]', () => {
    for (const cause of ['response-mixup', 'unauthorized']) {
      const r = polledRig();
      const n = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
      r.kernel.unknown(n, cause);
      expect(r.ctx().order(n)!.state).toBe('unknown');
      expect(r.kernel.status().haltedAll).toBe(cause);
      expect(r.log.events()).toContain('opens-halted');
      pass(r, 90_000);
      expect(r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01)).toBe(0);
    }
  });

  test('a valid refusal of the caller ends the order and halts all opens [outcomes R6c]', () => {
    const r = polledRig();
    const n = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
    r.kernel.rejected(n, rejection('unauthorized'));
    expect(r.ctx().order(n)?.isAlive ?? false).toBe(false);
    expect(r.kernel.status().haltedAll).toBe('unauthorized');
  });
});

describe('an order that reads do not show', () => {
  test('found with another price than it was sent with halts its symbol [outcomes R11]', () => {
    const r = polledRig();
    const n = ambiguous(r);
    pass(r, 100, [orderReport(r.venue.commands[0]!, 'open', { price: 9_980 })]);
    expect(r.ctx().order(n)!.state).toBe('unknown');
    expect(r.kernel.status().halts).toContainEqual(expect.objectContaining({ scope: 'symbol:BTCUSDT', code: 'id-collision' }));
  });

  test('found twice counts twice, halts its symbol, and the second one is cancelled by its venue id [outcomes R12]', () => {
    const r = polledRig();
    const n = ambiguous(r);
    const command = r.venue.commands[0]!;
    pass(r, 100, [orderReport(command, 'open'), orderReport(command, 'open', { venueId: 'twin' })]);
    expect(r.ctx().order(n)!.state).toBe('working');
    expect(r.ctx().markets[0]!.long.opening).toBe(0.02);
    expect(r.kernel.status().halts).toMatchObject([{ scope: 'symbol:BTCUSDT', code: 'duplicate-order' }]);
    expect(r.venue.last()).toMatchObject({ kind: CANCEL, target: 0, targetVenueId: 'twin' });
    pass(r, 2_000, [orderReport(command, 'open')]);
    expect(r.ctx().markets[0]!.long.opening).toBe(0.01);
    expect(r.kernel.status().halts.length).toBe(1);
  });

  test('is probed by a cancel every 8 s [outcomes R14], whose success proves that it had landed [outcomes R15]', () => {
    const r = polledRig();
    const n = ambiguous(r);
    pass(r, 20_000);
    expect(sent(r, PLACE)).toBe(1);
    expect(sent(r, CANCEL)).toBe(1);
    r.kernel.rejected(r.venue.last().seq, rejection('order-not-found'));
    expect([r.ctx().order(n)!.state, r.ctx().markets[0]!.isHalted]).toEqual(['unknown', true]);
    pass(r, 20_000);
    expect(sent(r, CANCEL)).toBe(2);
    r.kernel.accepted(r.venue.last().seq, '');
    expect(r.ctx().order(n)?.isAlive ?? false).toBe(false);
    expect(r.ctx().markets[0]!.isHalted).toBe(false);
    expect(r.records.filter(({ kind }) => kind === 'ended')).toHaveLength(1);
  });

  test('that its strategy wants cancelled is probed at once', () => {
    const r = polledRig();
    const n = ambiguous(r);
    expect(r.ctx().cancel(n)).toBe(true);
    expect(r.venue.last()).toMatchObject({ kind: CANCEL, target: n });
    r.kernel.accepted(r.venue.last().seq, '');
    expect(r.ctx().order(n)?.isAlive ?? false).toBe(false);
  });

  test('is presumed not to have landed after three complete absences and the horizon [outcomes R16]', () => {
    const r = polledRig();
    r.venue.onExecute = ({ kind, seq }) => void (kind === CANCEL && r.kernel.rejected(seq, rejection('order-not-found')));
    const n = ambiguous(r);
    pass(r, 59_000);
    expect(r.ctx().order(n)!.state).toBe('unknown');
    pass(r, 12_000);
    expect(r.log.events()).toContain('presumed-not-landed');
    expect(r.ctx().markets[0]!.isHalted).toBe(false);
  });

  test('whose reads fail for five minutes is reported and stays unknown [outcomes R17]', () => {
    const r = polledRig();
    const n = ambiguous(r);
    for (let s = 0; s < 400; s++) {
      r.advance(1_000);
      for (const query of r.open.splice(0)) {
        if (query.kind === 'pending' || query.kind === 'history') r.kernel.failed(query, 'timeout');
        else if (query.kind === 'positions') r.kernel.answered(query, { kind: 'positions', positions: [] }, r.clock.time, r.clock.time);
        else r.kernel.failed(query, 'timeout');
      }
    }
    expect(r.log.events().filter((event) => event === 'resolve-blind')).toEqual(['resolve-blind']);
    expect([r.ctx().order(n)!.state, r.ctx().markets[0]!.isHalted]).toEqual(['unknown', true]);
    expect(r.log.events()).not.toContain('presumed-not-landed');
  });

  test('whose id was taken is located when a read shows it [outcomes R7] [outcomes R18]', () => {
    const r = polledRig();
    const n = limit(r);
    r.kernel.rejected(n, rejection('duplicate-client-id'));
    pass(r, 2_000);
    r.kernel.rejected(r.venue.last().seq, rejection('order-not-found'));
    pass(r, 5_000);
    expect(r.ctx().order(n)!.state).toBe('unknown');
    pass(r, 10_000, [orderReport(r.venue.commands[0]!, 'open')]);
    expect(r.ctx().order(n)!.state).toBe('working');
  });

  test('whose id was taken is quarantined after the horizon, and only a person ends it [outcomes R19]', () => {
    const r = polledRig();
    const n = limit(r);
    r.kernel.rejected(n, rejection('duplicate-client-id'));
    pass(r, 200_000);
    expect(r.ctx().order(n)!.state).toBe('unknown');
    expect(sent(r, CANCEL)).toBeGreaterThan(0);
    expect(halts(r)).toContainEqual(expect.stringMatching(/^order-quarantined: tickwright settle/));
    // A restart forgets nothing of it.
    const second = rig({}, { polls: POLLS });
    second.clock.time = r.clock.time;
    second.kernel.restore(foldRecords(null, r.records));
    second.kernel.start();
    pass(second, 200_000);
    expect(halts(second)).toContainEqual(expect.stringMatching(/^order-quarantined/));
    expect(second.kernel.settle(n, null)).toBe(true);
    expect(second.kernel.status()).toMatchObject({ halts: [{ code: 'id-reused' }], liveOrders: 0 });
  });
});

describe('a market order that closes the whole position, of unknown outcome', () => {
  /** A rig with a LONG leg of 0.1 and a close of it without an outcome. */
  function closing(size?: number): { r: Rig; n: OrderNumber } {
    const r = polledRig();
    pass(r, 3_000, [], [positionReport(LONG, 100)]);
    const m = r.ctx().markets[0]!;
    expect(m.long.size).toBe(0.1);
    const n = r.ctx().close(m, 'LONG', size === undefined ? {} : { size });
    r.kernel.unknown(n, 'timeout');
    return { r, n };
  }

  test('is placed again under a new id with what the position shows [outcomes RC1]', () => {
    const { r, n } = closing();
    pass(r, 100, [], [positionReport(LONG, 100)]);
    const again = r.venue.last();
    expect(again).toMatchObject({ kind: PLACE, effect: CLOSE, type: MARKET, side: LONG, size: 100 });
    expect(again.seq).toBeGreaterThan(n);
    r.kernel.rejected(again.seq, rejection('no-position'));
    pass(r, 10_000, [orderReport(r.venue.commands[0]!, 'filled', { averagePrice: 1000 })], []);
    expect([r.ctx().markets[0]!.long.size, r.ctx().markets[0]!.isHalted]).toEqual([0, false]);
    expect(sent(r, PLACE)).toBe(2);
  });

  test('is not placed again when nothing is left, nor when it closed a part, nor more than five times', () => {
    const gone = closing();
    pass(gone.r, 2_000);
    expect(sent(gone.r, PLACE)).toBe(1);
    const part = closing(0.05);
    pass(part.r, 2_000, [], [positionReport(LONG, 100)]);
    expect(sent(part.r, PLACE)).toBe(1);
    const { r } = closing();
    for (let k = 0; k < 10; k++) {
      pass(r, 1_000, [], [positionReport(LONG, 100)]);
      r.kernel.unknown(r.venue.last().seq, 'timeout');
    }
    expect(sent(r, PLACE)).toBe(6);
  });
});

test('every command has one policy, and only what names a target state is sent again', () => {
  const rows = Object.values(RESOLVE_POLICIES);
  expect(rows.map(({ endpoint }) => endpoint).sort()).toEqual(['E1', 'E10', 'E11', 'E12', 'E13', 'E14', 'E15', 'E16', 'E2']);
  expect(
    rows
      .filter(({ tries }) => tries > 0)
      .map(({ endpoint }) => endpoint)
      .sort(),
  ).toEqual(['E10', 'E15', 'E16', 'E2']);
});
