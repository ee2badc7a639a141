/** What a recording shows of fills, funding and others' orders, event by event. */
import { expect, it } from 'vitest';
import { CLOSE, LIMIT, LONG, MAKER, MARKET, OPEN, PLACE, TAKER } from '../../../../src/domain/codes.ts';
import { createInstrument, type InstrumentSpec } from '../../../../src/domain/instrument.ts';
import type { OrderReport, PositionReport } from '../../../../src/domain/report.ts';
import { emptyCommand } from '../../../../src/domain/orders/command.ts';
import { defaultConfig } from '../../../../src/config/defaults.ts';
import type { Answer } from '../../../../src/ports/venue.ts';
import { FILLED, WORKING } from '../../../../src/domain/orders/order.ts';
import { ANSWERED } from '../../../../src/ports/venue-event.ts';
import { SessionFacts } from '../../../../src/run/live/facts/session-facts.ts';
import { EMPTY_SNAPSHOT, type KernelSnapshot } from '../../../../src/engine/recovery/registry.ts';
import type { SavedLeg, SavedOrder } from '../../../../src/engine/state/records/saved.ts';
import { HEAD, recordedConfig, type Head } from '../../../../src/run/session/entries.ts';

const SPEC = defaultConfig().instruments.find(({ symbol, product }) => symbol === 'BTCUSDT' && product === 'futures') as InstrumentSpec;
const BTC = createInstrument(SPEC, 0);

function headOf(snapshot: KernelSnapshot | null, startedAt: number): Head {
  const head: Partial<Head> = { kind: HEAD, config: recordedConfig(defaultConfig()), instruments: [BTC], snapshot, startedAt };
  return head as Head;
}

function facts(): SessionFacts {
  return new SessionFacts(headOf(null, 1_000));
}

const answered = (to: SessionFacts, at: number, answer: Answer): void =>
  to.event({ kind: ANSWERED, at, answer, sentAt: at - 5, venueTime: at - 2 });

function position(total: number, funding: number, createdAt: number): PositionReport {
  return { instrument: 0, side: LONG, total, funding, createdAt, entryPrice: 60_000 } as PositionReport;
}

function placed(to: SessionFacts, seq: number, type: number, effect: number, size: number, price: number): void {
  const { time: _time, ...fields } = { ...emptyCommand(), kind: PLACE, instrument: 0, side: LONG, effect, type, size, price, seq };
  to.record({ kind: 'command', seq, time: 2_000, data: { ...fields, strategy: 'one', reason: 'in', symbol: 'BTCUSDT' } });
}

it('funding is the growth of a leg, and starts again once the leg was flat', () => {
  const seen = facts();
  const read = (at: number, ...positions: PositionReport[]): void => answered(seen, at, { kind: 'positions', positions });
  read(1_100, position(10, -500, 900));
  read(1_200, position(10, -500, 900));
  read(1_300, position(10, -800, 900));
  read(1_400);
  read(1_500, position(5, -50, 1_450));
  read(1_600, position(5, 20, 1_450));
  expect(seen.payments).toEqual([
    { at: 1_300, instrument: 0, side: 0, amount: -300 },
    { at: 1_500, instrument: 0, side: 0, amount: -50 },
    { at: 1_600, instrument: 0, side: 0, amount: 70 },
  ]);
  expect(seen.funding).toBe(-280);
});

it('the fee and the profit of an order are shared out among its fills, to the last unit', () => {
  const seen = facts();
  placed(seen, 1, LIMIT, OPEN, 30, 600_000);
  for (const [time, lots] of [
    [2_100, 10],
    [2_200, 7],
    [2_300, 13],
  ] as const)
    seen.record({ kind: 'fill', seq: 1, time, data: { lots, ticks: 600_000 } });
  // The maker rate of 0.02 % on 1,800 USDT, and one unit more.
  seen.record({ kind: 'fee', seq: 0, time: 2_400, data: { order: 1, fee: 36_000_001, profit: -100 } });
  seen.end();
  expect(seen.fills.map(({ lots, fee, realised }) => [lots, fee, realised])).toEqual([
    [10, 12_000_000, -33],
    [7, 8_400_000, -23],
    [13, 15_600_001, -44],
  ]);
  expect(new Set(seen.fills.map(({ liquidity }) => liquidity))).toEqual(new Set([MAKER]));
  expect(seen.estimated).toBe(0);
});

