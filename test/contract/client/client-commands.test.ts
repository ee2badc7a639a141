import { afterEach, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import * as codes from '../../../src/domain/codes.ts';
import { emptyCommand, type Approved, type Command } from '../../../src/domain/orders/command.ts';
import { bench, closeBenches, type Bench } from '../../support/exchange/client-bench.ts';
import { closedPort } from '../../support/exchange/raw-server.ts';
import { refusal, type InboxEvent, type Script } from '../../support/exchange/scripted-venue.ts';

afterEach(closeBenches);

function command(fields: Partial<Command>): Approved<Command> {
  return Object.assign(emptyCommand(), { seq: 46, ...fields }) as Approved<Command>;
}

/** Executes one command against `script`. Returns the body that was sent and the event that came. */
async function execute(
  script: Script,
  fields: Partial<Command>,
  options: Parameters<typeof bench>[1] = {},
): Promise<Bench & { body: string; event: InboxEvent }> {
  const made = await bench(script, options);
  const given = command(fields);
  made.venue.execute(given);
  Object.assign(given, emptyCommand(), { seq: 999, instrument: 1, marginMode: 1 });
  expect(made.inbox.events).toHaveLength(0);
  const [event] = await made.inbox.until(1);
  return { ...made, body: made.server.asked[0]?.body ?? '', event: event as InboxEvent };
}

const place = { kind: codes.PLACE, instrument: 0, side: codes.LONG, effect: codes.OPEN, type: codes.LIMIT, price: 400_001, size: 500 };
const placed: Script = ({ body }) => ({ data: { orderId: 'fu-7', clientOid: (JSON.parse(body) as { clientOid: string }).clientOid } });

describe('a command becomes one request', () => {
  const cases: readonly (readonly [
    name: string,
    fields: Partial<Command>,
    endpoint: string,
    body: string,
    data: unknown,
    venueId: string,
  ])[] = [
    [
      'a post-only limit order with a bracket',
      { ...place, force: 1, takeProfit: 410_000, stopLoss: 390_000, stopLossLimit: 389_999 },
      'E12',
      '{"symbol":"BTCUSDT","marginMode":"CROSS","size":"0.500","side":"LONG","tradeSide":"OPEN","orderType":"LIMIT","price":"40000.1","force":"POST_ONLY","clientOid":"tw-1-1a","presetTakeProfitPrice":"41000.0","presetStopLossPrice":"39000.0","presetStopLossExecutePrice":"38999.9"}',
      { orderId: 'fu-7', clientOid: 'tw-1-1a' },
      'fu-7',
    ],
    [
      'a market order that closes an isolated short',
      { ...place, side: codes.SHORT, effect: codes.CLOSE, type: codes.MARKET, price: 0, marginMode: codes.ISOLATED },
      'E12',
      '{"symbol":"BTCUSDT","marginMode":"ISOLATED","size":"0.500","side":"SHORT","tradeSide":"CLOSE","orderType":"MARKET","clientOid":"tw-1-1a"}',
      { orderId: 'fu-7', clientOid: 'tw-1-1a' },
      'fu-7',
    ],
    [
      'a trigger order',
      { kind: codes.PLACE_TRIGGER, instrument: 0, side: codes.SHORT, size: 1, trigger: 500_000, triggerBy: codes.BY_MARK, price: 499_999 },
      'E13',
      '{"symbol":"BTCUSDT","marginMode":"CROSS","size":"0.001","side":"SHORT","triggerPrice":"50000.0","triggerPriceType":"MARK","price":"49999.9","clientOid":"tw-1-1a"}',
      { orderId: 'fu-plan-1', clientOid: 'tw-1-1a' },
      'fu-plan-1',
    ],
    [
      'a modify, by venue id if it is known',
      { kind: codes.MODIFY, instrument: 1, target: 45, targetVenueId: 'fu-6', price: 123, size: 0 },
      'E14',
      '{"symbol":"ETHUSDT","newClientOid":"tw-1-1a","orderId":"fu-6","newPrice":"1.23"}',
      { orderId: 'fu-8', clientOid: 'tw-1-1a' },
      'fu-8',
    ],
    [
      'a modify, by client id otherwise',
      { kind: codes.MODIFY, instrument: 1, target: 45, size: 2, stopLoss: 100 },
      'E14',
      '{"symbol":"ETHUSDT","newClientOid":"tw-1-1a","clientOid":"tw-1-19","newSize":"0.002","newPresetStopLossPrice":"1.00"}',
      { orderId: 'fu-8', clientOid: 'tw-1-1a' },
      'fu-8',
    ],
    [
      'a cancel, by client id',
      { kind: codes.CANCEL, instrument: 0, target: 45, targetVenueId: 'fu-6' },
      'E15',
      '{"orderIdList":[{"clientOid":"tw-1-19"}]}',
      { successList: [{ orderId: 'fu-6', clientOid: 'tw-1-19' }], failureList: [] },
      'fu-6',
    ],
    [
      "a cancel of someone else's order, by venue id",
      { kind: codes.CANCEL, instrument: 0, target: 0, targetVenueId: 'fu-6' },
      'E15',
      '{"orderIdList":[{"orderId":"fu-6"}]}',
      { successList: [{ orderId: 'fu-6', clientOid: '' }], failureList: [] },
      'fu-6',
    ],
    [
      'a cancel of a trigger order',
      { kind: codes.CANCEL_TRIGGER, instrument: 0, target: 45 },
      'E16',
      '{"symbol":"BTCUSDT","orderIdList":[{"clientOid":"tw-1-19"}]}',
      { successList: [{ orderId: 'fu-plan-1', clientOid: 'tw-1-19' }], failureList: [] },
      'fu-plan-1',
    ],
    [
      'a margin mode',
      { kind: codes.SET_MARGIN_MODE, instrument: 0, marginMode: codes.ISOLATED },
      'E10',
      '{"symbol":"BTCUSDT","marginMode":"ISOLATED"}',
      { symbol: 'BTCUSDT', marginCoin: 'USDT', longLeverage: '10', shortLeverage: '10', marginMode: 'isolated' },
      '',
    ],
    [
      'a margin change, as a number without a float',
      { kind: codes.ADJUST_MARGIN, instrument: 0, side: codes.SHORT, amount: -10 },
      'E11',
      '{"symbol":"BTCUSDT","holdSide":"SHORT","amount":-0.0000001}',
      null,
      '',
    ],
    [
      'a spot order, alone in its batch',
      { kind: codes.PLACE_SPOT, instrument: 2, side: codes.SELL, type: codes.LIMIT, price: 15_000, size: 12_345 },
      'E1',
      '{"symbol":"SOLUSDT","batchMode":"single","orderList":[{"side":"sell","orderType":"limit","price":"150.00","size":"1.2345"}]}',
      { successList: [{ orderId: '123' }], failureList: [] },
      '123',
    ],
    [
      'a cancel of a spot order',
      { kind: codes.CANCEL_SPOT, instrument: 2, target: 45, targetVenueId: '123' },
      'E2',
      '{"symbol":"SOLUSDT","batchMode":"single","orderList":[{"orderId":"123"}]}',
      { successList: [{ orderId: '123' }], failureList: [] },
      '123',
    ],
  ];

  it.each(cases)('%s', async (_name, fields, endpoint, body, data, venueId) => {
    const made = await execute(() => ({ data }), fields);
    expect(made.server.asked.map((asked) => asked.endpoint.id)).toEqual([endpoint]);
    expect(made.body).toBe(body);
    expect(made.event).toEqual({ kind: 'accepted', seq: 46, venueId });
  });

  it('with the configured word for cross margin', async () => {
    expect((await execute(placed, place, { crossWord: 'CROSSED' })).body).toContain('"marginMode":"CROSSED"');
  });

  it('every margin change is sent with exactly its digits [outcomes 2.6]', async () => {
    const made = await bench(() => ({ data: null }));
    const amounts = fc.sample(
      fc.maxSafeInteger().filter((amount) => amount !== 0),
      100,
    );
    for (const [i, amount] of amounts.entries()) made.venue.execute(command({ kind: codes.ADJUST_MARGIN, amount, seq: i + 1 }));
    await made.inbox.until(amounts.length);
    const texts = made.server.asked.map(({ body }) => /"amount":(-?[\d.]+)\}$/.exec(body)?.[1] ?? '');
    const scaled = texts.map((text) => {
      const [whole = '', fraction = ''] = text.replace('-', '').split('.');
      return (text.startsWith('-') ? -1n : 1n) * BigInt(whole + fraction.padEnd(8, '0'));
    });
    const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : Number(a > b));
    expect(scaled.sort(ascending)).toEqual(amounts.map(BigInt).sort(ascending));
  });
});

