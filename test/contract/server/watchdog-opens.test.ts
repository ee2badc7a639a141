/** Which orders a watchdog takes for own opening ones, and what it makes of the venue's answers, over HTTP. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { defaultConfig } from '../../../src/config/defaults.ts';
import { Secret } from '../../../src/base/secret.ts';
import { PLACE, PLACE_SPOT, PLACE_TRIGGER } from '../../../src/domain/codes.ts';
import { opensAtVenue, type OpensAtVenue } from '../../../src/run/watchdog/opens-at-venue.ts';
import { venueAccess, type VenueAccess } from '../../../src/run/watchdog/venue-access.ts';
import { watchdogSettings } from '../../../src/run/watchdog/settings.ts';
import { ALICE } from '../../support/exchange/exchange-client.ts';
import { limitOrder, SPECS, startExchange, type TestExchange } from '../../support/exchange/exchange-kit.ts';

let x: TestExchange;
let venue: Watching;

type Watching = OpensAtVenue & Pick<VenueAccess, 'check' | 'close'>;

const UNKNOWN = { unknown: expect.any(String) };

function watching(
  account: { readonly key: string; readonly secret: string; readonly passphrase: string },
  { baseUrl = x.url, instruments = SPECS } = {},
): Watching {
  const config = defaultConfig();
  const [key, secret, passphrase] = [account.key, account.secret, account.passphrase].map((text) => new Secret(text));
  const credentials = { key: key!, secret: secret!, passphrase: passphrase! };
  const settings = { ...config, bot: 'bot', instruments, venue: { ...config.venue, baseUrl }, credentials };
  const access = venueAccess(watchdogSettings(settings, false));
  return { ...opensAtVenue('bot', access), check: () => access.check(), close: () => access.close() };
}

beforeEach(async () => {
  x = await startExchange();
  x.time = Date.now();
  venue = watching(ALICE);
});
afterEach(async () => {
  await venue.close();
  await x.close();
});

const epoch = (number: number): string => number.toString(36);
const listed = async (upTo: number): Promise<string[]> => {
  const found = await venue.list(upTo);
  if ('unknown' in found) throw new Error(found.unknown);
  return found
    .filter(({ isOwn }) => isOwn)
    .map(({ clientId }) => clientId)
    .sort();
};

it('lists opening orders of the bot, of epochs up to that of the silent process: no close, no other bot, no person', async () => {
  await x.data('placeOrder', { ...limitOrder({ clientOid: `bot-${epoch(8)}-1` }), orderType: 'MARKET', price: undefined });
  const close = { side: 'LONG', tradeSide: 'CLOSE', price: '61000.0' };
  const ids: readonly (readonly [string, object])[] = [
    [`bot-${epoch(8)}-2`, {}],
    [`bot-${epoch(9)}-3`, { side: 'SHORT', price: '61000.0' }],
    [`bot-${epoch(10)}-4`, {}],
    [`bot-${epoch(9)}-5`, close],
    [`bot2-${epoch(9)}-6`, {}],
    ['by-hand', {}],
  ];
  for (const [clientOid, more] of ids) await x.data('placeOrder', limitOrder({ clientOid, ...more }));
  expect(await listed(9)).toEqual([`bot-${epoch(8)}-2`, `bot-${epoch(9)}-3`]);
  expect(await listed(10)).toHaveLength(3);
  // Orders of others are listed as such: a trigger order may have become one of them.
  const others = async (upTo: number): Promise<unknown> => {
    const found = await venue.list(upTo);
    return 'unknown' in found ? found : found.filter(({ isOwn }) => !isOwn).map(({ clientId, price, size }) => [clientId, price, size]);
  };
  expect(await others(9)).toEqual(
    expect.arrayContaining([
      ['bot2-9-6', 590_000, 10],
      ['by-hand', 590_000, 10],
    ]),
  );
  expect(await others(9)).toHaveLength(2);
});

it('reads all pages before it says that there is none', async () => {
  for (let k = 1; k <= 230; k++)
    await x.data('placeOrder', limitOrder({ clientOid: k === 1 ? `bot-${epoch(9)}-1` : `hand-${k}`, size: '0.001' }));
  expect(await listed(9)).toEqual([`bot-${epoch(9)}-1`]);
});

it('an order is cancelled by its client id; what the venue does not know is gone, and no answer is neither', async () => {
  const order = { kind: PLACE, symbol: 'BTCUSDT', clientId: `bot-${epoch(9)}-1`, venueId: '' };
  await x.data('placeOrder', limitOrder({ clientOid: order.clientId }));
  expect([await venue.cancel(order), await listed(9), await venue.cancel(order)]).toEqual(['ended', [], 'gone']);
  const trigger = { ...order, kind: PLACE_TRIGGER, clientId: `bot-${epoch(9)}-2` };
  await x.data('placePlanOrder', {
    symbol: 'BTCUSDT',
    marginMode: 'CROSS',
    size: '0.010',
    side: 'LONG',
    triggerPrice: '61000.0',
    triggerPriceType: 'LAST',
    clientOid: trigger.clientId,
  });
  expect([await venue.cancel(trigger), await venue.cancel(trigger)]).toEqual(['ended', 'gone']);
  expect(await venue.cancel({ ...order, kind: PLACE_SPOT })).toEqual({ unknown: 'its id at the venue is not known' });
  expect(await venue.cancel({ ...order, symbol: 'OTHERUSDT' })).toEqual({ unknown: 'OTHERUSDT is not configured' });
  await x.close();
  expect([await venue.list(9), await venue.cancel(order)]).toEqual([{ unknown: expect.any(String) }, { unknown: expect.any(String) }]);
});

it('an order without a client id of its own is cancelled by its venue id', async () => {
  const { orderId } = await x.data('placeOrder', limitOrder({ clientOid: 'of-another' }));
  const order = { kind: PLACE, symbol: 'BTCUSDT', clientId: '', venueId: orderId };
  expect([await venue.cancel(order), await venue.cancel(order)]).toEqual(['ended', 'gone']);
});

it('a request that is refused for another reason than that the order is not known says nothing about it', async () => {
  const server = createServer((_request, response) => {
    const body = { code: '40725', msg: 'service return an error', requestTime: Date.now(), data: null };
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const refused = watching(ALICE, { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  const order = { kind: PLACE, symbol: 'BTCUSDT', clientId: `bot-${epoch(9)}-1`, venueId: '' };
  const kinds = [PLACE, PLACE_TRIGGER];
  expect(await Promise.all(kinds.map((kind) => refused.cancel({ ...order, kind })))).toEqual([UNKNOWN, UNKNOWN]);
  await refused.close();
  server.close();
});

it('a key that is refused proves nothing', async () => {
  const wrong = { ...ALICE, secret: 'wrong' };
  const stranger = watching(wrong);
  const order = { kind: PLACE, symbol: 'BTCUSDT', clientId: `bot-${epoch(9)}-1`, venueId: '' };
  expect([await stranger.list(9), await stranger.cancel(order)]).toEqual([{ unknown: 'unauthorized' }, { unknown: 'unauthorized' }]);
  expect([await stranger.check(), await venue.check()]).toEqual(['unauthorized', '']);
  await stranger.close();
  const instruments = SPECS.filter(({ product }) => product === 'spot');
  const spot = [wrong, ALICE].map((account) => watching(account, { instruments }));
  expect(await Promise.all(spot.map((one) => one.check()))).toEqual(['unauthorized', '']);
  for (const one of spot) await one.close();
});

it.each([600_000, -600_000])('beside a venue whose clock differs by %i ms it learns the time, and cancels', async (byMs) => {
  x.time = Date.now() + byMs;
  const order = { kind: PLACE, symbol: 'BTCUSDT', clientId: `bot-${epoch(9)}-1`, venueId: '' };
  await x.data('placeOrder', limitOrder({ clientOid: order.clientId }));
  // Answers with the same time are one to it.
  Object.defineProperty(x, 'time', { get: () => Date.now() + byMs });
  expect(await venue.cancel(order)).toEqual({ unknown: 'unauthorized' });
  // An answer that takes longer than a second does not tell the time: a busy machine needs more of them.
  let answer: unknown = null;
  for (let left = 30; left > 0 && answer !== 'ended'; left--) answer = await venue.cancel(order);
  expect(answer).toBe('ended');
});
