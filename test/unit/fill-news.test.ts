/** The log's line of a fill. */
import { expect, test } from 'vitest';
import { LONG, MODIFY, OPEN, PLACE } from '../../src/domain/codes.ts';
import type { LogFields } from '../../src/ports/log.ts';
import { FillNews } from '../../src/run/bot/fill-news.ts';
import { btc } from '../support/engine-kit.ts';

function news(): { readonly news: FillNews; readonly told: LogFields[] } {
  const told: LogFields[] = [];
  const quiet = (): void => undefined;
  const info = (event: string, fields?: LogFields): void => void told.push({ event, ...fields });
  return { news: new FillNews({ debug: quiet, warn: quiet, error: quiet, info }, [btc()], null), told };
}

const order = { kind: PLACE, symbol: 'BTCUSDT', side: LONG, effect: OPEN, reason: '' };
const fill = (seq: number) => ({ kind: 'fill', seq, time: 1, data: { lots: 10, ticks: 10_001 } });

test('says what was ordered and why, once the turn is over', () => {
  const { news: one, told } = news();
  one.add({ kind: 'command', seq: 1, time: 0, data: { ...order, reason: 'broke away' } });
  one.add(fill(1));
  expect(told).toEqual([]);
  one.tell();
  one.tell();
  expect(told).toEqual([
    { event: 'fill', seq: 1, symbol: 'BTCUSDT', side: 'LONG', effect: 'OPEN', size: '0.010', price: '1000.1', reason: 'broke away' },
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
