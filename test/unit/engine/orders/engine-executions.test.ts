/** Executions, order by order: TWAP, iceberg, peg, OCO, grid; their brackets, ends, mistakes and restarts. */
import type { Execution, ExecutionKind } from 'tickwright';
import { describe, expect, test } from 'vitest';
import { CANCELLED } from '../../../../src/domain/orders/order.ts';
import { POST_ONLY } from '../../../../src/domain/orders/time-in-force.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import {
  polledRig,
  START,
  POLLS,
  positionReport,
  pushedRig,
  rejection,
  rig,
  settleReads,
  type Rig,
} from '../../../support/engine/engine-kit.ts';

interface Bench extends Rig {
  readonly ends: string[];
  readonly refused: string[];
  readonly start: (kind: ExecutionKind, fields: object) => Execution;
  readonly quote: (bid: number, ask?: number) => void;
  /** The venue accepts the newest command and fills `lots` of it. */
  readonly fill: (lots: number, price: number) => void;
  /** The venue carries out the newest command, a cancel. */
  readonly cancelled: () => void;
}

function bench(): Bench {
  const ends: string[] = [];
  const refused: string[] = [];
  const r = pushedRig({
    onExecution: (execution) => void ends.push(`${execution.kind} ${execution.why} ${execution.filled} of ${execution.size}`),
    onOrder: (event) => void (event.kind === 'refused' && refused.push(`${event.reason}: ${event.message}`)),
  });
  const accept = (): number => {
    const { seq } = r.venue.last();
    r.venue.accepted(seq, `v${seq}`);
    return seq;
  };
  return {
    ...r,
    ends,
    refused,
    start(kind, fields) {
      const ctx = r.ctx();
      const side = kind === 'oco' ? {} : { side: 'LONG' };
      const made = ctx[kind]({ market: ctx.markets[0]!, ...side, ...fields } as never);
      if (made === null) throw new Error('refused');
      return made;
    },
    quote(bid, ask = bid + 0.2) {
      r.advance(10);
      r.kernel.inbox.onQuote(0, Math.round(bid * 10), 5_000, Math.round(ask * 10), 5_000);
    },
    fill(lots, price) {
      r.venue.pushedFill(accept(), lots, Math.round(price * 10));
    },
    cancelled() {
      const { target } = r.venue.last();
      accept();
      r.venue.pushedEnd(target, CANCELLED);
    },
  };
}

const sizes = (r: Rig): number[] => r.venue.commands.filter(({ size }) => size > 0).map(({ size }) => size);

describe('TWAP', () => {
  test('sends a slice at a time, each with the stop-loss, and ends filled', () => {
    const r = bench();
    const twap = r.start('twap', { size: '0.010', durationMs: 3_000, slices: 3, stopLoss: 990 });
    for (const [lots, price] of [
      [3, 1000],
      [3, 1001],
      [4, 1002],
    ] as const) {
      expect(r.venue.last()).toMatchObject({ size: lots, type: 1, stopLoss: 9_900 });
      r.fill(lots, price);
      r.advance(1_000);
    }
    expect(sizes(r)).toEqual([3, 3, 4]);
    expect(twap.averagePrice).toBeCloseTo(1001.1, 9);
    expect(r.ends).toEqual(['twap filled 0.01 of 0.01']);
    expect(r.ctx().executions()).toEqual([]);
  });

  test('withdraws what a slice did not fill and spreads it over the others; a refused order is tried again; ends with its time', () => {
    const r = bench();
    r.start('twap', { size: '0.012', durationMs: 3_000, slices: 3, limit: 999 });
    expect(r.venue.last()).toMatchObject({ size: 4, type: 0, price: 9_990 });
    r.fill(1, 999);
    r.advance(1_000);
    expect(r.venue.last()).toMatchObject({ target: r.venue.commands[0]!.seq });
    r.cancelled();
    expect(r.venue.last().size).toBe(5);
    r.venue.rejected(r.venue.last().seq, rejection('system-error'));
    r.advance(999);
    expect(r.venue.commands).toHaveLength(3);
    r.advance(1);
    expect(r.venue.last().size).toBe(11);
    r.venue.accepted(r.venue.last().seq, 'v');
    r.advance(1_000);
    r.cancelled();
    expect(r.ends).toEqual(['twap time 0.001 of 0.012']);
  });
});