describe('the outcome of a command', () => {
  const entries =
    (successList: unknown[], failureList: unknown[]): Script =>
    () => ({ data: { successList, failureList } });
  const cancel = { kind: codes.CANCEL, instrument: 0, target: 45 };
  const notFound = { errorCode: '40001', errorMsg: 'Order not found' };
  const spot = { kind: codes.PLACE_SPOT, instrument: 2, side: codes.BUY, type: codes.LIMIT, price: 1, size: 1 };
  const spotCancel = { kind: codes.CANCEL_SPOT, instrument: 2, targetVenueId: '9' };

  const cases: readonly (readonly [name: string, fields: Partial<Command>, script: Script, event: object])[] = [
    [
      'refused',
      place,
      () => ({ status: 400, body: refusal('40019', 'Insufficient balance') }),
      { kind: 'rejected', rejection: { reason: 'insufficient-balance', code: '40019', message: 'Insufficient balance' } },
    ],
    [
      'refused by a known code with an unknown message [outcomes C12]',
      place,
      () => ({ status: 400, body: refusal('40019', 'engine time-out, state unknown') }),
      { kind: 'unknown', cause: 'unknown-code' },
    ],
    [
      'refused as a duplicate',
      place,
      () => ({ body: refusal('40011', 'Custom ID already exists') }),
      { kind: 'rejected', rejection: { reason: 'duplicate-client-id' } },
    ],
    ["another's order", place, () => ({ data: { orderId: 'fu-1', clientOid: 'tw-1-zz' } }), { kind: 'unknown', cause: 'response-mixup' }],
    ['a page of HTML', place, () => ({ body: '<html>welcome</html>' }), { kind: 'unknown', cause: 'gateway-page' }],
    ['a page about maintenance', place, () => ({ body: '<html>maintenance</html>' }), { kind: 'unknown', cause: 'maintenance' }],
    ['half a reply', place, () => ({ body: '{"code":"00000","msg":"succ' }), { kind: 'unknown', cause: 'not-json' }],
    ['too many requests', place, () => ({ status: 429, body: '' }), { kind: 'unknown', cause: 'rate-limited' }],
    [
      'a fault of the venue',
      place,
      () => ({ status: 500, body: refusal('50000', 'System error') }),
      { kind: 'unknown', cause: 'venue-fault' },
    ],
    [
      'a cancel of an order that was not found',
      cancel,
      entries([], [{ orderId: '', clientOid: 'tw-1-19', ...notFound }]),
      { kind: 'rejected', rejection: { reason: 'order-not-found', code: '40001' } },
    ],
    [
      'a failure without any id',
      cancel,
      entries([], [{ orderId: '', clientOid: '', ...notFound }]),
      { kind: 'rejected', rejection: { reason: 'order-not-found' } },
    ],
    [
      'a failure for an unknown reason',
      cancel,
      entries([], [{ orderId: '', clientOid: 'tw-1-19', errorCode: '49999', errorMsg: 'no' }]),
      { kind: 'unknown', cause: 'unknown-code' },
    ],
    [
      'an entry that failed by a fault',
      cancel,
      entries([], [{ orderId: '', clientOid: 'tw-1-19', errorCode: '50000', errorMsg: 'System error' }]),
      { kind: 'unknown', cause: 'venue-fault' },
    ],
    ['an entry in neither list', cancel, entries([], []), { kind: 'unknown', cause: 'entry-missing' }],
    ["another's entry", cancel, entries([{ orderId: 'fu-1', clientOid: 'tw-1-zz' }], []), { kind: 'unknown', cause: 'response-mixup' }],
    [
      'more entries than asked for',
      cancel,
      entries([{ orderId: 'fu-1', clientOid: 'tw-1-19' }], [{ orderId: '', clientOid: 'x', ...notFound }]),
      { kind: 'unknown', cause: 'response-mixup' },
    ],
    [
      'a trigger order that is gone, without error fields',
      { ...cancel, kind: codes.CANCEL_TRIGGER },
      entries([], [{ orderId: 'fu-plan-1', clientOid: 'tw-1-19' }]),
      { kind: 'rejected', rejection: { reason: 'order-not-found' } },
    ],
    [
      'a spot order that failed',
      spot,
      entries([], [{ errorCode: '43012', errorMsg: 'Insufficient balance' }]),
      { kind: 'rejected', rejection: { reason: 'invalid-request', code: '43012' } },
    ],
    ['a spot order in neither list', spot, entries([], []), { kind: 'unknown', cause: 'entry-missing' }],
    [
      'a spot order in both lists',
      spot,
      entries([{ orderId: '1' }], [{ errorCode: '1', errorMsg: '' }]),
      { kind: 'unknown', cause: 'response-mixup' },
    ],
    [
      'a spot cancel that found nothing',
      spotCancel,
      entries([], [{ orderId: '9', errorCode: '43001', errorMsg: 'Order not found' }]),
      { kind: 'rejected', rejection: { reason: 'order-not-found' } },
    ],
    [
      'a spot cancel that failed with an unknown message',
      spotCancel,
      entries([], [{ orderId: '9', errorCode: '40001', errorMsg: 'x' }]),
      { kind: 'unknown', cause: 'unknown-code' },
    ],
    [
      'a spot order that failed without a clear result',
      spot,
      entries([], [{ errorCode: '40019', errorMsg: 'engine time-out, state unknown' }]),
      { kind: 'unknown', cause: 'unknown-code' },
    ],
    [
      'a trigger cancel that failed with an unknown message',
      { ...cancel, kind: codes.CANCEL_TRIGGER },
      entries([], [{ orderId: 'fu-plan-1', clientOid: 'tw-1-19', errorCode: '40001', errorMsg: 'try again' }]),
      { kind: 'unknown', cause: 'unknown-code' },
    ],
    ["another's spot cancel", spotCancel, entries([{ orderId: '8' }], []), { kind: 'unknown', cause: 'response-mixup' }],
    [
      'another margin mode than requested',
      { kind: codes.SET_MARGIN_MODE, instrument: 0, marginMode: 1 },
      () => ({ data: { symbol: 'BTCUSDT', marginCoin: 'USDT', longLeverage: '1', shortLeverage: '1', marginMode: 'CROSS' } }),
      { kind: 'unknown', cause: 'response-mixup' },
    ],
  ];

  it.each(cases)('%s', async (_name, fields, script, event) => {
    const made = await execute(script, fields);
    expect(made.event).toMatchObject({ seq: 46, ...event });
    expect(made.server.asked).toHaveLength(1);
  });

  it('is unknown after a reset or no answer, and a write is never sent again', async () => {
    const reset = await execute((_asked, response) => (response.socket?.resetAndDestroy(), null), place);
    expect(reset.event).toEqual({ kind: 'unknown', seq: 46, cause: 'reset' });
    const silent = await execute(() => null, place, { timeoutMs: 200 });
    expect(silent.event).toEqual({ kind: 'unknown', seq: 46, cause: 'timeout' });
    expect([reset.server.asked.length, silent.server.asked.length]).toEqual([1, 1]);
    expect(reset.events).toContain('command-unknown');
  });

  it('is unsent if no one listens, if it expired, and after drain [outcomes C1] [outcomes C2]', async () => {
    const nobody = await execute(placed, place, { baseUrl: `http://127.0.0.1:${await closedPort()}` });
    expect(nobody.event).toEqual({ kind: 'unsent', seq: 46, cause: 'connection-refused' });
    const late = await execute(placed, { ...place, time: 0, validMs: 1 });
    expect(late.event).toEqual({ kind: 'unsent', seq: 46, cause: 'expired' });
    await late.venue.drain();
    late.venue.execute(command(place));
    expect((await late.inbox.until(2))[1]).toEqual({ kind: 'unsent', seq: 46, cause: 'stopped' });
    expect(late.server.asked).toHaveLength(0);
  });

  it('is logged as an error if the answer belongs to another order', async () => {
    const made = await execute(() => ({ data: { orderId: 'fu-1', clientOid: 'other' } }), place);
    expect(made.events).toContain('response-mixup');
  });

  it('is waited for by drain', async () => {
    const slow: Script = (_asked, response) => {
      setTimeout(() => response.end(JSON.stringify({ code: '00000', msg: '', data: { orderId: 'fu-1', clientOid: 'tw-1-1a' } })), 100);
      return null;
    };
    const made = await bench(slow);
    made.venue.execute(command(place));
    expect(made.venue.counts().writesInFlight).toBe(1);
    await made.venue.drain();
    expect(made.inbox.events).toEqual([{ kind: 'accepted', seq: 46, venueId: 'fu-1' }]);
    expect(made.venue.counts().writesInFlight).toBe(0);
  });
});
