/** What a watchdog did, in words: each order with its size and price, what is not known, and no more than fits a message. */
import { expect, it } from 'vitest';
import { LONG, PLACE, SHORT } from '../../../../src/domain/codes.ts';
import { Deeds } from '../../../../src/run/watchdog/deeds.ts';
import { btc } from '../../../support/engine/engine-kit.ts';

const order = (clientId: string, price = 600_001) => ({
  kind: PLACE,
  symbol: 'BTCUSDT',
  clientId,
  venueId: 'v',
  side: LONG,
  size: 20,
  price,
});
const close = { clientId: 'c', symbol: 'BTCUSDT', side: SHORT, size: 27, time: 1 };

it('each cancel and close is named with size and price, once', () => {
  const deeds = new Deeds([btc()]);
  expect(deeds.text).toBe('');
  deeds.cancelled(order('a'));
  deeds.cancelled(order('a'));
  expect(deeds.text).toBe('cancelled 1 opening order: BTCUSDT LONG 0.020 at 60000.1');
  deeds.cancelled(order('b', 0));
  expect(deeds.became(close, undefined, undefined)).toBe(false);
  expect(deeds.text).toMatch(/; closed BTCUSDT SHORT 0\.027 \(sent; its fill is not known yet\)$/);
  deeds.became({ ...close, clientId: 'refused' }, undefined, undefined);
  deeds.became({ ...close, clientId: 'refused' }, 'refused', undefined);
  const fill = { lots: 27, price: 59_999.94 };
  expect([deeds.became(close, 'ended', fill), deeds.became(close, 'ended', fill)]).toEqual([true, false]);
  expect(deeds.text).toBe(
    'cancelled 2 opening orders: BTCUSDT LONG 0.020 at 60000.1, BTCUSDT LONG 0.020; closed BTCUSDT SHORT 0.027 at 59999.9',
  );
});

it('what a record does not show is said so', () => {
  const deeds = new Deeds([btc()]);
  deeds.became(close, 'ended', { lots: null, price: 0 });
  deeds.became({ ...close, clientId: 'd', symbol: 'GONEUSDT' }, 'ended', undefined);
  expect(deeds.text).toBe(
    'closed BTCUSDT SHORT at most 0.027 at a price that no record shows, GONEUSDT SHORT at a price that no record shows',
  );
});

it('of many orders five are named', () => {
  const deeds = new Deeds([btc()]);
  for (let k = 0; k < 200; k++) deeds.cancelled(order(`o${k}`));
  expect(deeds.text).toMatch(/^cancelled 200 opening orders: .* and 195 more$/);
  expect(deeds.text.length).toBeLessThan(300);
});
