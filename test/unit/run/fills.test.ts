/** Fills and profit computed from the records of a journal. */
import { expect, test } from 'vitest';
import type { StoredRecord } from '../../../src/ports/store.ts';
import { fillsIn, newestFills } from '../../../src/run/bot/answers/fill-answers.ts';
import { profitIn } from '../../../src/run/bot/answers/profit.ts';
import { journalOf } from '../../support/stores/journal-of.ts';

const exit = {
  kind: 'exit',
  seq: 7,
  time: 2,
  data: { symbol: 'BTCUSDT', side: 'SHORT', what: 'stop-loss', size: '0.010', price: '60698.90', profit: '-0.926', fee: '0.3641934' },
};
const fee = { kind: 'fee', seq: 0, time: 1, data: { order: 4, symbol: 'BTCUSDT', fee: '0.12', profit: '-0.07133333' } };
const close = {
  kind: 'fill',
  seq: 4,
  time: 1,
  data: { symbol: 'BTCUSDT', effect: 'CLOSE', size: '0.010', price: '1001.0', value: '10.01000000', profit: '-0.07', isBooked: true },
};

test('a bracket exit has a value, and is part of the volume', async () => {
  expect(await fillsIn([exit], {})).toMatchObject([{ effect: 'CLOSE', value: '606.98900000' }]);
  expect((await profitIn(journalOf([exit]), 'symbol', {})).at(-1)).toMatchObject({ volume: '606.99', profit: '-0.93', closed: 1 });
});

test('the profit of a close is summed from its order records, in older journals from its fills', async () => {
  expect((await profitIn(journalOf([fee, close]), 'symbol', {})).at(-1)).toMatchObject({ profit: '-0.07', fees: '0.12', closed: 1 });
  const later = { ...fee, data: { ...fee.data, profit: '-1' } };
  expect((await profitIn(journalOf([later, close]), 'symbol', {})).at(-1)).toMatchObject({ profit: '-1.00' });
  const older = { ...close, data: { ...close.data, isBooked: undefined } };
  expect((await profitIn(journalOf([{ ...fee, data: { ...fee.data, profit: undefined } }, older]), 'symbol', {})).at(-1)).toMatchObject({
    profit: '-0.07',
  });
});

test('groups stand with the largest loss first, days in their order, and the sum is the last', async () => {
  const DAY = 86_400_000;
  const booked = (symbol: string, day: number, profit: string) => ({ ...exit, time: day * DAY, data: { ...exit.data, symbol, profit } });
  const records = [booked('BTCUSDT', 1, '5'), booked('ETHUSDT', 2, '-20'), booked('XRPUSDT', 0, '-3'), booked('ETHUSDT', 2, '1')];
  const rows = async (by: 'symbol' | 'day') => (await profitIn(journalOf(records), by, {})).map(({ key, profit }) => [key, profit]);
  expect(await rows('symbol')).toEqual([
    ['ETHUSDT', '-19.00'],
    ['XRPUSDT', '-3.00'],
    ['BTCUSDT', '5.00'],
    ['all', '-17.00'],
  ]);
  expect(await rows('day')).toEqual([
    ['1970-01-01', '-3.00'],
    ['1970-01-02', '5.00'],
    ['1970-01-03', '-19.00'],
    ['all', '-17.00'],
  ]);
});

test('the newest fills are read from the end of the journal, and no further than needed', async () => {
  const ORDERS = 50_000;
  const SHORT = 20_000;
  // An order has a command and an outcome; every tenth fills, those of ETHUSDT only at the beginning.
  const at = (position: number): StoredRecord => {
    const order = Math.ceil(position / 3);
    const isFilled = position % 3 === 0 && order % 10 === 0;
    const symbol = order <= 100 ? 'ETHUSDT' : 'BTCUSDT';
    return {
      position,
      kind: isFilled ? 'fill' : 'command',
      seq: order,
      time: order,
      data: { symbol, side: 'LONG', price: '1', size: '1' },
    };
  };
  let read = 0;
  const journal = (length: number) => ({
    *records(from = 1): Generator<StoredRecord> {
      for (let position = from; position <= length; position++) {
        read++;
        yield at(position);
      }
    },
    lastRecord: () => length,
  });
  const long = journal(3 * ORDERS);
  expect((await newestFills(long, { last: 5 })).map(({ number }) => number)).toEqual([49_960, 49_970, 49_980, 49_990, 50_000]);
  expect(read).toBeLessThanOrEqual(1_000);
  for (const window of [
    { last: 0 },
    { last: 37 },
    { last: 700, scope: 'BTCUSDT' },
    { last: 3, scope: 'ETHUSDT' },
    { last: 20, scope: 'ETHUSDT' },
    { last: 5, to: 1_234 },
    { last: 5, from: 19_975 },
    { last: 100_000 },
  ]) {
    const short = journal(SHORT);
    expect(await newestFills(short, window), JSON.stringify(window)).toEqual(
      (await fillsIn(short.records(), { ...window })).slice(window.last === 0 ? SHORT : 0),
    );
  }
});

test('funding is what the total of each position has changed by, whoever repeats it, and follows the lots that each strategy holds', async () => {
  const at = (time: number, total: number, openedAt = 1): StoredRecord => ({
    kind: 'funding',
    seq: 0,
    time,
    position: time,
    data: { symbol: 'BTCUSDT', side: 'LONG', total, openedAt },
  });
  const fill = (time: number, strategy: string): StoredRecord => {
    const data = { symbol: 'BTCUSDT', side: 'LONG', effect: 'OPEN', size: '1', price: '10', strategy, fee: '0.5' };
    return { kind: 'fill', seq: time, time, position: time, data };
  };
  const paid = { kind: 'fee', seq: 0, time: 2, position: 2, data: { order: 1, symbol: 'BTCUSDT', fee: '0.5', strategy: 'one' } };
  // The second total is repeated after a restart; the last position is another one.
  const records = [fill(1, 'one'), paid, at(3, -1e8), at(4, -3e8), at(5, -3e8), fill(6, 'two'), at(7, -2e8), at(8, 4e8, 8)];
  expect((await profitIn(journalOf(records), 'symbol', {})).at(-1)).toMatchObject({
    profit: '0.00',
    fees: '0.50',
    funding: '2.00',
    net: '1.50',
  });
  const byStrategy = await profitIn(journalOf(records), 'strategy', {});
  expect(byStrategy.map(({ key, funding, net }) => [key, funding, net])).toEqual([
    ['one', '-0.50', '-1.00'],
    ['two', '2.50', '2.50'],
    ['all', '2.00', '1.50'],
  ]);
  // What was paid before the window is no part of it.
  expect((await profitIn(journalOf(records), 'reason', { from: 7 })).map(({ key, funding }) => [key, funding])).toEqual([
    ['funding', '5.00'],
    ['all', '5.00'],
  ]);
});
