/** Fills and profit computed from the records of a journal. */
import { expect, test } from 'vitest';
import { fillsIn, profitIn } from '../../src/run/bot/fills.ts';

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
  expect((await profitIn([exit], 'symbol', {})).at(-1)).toMatchObject({ volume: '606.99', profit: '-0.93', closed: 1 });
});

test('the profit of a close is summed from its order records, in older journals from its fills', async () => {
  expect((await profitIn([fee, close], 'symbol', {})).at(-1)).toMatchObject({ profit: '-0.07', fees: '0.12', closed: 1 });
  const later = { ...fee, data: { ...fee.data, profit: '-1' } };
  expect((await profitIn([later, close], 'symbol', {})).at(-1)).toMatchObject({ profit: '-1.00' });
  const older = { ...close, data: { ...close.data, isBooked: undefined } };
  expect((await profitIn([{ ...fee, data: { ...fee.data, profit: undefined } }, older], 'symbol', {})).at(-1)).toMatchObject({
    profit: '-0.07',
  });
});

test('groups stand with the largest loss first, days in their order, and the sum is the last', async () => {
  const DAY = 86_400_000;
  const booked = (symbol: string, day: number, profit: string) => ({ ...exit, time: day * DAY, data: { ...exit.data, symbol, profit } });
  const records = [booked('BTCUSDT', 1, '5'), booked('ETHUSDT', 2, '-20'), booked('XRPUSDT', 0, '-3'), booked('ETHUSDT', 2, '1')];
  const rows = async (by: 'symbol' | 'day') => (await profitIn(records, by, {})).map(({ key, profit }) => [key, profit]);
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
