/** Which records of the venue are taken for a bracket that fired, above all when it filled far from its trigger after a short spike. */
import { describe, expect, test, vi } from 'vitest';
import { CLOSE, LONG, SHORT } from '../../../../src/domain/codes.ts';
import type { OrderReport } from '../../../../src/domain/report.ts';
import { RecentPrices } from '../../../../src/engine/market/recent-prices.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import { Brackets } from '../../../../src/engine/state/records/brackets.ts';
import { Leg } from '../../../../src/engine/state/records/leg.ts';
import { defineStrategy, type Market, type StrategyContext } from '../../../../src/index.ts';
import { testStrategy } from '../../../../src/testing.ts';
import { orderReport, polledRig, positionReport, settleReads, START } from '../../../support/engine/engine-kit.ts';

/** A bracket for 10 lots with the entry at 100,000 ticks and triggers 50 ticks away, whose order filled at START. */
function held(side: number) {
  const leg = new Leg(side);
  leg.opened(10, 100_000, START);
  const brackets = new Brackets(() => false);
  const up = side === LONG ? 1 : -1;
  const own = { seq: 1, instrument: 0, side, strategy: 's', reason: '', takeProfitLimit: 0, stopLossLimit: 0, entry: 100_000 };
  brackets.add({ ...own, takeProfit: 100_000 + 50 * up, stopLoss: 100_000 - 50 * up, lots: 10, most: 10, filledAt: START });
  let orders = 0;
  const kindOf = (price: number, createdAt: number, changes: Partial<Record<keyof OrderReport, unknown>> = {}): string | null => {
    const record = { instrument: 0, side, effect: CLOSE, price: 0, size: 10, venueId: `v${++orders}`, createdAt, ...changes };
    return brackets.firedOf(record as OrderReport, leg, price, 'any')?.kind ?? null;
  };
  return { brackets, kindOf };
}

describe('a close of the protected size that filled far from the trigger', () => {
  const at = START + 10_000;

  test('is the bracket if the market was seen at the trigger when it was created', () => {
    const { brackets, kindOf } = held(LONG);
    expect(kindOf(100_020, at)).toBe(null);
    brackets.saw(0, 100_050, 100_050, at - 300);
    expect(kindOf(100_020, at)).toBe('take-profit');
    // Below the entry too: only the spike was above it.
    expect(kindOf(99_990, at)).toBe('take-profit');
    brackets.saw(0, 99_950, 99_950, at);
    expect(kindOf(99_990, at)).toBe('stop-loss');
  });

  test('of a SHORT leg lies below', () => {
    const { brackets, kindOf } = held(SHORT);
    brackets.saw(0, 99_951, 100_049, at);
    expect(kindOf(99_980, at)).toBe(null);
    brackets.saw(0, 99_950, 99_950, at);
    expect(kindOf(99_980, at)).toBe('take-profit');
  });

  test('is somebody else’s at another time, of another size or symbol, or with a limit', () => {
    const { brackets, kindOf } = held(LONG);
    brackets.saw(0, 100_050, 100_050, at);
    expect(kindOf(100_020, at + 2_000)).toBe(null);
    expect(kindOf(100_020, at - 1_000)).toBe(null);
    expect(kindOf(100_020, at, { size: 9 })).toBe(null);
    expect(kindOf(100_020, at, { price: 100_020 })).toBe(null);
    expect(kindOf(100_020, at)).toBe('take-profit');
    const other = held(LONG);
    other.brackets.saw(1, 100_050, 100_050, at);
    expect(other.kindOf(100_020, at)).toBe(null);
  });

  test('a quote shows the market at a trigger only with its far side', () => {
    const { brackets, kindOf } = held(LONG);
    brackets.saw(0, 100_060, 100_040, at);
    expect(kindOf(100_020, at)).toBe(null);
    brackets.saw(0, 100_070, 100_050, at);
    expect(kindOf(100_020, at)).toBe('take-profit');
  });
});

test('a bracket that fired while its order was filling closed what had filled by then', () => {
  const { kindOf } = held(LONG);
  expect(kindOf(100_042, START - 1_000, { size: 3 })).toBe('take-profit');
  // After the last fill it would have closed all that is held.
  expect(kindOf(100_042, START + 1_000, { size: 3 })).toBe(null);
  expect(kindOf(100_030, START - 1_000, { size: 3 })).toBe(null);
});