it('a fill whose order was never read costs the fee of a taker and earns what the books say', () => {
  const seen = facts();
  placed(seen, 1, MARKET, OPEN, 10, 0);
  placed(seen, 2, MARKET, CLOSE, 10, 0);
  seen.record({ kind: 'fill', seq: 1, time: 2_100, data: { lots: 10, ticks: 600_000 } });
  seen.record({ kind: 'fill', seq: 2, time: 2_200, data: { lots: 10, ticks: 600_100 } });
  seen.end();
  // 0.01 BTC: 600 USDT at 0.06 %, and 10 USDT of the price.
  expect(seen.fills.map(({ fee, realised, liquidity }) => [fee, realised, liquidity])).toEqual([
    [36_000_000, 0, TAKER],
    [36_006_000, 10_000_000, TAKER],
  ]);
  expect(seen.estimated).toBe(2);
});

it('filled orders of others since the start are external; own ones and fired brackets are not', () => {
  const seen = facts();
  const order = (venueId: string, clientId: string, updatedAt: number): OrderReport =>
    ({
      instrument: 0,
      venueId,
      clientId,
      side: LONG,
      effect: CLOSE,
      size: 5,
      status: 'filled',
      averagePrice: 60_000,
      fee: 18_000_000,
      realised: 7,
      createdAt: updatedAt,
      updatedAt,
    }) as OrderReport;
  const orders = [order('a', 'somebody', 1_500), order('b', 'somebody', 900), order('c', 'tick-1-1', 1_500), order('d', '', 1_600)];
  answered(seen, 2_000, { kind: 'history', orders });
  answered(seen, 2_100, { kind: 'history', orders });
  placed(seen, 3, MARKET, OPEN, 5, 0);
  seen.record({
    kind: 'exit',
    seq: 3,
    time: 2_200,
    data: { lots: 5, ticks: 600_000, venueId: 'd', what: 'stop-loss', fee: '0.18', profit: '-1' },
  });
  seen.end();
  expect(seen.fills.map(({ what, venueTime, lots, fee, realised }) => [what, venueTime, lots, fee, realised])).toEqual([
    ['external', 1_500, 5, 18_000_000, 7],
    ['stop-loss', 0, 5, 18_000_000, -100_000_000],
  ]);
});

/** One session in which order 1 opened ten lots at 60,000.0, and which a kill cut off while order 2 was to close them. */
function cutOff(): SessionFacts {
  const seen = facts();
  quoted(seen, 1_900, 600_000);
  placed(seen, 1, MARKET, OPEN, 10, 0);
  seen.record({ kind: 'fill', seq: 1, time: 2_100, data: { lots: 10, ticks: 600_000 } });
  leg(seen, 2_100, 10);
  seen.record({ kind: 'fee', seq: 0, time: 2_100, data: { order: 1, fee: 36_000_000, profit: 0 } });
  seen.record({ kind: 'ended', seq: 1, time: 2_100, data: { how: FILLED } });
  placed(seen, 2, LIMIT, CLOSE, 10, 600_100);
  quoted(seen, 2_200, 600_200);
  return seen;
}

function quoted(to: SessionFacts, at: number, bid: number): void {
  const quote = { instrument: 0, bid, bidSize: 1, ask: bid + 2, askSize: 1, venueTime: at };
  answered(to, at, { kind: 'quotes', quotes: [quote] } as unknown as Answer);
}

