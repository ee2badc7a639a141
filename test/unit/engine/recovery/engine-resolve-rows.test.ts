/** The rows of the resolver's table (docs/promises.md), one test each: what is sent, reported and halted. */
import { describe, expect, test } from 'vitest';
import { CANCEL, CLOSE, LONG, MARKET, PLACE } from '../../../../src/domain/codes.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import type { OrderNumber } from '../../../../src/engine/intents/market-types.ts';
import { COMMAND_TRAITS } from '../../../../src/domain/orders/command-traits.ts';
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
import { settle } from '../../../support/engine/operator-commands.ts';

function limit(r: Rig): OrderNumber {
  return r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
}

/** Places one order whose outcome is lost. */
function ambiguous(r: Rig): OrderNumber {
  const n = limit(r);
  r.venue.unknown(n, 'timeout');
  return n;
}

/** For `ms`, every read returns these orders, and every command in `fails` gets an unknown outcome. */
function pass(r: Rig, ms: number, orders: Parameters<typeof settleReads>[1] = [], positions: Parameters<typeof settleReads>[2] = []): void {
  for (let passed = 0; passed < ms; passed += 100) {
    r.advance(100);
    for (let left = 4; left > 0 && r.open.length > 0; left--) settleReads(r, orders, positions);
  }
}

const sent = (r: Rig, kind: number): number => r.venue.commands.filter((command) => command.kind === kind).length;
const halts = (r: Rig): string[] => r.kernel.status().halts.map(({ code, ends }) => `${code}: ${ends}`);

describe('an answer that is not a plain rejection', () => {
  test('"Already ordering" is not a refusal: the order is looked up [outcomes R6b]', () => {
    const r = polledRig();
    const a = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
    r.venue.rejected(a, rejection('already-ordering'));
    expect(r.ctx().order(a)!.state).toBe('unknown');
  });

  test('an id that the venue has seen before halts all opens; the order is unknown [outcomes R8]', () => {
    const told: string[] = [];
    const r = polledRig({ onOrder: (event) => void (event.order.number > 0 && told.push(event.state)) });
    const n = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
    r.venue.rejected(n, rejection('duplicate-client-id'));
    expect(r.kernel.status().haltedAll).toBe('id-reused');
    expect(told).toEqual(['unknown']);
    expect(r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01)).toBe(0);
    expect(r.ctx().markets[0]!.long.opening).toBe(0.01);
    pass(r, 90_000);
    expect(told).toEqual(['unknown']);
  });

  test('a mixed-up or unauthorized answer halts all opens [outcomes C6] [outcomes C10]', () => {
    for (const cause of ['response-mixup', 'unauthorized']) {
      const r = polledRig();
      const n = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
      r.venue.unknown(n, cause);
      expect(r.ctx().order(n)!.state).toBe('unknown');
      expect(r.kernel.status().haltedAll).toBe(cause);
      expect(r.log.events()).toContain('opens-halted');
      pass(r, 90_000);
      expect(r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01)).toBe(0);
    }
  });

  test('a valid "unauthorized" rejection ends the order and halts all opens [outcomes R6c]', () => {
    const r = polledRig();
    const n = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
    r.venue.rejected(n, rejection('unauthorized'));
    expect(r.ctx().order(n)?.isAlive ?? false).toBe(false);
    expect(r.kernel.status().haltedAll).toBe('unauthorized');
  });
});

