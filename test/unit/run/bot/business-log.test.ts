/** Log lines of fills, for orders of this process and of earlier ones. */
import { expect, test } from 'vitest';
import { CANCEL, CLOSE, LONG, MODIFY, OPEN, PLACE } from '../../../../src/domain/codes.ts';
import { CANCELLED } from '../../../../src/domain/orders/order.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import type { LogFields } from '../../../../src/ports/log.ts';
import { openMemoryStore } from '../../../../src/edge/memory/memory-store.ts';
import { BusinessLog } from '../../../../src/run/bot/store/business-log.ts';
import { recover, type Recovered, type Saved } from '../../../../src/run/bot/store/recovered.ts';
import { btc } from '../../../support/engine/engine-kit.ts';

function news(memory: Pick<Recovered, 'snapshot' | 'reasons' | 'booked'> = { snapshot: null, reasons: new Map(), booked: new Map() }): {
  readonly news: BusinessLog;
  readonly told: LogFields[];
} {
  const told: LogFields[] = [];
  const leg = { lots: 10, entryPrice: 999 };
  const quiet = (): void => undefined;
  const info = (event: string, fields?: LogFields): void => void told.push({ event, ...fields });
  return {
    news: new BusinessLog({ log: { debug: quiet, warn: quiet, error: quiet, info }, instruments: [btc()], legOf: () => leg }, memory),
    told,
  };
}

const order = { kind: PLACE, symbol: 'BTCUSDT', side: LONG, effect: OPEN, strategy: 'probe', reason: '' };
const fill = (seq: number) => ({ kind: 'fill', seq, time: 1, data: { lots: 10, ticks: 10_001 } });

test('has the order and its reason, after the event has been processed', () => {
  const { news: one, told } = news();
  one.add({ kind: 'command', seq: 1, time: 0, data: { ...order, reason: 'broke away' } });
  one.add(fill(1));
  expect(told).toEqual([]);
  one.tell();
  one.tell();
  expect(told).toEqual([
    {
      event: 'fill',
      seq: 1,
      strategy: 'probe',
      symbol: 'BTCUSDT',
      side: 'LONG',
      effect: 'OPEN',
      size: '0.010',
      price: '1000.1',
      after: '0.020',
      reason: 'broke away',
    },
  ]);
});

test('has no reason if none was given, and the reason of the modify if an order was modified', () => {
  const { news: one, told } = news();
  one.add({ kind: 'command', seq: 1, time: 0, data: order });
  one.add({ kind: 'command', seq: 2, time: 0, data: { ...order, kind: MODIFY, reason: 'closer' } });
  one.add(fill(1));
  one.add(fill(2));
  one.tell();
  expect(told.map((line) => line['reason'])).toEqual([undefined, 'closer']);
});

test('has no line for an unknown order', () => {
  const { news: one, told } = news();
  one.add(fill(7));
  one.tell();
  expect(told).toEqual([]);
});

test('has strategy and reason of orders from an earlier process, from snapshot and later records', async () => {
  const facts = { ...order, target: 0, type: 0, price: 10_000, size: 30, force: 0, marginMode: 0 };
  const placed = (seq: number, reason: string) => ({ kind: 'command', seq, time: 0, data: { ...facts, reason } });
  const store = openMemoryStore();
  const first = news();
  const early = [placed(1, 'broke away'), placed(2, 'came back'), placed(3, '')];
  for (const record of early) {
    first.news.add(record);
    store.append(record);
  }
  first.news.add({ kind: 'ended', seq: 2, time: 1, data: { how: 0, filled: 0 } });
  expect(first.news.reasons()).toEqual({ 1: 'broke away' });
  const kernel = foldRecords(null, early);
  const saved: Saved = { after: 3, kernel, fills: 0, startEquity: 0, reasons: first.news.reasons() };
  store.put('epoch', '1');
  store.put('snapshot', JSON.stringify(saved));
  store.append(placed(4, 'once more'));
  await store.commit();

  const { news: second, told } = news(await recover(store, 'tw', 5));
  for (const seq of [1, 3, 4]) second.add(fill(seq));
  second.tell();
  expect(told).toMatchObject([
    { seq: 1, strategy: 'probe', reason: 'broke away' },
    { seq: 3, strategy: 'probe' },
    { seq: 4, strategy: 'probe', reason: 'once more' },
  ]);
  expect(second.reasons()).toEqual({ 1: 'broke away', 4: 'once more' });
});