test('an iceberg shows a part at a time', () => {
  const r = bench();
  r.start('iceberg', { size: '0.010', limit: 999, show: '0.004', postOnly: true });
  for (const lots of [4, 4, 2]) {
    expect(r.venue.last()).toMatchObject({ size: lots, price: 9_990, force: POST_ONLY });
    r.fill(lots, 999);
  }
  expect(r.ends).toEqual(['iceberg filled 0.01 of 0.01']);
});

test('a peg follows the book, not more often than allowed, never beyond its limit, and never has two orders', () => {
  const r = bench();
  const peg = r.start('peg', { size: '0.010', to: 'bid', offset: 0.1, limit: 1000.5, everyMs: 500 });
  expect(r.venue.last()).toMatchObject({ price: 9_999, size: 10 });
  r.fill(2, 999.9);
  r.quote(1000.2);
  expect(r.venue.commands).toHaveLength(1);
  r.advance(500);
  expect(r.venue.last().target).toBe(r.venue.commands[0]!.seq);
  r.quote(1000.3);
  expect(r.venue.commands).toHaveLength(2);
  r.cancelled();
  expect(r.venue.last()).toMatchObject({ price: 10_002, size: 8 });
  r.venue.accepted(r.venue.last().seq, 'v2');
  r.advance(600);
  r.quote(1005);
  r.cancelled();
  expect(r.venue.last()).toMatchObject({ price: 10_005, size: 8 });
  r.venue.accepted(r.venue.last().seq, 'v3');
  peg.cancel('enough');
  r.cancelled();
  expect(r.ends).toEqual(['peg enough 0.002 of 0.01']);
});

describe('OCO', () => {
  const held = (): Bench => {
    const r = bench();
    r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.010' });
    r.fill(10, 1000);
    return r;
  };

  test('of a target and a stop: the stop withdraws the target and closes what is left', () => {
    const r = held();
    const close = { side: 'LONG', effect: 'CLOSE' };
    r.start('oco', {
      size: '0.010',
      orders: [
        { ...close, limit: 1010 },
        { ...close, trigger: 990 },
      ],
    });
    expect(r.venue.last()).toMatchObject({ effect: 1, price: 10_100, size: 10 });
    r.fill(4, 1010);
    r.quote(990);
    const before = r.venue.commands.length;
    expect(r.venue.last().target).toBe(r.venue.commands[1]!.seq);
    r.quote(989);
    expect(r.venue.commands).toHaveLength(before);
    r.cancelled();
    expect(r.venue.last()).toMatchObject({ effect: 1, type: 1, size: 6 });
    r.fill(6, 989);
    expect(r.ends).toEqual(['oco filled 0.01 of 0.01']);
  });

  test('of two entries: once one fills, the other is off', () => {
    const r = bench();
    const orders = [
      { side: 'LONG', trigger: 1010, stopLoss: 1000 },
      { side: 'SHORT', trigger: 990, stopLoss: 1000 },
    ];
    r.start('oco', { size: '0.010', orders });
    expect(r.venue.commands).toEqual([]);
    r.quote(1009.9);
    expect(r.venue.last()).toMatchObject({ side: 0, effect: 0, type: 1, size: 10, stopLoss: 10_000 });
    r.venue.rejected(r.venue.last().seq, rejection('system-error'));
    r.quote(980);
    r.advance(2_000);
    expect(r.venue.last()).toMatchObject({ side: 0, effect: 0 });
  });
});

test('a grid enters each level once, sells one level higher, and a venue stop ends it', () => {
  const r = bench();
  const grid = r.start('grid', { from: 999, to: 997, levels: 3, size: '0.010', stopLoss: 990, resting: true });
  expect(r.venue.commands.map(({ price, stopLoss }) => [price, stopLoss])).toEqual([
    [9_990, 9_900],
    [9_980, 9_900],
    [9_970, 9_900],
  ]);
  const [first, second, third] = r.venue.commands.map(({ seq }) => seq);
  for (const seq of [first!, second!, third!]) r.venue.accepted(seq, `v${seq}`);
  r.venue.pushedFill(first!, 10, 9_990);
  expect(r.venue.last()).toMatchObject({ effect: 1, price: 10_000, size: 10 });
  r.fill(10, 1000);
  expect(r.venue.last()).toMatchObject({ effect: 0, price: 9_990, size: 10 });
  r.venue.accepted(r.venue.last().seq, 'again');
  r.venue.pushedFill(second!, 10, 9_980);
  expect(grid).toMatchObject({ size: 0.03, filled: 0.01 });
  expect(grid.trades).toHaveLength(3);
  r.venue.accepted(r.venue.last().seq, 'target');
  r.quote(990);
  r.venue.pushedOwnFill(0, 0, 1, 10, 9_900);
  expect(grid.state).toBe('ending');
  const waiting = r.venue.commands.slice(-3).map(({ target }) => target);
  expect(waiting).toContain(third);
});