describe('a key that may read but not trade', () => {
  const opens = (r: ReturnType<typeof polledRig>): number => r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);

  test('halts at the first refused order; opens are tried again after pauses that double, and a taken order ends them', () => {
    const r = polledRig();
    const halted: number[] = [];
    for (let k = 0; k < 4; k++) {
      const n = opens(r);
      expect(n).toBeGreaterThan(0);
      r.venue.rejected(n, rejection('unauthorized'));
      const from = r.clock.now();
      expect(r.kernel.status().haltedAll).toBe('unauthorized');
      expect(opens(r)).toBe(0);
      while (r.kernel.status().haltedAll !== '') pass(r, 100);
      halted.push(Math.round((r.clock.now() - from) / 1_000));
    }
    expect(halted).toEqual([2, 4, 8, 16]);
    expect(r.log.events().filter((event) => event === 'unauthorized')).toHaveLength(4);
    r.venue.accepted(opens(r), 'fu-1');
    const n = opens(r);
    r.venue.rejected(n, rejection('unauthorized'));
    const from = r.clock.now();
    while (r.kernel.status().haltedAll !== '') pass(r, 100);
    expect(r.clock.now() - from).toBeLessThan(3_000);
  });

  test('a halt of a person stands when the key works again', () => {
    const r = polledRig();
    r.venue.rejected(opens(r), rejection('unauthorized'));
    r.kernel.inbox.operate({ name: 'halt', by: 'ann', scope: '', why: 'news' } as never);
    for (let k = 0; k < 50; k++) pass(r, 100);
    expect(r.kernel.status().halts.map(({ code }) => code)).toEqual(['operator']);
    expect(opens(r)).toBe(0);
  });
});