test('of brackets with one trigger the tightest is taken, so that a larger one is left for a larger record', () => {
  const { brackets, kindOf } = held(LONG);
  const own = {
    instrument: 0,
    side: LONG,
    strategy: 's',
    reason: 'add',
    takeProfit: 0,
    takeProfitLimit: 0,
    stopLossLimit: 0,
    entry: 100_000,
  };
  brackets.add({ ...own, seq: 2, stopLoss: 99_950, lots: 4, most: 4, filledAt: START });
  // Own closes left it 3 lots of 4.
  expect(kindOf(99_950, START + 10_000, { size: 3, venueId: 'less' })).toBe('stop-loss');
  const leg = new Leg(LONG);
  const record = { instrument: 0, side: LONG, effect: CLOSE, price: 0, size: 3, venueId: 'less', createdAt: START + 10_000 };
  expect(brackets.firedOf(record as OrderReport, leg, 99_950, 'any')?.bracket.seq).toBe(2);
});

test('the rest of a leg was closed at the trigger of a larger bracket, not at one that is farther away', () => {
  const { brackets } = held(LONG);
  const own = { instrument: 0, side: LONG, strategy: 's', reason: '', takeProfit: 0, takeProfitLimit: 0, stopLossLimit: 0, entry: 100_000 };
  brackets.add({ ...own, seq: 2, stopLoss: 99_900, lots: 1, most: 1, filledAt: START });
  const at = START + 10_000;
  brackets.saw(0, 99_900, 99_900, at);
  const firedOf = (venueId: string, total: number): number | undefined => {
    const leg = new Leg(LONG);
    if (total > 0) leg.opened(total, 100_000, START);
    const record = { instrument: 0, side: LONG, effect: CLOSE, price: 0, size: 1, venueId, createdAt: at };
    return brackets.firedOf(record as OrderReport, leg, 99_949, 'any')?.bracket.seq;
  };
  expect(firedOf('of the rest', 0)).toBe(1);
  // The larger bracket would have closed all that is held.
  expect(firedOf('of a part', 9)).toBe(2);
});

test('the rest of a leg was not closed by a bracket of its size whose trigger the price had not come to', () => {
  const { brackets } = held(LONG);
  const own = { instrument: 0, side: LONG, strategy: 's', reason: '', takeProfit: 0, takeProfitLimit: 0, stopLossLimit: 0, entry: 100_000 };
  const firedOf = (venueId: string, price: number, total: number): number | undefined => {
    const leg = new Leg(LONG);
    if (total > 0) leg.opened(total, 100_000, START);
    const record = { instrument: 0, side: LONG, effect: CLOSE, price: 0, size: 1, venueId, createdAt: START + 10_000 };
    return brackets.firedOf(record as OrderReport, leg, price, 'any')?.bracket.seq;
  };
  brackets.add({ ...own, seq: 2, stopLoss: 99_900, lots: 1, most: 1, filledAt: START });
  expect(firedOf('between', 99_925, 0)).toBe(1);
  expect(firedOf('beyond both', 99_890, 0)).toBe(2);
  expect(firedOf('of a part', 99_925, 9)).toBe(2);
  expect(firedOf('before both', 99_955, 0)).toBe(1);
});

test('a close that was created before the order of the bracket is somebody else’s', () => {
  const { brackets, kindOf } = held(LONG);
  const at = START + 10_000;
  // Until a record has shown when the order was created, nothing excludes it.
  expect(kindOf(99_950, at - 1)).toBe('stop-loss');
  brackets.made(1, at);
  expect(kindOf(99_950, at - 1)).toBe(null);
  expect(kindOf(99_950, at)).toBe('stop-loss');
});

test.each(['filled', 'partial'] as const)('a record of the order (%s) tells when it was created', (status) => {
  const made: [number, number][] = [];
  const r = polledRig();
  const id = r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.010', limit: 1000, stopLoss: 990 });
  r.venue.accepted(id, `v${id}`);
  const report = orderReport(r.venue.last(), status, { averagePrice: 1000, fee: status === 'partial' ? 0.001 : 0.01, createdAt: 123 });
  const spy = vi.spyOn(Brackets.prototype, 'made').mockImplementation((seq, at) => void made.push([seq, at]));
  for (let k = 0; k < 20; k++) {
    settleReads(r, [report], [positionReport(0, status === 'partial' ? 1 : 10)]);
    r.advance(250);
  }
  spy.mockRestore();
  expect(made[0]).toEqual([id, 123]);
});

