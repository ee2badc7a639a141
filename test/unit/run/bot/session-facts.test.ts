/** What a recording shows of fills, funding and others' orders, event by event. */
import { expect, it } from 'vitest';
import { CLOSE, LIMIT, LONG, MAKER, MARKET, OPEN, PLACE, TAKER } from '../../../../src/domain/codes.ts';
import { createInstrument, type InstrumentSpec } from '../../../../src/domain/instrument.ts';
import type { OrderReport, PositionReport } from '../../../../src/domain/report.ts';
import { emptyCommand } from '../../../../src/domain/orders/command.ts';
import { defaultConfig } from '../../../../src/config/defaults.ts';
import type { Answer } from '../../../../src/ports/venue.ts';
import { ANSWERED } from '../../../../src/ports/venue-event.ts';
import { SessionFacts } from '../../../../src/run/live/facts/session-facts.ts';
import { HEAD, recordedConfig, type Head } from '../../../../src/run/session/entries.ts';

const SPEC = defaultConfig().instruments.find(({ symbol, product }) => symbol === 'BTCUSDT' && product === 'futures') as InstrumentSpec;
const BTC = createInstrument(SPEC, 0);

function facts(): SessionFacts {
  const head: Partial<Head> = { kind: HEAD, config: recordedConfig(defaultConfig()), instruments: [BTC], snapshot: null, startedAt: 1_000 };
  return new SessionFacts(head as Head);
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