describe('an order that reads do not show', () => {
  test('halts its symbol if found with another price than it was sent with [outcomes R11]', () => {
    const r = polledRig();
    const n = ambiguous(r);
    pass(r, 100, [orderReport(r.venue.commands[0]!, 'open', { price: 9_980 })]);
    expect(r.ctx().order(n)!.state).toBe('unknown');
    expect(r.kernel.status().halts).toContainEqual(expect.objectContaining({ scope: 'symbol:BTCUSDT', code: 'id-collision' }));
  });

  test('found twice counts twice, halts its symbol, and the second one is cancelled [outcomes R12]', () => {
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

  test('is probed by a cancel every 8 s [outcomes R14]; a success proves that it had landed [outcomes R15]', () => {
    const r = polledRig();
    const n = ambiguous(r);
    pass(r, 20_000);
    expect(sent(r, PLACE)).toBe(1);
    expect(sent(r, CANCEL)).toBe(1);
    r.venue.rejected(r.venue.last().seq, rejection('order-not-found'));
    expect([r.ctx().order(n)!.state, r.ctx().markets[0]!.isHalted]).toEqual(['unknown', true]);
    pass(r, 20_000);
    expect(sent(r, CANCEL)).toBe(2);
    r.venue.accepted(r.venue.last().seq, '');
    expect(r.ctx().order(n)?.isAlive ?? false).toBe(false);
    expect(r.ctx().markets[0]!.isHalted).toBe(false);
    expect(r.records.filter(({ kind }) => kind === 'ended')).toHaveLength(1);
  });

  test('is probed at once if its strategy wants it cancelled', () => {
    const r = polledRig();
    const n = ambiguous(r);
    expect(r.ctx().cancel(n)).toBe(true);
    expect(r.venue.last()).toMatchObject({ kind: CANCEL, target: n });
    r.venue.accepted(r.venue.last().seq, '');
    expect(r.ctx().order(n)?.isAlive ?? false).toBe(false);
  });

  test('is presumed not landed after three complete absences and the horizon [outcomes R16] [outcomes E12]', () => {
    const r = polledRig();
    r.venue.onExecute = ({ kind, seq }) => void (kind === CANCEL && r.venue.rejected(seq, rejection('order-not-found')));
    const n = ambiguous(r);
    pass(r, 59_000);
    expect(r.ctx().order(n)!.state).toBe('unknown');
    pass(r, 24_000);
    expect(r.log.events()).toContain('presumed-not-landed');
    expect(r.ctx().markets[0]!.isHalted).toBe(false);
  });

  test('is not presumed lost by one list after the horizon: the next, a lag of the lists later, shows it', () => {
    const r = polledRig();
    r.venue.onExecute = ({ kind, seq }) => void (kind === CANCEL && r.venue.rejected(seq, rejection('order-not-found')));
    const n = ambiguous(r);
    pass(r, 66_000);
    expect(r.ctx().order(n)!.state).toBe('unknown');
    const filled = orderReport(r.venue.commands[0]!, 'filled', { averagePrice: 999, updatedAt: r.clock.time - 8_000 });
    pass(r, 20_000, [filled], [positionReport(LONG, 10)]);
    expect(r.ctx().markets[0]!.long.size).toBe(0.01);
    expect(r.log.events()).not.toContain('presumed-not-landed');
    expect(r.log.events()).not.toContain('late-landing');
  });

  test('is reported after reads failed for five minutes, and stays unknown [outcomes R17]', () => {
    const r = polledRig();
    const n = ambiguous(r);
    for (let s = 0; s < 400; s++) {
      r.advance(1_000);
      for (const query of r.open.splice(0)) {
        if (query.kind === 'pending' || query.kind === 'history') r.venue.failed(query, 'timeout');
        else if (query.kind === 'positions') r.venue.answered(query, { kind: 'positions', positions: [] }, r.clock.time, r.clock.time);
        else r.venue.failed(query, 'timeout');
      }
    }
    expect(r.log.events().filter((event) => event === 'resolve-blind')).toEqual(['resolve-blind']);
    expect([r.ctx().order(n)!.state, r.ctx().markets[0]!.isHalted]).toEqual(['unknown', true]);
    expect(r.log.events()).not.toContain('presumed-not-landed');
  });

  test('with a used id is located when a read shows it [outcomes R7] [outcomes R18]', () => {
    const r = polledRig();
    const n = limit(r);
    r.venue.rejected(n, rejection('duplicate-client-id'));
    pass(r, 2_000);
    r.venue.rejected(r.venue.last().seq, rejection('order-not-found'));
    pass(r, 5_000);
    expect(r.ctx().order(n)!.state).toBe('unknown');
    pass(r, 10_000, [orderReport(r.venue.commands[0]!, 'open')]);
    expect(r.ctx().order(n)!.state).toBe('working');
  });

  test('with a used id is quarantined after the horizon, and only an operator ends it [outcomes R19]', () => {
    const r = polledRig();
    const n = limit(r);
    r.venue.rejected(n, rejection('duplicate-client-id'));
    pass(r, 200_000);
    expect(r.ctx().order(n)!.state).toBe('unknown');
    expect(sent(r, CANCEL)).toBeGreaterThan(0);
    expect(halts(r)).toContainEqual(expect.stringMatching(/^order-quarantined: tickwright settle/));
    // A restart keeps all of it.
    const second = rig({}, { polls: POLLS });
    second.clock.time = r.clock.time;
    second.kernel.restore(foldRecords(null, r.records));
    second.kernel.inbox.start();
    pass(second, 200_000);
    expect(halts(second)).toContainEqual(expect.stringMatching(/^order-quarantined/));
    expect(settle(second.kernel, n, null)).toBe(true);
    expect(second.kernel.status()).toMatchObject({ halts: [{ code: 'id-reused' }], liveOrders: 0 });
  });
});

describe('an order with a clear outcome', () => {
  test('that was never sent is reported at once and not sent again by itself [outcomes R2]', () => {
    const told: string[] = [];
    const r = polledRig({ onOrder: (event) => void told.push(`${event.state} ${event.reason}`) });
    const n = limit(r);
    r.venue.unsent(n, 'expired-in-queue');
    pass(r, 10_000);
    expect(told).toEqual(['refused unsent']);
    expect(sent(r, PLACE)).toBe(1);
  });

  test('that was accepted is tracked by its venue id [outcomes R3]', () => {
    const r = polledRig();
    const n = limit(r);
    r.venue.accepted(n, 'v1');
    expect(r.ctx().order(n)).toMatchObject({ state: 'working', venueId: 'v1' });
    expect(r.records.at(-1)).toMatchObject({ kind: 'outcome', seq: n, data: { status: 'accepted', venueId: 'v1' } });
  });

  test.each(['size-too-small', 'insufficient-balance'] as const)(
    'that was rejected for %s has ended as rejected [outcomes R4]',
    (reason) => {
      const told: string[] = [];
      const r = polledRig({ onOrder: (event) => void told.push(`${event.state} ${event.reason}`) });
      r.venue.rejected(limit(r), rejection(reason));
      expect(told).toEqual([`rejected ${reason}`]);
      expect(r.kernel.status()).toMatchObject({ liveOrders: 0, halts: [] });
    },
  );

  test('of unknown outcome is not ended by a later rejection [outcomes R6]', () => {
    const r = polledRig();
    const n = ambiguous(r);
    r.venue.rejected(n, rejection('insufficient-balance'));
    expect([r.ctx().order(n)!.state, r.ctx().markets[0]!.isHalted]).toEqual(['unknown', true]);
    pass(r, 100, [orderReport(r.venue.commands[0]!, 'open')]);
    expect(r.ctx().order(n)!.state).toBe('working');
  });

  test('that filled after it was given up is reported [outcomes R21]', () => {
    const r = polledRig();
    r.venue.onExecute = ({ kind, seq }) => void (kind === CANCEL && r.venue.rejected(seq, rejection('order-not-found')));
    const n = ambiguous(r);
    pass(r, 85_000);
    expect(r.ctx().order(n)?.isAlive ?? false).toBe(false);
    const query = { kind: 'history', instrument: 0, clientId: '', since: 0 } as const;
    const orders = [orderReport(r.venue.commands[0]!, 'filled', { averagePrice: 999 })];
    r.open.push(query);
    // A read of the whole history shows it, as after a restart.
    const second = rig({}, { polls: POLLS });
    second.clock.time = r.clock.time;
    second.kernel.restore(r.kernel.snapshot());
    second.kernel.inbox.start();
    pass(second, 2_000, orders, [positionReport(LONG, 10)]);
    expect(second.kernel.markets[0]!.long.size).toBe(0.01);
  });
});

describe('a modify of unknown outcome [outcomes 2.7]', () => {
  type State = 'open' | 'cancelled' | 'filled' | null;
  const worlds: readonly (readonly [world: string, old: State, made: State, live: string[], halts: string[]])[] = [
    ['a: it was not applied', 'open', null, ['old working'], []],
    ['b: it was applied', 'cancelled', 'open', ['new working'], []],
    ['b2: it was applied and has filled', 'cancelled', 'filled', [], []],
    ['c: the old order is gone, the new one was refused', 'cancelled', null, [], []],
    ['d: the old order has filled first', 'filled', null, [], []],
    ['f: both orders are there', 'open', 'open', ['new working', 'old working'], ['duplicate-order']],
  ];

  test.each(worlds)('world %s', (_world, old, made, live, codes) => {
    const r = polledRig();
    r.venue.onExecute = ({ kind, seq }) => void (kind === CANCEL && r.venue.rejected(seq, rejection('order-not-found')));
    const a = limit(r);
    const resting = r.venue.last();
    r.venue.accepted(a, `v${a}`);
    r.advance(1);
    const b = r.ctx().modify(a, { limit: 998 });
    const replacing = r.venue.last();
    r.venue.unknown(b, 'timeout');
    const reports = [
      ...(old === null ? [] : [orderReport(resting, old, { averagePrice: old === 'filled' ? 999 : 0 })]),
      ...(made === null ? [] : [orderReport(replacing, made, { averagePrice: made === 'filled' ? 998 : 0 })]),
    ];
    const filled = old === 'filled' || made === 'filled' ? [positionReport(LONG, 10)] : [];
    pass(r, 80_000, reports, filled);
    const names = r.ctx().markets[0]!.orders.map(({ number, state }) => `${number === a ? 'old' : number === b ? 'new' : number} ${state}`);
    expect(names.sort()).toEqual(live);
    expect(r.kernel.status().halts.map(({ code }) => code)).toEqual(codes);
    expect(r.ctx().markets[0]!.long.size).toBe(filled.length === 0 ? 0 : 0.01);
  });

  test('world e: no read shows either, so both stay unknown until the horizon', () => {
    const r = polledRig();
    const a = limit(r);
    r.venue.accepted(a, 'v1');
    r.advance(1);
    const b = r.ctx().modify(a, { limit: 998 });
    r.venue.unknown(b, 'timeout');
    pass(r, 50_000);
    expect(r.ctx().markets[0]!.orders.map(({ state }) => state)).toEqual(['unknown', 'unknown']);
    expect(r.ctx().markets[0]!.long.opening).toBe(0.01);
  });
});

test('no placing command is ever sent twice, whatever a venue does with used ids [X7]', () => {
  for (const how of ['unsent', 'unknown'] as const) {
    const r = polledRig();
    r.venue[how](limit(r), 'timeout');
    pass(r, 200_000);
    expect(sent(r, PLACE)).toBe(1);
  }
});

describe('a full market close of unknown outcome', () => {
  /** A rig with a LONG position of 0.1 and a close of it without an outcome. */
  function closing(size?: number): { r: Rig; n: OrderNumber } {
    const r = polledRig();
    pass(r, 3_000, [], [positionReport(LONG, 100)]);
    const m = r.ctx().markets[0]!;
    expect(m.long.size).toBe(0.1);
    const n = r.ctx().close(m, 'LONG', size === undefined ? {} : { size });
    r.venue.unknown(n, 'timeout');
    return { r, n };
  }

  test('is placed again under a new id with the size that the position shows [outcomes RC1]', () => {
    const { r, n } = closing();
    pass(r, 100, [], [positionReport(LONG, 100)]);
    const again = r.venue.last();
    expect(again).toMatchObject({ kind: PLACE, effect: CLOSE, type: MARKET, side: LONG, size: 100 });
    expect(again.seq).toBeGreaterThan(n);
    r.venue.rejected(again.seq, rejection('no-position'));
    pass(r, 10_000, [orderReport(r.venue.commands[0]!, 'filled', { averagePrice: 1000 })], []);
    expect([r.ctx().markets[0]!.long.size, r.ctx().markets[0]!.isHalted]).toEqual([0, false]);
    expect(sent(r, PLACE)).toBe(2);
  });

  test('is not repeated if nothing is left, for a partial close, or more than five times', () => {
    const gone = closing();
    pass(gone.r, 2_000);
    expect(sent(gone.r, PLACE)).toBe(1);
    const part = closing(0.05);
    pass(part.r, 2_000, [], [positionReport(LONG, 100)]);
    expect(sent(part.r, PLACE)).toBe(1);
    const { r } = closing();
    for (let k = 0; k < 10; k++) {
      pass(r, 1_000, [], [positionReport(LONG, 100)]);
      r.venue.unknown(r.venue.last().seq, 'timeout');
    }
    expect(sent(r, PLACE)).toBe(6);
  });
});

test('every command has one policy, and only target-state commands are repeated', () => {
  const rows = Object.values(COMMAND_TRAITS).map(({ unknown }) => unknown);
  expect(rows.map(({ endpoint }) => endpoint).sort()).toEqual(['E1', 'E10', 'E11', 'E12', 'E13', 'E14', 'E15', 'E16', 'E2']);
  expect(
    rows
      .filter(({ tries }) => tries > 0)
      .map(({ endpoint }) => endpoint)
      .sort(),
  ).toEqual(['E10', 'E15', 'E16', 'E2']);
});