test('a list that holds each record twice closes no lot twice', () => {
  const r = polledRig();
  const market = r.ctx().markets[0]!;
  const opens = [990, 980].map((stopLoss, k) => {
    const id = r.ctx().open(market, 'LONG', { size: k === 0 ? '0.010' : '0.005', limit: 1000, stopLoss });
    r.venue.accepted(id, `v${id}`);
    return orderReport(r.venue.last(), 'filled', { averagePrice: 1000 });
  });
  const read = (records: readonly OrderReport[], lots: number): void => {
    r.advance(1_000);
    for (let left = 6; left > 0 && r.open.length > 0; left--)
      settleReads(r, records, lots > 0 ? [positionReport(0, lots, { updatedAt: START + 500 })] : []);
  };
  for (let k = 0; k < 4; k++) read(opens, 15);
  expect(market.long.lots).toBe(15);
  const at = r.clock.time + 100;
  const fired = opens.map((own, k) => {
    const price = k === 0 ? 990 : 980;
    const stamps = { createdAt: at + k, updatedAt: at + k };
    return { ...own, ...stamps, venueId: `b${k}`, clientId: '', effect: CLOSE, type: 1, price: 0, averagePrice: price } as OrderReport;
  });
  for (let k = 0; k < 8; k++) read([...opens, ...fired, ...fired], 0);
  const exits = r.log.lines.filter(({ event }) => event === 'exit').map(({ fields }) => [fields['size'], fields['trigger']]);
  expect(exits).toEqual([
    ['0.010', '990.0'],
    ['0.005', '980.0'],
  ]);
  expect(r.log.events()).not.toContain('external');
});

test('a position of the same size that somebody else opened since does not end the bracket that closed the one before', () => {
  const r = polledRig();
  const market = r.ctx().markets[0]!;
  const id = r.ctx().open(market, 'LONG', { size: '0.010', limit: 1000, stopLoss: 990 });
  r.venue.accepted(id, 'v1');
  const own = orderReport(r.venue.last(), 'filled', { averagePrice: 1000, createdAt: START + 100, updatedAt: START + 100 });
  const read = (records: readonly OrderReport[], lots: number, createdAt: number, updatedAt: number): void => {
    r.advance(1_000);
    for (let left = 6; left > 0 && r.open.length > 0; left--)
      settleReads(r, records, [positionReport(LONG, lots, { createdAt, updatedAt })]);
  };
  for (let k = 0; k < 4; k++) read([own], 10, START + 100, START + 100);
  // Between two reads the stop-loss closes all of it, and a person opens as much.
  const at = r.clock.time + 100;
  const others = { clientId: '', type: 1, price: 0 };
  const fired = { ...own, ...others, venueId: 'b', effect: CLOSE, averagePrice: 990, createdAt: at, updatedAt: at } as OrderReport;
  const opened = { ...own, ...others, venueId: 'x', averagePrice: 991, createdAt: at + 500, updatedAt: at + 500 } as OrderReport;
  // Longer than a bracket is kept whose position is known to have ended.
  for (let k = 0; k < 90; k++) read([own], 10, at + 500, at + 500);
  const later = r.clock.time + 100;
  const more = { ...opened, venueId: 'y', size: 5, createdAt: later, updatedAt: later } as OrderReport;
  for (let k = 0; k < 8; k++) read([own, fired, opened, more], 15, at + 500, later);
  const told = r.log.lines.filter(({ event }) => event === 'exit' || event === 'external');
  expect(told.map(({ event, fields }) => [event, fields['size'] ?? fields['change']])).toEqual([
    ['exit', '0.010'],
    ['external', '0.010'],
    ['external', '0.005'],
  ]);
});

test('a record that closed exactly what a bracket still protects goes before one that may be its, whenever that is', () => {
  const r = polledRig();
  const market = r.ctx().markets[0]!;
  const read = (records: readonly OrderReport[], lots: number): void => {
    r.advance(1_000);
    for (let left = 6; left > 0 && r.open.length > 0; left--)
      settleReads(r, records, lots > 0 ? [positionReport(0, lots, { updatedAt: r.clock.time - 900 })] : []);
  };
  const filled = (id: number, averagePrice: number): OrderReport => {
    r.venue.accepted(id, `v${id}`);
    return orderReport(r.venue.last(), 'filled', { averagePrice });
  };
  const sizes: readonly (readonly [size: string, stopLoss: number])[] = [
    ['0.005', 990],
    ['0.003', 990.1],
    ['0.002', 990],
  ];
  const own = sizes.map(([size, stopLoss]) => filled(r.ctx().open(market, 'LONG', { size, limit: 1000, stopLoss }), 1000));
  for (let k = 0; k < 4; k++) read(own, 10);
  own.push(filled(r.ctx().close(market, 'LONG', { size: '0.001' }), 1000));
  for (let k = 0; k < 4; k++) read(own, 9);
  expect(market.long.lots).toBe(9);
  const at = r.clock.time + 100;
  const fired = [2, 2, 5].map((size, k) => {
    const stamps = { createdAt: at, updatedAt: at };
    return { ...own[3]!, ...stamps, venueId: `b${k}`, clientId: '', size, averagePrice: 990 } as OrderReport;
  });
  for (let k = 0; k < 8; k++) read([...own, ...fired], 0);
  const exits = r.log.lines.filter(({ event }) => event === 'exit').map(({ fields }) => fields['size']);
  expect(exits).toEqual(['0.002', '0.005', '0.002']);
  expect(r.log.events()).not.toContain('external');
});