test('a grid with a stop-loss closes a level at the market, so that the stop stays whole', () => {
  const r = bench();
  r.start('grid', { from: 999, to: 997, levels: 3, size: '0.010', stopLoss: 990 });
  const [first] = r.venue.commands.map(({ seq }) => seq);
  r.venue.accepted(first!, 'first');
  r.venue.pushedFill(first!, 10, 9_990);
  expect(r.venue.commands, 'the bid of 1000 is older than the fill').toHaveLength(3);
  r.quote(999.9);
  expect(r.venue.commands).toHaveLength(3);
  r.quote(1000);
  expect(r.venue.last()).toMatchObject({ effect: 1, type: 1, size: 10 });
});

test('a grid of two rounds enters its level twice and ends', () => {
  const r = bench();
  r.start('grid', { from: 999, to: 998, levels: 2, size: '0.010', stopLoss: 990, rounds: 2, resting: true });
  const entries = (): number[] => r.venue.commands.filter(({ effect, size }) => effect === 0 && size > 0).map(({ price }) => price);
  const [first, second] = r.venue.commands.map(({ seq }) => seq);
  for (const seq of [first!, second!]) r.venue.accepted(seq, `v${seq}`);
  r.venue.pushedFill(first!, 10, 9_990);
  r.fill(10, 1000);
  expect(entries()).toEqual([9_990, 9_980, 9_990]);
  r.fill(10, 999);
  r.fill(10, 1000);
  expect(entries(), 'the level had its rounds').toEqual([9_990, 9_980, 9_990]);
  expect(r.ends).toEqual([]);
  r.venue.pushedFill(second!, 10, 9_980);
  r.fill(10, 999);
  expect(entries()).toEqual([9_990, 9_980, 9_990, 9_980]);
  r.fill(10, 998);
  r.fill(10, 999);
  expect(r.ends).toEqual(['grid filled 0 of 0.02']);
});

