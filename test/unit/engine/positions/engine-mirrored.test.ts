/** A person places an order that looks just like what a waiting trigger order becomes: whose it is, the trades of the market show. */
import { expect, test } from 'vitest';
import { LIMIT, LONG, MARKET } from '../../../../src/domain/codes.ts';
import type { OrderReport, TradeReport } from '../../../../src/domain/report.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import type { StrategyHandlers } from '../../../../src/engine/strategy/definition/types.ts';
import { orderReport, polledRig, POLLS, positionReport, rig, usual, type Rig } from '../../../support/engine/engine-kit.ts';

/** Market trades at these prices in ticks, by seconds after `at`. */
function tradesAround(at: number, prices: Readonly<Record<string, number>>): TradeReport[] {
  return Object.entries(prices).map(([second, price], k) => {
    return { instrument: 0, tradeId: String(k), price, size: 1, aggressor: 0, venueTime: at + Number(second) * 1_000 } as TradeReport;
  });
}

/**
 * A LONG trigger order of ten lots waits at 1010.0. Then the venue shows an order of others of `size` lots, and as large a position; the
 * market traded at `prices`. Gives the fills that the strategy heard of, and what was logged as external.
 */
function met(
  prices: Readonly<Record<string, number>>,
  size = 10,
  by: 'LAST' | 'MARK' = 'LAST',
): { r: Rig; told: number; external: string[] } {
  let told = 0;
  const handlers: StrategyHandlers = { onOrder: ({ fillSize }) => void (told += Math.round(fillSize * 1_000)) };
  const r = polledRig(handlers, { external: { position: 'adopt' } });
  const n = r.ctx().placeTrigger({ market: r.ctx().markets[0]!, side: 'LONG', size: '0.01', trigger: 1010, triggerBy: by });
  r.venue.accepted(n, 'p1');
  const command = r.venue.last();
  const read = (ms: number, orders: readonly OrderReport[], lots: number, at: number): void => {
    for (let passed = 0; passed < ms; passed += 100) {
      r.advance(100);
      const positions = lots > 0 ? [positionReport(LONG, lots, { createdAt: at, updatedAt: at })] : [];
      for (let query = r.open.shift(); query !== undefined; query = r.open.shift()) {
        const now = r.clock.time;
        const answer =
          query.kind === 'trades' ? { kind: query.kind, trades: tradesAround(at, prices) } : usual(query, orders, positions, now);
        r.venue.answered(query, answer, now, now);
      }
    }
  };
  read(8_000, [], 0, 0);
  const at = r.clock.time;
  const facts = { venueId: 'x', clientId: '', type: MARKET, price: 0, size, averagePrice: 1_000, createdAt: at, updatedAt: at };
  read(30_000, [orderReport(command, 'filled', facts)], size, at);
  const external = r.log.lines.filter(({ event }) => event === 'external').map(({ fields }) => String(fields['change']));
  return { r, told, external };
}

test('it is the person’s where the market did not come to the trigger, and the trigger order waits on', () => {
  const { r, told, external } = met({ '-3': 10_000, '-0.5': 10_001, 0.1: 10_000, 2: 10_000 });
  expect([told, external]).toEqual([0, ['0.010']]);
  expect(r.ctx().markets[0]!.orders.map(({ state, remaining }) => [state, remaining])).toEqual([['working', 0.01]]);
  expect(r.ctx().markets[0]!.long.size).toBe(0.01);
});

test.each([
  ['traded at the trigger', { '-3': 10_000, '-0.5': 10_101, 2: 10_000 }],
  ['jumped over it', { '-3': 10_000, '-0.5': 10_300, 2: 10_300 }],
  ['is shown by too few trades', { '-0.5': 10_000, 2: 10_000 }],
])('it is what the trigger order became where the market %s', (_what, prices) => {
  const { told, external } = met(prices);
  expect([told, external]).toEqual([10, []]);
});

test('it is what the trigger order became where the mark price fires that: no read shows where it was', () => {
  const { told, external } = met({ '-3': 10_000, '-0.5': 10_001, 0.1: 10_000, 2: 10_000 }, 10, 'MARK');
  expect([told, external]).toEqual([10, []]);
});

test('a list of trades that ends before the order was created decides only when none is so late', () => {
  const { r, told, external } = met({ '-3': 10_000, '-0.5': 10_001 });
  expect([told, external]).toEqual([0, ['0.010']]);
  expect(r.log.lines.find(({ event }) => event === 'external')!.fields['kind']).toBe('position');
});

test('a smaller order of a person is not a part of the trigger order, whatever the market did', () => {
  const { told, external } = met({ '-3': 10_000, '-0.5': 10_101, 2: 10_000 }, 4);
  expect([told, external]).toEqual([0, ['0.004']]);
});

/** Answers every read for `ms`, with these order records and market trades. */
function readFor(r: Rig, ms: number, orders: readonly OrderReport[], trades: readonly TradeReport[]): void {
  for (let passed = 0; passed < ms; passed += 100) {
    r.advance(100);
    for (let query = r.open.shift(); query !== undefined; query = r.open.shift()) {
      const answer = query.kind === 'trades' ? { kind: query.kind, trades } : usual(query, orders, [], r.clock.time);
      r.venue.answered(query, answer, r.clock.time, r.clock.time);
    }
  }
}