test('what closed more than its order is known to have filled is its bracket, also once no read can show those fills any more', () => {
  const r = polledRig();
  const market = r.ctx().markets[0]!;
  const place = (size: string, takeProfit?: number): number => {
    const id = r.ctx().open(market, 'LONG', { size, limit: 1000, ...(takeProfit === undefined ? {} : { takeProfit }) });
    r.venue.accepted(id, `v${id}`);
    return id;
  };
  const read = (records: readonly OrderReport[], lots: number, of: Parameters<typeof positionReport>[2] = {}): void => {
    r.advance(1_000);
    for (let left = 6; left > 0 && r.open.length > 0; left--)
      settleReads(r, records, lots > 0 ? [positionReport(0, lots, { updatedAt: r.clock.time - 900, ...of })] : []);
  };
  // What a maker pays for four lots. Until the rates are known, it shows only that one lot has filled at least.
  const first = place('0.006', 1009);
  const part = { averagePrice: 1000, fee: 80_000, createdAt: START + 1, updatedAt: r.clock.time };
  const command = { ...r.venue.last() };
  for (let k = 0; k < 2; k++) read([orderReport(command, 'partial', part)], 1);
  expect(market.long.lots).toBe(1);
  r.ctx().cancel(first);
  r.venue.accepted(r.venue.last().seq, '');
  const fired = { clientId: '', venueId: 'b1', effect: CLOSE, type: 1, price: 0, size: 4, averagePrice: 1009, fee: 0, takeProfit: 0 };
  const over = r.clock.time + 100;
  const records = [
    orderReport(command, 'cancelled', { ...part, updatedAt: over }),
    orderReport(command, 'filled', { ...fired, createdAt: over, updatedAt: over }),
  ];
  r.advance(1_000);
  const next = place('0.005');
  const begun = r.clock.time;
  records.push(orderReport(r.venue.last(), 'filled', { averagePrice: 1000, createdAt: begun, updatedAt: begun }));
  expect(next).toBeGreaterThan(first);
  for (let k = 0; k < 20; k++) read(records, 5, { createdAt: begun, updatedAt: begun });
  expect(market.long.lots).toBe(5);
  const exits = r.log.lines.filter(({ event }) => event === 'exit').map(({ fields }) => fields['size']);
  expect([exits, r.log.events().filter((event) => event === 'external' || event === 'fills-undecided')]).toEqual([
    ['0.001'],
    ['fills-undecided'],
  ]);
});

test('brackets with one trigger share a record that none has lots for, if one of them had as many', () => {
  const { brackets } = held(LONG);
  const own = { instrument: 0, side: LONG, strategy: 's', reason: '', takeProfit: 0, takeProfitLimit: 0, stopLossLimit: 0, entry: 100_000 };
  brackets.add({ ...own, seq: 2, stopLoss: 99_950, lots: 4, most: 4, filledAt: START });
  const leg = new Leg(LONG);
  const record = { instrument: 0, side: LONG, effect: CLOSE, price: 0, venueId: 'v', createdAt: START + 10_000 } as OrderReport;
  const sharedOf = (size: number, price = 99_950): readonly (readonly [number, number])[] =>
    brackets.sharedOf(record, size, leg, price).map(({ bracket: { seq, lots } }) => [seq, lots]);
  const [first, second] = brackets.of(LONG);
  brackets.fired(first!, 3);
  brackets.fired(second!, 2);
  // 7 and 2 are left of 10 and 4.
  expect(sharedOf(9)).toEqual([
    [1, 7],
    [2, 2],
  ]);
  expect(sharedOf(10)).toEqual([]);
  expect(sharedOf(9, 100_000)).toEqual([]);
  brackets.fired(first!, 3);
  expect(sharedOf(6)).toEqual([
    [1, 4],
    [2, 2],
  ]);
  expect(sharedOf(7)).toEqual([]);
  // Another party may well close more than any bracket had.
  const small = held(LONG).brackets;
  small.add({ ...own, seq: 2, stopLoss: 99_950, lots: 4, most: 4, filledAt: START });
  expect(small.sharedOf(record, 11, leg, 99_950)).toEqual([]);
});