describe('an execution', () => {
  test('ends when the stop-loss of one of its orders fires', () => {
    const r = bench();
    r.start('iceberg', { size: '0.010', limit: 1000, show: '0.004', stopLoss: 990 });
    r.fill(4, 1000);
    r.venue.accepted(r.venue.last().seq, 'v2');
    r.venue.pushedOwnFill(0, 0, 1, 4, 9_900);
    r.cancelled();
    expect(r.ends).toEqual(['iceberg stop-loss 0.004 of 0.01']);
  });

  test('that closes ends when there is nothing to close', () => {
    const r = bench();
    r.start('twap', { size: '0.010', effect: 'CLOSE', durationMs: 1_000, slices: 2 });
    expect(r.ends).toEqual(['twap nothing to close 0 of 0.01']);
    expect(r.venue.commands).toEqual([]);
  });

  test('whose orders are refused again and again ends', () => {
    const r = bench();
    r.start('iceberg', { size: '0.010', limit: 1000, show: '0.004', stopLoss: 1001 });
    r.advance(600_000);
    expect(r.ends).toEqual(['iceberg refused 0 of 0.01']);
    expect(r.refused.every((text) => text.startsWith('exit-side'))).toBe(true);
    expect(r.refused).toHaveLength(10);
  });

  test.each([
    ['twap', { size: '0.002', durationMs: 1_000, slices: 3 }, /at least 3 × 1 lots was expected for 3 slices, found 2/],
    ['twap', { size: '0.01', durationMs: 1_000, slices: 1.5 }, /slices is a whole number from 1 to 1000, found 1.5/],
    ['iceberg', { size: '0.01', limit: 1000, show: '0.02' }, /show is from 1 lots to the size of 10, found 20/],
    [
      'iceberg',
      { size: '0.01', limit: 1000, show: '0.002', postonly: true },
      /ctx.iceberg: there is no "postonly" \(did you mean "postOnly"/,
    ],
    ['iceberg', { size: '0.01', limit: 1000, show: '0.002', stopLoss: { triger: 990 } }, /ctx.iceberg: there is no "triger" in stopLoss/],
    [
      'oco',
      {
        size: '0.01',
        orders: [
          { side: 'LONG', limt: 1 },
          { side: 'LONG', limit: 1 },
        ],
      },
      /ctx.oco: there is no "limt" in orders/,
    ],
    ['peg', { size: '0.01', to: 'last' }, /to is 'bid', 'ask' or 'mid', found last/],
    ['peg', { size: '0.01', to: 'bid', everyMs: 0 }, /everyMs/],
    ['peg', { size: '0', to: 'bid' }, /bad-amount/],
    ['oco', { size: '0.01', orders: [{ side: 'LONG' }, { side: 'LONG', limit: 1 }], side: 'LONG' }, /ctx.oco: there is no "side"/],
    ['grid', { size: '0.01', from: 990, to: 1000, levels: 3 }, /from its nearest level to its farthest: down for LONG/],
    ['twap', { size: '0.01', durationMs: 1_000, slices: 2, effect: 'CLOSE', stopLoss: 990 }, /belong to orders that open/],
  ] as const)('%s with %o is refused and says why', (kind, fields, message) => {
    const r = bench();
    expect(() => r.start(kind, fields)).toThrow('refused');
    r.kernel.inbox.runTimers(r.clock.time);
    expect(r.refused.join()).toMatch(message);
    expect(r.venue.commands).toEqual([]);
  });
});

describe('after a restart', () => {
  test('the journal alone brings an execution back: it goes on with its order, and counts what filled meanwhile', () => {
    const r = bench();
    r.start('iceberg', { size: '0.010', limit: 999, show: '0.004', stopLoss: 990, reason: 'why' });
    r.fill(4, 999);
    const second = r.venue.last();
    r.venue.accepted(second.seq, 'v2');
    r.venue.pushedFill(second.seq, 1, 9_990);
    const snapshot = foldRecords(null, JSON.parse(JSON.stringify(r.records)) as typeof r.records);
    expect(snapshot.executions?.['probe']).toMatchObject(
      [{ filled: 5, child: { order: second.seq, filled: 1 }, bracketed: [{}, {}] }].map(() => ({ filled: 5 })),
    );
    const fresh = rig({}, { polls: POLLS });
    fresh.kernel.restore(snapshot);
    fresh.kernel.inbox.start();
    for (let k = 0; k < 20 && fresh.kernel.phase !== 'armed'; k++) {
      settleReads(fresh, [], [positionReport(0, 5)]);
      fresh.advance(500);
    }
    const [same] = fresh.ctx().executions();
    expect(same).toMatchObject({ kind: 'iceberg', reason: 'why', filled: 0.005, left: 0.005, state: 'working' });
    expect(fresh.kernel.snapshot().executions).toBeDefined();
  });

  test('what a strategy left that does not run is kept until it runs again; its executions are reported', () => {
    const r = bench();
    const { id } = r.start('iceberg', { size: '0.010', limit: 999, show: '0.004' });
    const { executions, ...snapshot } = foldRecords(null, r.records);
    const other = executions!['probe']!;
    const kept = { schedules: { other: [{ name: 'daily', cron: '0 0 * * *', isDeclared: true, until: 0 }] }, state: { other: { n: 1 } } };
    const fresh = rig({}, { polls: POLLS });
    fresh.kernel.restore({ ...snapshot, ...kept, executions: { other, gone: [] } });
    fresh.kernel.inbox.start();
    for (let k = 0; k < 20 && fresh.kernel.phase !== 'armed'; k++) {
      settleReads(fresh, [], []);
      fresh.advance(500);
    }
    expect(fresh.ctx().executions()).toEqual([]);
    expect(fresh.log.lines.filter(({ event }) => event === 'execution-without-strategy').map(({ fields }) => fields)).toEqual([
      { strategy: 'other', id, kind: 'iceberg', symbol: 'BTCUSDT', since: START },
    ]);
    const again = fresh.kernel.snapshot();
    expect(again).toMatchObject({ ...kept, executions: { other } });
    expect([Object.keys(again.executions!), again.trades]).toEqual([['other'], undefined]);
  });

  test('one that has ended is forgotten, and its number is not given again', () => {
    const r = bench();
    const { id } = r.start('twap', { size: '0.010', effect: 'CLOSE', durationMs: 1_000, slices: 2 });
    const folded = foldRecords(null, r.records);
    expect(folded.executions).toEqual({ probe: [] });
    expect(folded.nextSeq).toBeGreaterThan(id);
    expect(polledRig().ctx().executions()).toEqual([]);
  });
});