test('has orders as they are placed, modified and cancelled, and the profit of a close', () => {
  const { news: one, told } = news();
  const accepted = (seq: number) => ({ kind: 'outcome', seq, time: 1, data: { status: 'accepted', venueId: `v${seq}`, why: '' } });
  const terms = { ...order, price: 10_000, size: 10, type: 0 };
  one.add({ kind: 'command', seq: 1, time: 0, data: terms });
  one.add(accepted(1));
  one.add({ kind: 'command', seq: 2, time: 0, data: { ...terms, kind: MODIFY, target: 1, price: 10_001 } });
  one.add(accepted(2));
  one.add({ kind: 'command', seq: 3, time: 0, data: { kind: CANCEL, target: 2, reason: 'too old' } });
  one.add({ kind: 'ended', seq: 2, time: 2, data: { how: CANCELLED, filled: 3 } });
  one.add({ kind: 'command', seq: 4, time: 0, data: { ...terms, effect: CLOSE, reason: 'take it' } });
  one.add({ kind: 'fee', seq: 0, time: 2, data: { order: 4, fee: 12_000_000 } });
  const record = one.add({ kind: 'fill', seq: 4, time: 2, data: { lots: 10, ticks: 10_010 } });
  one.tell();
  expect(told).toMatchObject([
    { event: 'order-placed', seq: 1, price: '1000.0', size: '0.010', venueId: 'v1' },
    { event: 'order-moved', seq: 2, replaces: 1, price: '1000.1' },
    { event: 'order-cancelled', seq: 2, filled: '0.003', why: 'too old' },
    { event: 'fill', seq: 4, effect: 'CLOSE', price: '1001.0', fee: '0.12', profit: '0.02000000', after: '0.000', reason: 'take it' },
  ]);
  expect(record.data).toMatchObject({
    lots: 10,
    ticks: 10_010,
    strategy: 'probe',
    profit: '0.02000000',
    value: '10.01000000',
    after: '0.000',
  });
});

test('the profit of a close is that of its record, and is not written again by a later process', () => {
  const terms = { ...order, effect: CLOSE, price: 10_000, size: 20, type: 0, target: 0, force: 0, marginMode: 0 };
  const placed = { kind: 'command', seq: 4, time: 0, data: terms };
  const fee = { kind: 'fee', seq: 0, time: 2, data: { order: 4, fee: 12_000_000, profit: -7_133_333 } };
  const part = { kind: 'fill', seq: 4, time: 2, data: { lots: 10, ticks: 10_010 } };
  const first = news().news;
  first.add(placed);
  expect(first.add(fee).data).toMatchObject({ fee: '0.12', profit: '-0.07133333' });
  expect(first.add(part).data).toMatchObject({ fee: '0.12', profit: '-0.07133333', isBooked: true });
  const booked = new Map(Object.entries(first.booked()).map(([seq, sums]) => [Number(seq), sums]));
  const second = news({ snapshot: foldRecords(null, [placed, part]), reasons: new Map(), booked }).news;
  const again = second.add(fee).data;
  expect(again['fee']).toBe('0');
  expect(again).not.toHaveProperty('profit');
  expect(second.add({ ...fee, data: { ...fee.data, fee: 24_000_000, profit: 1_000_000 } }).data).toMatchObject({
    fee: '0.12',
    profit: '0.08133333',
  });
  expect(second.add(part).data).toMatchObject({ fee: '0.12', profit: '0.08133333' });
});

test('keeps fees and profit of the orders that have any, and of no others', () => {
  const { news: one } = news();
  for (const seq of [1, 2, 3]) one.add({ kind: 'command', seq, time: 0, data: { ...order, effect: seq === 3 ? CLOSE : OPEN } });
  one.add({ kind: 'fee', seq: 4, time: 1, data: { order: 2, fee: 25 } });
  one.add({ kind: 'fee', seq: 5, time: 1, data: { order: 3, fee: 0, profit: 150 } });
  expect(Object.keys(one.booked())).toEqual(['2', '3']);
});
