/** The log's line of a fill, of orders that this process placed and of those from before. */
import { expect, test } from 'vitest';
import { LONG, MODIFY, OPEN, PLACE } from '../../src/domain/codes.ts';
import { foldRecords } from '../../src/engine/records.ts';
import type { LogFields } from '../../src/ports/log.ts';
import { openMemoryStore } from '../../src/edge/memory/store.ts';
import { FillNews } from '../../src/run/bot/fill-news.ts';
import { recall, type Memory, type Saved } from '../../src/run/bot/recall.ts';
import { btc } from '../support/engine-kit.ts';

function news(memory: Pick<Memory, 'snapshot' | 'reasons'> = { snapshot: null, reasons: new Map() }): {
  readonly news: FillNews;
  readonly told: LogFields[];
} {
  const told: LogFields[] = [];
  const quiet = (): void => undefined;
  const info = (event: string, fields?: LogFields): void => void told.push({ event, ...fields });
  return { news: new FillNews({ debug: quiet, warn: quiet, error: quiet, info }, [btc()], memory), told };
}

const order = { kind: PLACE, symbol: 'BTCUSDT', side: LONG, effect: OPEN, strategy: 'probe', reason: '' };
const fill = (seq: number) => ({ kind: 'fill', seq, time: 1, data: { lots: 10, ticks: 10_001 } });

test('says what was ordered and why, once the turn is over', () => {
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
      reason: 'broke away',
    },
  ]);
});

test('has no reason where none was given, and that of the change where an order was changed', () => {
  const { news: one, told } = news();
  one.add({ kind: 'command', seq: 1, time: 0, data: order });
  one.add({ kind: 'command', seq: 2, time: 0, data: { ...order, kind: MODIFY, reason: 'closer' } });
  one.add(fill(1));
  one.add(fill(2));
  one.tell();
  expect(told.map((line) => line['reason'])).toEqual([undefined, 'closer']);
});

test('says nothing of an order that is not known', () => {
  const { news: one, told } = news();
  one.add(fill(7));
  one.tell();
  expect(told).toEqual([]);
});

test('knows who wanted the orders of a process before this one, and why: from the snapshot, and from the records after it', async () => {
  const facts = { ...order, target: 0, type: 0, price: 10_000, size: 30, postOnly: 0, marginMode: 0 };
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

  const { news: second, told } = news(await recall(store, 'tw', 5));
  for (const seq of [1, 3, 4]) second.add(fill(seq));
  second.tell();
  expect(told).toMatchObject([
    { seq: 1, strategy: 'probe', reason: 'broke away' },
    { seq: 3, strategy: 'probe' },
    { seq: 4, strategy: 'probe', reason: 'once more' },
  ]);
  expect(second.reasons()).toEqual({ 1: 'broke away', 4: 'once more' });
});
