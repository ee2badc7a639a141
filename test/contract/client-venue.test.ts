import { afterEach, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { Secret } from '../../src/base/secret.ts';
import * as codes from '../../src/domain/codes.ts';
import { emptyCommand, type Approved, type Command } from '../../src/domain/command.ts';
import { createInstrument } from '../../src/domain/instrument.ts';
import { parseBaseUrl } from '../../src/edge/http/base-url.ts';
import { VenueClient } from '../../src/edge/http/call.ts';
import { HttpVenue, type HttpVenueOptions } from '../../src/edge/http/http-venue.ts';
import { SymbolTable, statusOf, type DropCounts } from '../../src/edge/http/map-in.ts';
import { QuoteDiff, type QuoteRecord } from '../../src/edge/http/quote-diff.ts';
import { HttpTransport } from '../../src/edge/http/transport.ts';
import { PollLane } from '../../src/edge/pace/poll-lane.ts';
import { LiveClock } from '../../src/edge/time/live-clock.ts';
import type { Log } from '../../src/ports/log.ts';
import type { Query } from '../../src/ports/venue.ts';
import { closedPort } from '../support/raw-server.ts';
import { RecordingInbox, refusal, startScriptedVenue, type InboxEvent, type Script, type ScriptedVenue } from '../support/scripted-venue.ts';

const spec = {
  product: 'futures', baseCoin: 'BTC', quoteCoin: 'USDT', tickSize: '0.1', lotSize: '0.001', minSize: '0.001', maxSize: '100',
  makerFeeRate: '0.0002', takerFeeRate: '0.0006',
} as const; // prettier-ignore
const instruments = [
  createInstrument({ ...spec, symbol: 'BTCUSDT' }, 0),
  createInstrument({ ...spec, symbol: 'ETHUSDT', tickSize: '0.01' }, 1),
  createInstrument({ ...spec, symbol: 'SOLUSDT', product: 'spot', tickSize: '0.01', lotSize: '0.0001' }, 2),
];
const clock = new LiveClock();
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Bench {
  readonly venue: HttpVenue;
  readonly inbox: RecordingInbox;
  readonly server: ScriptedVenue;
  readonly events: string[];
  readonly client: VenueClient;
}

async function bench(script: Script, options: Partial<HttpVenueOptions> & { timeoutMs?: number; baseUrl?: string } = {}): Promise<Bench> {
  const server = await startScriptedVenue(script);
  const events: string[] = [];
  const note = (event: string): void => void events.push(event);
  const log: Log = { debug: note, info: note, warn: note, error: note };
  const base = parseBaseUrl(options.baseUrl ?? server.url);
  const transport = new HttpTransport({ base, clock, timeoutMs: options.timeoutMs ?? 2_000 });
  const credentials = { key: new Secret('k'), secret: new Secret('s'), passphrase: new Secret('p') };
  const limiter = new PollLane({ clock, buckets: {}, fallback: { perSecond: 1_000 } });
  const client = new VenueClient({ transport, clock, credentials, onRateLimit: (bucket, until) => limiter.backOff(bucket, until) });
  const retries = { retries: 2, firstDelayMs: 1, longestDelayMs: 5, maxTotalMs: 3_000 };
  const venue = new HttpVenue({ client, limiter, clock, log, instruments, clientIdOf: (seq) => `tw-1-${seq.toString(36)}`, retries, ...options });
  const inbox = new RecordingInbox();
  venue.attach(inbox);
  closers.push(() => server.close(), () => transport.close(), () => limiter.stop());
  return { venue, inbox, server, events, client };
}

function command(fields: Partial<Command>): Approved<Command> {
  return Object.assign(emptyCommand(), { seq: 46, ...fields }) as Approved<Command>;
}

/** Executes one command against `script`; gives the body that was sent and the event that came. */
async function execute(script: Script, fields: Partial<Command>, options: Parameters<typeof bench>[1] = {}): Promise<Bench & { body: string; event: InboxEvent }> {
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
  const cases: readonly (readonly [name: string, fields: Partial<Command>, endpoint: string, body: string, data: unknown, venueId: string])[] = [
    [
      'a limit order that must rest, with presets',
      { ...place, postOnly: 1, takeProfit: 410_000, stopLoss: 390_000, stopLossLimit: 389_999 },
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
      'a plan order',
      { kind: codes.PLACE_TRIGGER, instrument: 0, side: codes.SHORT, size: 1, trigger: 500_000, triggerBy: codes.BY_MARK, price: 499_999 },
      'E13',
      '{"symbol":"BTCUSDT","marginMode":"CROSS","size":"0.001","side":"SHORT","triggerPrice":"50000.0","triggerPriceType":"MARK","price":"49999.9","clientOid":"tw-1-1a"}',
      { orderId: 'fu-plan-1', clientOid: 'tw-1-1a' },
      'fu-plan-1',
    ],
    [
      'a change, by the venue id where it is known',
      { kind: codes.MODIFY, instrument: 1, target: 45, targetVenueId: 'fu-6', price: 123, size: 0 },
      'E14',
      '{"symbol":"ETHUSDT","newClientOid":"tw-1-1a","orderId":"fu-6","newPrice":"1.23"}',
      { orderId: 'fu-8', clientOid: 'tw-1-1a' },
      'fu-8',
    ],
    [
      'a change, by the client id otherwise',
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
      "a cancel of an order that is not the bot's, by venue id",
      { kind: codes.CANCEL, instrument: 0, target: 0, targetVenueId: 'fu-6' },
      'E15',
      '{"orderIdList":[{"orderId":"fu-6"}]}',
      { successList: [{ orderId: 'fu-6', clientOid: '' }], failureList: [] },
      'fu-6',
    ],
    [
      'a cancel of a plan order',
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
      'a margin step, as a number without a float',
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

  it('with the word for cross margin that the venue wants', async () => {
    expect((await execute(placed, place, { crossWord: 'CROSSED' })).body).toContain('"marginMode":"CROSSED"');
  });

  it('any margin step reaches the wire with exactly its digits', async () => {
    const made = await bench(() => ({ data: null }));
    const amounts = fc.sample(fc.maxSafeInteger().filter((amount) => amount !== 0), 100);
    for (const [i, amount] of amounts.entries()) made.venue.execute(command({ kind: codes.ADJUST_MARGIN, amount, seq: i + 1 }));
    await made.inbox.until(amounts.length);
    const texts = made.server.asked.map(({ body }) => /"amount":(-?[\d.]+)\}$/.exec(body)?.[1] ?? '');
    const scaled = texts.map((text) => {
      const [whole = '', fraction = ''] = text.replace('-', '').split('.');
      return (text.startsWith('-') ? -1n : 1n) * BigInt(whole + fraction.padEnd(8, '0'));
    });
    expect(scaled.sort()).toEqual(amounts.map(BigInt).sort());
  });
});

describe('what became of a command', () => {
  const entries = (successList: unknown[], failureList: unknown[]): Script => () => ({ data: { successList, failureList } });
  const cancel = { kind: codes.CANCEL, instrument: 0, target: 45 };
  const notFound = { errorCode: '40001', errorMsg: 'Order not found' };
  const spot = { kind: codes.PLACE_SPOT, instrument: 2, side: codes.BUY, type: codes.LIMIT, price: 1, size: 1 };
  const spotCancel = { kind: codes.CANCEL_SPOT, instrument: 2, targetVenueId: '9' };

  const cases: readonly (readonly [name: string, fields: Partial<Command>, script: Script, event: object])[] = [
    ['refused', place, () => ({ status: 400, body: refusal('40019', 'Insufficient balance') }), { kind: 'rejected', rejection: { reason: 'insufficient-balance', code: '40019', message: 'Insufficient balance' } }],
    ['refused as a duplicate', place, () => ({ body: refusal('40011', 'Custom ID already exists') }), { kind: 'rejected', rejection: { reason: 'duplicate-client-id' } }],
    ["another's order", place, () => ({ data: { orderId: 'fu-1', clientOid: 'tw-1-zz' } }), { kind: 'unknown', cause: 'response-mixup' }],
    ['a page of HTML', place, () => ({ body: '<html>maintenance</html>' }), { kind: 'unknown', cause: 'not-json' }],
    ['half a reply', place, () => ({ body: '{"code":"00000","msg":"succ' }), { kind: 'unknown', cause: 'not-json' }],
    ['too many requests', place, () => ({ status: 429, body: '' }), { kind: 'unknown', cause: 'rate-limited' }],
    ['a fault of the venue', place, () => ({ status: 500, body: refusal('50000', 'System error') }), { kind: 'unknown', cause: 'venue-fault' }],
    ['a cancel that found nothing', cancel, entries([], [{ orderId: '', clientOid: 'tw-1-19', ...notFound }]), { kind: 'rejected', rejection: { reason: 'order-not-found', code: '40001' } }],
    ['a failure that names nobody', cancel, entries([], [{ orderId: '', clientOid: '', ...notFound }]), { kind: 'rejected', rejection: { reason: 'order-not-found' } }],
    ['a failure for an unknown reason', cancel, entries([], [{ orderId: '', clientOid: 'tw-1-19', errorCode: '49999', errorMsg: 'no' }]), { kind: 'rejected', rejection: { reason: 'order-not-found', code: '49999' } }],
    ['an entry that failed by a fault', cancel, entries([], [{ orderId: '', clientOid: 'tw-1-19', errorCode: '50000', errorMsg: 'System error' }]), { kind: 'unknown', cause: 'venue-fault' }],
    ['an entry in neither list', cancel, entries([], []), { kind: 'unknown', cause: 'entry-missing' }],
    ["another's entry", cancel, entries([{ orderId: 'fu-1', clientOid: 'tw-1-zz' }], []), { kind: 'unknown', cause: 'response-mixup' }],
    ['more entries than asked for', cancel, entries([{ orderId: 'fu-1', clientOid: 'tw-1-19' }], [{ orderId: '', clientOid: 'x', ...notFound }]), { kind: 'unknown', cause: 'response-mixup' }],
    ['a plan order gone, without error fields', { ...cancel, kind: codes.CANCEL_TRIGGER }, entries([], [{ orderId: 'fu-plan-1', clientOid: 'tw-1-19' }]), { kind: 'rejected', rejection: { reason: 'order-not-found' } }],
    ['a spot order that failed', spot, entries([], [{ errorCode: '43012', errorMsg: 'Insufficient balance' }]), { kind: 'rejected', rejection: { reason: 'invalid-request', code: '43012' } }],
    ['a spot order in neither list', spot, entries([], []), { kind: 'unknown', cause: 'entry-missing' }],
    ['a spot order in both lists', spot, entries([{ orderId: '1' }], [{ errorCode: '1', errorMsg: '' }]), { kind: 'unknown', cause: 'response-mixup' }],
    ['a spot cancel that failed', spotCancel, entries([], [{ orderId: '9', errorCode: '40001', errorMsg: 'x' }]), { kind: 'rejected', rejection: { reason: 'order-not-found' } }],
    ["another's spot cancel", spotCancel, entries([{ orderId: '8' }], []), { kind: 'unknown', cause: 'response-mixup' }],
    ['another margin mode than asked for', { kind: codes.SET_MARGIN_MODE, instrument: 0, marginMode: 1 }, () => ({ data: { symbol: 'BTCUSDT', marginCoin: 'USDT', longLeverage: '1', shortLeverage: '1', marginMode: 'CROSS' } }), { kind: 'unknown', cause: 'response-mixup' }],
  ];

  it.each(cases)('%s', async (_name, fields, script, event) => {
    const made = await execute(script, fields);
    expect(made.event).toMatchObject({ seq: 46, ...event });
    expect(made.server.asked).toHaveLength(1);
  });

  it('is unknown after a reset or silence, and a write is never sent again', async () => {
    const reset = await execute((_asked, response) => (response.socket?.resetAndDestroy(), null), place);
    expect(reset.event).toEqual({ kind: 'unknown', seq: 46, cause: 'reset' });
    const silent = await execute(() => null, place, { timeoutMs: 200 });
    expect(silent.event).toEqual({ kind: 'unknown', seq: 46, cause: 'timeout' });
    expect([reset.server.asked.length, silent.server.asked.length]).toEqual([1, 1]);
    expect(reset.events).toContain('command-unknown');
  });

  it('is unsent when nobody listens, when it came too late, and after the venue was drained', async () => {
    const nobody = await execute(placed, place, { baseUrl: `http://127.0.0.1:${await closedPort()}` });
    expect(nobody.event).toEqual({ kind: 'unsent', seq: 46, cause: 'refused' });
    const late = await execute(placed, { ...place, validUntil: 1 });
    expect(late.event).toEqual({ kind: 'unsent', seq: 46, cause: 'expired' });
    await late.venue.drain();
    late.venue.execute(command(place));
    expect((await late.inbox.until(2))[1]).toEqual({ kind: 'unsent', seq: 46, cause: 'stopped' });
    expect(late.server.asked).toHaveLength(0);
  });

  it('alarms when an answer is mixed up', async () => {
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

const order = {
  symbol: 'BTCUSDT', size: '0.5', orderId: 'fu-1', clientOid: 'tw-1-a', priceAvg: '', fee: '', price: '40000.1', status: 'NEW', side: 'BUY', force: 'GTC',
  totalProfits: '', posSide: 'LONG', marginCoin: 'USDT', presetTakeProfitPrice: '', presetTakeProfitExecutePrice: '', presetTakeProfitType: '',
  presetStopLossPrice: '', presetStopLossExecutePrice: '', presetStopLossType: '', orderType: 'LIMIT', leverage: '10', marginMode: 'CROSS',
  tradeSide: 'OPEN', cTime: 1, uTime: 2,
}; // prettier-ignore
const position = {
  marginCoin: 'USDT', symbol: 'BTCUSDT', holdSide: 'LONG', openDelegateSize: '0', marginSize: '12.5', available: '0.3', locked: '0.2', total: '0.5',
  leverage: '10', achievedProfits: '-1.123456789', openPriceAvg: '40000.05', marginMode: 'CROSSED', unrealizedPL: '-0.5', liquidationPrice: '-3',
  marginRate: '0.1', keepMarginRate: '0.004', markPrice: '40001', breakEvenPrice: '', totalFee: '', cTime: '5', uTime: '6',
}; // prettier-ignore
const account = {
  marginCoin: 'USDT', locked: '1', available: '98.5', crossMaxAvailable: '1', isolatedMaxAvailable: '1', maxTransferOut: '1', accountEquity: '100',
  longLever: '10', shortLever: '20', marginMode: 'isolated', unrealizedPL: '0.5', coupon: '0',
}; // prettier-ignore

async function ask(script: Script, query: Query): Promise<Bench & { event: InboxEvent }> {
  const made = await bench(script);
  made.venue.query(query);
  const [event] = await made.inbox.until(1);
  return { ...made, event: event as InboxEvent };
}

describe('a question becomes reports', () => {
  it('of all quotes, in ticks and lots; foreign symbols, bad grids and bad books are left out and counted', async () => {
    const quote = (symbol: string, bidPrice: unknown, askPrice: unknown, bidQty = '1.5'): object => ({ symbol, bidPrice, bidQty, askPrice, askQty: '2', ts: '77' });
    const data = [quote('BTCUSDT', '40000.1', 40000.2), quote('XRPUSDT', '1', '2'), quote('ETHUSDT', '10.001', '10.02'), quote('ETHUSDT', null, '2')];
    const made = await ask(() => ({ data }), { kind: 'quotes', instrument: -1 });
    expect(made.event).toMatchObject({
      kind: 'answered',
      answer: { kind: 'quotes', quotes: [{ instrument: 0, bid: 400_001, bidSize: 1_500, ask: 400_002, askSize: 2_000, venueTime: 77 }] },
    });
    expect(made.venue.counts()).toMatchObject({ foreignRecords: 1, offGridRecords: 1, malformedRecords: 1 });
    expect(made.server.asked[0]?.target).toBe('/api/v1/future/market/book-ticker');
    for (const bad of [quote('BTCUSDT', '5', '5'), quote('BTCUSDT', '6', '5'), quote('BTCUSDT', '0', '5'), quote('BTCUSDT', '-1', '5'), quote('BTCUSDT', '4', '5', '0')]) {
      const one = await ask(() => ({ data: bad }), { kind: 'quotes', instrument: 0 });
      expect(one.event).toMatchObject({ answer: { quotes: [] } });
      expect(one.server.asked[0]?.query).toEqual({ symbol: 'BTCUSDT' });
    }
  });

  it('of trades, as the venue ordered them, with ids as text', async () => {
    const trade = (tradeId: unknown, price: string, side: string): object => ({ symbol: 'BTCUSDT', tradeId, price, size: '0.001', side, ts: 9 });
    const data = [trade('90071992547409931', '40000.1', 'sell'), trade(5, '40000.2', 'BUY'), trade('4', '40000.25', 'BUY'), trade('3', '0', 'BUY')];
    const made = await ask(() => ({ data }), { kind: 'trades', instrument: 0, before: '90071992547409932', limit: 1000 });
    expect(made.event).toMatchObject({
      answer: {
        trades: [
          { tradeId: '90071992547409931', price: 400_001, size: 1, aggressor: codes.SELL, venueTime: 9 },
          { tradeId: '5', price: 400_002, aggressor: codes.BUY },
        ],
      },
    });
    expect(made.server.asked[0]?.query).toEqual({ symbol: 'BTCUSDT', limit: '1000', idLessThan: '90071992547409932' });
    expect(made.venue.counts().offGridRecords).toBe(2);
  });

  it('of one position and of all, with every drift of spelling', async () => {
    const made = await ask(() => ({ data: [position, { ...position, symbol: 'ELSE' }] }), { kind: 'positions', instrument: -1 });
    expect(made.event).toMatchObject({
      answer: {
        positions: [
          {
            instrument: 0, side: codes.LONG, total: 500, available: 300, locked: 200, opening: 0, entryPrice: 40000.05, margin: 1_250_000_000,
            marginMode: codes.CROSS, leverage: 10, realised: -112_345_679, unrealised: -50_000_000, funding: 0, markPrice: 40001, liquidationPrice: 0,
            createdAt: 5, updatedAt: 6,
          },
        ],
      },
    }); // prettier-ignore
    const one = await ask(() => ({ data: [] }), { kind: 'positions', instrument: 0 });
    expect(one.event).toMatchObject({ kind: 'answered', answer: { positions: [] } });
    expect([made.server.asked[0]?.endpoint.id, one.server.asked[0]?.endpoint.id]).toEqual(['E19', 'E20']);
  });

  it('of the account', async () => {
    const made = await ask(() => ({ data: account }), { kind: 'account', instrument: 0 });
    expect(made.event).toMatchObject({
      answer: { account: { equity: 10_000_000_000, available: 9_850_000_000, locked: 100_000_000, unrealised: 50_000_000, marginMode: codes.ISOLATED, longLeverage: 10, shortLeverage: 20 } },
    });
  });

  const unusable: readonly (readonly [name: string, query: Query, data: unknown])[] = [
    ['an order off the grid', { kind: 'pending', instrument: 0 }, { entrustedList: [{ ...order, price: '40000.15' }], endId: '' }],
    ['an order without an id', { kind: 'pending', instrument: 0 }, { entrustedList: [order, { ...order, orderId: '' }], endId: '' }],
    ['a position whose parts do not add up', { kind: 'positions', instrument: -1 }, [{ ...position, locked: '0.1' }]],
    ['a position that cannot be read', { kind: 'positions', instrument: -1 }, [position, { ...position, total: 'x' }]],
    ['null for positions', { kind: 'positions', instrument: -1 }, null],
    ['an account whose parts do not add up', { kind: 'account', instrument: 0 }, { ...account, locked: '2' }],
  ];
  it.each(unusable)('never of %s: the whole answer has failed', async (_name, query, data) => {
    const made = await ask(() => ({ data }), query);
    expect(made.event).toEqual({ kind: 'failed', query, cause: 'bad-data' });
  });

  it('of an order in a status nobody knows, which is not an end', async () => {
    const statuses = ['new', 'LIVE', 'PARTIAL_FILLED', 'partially-filled', 'Filled', 'CANCELED', 'cancelled', 'EXPIRED', 'REJECTED', 'SUSPENDED', '', 'constructor', '__proto__'];
    expect(statuses.map(statusOf)).toEqual(['open', 'open', 'partial', 'partial', 'filled', 'cancelled', 'cancelled', 'ended', 'ended', 'unknown', 'unknown', 'unknown', 'unknown']);
    const made = await ask(() => ({ data: { entrustedList: [{ ...order, status: 'SUSPENDED', priceAvg: '40000.123', fee: '0.01' }], endId: '' } }), { kind: 'pending', instrument: 0 });
    expect(made.event).toMatchObject({
      answer: { orders: [{ instrument: 0, venueId: 'fu-1', clientId: 'tw-1-a', side: 0, effect: 0, type: 0, price: 400_001, size: 500, status: 'unknown', averagePrice: 40000.123, fee: 1_000_000, realised: 0 }] },
    });
  });
});

describe('a listing', () => {
  /** `total` orders newest first, at most `cap` a page, however many are asked for. */
  const pages = (total: number, cap: number): Script => ({ query }) => {
    const all = Array.from({ length: total }, (_, i) => ({ ...order, orderId: `fu-${total - i}` }));
    const from = query['idLessThan'] === undefined ? 0 : all.findIndex((o) => o.orderId === query['idLessThan']) + 1;
    const entrustedList = all.slice(from, from + Math.min(cap, Number(query['limit'])));
    return { data: { entrustedList: entrustedList.length === 0 ? null : entrustedList, endId: entrustedList.at(-1)?.orderId ?? '' } };
  };

  it.each([
    [0, 100, 1],
    [3, 100, 1],
    [9, 100, 1],
    [10, 100, 2],
    [100, 100, 2],
    [101, 100, 2],
    [250, 100, 3],
    [250, 20, 13],
    [60, 20, 4],
  ])('of %i orders in pages of %i is read whole in %i requests', async (total, cap, requests) => {
    const made = await ask(pages(total, cap), { kind: 'pending', instrument: -1 });
    const answer = made.event.kind === 'answered' && made.event.answer.kind === 'pending' ? made.event.answer.orders : [];
    expect(new Set(answer.map((o) => o.venueId)).size).toBe(total);
    expect(answer).toHaveLength(total);
    expect(made.server.asked).toHaveLength(requests);
    expect(made.server.asked.every(({ query }) => query['limit'] === '100')).toBe(true);
  });

  it('that repeats itself ends, and an order on two pages is one', async () => {
    const twice: Script = ({ query }) => ({
      data: { entrustedList: Array.from({ length: 20 }, (_, i) => ({ ...order, orderId: `fu-${i + (query['idLessThan'] === undefined ? 0 : 10)}` })), endId: 'same' },
    });
    const made = await ask(twice, { kind: 'pending', instrument: -1 });
    expect(made.event).toMatchObject({ kind: 'answered' });
    expect(made.event.kind === 'answered' && made.event.answer.kind === 'pending' && made.event.answer.orders).toHaveLength(30);
    expect(made.server.asked).toHaveLength(3);
  });

  it('without end has failed', async () => {
    let next = 0;
    const endless: Script = () => ({ data: { entrustedList: Array.from({ length: 10 }, () => ({ ...order, orderId: `fu-${next++}` })), endId: `fu-${next}` } });
    const made = await ask(endless, { kind: 'pending', instrument: -1 });
    expect(made.event).toMatchObject({ kind: 'failed', cause: 'too-many-pages' });
    expect(made.server.asked).toHaveLength(200);
  });

  it('of which a page fails for good has failed: half of it is never an answer', async () => {
    let count = 0;
    const broken: Script = (asked, response) => (++count > 2 ? { status: 500, body: '' } : pages(250, 100)(asked, response));
    const made = await ask(broken, { kind: 'pending', instrument: -1 });
    expect(made.event).toMatchObject({ kind: 'failed', cause: 'venue-fault' });
    expect(made.server.asked).toHaveLength(5);
  });

  it('asks for history by client id and time', async () => {
    const made = await ask(pages(1, 100), { kind: 'history', instrument: 0, clientId: 'tw-1-a', since: 1_700_000_000_000 });
    expect(made.server.asked[0]?.query).toEqual({ limit: '100', symbol: 'BTCUSDT', clientOid: 'tw-1-a', startTime: '1700000000000' });
  });
});

describe('a question is asked again', () => {
  const quotes: Query = { kind: 'quotes', instrument: -1 };

  it('after a broken line, HTML, a fault and "too many", up to its retries', async () => {
    let count = 0;
    const tired: Script = (_asked, response) => {
      count++;
      if (count === 1) return (response.socket?.destroy(), null);
      if (count === 2) return { status: 502, body: '<html>' };
      return { data: [] };
    };
    expect((await ask(tired, quotes)).event).toMatchObject({ kind: 'answered' });
    const never = await ask(() => ({ status: 503, body: '' }), quotes);
    expect(never.event).toEqual({ kind: 'failed', query: quotes, cause: 'venue-fault' });
    expect(never.server.asked).toHaveLength(3);
  });

  it('but not after a refusal', async () => {
    const made = await ask(() => ({ body: refusal('40034', 'symbol does not exist') }), { kind: 'quotes', instrument: 0 });
    expect(made.event).toMatchObject({ kind: 'failed', cause: 'unknown-instrument' });
    expect(made.server.asked).toHaveLength(1);
  });

  it('not before the pause that the venue asked for', async () => {
    const times: number[] = [];
    const busy: Script = () => (times.push(performance.now()) === 1 ? { status: 429, headers: { 'retry-after': '0.4' }, body: '' } : { data: [] });
    expect((await ask(busy, quotes)).event).toMatchObject({ kind: 'answered' });
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(395);
  });

  it('once for two equal questions that wait, and both are answered', async () => {
    const made = await bench(() => ({ data: [] }));
    made.venue.query(quotes);
    made.venue.query({ ...quotes });
    const events = await made.inbox.until(2);
    expect(events.map((event) => event.kind)).toEqual(['answered', 'answered']);
    expect(made.server.asked).toHaveLength(1);
  });

  it('not after a drain: what waited has failed', async () => {
    const made = await bench(() => null);
    made.venue.query(quotes);
    await made.venue.drain();
    made.venue.query(quotes);
    const events = await made.inbox.until(2);
    expect(events.map((event) => event.kind)).toEqual(['failed', 'failed']);
  });

  it('with the time of the question and of the venue in the answer', async () => {
    const before = clock.now();
    const made = await ask(() => ({ data: [] }), quotes);
    if (made.event.kind !== 'answered') throw new Error('an answer was expected');
    expect(made.event.sentAt).toBeGreaterThanOrEqual(before);
    expect(Math.abs(made.event.venueTime - made.event.sentAt)).toBeLessThan(1_000);
  });
});

describe('the quote memory', () => {
  it('gives what parsing every record anew gives, on any sequence of polls', () => {
    const price = fc.constantFrom('1.0', '1.1', '1.2', '2', '2.05', '0', '-1', '3.0');
    const size = fc.constantFrom('1', '0.001', '0', '0.0001');
    const record = fc.record({ symbol: fc.constantFrom('BTCUSDT', 'ETHUSDT', 'NONE'), bidPrice: price, bidQty: size, askPrice: price, askQty: size, ts: fc.nat(3) });
    fc.assert(
      fc.property(fc.array(fc.array(record, { maxLength: 4 }), { maxLength: 8 }), (polls) => {
        const symbols = new SymbolTable(instruments);
        const drops: DropCounts = { foreign: 0, offGrid: 0 };
        const slowDrops: DropCounts = { foreign: 0, offGrid: 0 };
        const diff = new QuoteDiff(symbols, drops);
        for (const poll of polls as unknown as QuoteRecord[][]) {
          const slow = poll.flatMap((one) => new QuoteDiff(symbols, slowDrops).map([one]));
          expect(diff.map(poll)).toEqual(slow);
        }
        expect(drops).toEqual(slowDrops);
      }),
      { numRuns: 2_000 },
    );
  });

  it('parses only what changed', () => {
    const diff = new QuoteDiff(new SymbolTable(instruments), { foreign: 0, offGrid: 0 });
    const btc = { symbol: 'BTCUSDT', bidPrice: '1.0', bidQty: '1', askPrice: '2.0', askQty: '1', ts: 1 } as unknown as QuoteRecord;
    const [first] = diff.map([btc]);
    expect(diff.map([{ ...btc }])[0]).toBe(first);
    expect(diff.map([{ ...btc, ts: 2 }])[0]).toEqual({ ...first, venueTime: 2 });
    expect(diff.parsed).toBe(1);
    diff.map([{ ...btc, bidQty: '3' as never }]);
    expect(diff.parsed).toBe(2);
  });
});