test('a bracket whose position has ended may have fired before, and not after', () => {
  const { brackets, kindOf } = held(LONG);
  const at = START + 10_000;
  expect(brackets.ended(LONG, START + 250, at)).toEqual([]);
  expect(brackets.ended(LONG, START + 251, at)).toEqual([1]);
  expect(brackets.ended(LONG, Infinity, at + 1)).toEqual([]);
  expect(brackets.of(LONG)).toEqual([]);
  expect(kindOf(99_950, at)).toBe('stop-loss');
  expect(kindOf(99_950, at + 1)).toBe(null);
  brackets.forget(LONG, at);
  expect(kindOf(99_950, at)).toBe('stop-loss');
  brackets.forget(LONG, at + 1);
  expect(brackets.isAny).toBe(false);
});

test('a restart knows when the position of a bracket ended: the record of a later order is not that of the bracket', () => {
  const r = polledRig();
  const records: OrderReport[] = [];
  const filled = (lots: number): void => {
    const { seq } = r.venue.last();
    r.venue.accepted(seq, `v${seq}`);
    const updatedAt = r.clock.time + 10;
    records.push(orderReport(r.venue.last(), 'filled', { averagePrice: 1000, createdAt: updatedAt, updatedAt }));
    for (let passed = 0; passed < 20_000; passed += 500) {
      r.advance(500);
      settleReads(r, records, lots > 0 ? [positionReport(LONG, lots, { updatedAt })] : []);
    }
  };
  r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.010', stopLoss: 990 });
  filled(10);
  r.ctx().close(r.ctx().markets[0]!, 'LONG');
  filled(0);
  const [known] = r.kernel.snapshot().brackets!;
  expect(known?.endedAt).toBeGreaterThan(START);
  expect(foldRecords(null, r.records).brackets).toMatchObject([{ seq: 1, lots: 10, endedAt: known?.endedAt }]);
});

test('a fill after the end of a position is protected, and the lots of before are not', () => {
  const { brackets } = held(LONG);
  brackets.ended(LONG, Infinity, START + 10_000);
  brackets.filled(1, 3, 100_000, START + 11_000);
  expect(brackets.of(LONG)).toMatchObject([{ lots: 3, filledAt: START + 11_000 }]);
});

test('recent prices are those of the last minute, however they arrive', () => {
  const prices = new RecentPrices();
  prices.note(90, 110, START);
  prices.note(95, 120, START + 100);
  expect([prices.reached(120, true, START, START), prices.reached(121, true, START, START)]).toEqual([true, false]);
  expect([prices.reached(90, false, START, START), prices.reached(89, false, START, START)]).toEqual([true, false]);
  // A minute later the same place is used again; what is older comes too late.
  prices.note(100, 101, START + 60_000);
  prices.note(1, 1_000, START);
  expect(prices.reached(120, true, START, START)).toBe(false);
  expect(prices.reached(102, true, START, START + 60_000)).toBe(false);
  expect(prices.reached(101, true, START + 59_000, START + 60_000)).toBe(true);
});

test.each([
  ['onTrade', true],
  ['onQuote', true],
  ['onTrade', false],
] as const)('on synthetic markets brackets 0.05 % away are never taken for another party (%s, polled: %s)', async (handler, polled) => {
  const enter = (market: Market, ctx: StrategyContext): void => {
    if (ctx.trades(market).length > 0) return;
    ctx.enter({ market, side: 'LONG', size: '0.01', stopLoss: market.bid * 0.9995, takeProfit: market.ask * 1.0005 });
  };
  const strategy = defineStrategy({
    name: 'near',
    create: () => ({
      ...(handler === 'onTrade' ? { onTrade: (_, market, ctx) => enter(market, ctx) } : { onQuote: enter }),
      onExit: ({ exits }, ctx) => ctx.log('over', { whys: exits.map(({ why }) => why) }),
      onExternal: ({ message }, ctx) => ctx.log('external', { whys: [message] }),
    }),
  });
  const whys: string[] = [];
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const { logs } = await testStrategy(strategy, { seed, duration: '10m', polled });
    for (const { fields } of logs) whys.push(...(fields['whys'] as string[]));
  }
  expect(new Set(whys)).toEqual(new Set(['take-profit', 'stop-loss']));
  expect(whys.length).toBeGreaterThan(20);
});