const leg = (to: SessionFacts, time: number, total: number): void =>
  to.record({ kind: 'leg', seq: 0, time, data: { symbol: 'BTCUSDT', side: LONG, total } });

function restarted(total: number, orders: readonly Partial<SavedOrder>[] = [], more: Partial<SavedLeg> = {}): Head {
  const blank = { strategy: 'one', kind: PLACE, symbol: 'BTCUSDT', side: LONG, effect: CLOSE, type: LIMIT, price: 600_100, size: 10 };
  const all = orders.map((one) => ({ ...blank, filled: 0, state: WORKING, replaces: 0, createdAt: 2_500, ...one }) as SavedOrder);
  return headOf({ ...EMPTY_SNAPSHOT, orders: all, legs: [{ symbol: 'BTCUSDT', side: LONG, total, provenAt: 0, ...more }] }, 9_000);
}

/** Time, what, lots, price, fee and profit of each fill after the first, and the lots that are left. */
function afterwards(seen: SessionFacts): readonly [fills: readonly (readonly unknown[])[], lots: number] {
  seen.end();
  const books = seen.books();
  for (const { instrument, side, effect, price, lots } of seen.fills) books.take(instrument, side, effect === CLOSE, price, lots);
  return [seen.fills.slice(1).map(({ at, what, lots, price, fee, realised }) => [at, what, lots, price, fee, realised]), books.lotsOf(0)];
}

it('a close that a killed recording lacks is estimated from the legs of the next start', () => {
  const seen = cutOff();
  seen.continues(restarted(0));
  // At the last mid before, 600,201: 20.1 USDT per BTC of profit, and 0.06 % of 600.201 USDT.
  expect(afterwards(seen)).toEqual([[[9_000, 'unrecorded', 10, 600_201, 36_012_060, 20_100_000]], 0]);
  expect([seen.guessed, seen.placedBetween, seen.lost, seen.estimated]).toEqual([1, 0, 1, 0]);
});

it('fills of an order in the next start state are its own, with its price and money', () => {
  const seen = cutOff();
  const worth = 6 * 600_100;
  seen.continues(restarted(4, [{ seq: 2, filled: 6, worth, booked: { fee: 7_201_200, profit: 6_000_000, at: 2_600 } }]));
  seen.record({ kind: 'fill', seq: 2, time: 9_500, data: { lots: 4, ticks: 600_100 } });
  leg(seen, 9_500, 0);
  seen.record({ kind: 'fee', seq: 0, time: 9_500, data: { order: 2, fee: 12_002_000, profit: 10_000_000 } });
  expect(afterwards(seen)).toEqual([
    [
      [9_000, 'order', 6, 600_100, 7_201_200, 6_000_000],
      [9_500, 'order', 4, 600_100, 4_800_800, 4_000_000],
    ],
    0,
  ]);
  expect([seen.guessed, seen.placedBetween, seen.lost, seen.estimated]).toEqual([0, 0, 0, 0]);
});

it('an order that ended before the next start, and whose fills are not final, has the end and the money of that state', () => {
  const seen = cutOff();
  const ended = { state: FILLED, endedAt: 2_600, filled: 10, worth: 10 * 600_100 };
  seen.continues(restarted(0, [{ seq: 2, ...ended, booked: { fee: 12_002_000, profit: 10_000_000, at: 2_600 } }]));
  expect(afterwards(seen)).toEqual([[[9_000, 'order', 10, 600_100, 12_002_000, 10_000_000]], 0]);
  expect(seen.steps.at(-1)).toEqual({ kind: 'ended', at: 2_600, seq: 2, how: FILLED });
  expect([seen.guessed, seen.placedBetween, seen.lost, seen.estimated]).toEqual([0, 0, 0, 0]);
});