/** A LONG trigger order of ten lots waits at 990.0 to become a limit order at 989.0, and a person's limit order of that size and price rests. */
function rests(): { r: Rig; theirs: OrderReport } {
  const r = polledRig();
  r.venue.accepted(r.ctx().placeTrigger({ market: r.ctx().markets[0]!, side: 'LONG', size: '0.01', trigger: 990, limit: 989 }), 'p1');
  readFor(r, 8_000, [], []);
  const at = r.clock.time;
  const facts = { venueId: 'x', clientId: '', type: LIMIT, price: 9_890, size: 10, createdAt: at, updatedAt: at };
  const theirs = orderReport(r.venue.last(), 'open', facts);
  readFor(r, 20_000, [theirs], tradesAround(at, { '-3': 10_000, '-0.5': 10_001, 2: 10_000 }));
  return { r, theirs };
}

const fired = (r: Rig): number => r.records.filter(({ kind }) => kind === 'trigger-fired').length;

test.each(['journal', 'snapshot'])('what trades have shown to be a person’s stays that after a kill, by the %s', (kept) => {
  const { r, theirs } = rests();
  expect(fired(r)).toBe(0);
  const next = rig({}, { polls: POLLS });
  next.kernel.restore(kept === 'journal' ? foldRecords(null, r.records) : r.kernel.snapshot());
  next.clock.time = r.clock.time + 60_000;
  next.kernel.inbox.start();
  // The trades do not reach back to the time of that order any more.
  readFor(next, 30_000, [theirs], tradesAround(next.clock.time, { '-1': 10_000, 0: 10_000 }));
  expect([next.kernel.phase, fired(next), next.venue.commands.length]).toEqual(['armed', 0, 0]);
  expect(next.kernel.liveOrders().map(({ venueId }) => venueId)).toEqual(['p1']);
});

test('also after the trades of a thousand other orders were read', () => {
  const { r, theirs } = rests();
  for (let k = 0; k < 3; k++) {
    const at = r.clock.time;
    const others = Array.from(
      { length: 400 },
      (_, n) => ({ ...theirs, venueId: `y${k}-${n}`, createdAt: at, updatedAt: at }) as OrderReport,
    );
    readFor(r, 3_000, [theirs, ...others], tradesAround(at, { '-3': 10_000, '-0.5': 10_001, 2: 10_000 }));
  }
  readFor(r, 30_000, [theirs], tradesAround(r.clock.time, { '-1': 10_000, 0: 10_000 }));
  expect([fired(r), r.venue.commands.length]).toEqual([0, 1]);
});

test.each([
  [2_000, 0],
  [500, 1],
])('an order that the venue created %s ms before the trigger order was sent: %s times it is what that became', (ms, times) => {
  const r = polledRig();
  readFor(r, 8_000, [], []);
  const at = r.clock.time - ms;
  r.venue.accepted(r.ctx().placeTrigger({ market: r.ctx().markets[0]!, side: 'LONG', size: '0.01', trigger: 990, limit: 989 }), 'p1');
  const facts = { venueId: 'x', clientId: '', type: LIMIT, price: 9_890, size: 10, createdAt: at, updatedAt: at };
  readFor(r, 20_000, [orderReport(r.venue.last(), 'open', facts)], tradesAround(at, { '-3': 10_000, '-0.5': 9_900, 2: 10_000 }));
  expect(fired(r)).toBe(times);
});

test('where the venue names what trigger orders become, an order without a name stays another party’s after a kill', () => {
  const r = polledRig();
  const [m] = r.ctx().markets;
  r.venue.accepted(r.ctx().placeTrigger({ market: m!, side: 'LONG', size: '0.02', trigger: 995, limit: 994 }), 'p1');
  const named = orderReport(r.venue.last(), 'open', { venueId: 'n1', type: LIMIT });
  r.venue.accepted(r.ctx().placeTrigger({ market: m!, side: 'LONG', size: '0.01', trigger: 990, limit: 989, triggerBy: 'MARK' }), 'p2');
  readFor(r, 8_000, [named], []);
  expect(fired(r)).toBe(1);
  const at = r.clock.time;
  const facts = { venueId: 'x', clientId: '', type: LIMIT, price: 9_890, size: 10, createdAt: at, updatedAt: at };
  const theirs = orderReport(r.venue.last(), 'open', facts);
  readFor(r, 8_000, [named, theirs], []);
  const next = rig({}, { polls: POLLS });
  next.kernel.restore(foldRecords(null, r.records));
  next.clock.time = r.clock.time + 60_000;
  next.kernel.inbox.start();
  readFor(next, 30_000, [named, theirs], []);
  expect(next.records.filter(({ kind, data }) => kind === 'trigger-fired' && data['venueId'] === 'x')).toEqual([]);
});