it('an order whose command no recording has is placed by the next start state, and fills after it', () => {
  const seen = cutOff();
  seen.continues(restarted(10, [{ seq: 2 }, { seq: 3 }]));
  seen.record({ kind: 'fill', seq: 3, time: 9_500, data: { lots: 10, ticks: 600_100 } });
  leg(seen, 9_500, 0);
  expect(afterwards(seen)).toEqual([[[9_500, 'order', 10, 600_100, 36_006_000, 10_000_000]], 0]);
  expect([seen.guessed, seen.placedBetween, seen.lost, seen.estimated]).toEqual([0, 1, 0, 1]);
  expect(seen.steps.flatMap((step) => (step.kind === 'command' ? [[step.at, step.command.seq, step.strategy]] : []))).toEqual([
    [2_000, 1, 'one'],
    [2_000, 2, 'one'],
    [2_500, 3, 'one'],
  ]);
});

it('a change that is still being explained at the next start waits for its record', () => {
  const exit = { lots: 10, ticks: 599_000, venueId: 'd', what: 'stop-loss', fee: '0.3594', profit: '-10' };
  const explained = cutOff();
  explained.continues(restarted(0, [], { unexplained: -10 }));
  explained.record({ kind: 'exit', seq: 1, time: 9_500, data: exit });
  leg(explained, 9_500, 0);
  expect(afterwards(explained)).toEqual([[[9_500, 'stop-loss', 10, 599_000, 35_940_000, -1_000_000_000]], 0]);

  const never = cutOff();
  never.continues(restarted(0, [], { unexplained: -10 }));
  quoted(never, 9_900, 600_400);
  leg(never, 9_900, 0);
  expect(afterwards(never)).toEqual([[[9_900, 'unrecorded', 10, 600_401, 36_024_060, 40_100_000]], 0]);
});

it('a position of the first start that was closed meanwhile earned nothing before its first price', () => {
  const seen = new SessionFacts(restarted(10));
  answered(seen, 9_100, { kind: 'positions', positions: [] });
  quoted(seen, 9_100, 600_000);
  leg(seen, 9_200, 0);
  seen.end();
  expect(seen.startValue()).toBe(0);
  expect(seen.fills.map(({ what, lots, price, realised }) => [what, lots, price, realised])).toEqual([['unrecorded', 10, 600_001, 0]]);
});

it('the order history that a later session reads shows how orders between two recordings ended', () => {
  const record = { instrument: 0, side: LONG, type: MARKET, price: 0, status: 'filled', createdAt: 2_400, updatedAt: 2_500, realised: 0 };
  const own = (seq: number, effect: number, size: number, averagePrice: number, realised = 0): OrderReport =>
    ({
      ...record,
      venueId: `o${seq}`,
      clientId: `tick-1-${seq}`,
      effect,
      size,
      averagePrice,
      fee: size * 3_600_000,
      realised,
    }) as OrderReport;
  const bracket = {
    ...record,
    venueId: 'd',
    clientId: '',
    effect: CLOSE,
    size: 5,
    averagePrice: 60_010,
    fee: 18_003_000,
    realised: 5_000_000,
  };
  const orders = [own(2, CLOSE, 10, 60_010, 10_000_000), own(3, OPEN, 5, 60_000), bracket as OrderReport];
  const seen = cutOff();
  // A process in between was killed before it recorded anything.
  for (const start of [restarted(0), { ...restarted(0), startedAt: 9_400 }]) {
    const snapshot = { ...start.snapshot!, explained: [['d', 5]] as const };
    seen.continues({ ...start, snapshot });
  }
  answered(seen, 9_500, { kind: 'history', orders });
  answered(seen, 9_600, { kind: 'history', orders });
  expect(afterwards(seen)).toEqual([
    [
      [9_000, 'order', 10, 600_100, 36_000_000, 10_000_000],
      [9_000, 'order', 5, 600_000, 18_000_000, 0],
      [9_000, 'unrecorded', 5, 600_100, 18_003_000, 5_000_000],
    ],
    0,
  ]);
  expect([seen.guessed, seen.placedBetween, seen.lost, seen.estimated]).toEqual([0, 1, 0, 0]);
});
