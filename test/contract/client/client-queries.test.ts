import type { Called } from '../../../src/venue/called.ts';
import { ENDPOINTS } from '../../../src/contract/endpoints/endpoints.ts';
import { ask as askOne } from '../../../src/venue/dialect.ts';
import { readPages, type Page } from '../../../src/venue/pages.ts';
import { afterEach, describe, expect, it } from 'vitest';
import * as codes from '../../../src/domain/codes.ts';
import { statusOf } from '../../../src/venue/records.ts';
import type { Query } from '../../../src/ports/venue.ts';
import { bench, clock, closeBenches, type Bench } from '../../support/exchange/client-bench.ts';
import { refusal, type InboxEvent, type Script } from '../../support/exchange/scripted-venue.ts';
import { account, order, position } from '../../support/exchange/wire-records.ts';

afterEach(closeBenches);

async function ask(script: Script, query: Query): Promise<Bench & { event: InboxEvent }> {
  const made = await bench(script);
  made.polls.query(query);
  const [event] = await made.inbox.until(1);
  return { ...made, event: event as InboxEvent };
}

describe('a query becomes reports', () => {
  it('of all quotes, in ticks and lots; other symbols, bad grids and bad books are dropped and counted', async () => {
    const quote = (symbol: string, bidPrice: unknown, askPrice: unknown, bidQty = '1.5'): object => ({
      symbol,
      bidPrice,
      bidQty,
      askPrice,
      askQty: '2',
      ts: '77',
    });
    const data = [
      quote('BTCUSDT', '40000.1', 40000.2),
      quote('XRPUSDT', '1', '2'),
      quote('ETHUSDT', '10.001', '10.02'),
      quote('ETHUSDT', null, '2'),
    ];
    const made = await ask(() => ({ data }), { kind: 'quotes', instrument: -1 });
    expect(made.event).toMatchObject({
      kind: 'answered',
      answer: { kind: 'quotes', quotes: [{ instrument: 0, bid: 400_001, bidSize: 1_500, ask: 400_002, askSize: 2_000, venueTime: 77 }] },
    });
    expect(made.venue.counts()).toMatchObject({ foreignRecords: 1, offGridRecords: 1, malformedRecords: 1 });
    expect(made.server.asked[0]?.target).toBe('/api/v1/future/market/book-ticker');
    for (const bad of [
      quote('BTCUSDT', '5', '5'),
      quote('BTCUSDT', '6', '5'),
      quote('BTCUSDT', '0', '5'),
      quote('BTCUSDT', '-1', '5'),
      quote('BTCUSDT', '4', '5', '0'),
    ]) {
      const one = await ask(() => ({ data: bad }), { kind: 'quotes', instrument: 0 });
      expect(one.event).toMatchObject({ answer: { quotes: [] } });
      expect(one.server.asked[0]?.query).toEqual({ symbol: 'BTCUSDT' });
    }
  });

  it('of trades, in the order of the venue, with ids as text', async () => {
    const trade = (tradeId: unknown, price: string, side: string): object => ({
      symbol: 'BTCUSDT',
      tradeId,
      price,
      size: '0.001',
      side,
      ts: 9,
    });
    const data = [
      trade('90071992547409931', '40000.1', 'sell'),
      trade(5, '40000.2', 'BUY'),
      trade('4', '40000.25', 'BUY'),
      trade('3', '0', 'BUY'),
    ];
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

  it('of one position and of all, with every deviation of spelling [outcomes 2.9]', async () => {
    const made = await ask(() => ({ data: [position, { ...position, symbol: 'ELSE' }] }), { kind: 'positions', instrument: -1 });
    expect(made.event).toMatchObject({
      answer: {
        positions: [
          {
            instrument: 0,
            side: codes.LONG,
            total: 500,
            available: 300,
            locked: 200,
            opening: 0,
            entryPrice: 40000.05,
            margin: 1_250_000_000,
            marginMode: codes.CROSS,
            leverage: 10,
            realised: -112_345_679,
            unrealised: -50_000_000,
            funding: 0,
            markPrice: 40001,
            liquidationPrice: 0,
            createdAt: 5,
            updatedAt: 6,
          },
        ],
      },
    });
    const one = await ask(() => ({ data: [] }), { kind: 'positions', instrument: 0 });
    expect(one.event).toMatchObject({ kind: 'answered', answer: { positions: [] } });
    expect([made.server.asked[0]?.endpoint.id, one.server.asked[0]?.endpoint.id]).toEqual(['E19', 'E20']);
  });

  it('of the account', async () => {
    const made = await ask(() => ({ data: account }), { kind: 'account', instrument: 0 });
    expect(made.event).toMatchObject({
      answer: {
        account: {
          equity: 10_000_000_000,
          available: 9_850_000_000,
          locked: 100_000_000,
          unrealised: 50_000_000,
          marginMode: codes.ISOLATED,
          longLeverage: 10,
          shortLeverage: 20,
        },
      },
    });
  });

  const unusable: readonly (readonly [name: string, query: Query, data: unknown])[] = [
    ['an order off the grid', { kind: 'pending', instrument: 0 }, { entrustedList: [{ ...order, price: '40000.15' }], endId: '' }],
    ['an order without an id', { kind: 'pending', instrument: 0 }, { entrustedList: [order, { ...order, orderId: '' }], endId: '' }],
    ['a position whose parts do not add up', { kind: 'positions', instrument: -1 }, [{ ...position, locked: '0.1' }]],
    ['a position that cannot be read', { kind: 'positions', instrument: -1 }, [position, { ...position, total: 'x' }]],
    ['a position below zero', { kind: 'positions', instrument: -1 }, [{ ...position, total: '-0.5', available: '-0.5', locked: '0' }]],
    [
      'a position side that is listed twice',
      { kind: 'positions', instrument: -1 },
      [position, { ...position, total: '0', available: '0', locked: '0' }],
    ],
    ['an order below zero', { kind: 'pending', instrument: 0 }, { entrustedList: [{ ...order, size: '-0.5' }], endId: '' }],
    ['null for positions', { kind: 'positions', instrument: -1 }, null],
    ['an account whose parts do not add up', { kind: 'account', instrument: 0 }, { ...account, locked: '2' }],
  ];
  it.each(unusable)('never of %s: the whole answer fails', async (_name, query, data) => {
    const made = await ask(() => ({ data }), query);
    expect(made.event).toEqual({ kind: 'failed', query, cause: 'bad-data' });
  });

  it('of an order with an unknown status, which does not count as ended [X8]', async () => {
    const statuses = [
      'new',
      'LIVE',
      'PARTIAL_FILLED',
      'partially-filled',
      'Filled',
      'CANCELED',
      'cancelled',
      'EXPIRED',
      'REJECTED',
      'SUSPENDED',
      '',
      'constructor',
      '__proto__',
    ];
    expect(statuses.map(statusOf)).toEqual([
      'open',
      'open',
      'partial',
      'partial',
      'filled',
      'cancelled',
      'cancelled',
      'ended',
      'ended',
      'unknown',
      'unknown',
      'unknown',
      'unknown',
    ]);
    const made = await ask(
      () => ({ data: { entrustedList: [{ ...order, status: 'SUSPENDED', priceAvg: '40000.123', fee: '0.01' }], endId: '' } }),
      { kind: 'pending', instrument: 0 },
    );
    expect(made.event).toMatchObject({
      answer: {
        orders: [
          {
            instrument: 0,
            venueId: 'fu-1',
            clientId: 'tw-1-a',
            side: 0,
            effect: 0,
            type: 0,
            price: 400_001,
            size: 500,
            status: 'unknown',
            averagePrice: 40000.123,
            fee: 1_000_000,
            realised: 0,
          },
        ],
      },
    });
  });
});

describe('a listing', () => {
  /** Pages of `total` orders, the newest first, with at most `cap` orders per page whatever was requested. */
  const pages =
    (total: number, cap: number): Script =>
    ({ query }) => {
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
  ])('of %i orders in pages of %i is read completely with %i requests', async (total, cap, requests) => {
    const made = await ask(pages(total, cap), { kind: 'pending', instrument: -1 });
    const answer = made.event.kind === 'answered' && made.event.answer.kind === 'pending' ? made.event.answer.orders : [];
    expect(new Set(answer.map((o) => o.venueId)).size).toBe(total);
    expect(answer).toHaveLength(total);
    expect(made.server.asked).toHaveLength(requests);
    expect(made.server.asked.every(({ query }) => query['limit'] === '100')).toBe(true);
  });

  it.each([
    [0, 100, 1],
    [3, 100, 2],
    [5, 3, 3],
    [60, 20, 4],
  ])('of %i orders in pages of %i that proves absence is read up to an empty page, with %i requests', async (total, cap, requests) => {
    const made = await ask(pages(total, cap), { kind: 'pending', instrument: 0, isProof: true });
    const answer = made.event.kind === 'answered' && made.event.answer.kind === 'pending' ? made.event.answer.orders : [];
    expect(answer).toHaveLength(total);
    expect(made.server.asked).toHaveLength(requests);
  });

  it('proves nothing if the venue returns the same page again and again', async () => {
    const deaf: Script = () => ({ data: { entrustedList: [order, { ...order, orderId: 'fu-2' }], endId: 'fu-2' } });
    const made = await ask(deaf, { kind: 'pending', instrument: 0, isProof: true });
    expect(made.event).toMatchObject({ kind: 'failed', cause: 'pages-repeat' });
    const once = await ask(() => ({ data: { entrustedList: [order], endId: order.orderId } }), {
      kind: 'pending',
      instrument: 0,
      isProof: true,
    });
    expect(once.event).toMatchObject({ kind: 'answered' });
  });

  it.each([
    ['contains it', 'tw-1-a', 1],
    ['contains others, because the venue ignores the filter', 'tw-1-b', 3],
  ])('of the history of one order ends if the page %s', async (_what, clientId, requests) => {
    const others = ['tw-1-x', 'tw-1-y', 'tw-1-a'].map((clientOid, i) => ({ ...order, clientOid, orderId: `fu-${9 - i}` }));
    const two: Script = ({ query }) => {
      const from = query['idLessThan'] === undefined ? 0 : others.findIndex((o) => o.orderId === query['idLessThan']) + 1;
      const list = clientId === 'tw-1-a' ? others.slice(2) : others.slice(from, from + 2);
      return { data: { entrustedList: list, endId: list.at(-1)?.orderId ?? '' } };
    };
    const made = await ask(two, { kind: 'history', instrument: 0, clientId, since: 0 });
    expect(made.event).toMatchObject({ kind: 'answered' });
    expect(made.server.asked).toHaveLength(requests);
  });

  it('with repeating pages ends, and an order on two pages counts once [outcomes E17] [outcomes E18]', async () => {
    const twice: Script = ({ query }) => ({
      data: {
        entrustedList: Array.from({ length: 20 }, (_, i) => ({
          ...order,
          orderId: `fu-${i + (query['idLessThan'] === undefined ? 0 : 10)}`,
        })),
        endId: 'same',
      },
    });
    const made = await ask(twice, { kind: 'pending', instrument: -1 });
    expect(made.event).toMatchObject({ kind: 'answered' });
    expect(made.event.kind === 'answered' && made.event.answer.kind === 'pending' && made.event.answer.orders).toHaveLength(30);
    expect(made.server.asked).toHaveLength(3);
  });

  it('without an end fails', async () => {
    let next = 0;
    let asked = 0;
    const answered = (): Called<Page<{ orderId: string }>> => {
      asked++;
      const entrustedList = Array.from({ length: 10 }, () => ({ orderId: `fu-${next++}` }));
      return {
        status: 'accepted',
        row: 'C7',
        value: { entrustedList, endId: `fu-${next}` },
        sentAt: 0,
        receivedAt: 0,
        requestTime: 0,
        malformed: 0,
      };
    };
    const reading = readPages<{ orderId: string }>((before) => askOne(ENDPOINTS.pendingOrders, { limit: 100, idLessThan: before }));
    let step = reading.next();
    while (step.done !== true) step = reading.next(answered());
    expect(step.value).toMatchObject({ status: 'unknown', cause: 'too-many-pages' });
    expect(asked).toBe(2_000);
  });

  it('of more than 20,000 orders is read completely; a history comes in consecutive pieces', async () => {
    const made = await ask(pages(20_450, 1_000), { kind: 'history', instrument: -1, clientId: '', since: 1 });
    const first = made.event.kind === 'answered' && made.event.answer.kind === 'history' ? made.event.answer : null;
    expect([first?.orders.length, first?.rest, made.server.asked.length]).toEqual([5_000, 'fu-15451', 50]);
    const next = await ask(pages(20_450, 1_000), { kind: 'history', instrument: -1, clientId: '', since: 1, before: 'fu-451' });
    const last = next.event.kind === 'answered' && next.event.answer.kind === 'history' ? next.event.answer : null;
    expect([last?.orders.length, last?.orders[0]?.venueId, last?.rest]).toEqual([450, 'fu-450', undefined]);
  });

  it.each([
    [[], 1],
    [['fu-250'], 1],
    [['fu-250', 'fu-120'], 2],
    [['fu-250', 'gone'], 3],
  ])('of pending orders ends once %o were listed, after %i requests', async (ids, requests) => {
    const made = await ask(pages(250, 100), { kind: 'pending', instrument: -1, known: () => new Set(ids) });
    expect(made.event).toMatchObject({ kind: 'answered' });
    expect(made.server.asked).toHaveLength(requests);
  });

  it('that changes during the read has every order that was there throughout, once [fault R3]', async () => {
    // Before each page except the first, a new order arrives and one that was already read disappears.
    let all = Array.from({ length: 250 }, (_, i) => 250 - i);
    const first = [...all];
    let asked = 0;
    const moving: Script = ({ query }) => {
      if (asked++ > 0) all = [1_000 + asked, ...all.filter((no) => no !== 250 - asked)];
      const bound = query['idLessThan'] === undefined ? Infinity : Number(query['idLessThan'].slice(3));
      const page = all
        .filter((no) => no < bound)
        .slice(0, 100)
        .map((no) => ({ ...order, orderId: `fu-${no}` }));
      return { data: { entrustedList: page, endId: page.at(-1)?.orderId ?? '' } };
    };
    const made = await ask(moving, { kind: 'pending', instrument: -1, isProof: true });
    const read =
      made.event.kind === 'answered' && made.event.answer.kind === 'pending' ? made.event.answer.orders.map((o) => o.venueId) : [];
    const stayed = first.filter((no) => all.includes(no)).map((no) => `fu-${no}`);
    expect(stayed.filter((id) => !read.includes(id))).toEqual([]);
    expect(new Set(read).size).toBe(read.length);
  });

  it('fails if one of its pages fails for good: half a listing is never an answer [outcomes E18]', async () => {
    let count = 0;
    const broken: Script = (asked, response) => (++count > 2 ? { status: 500, body: '' } : pages(250, 100)(asked, response));
    const made = await ask(broken, { kind: 'pending', instrument: -1 });
    expect(made.event).toMatchObject({ kind: 'failed', cause: 'venue-fault' });
    expect(made.server.asked).toHaveLength(5);
  });

  it('reads history by client id and time', async () => {
    const made = await ask(pages(1, 100), { kind: 'history', instrument: 0, clientId: 'tw-1-a', since: 1_700_000_000_000 });
    expect(made.server.asked[0]?.query).toEqual({ limit: '100', symbol: 'BTCUSDT', clientOid: 'tw-1-a', startTime: '1700000000000' });
  });
});

describe('a query is repeated', () => {
  const quotes: Query = { kind: 'quotes', instrument: -1 };

  it('after a connection error, HTML, a fault and "too many requests", up to its retries', async () => {
    let count = 0;
    const tired: Script = (_asked, response) => {
      count++;
      if (count === 1) return (response.socket?.destroy(), null);
      if (count === 2) return { status: 502, body: '<html>' };
      return { data: [] };
    };
    expect((await ask(tired, quotes)).event).toMatchObject({ kind: 'answered' });
    const never = await ask(() => ({ status: 503, body: '' }), quotes);
    expect(never.event).toEqual({ kind: 'failed', query: quotes, cause: 'unavailable' });
    expect(never.server.asked).toHaveLength(3);
  });

  it('but not after a refusal', async () => {
    const made = await ask(() => ({ body: refusal('40034', 'symbol does not exist') }), { kind: 'quotes', instrument: 0 });
    expect(made.event).toMatchObject({ kind: 'failed', cause: 'unknown-instrument' });
    expect(made.server.asked).toHaveLength(1);
  });

  it('not before the end of a rate-limit pause', async () => {
    const times: number[] = [];
    const busy: Script = () =>
      times.push(performance.now()) === 1 ? { status: 429, headers: { 'retry-after': '0.4' }, body: '' } : { data: [] };
    expect((await ask(busy, quotes)).event).toMatchObject({ kind: 'answered' });
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(395);
  });

  it('once for two equal waiting queries, and both get the answer', async () => {
    const made = await bench(() => ({ data: [] }));
    made.polls.query(quotes);
    made.polls.query({ ...quotes });
    const events = await made.inbox.until(2);
    expect(events.map((event) => event.kind)).toEqual(['answered', 'answered']);
    expect(made.server.asked).toHaveLength(1);
  });

  it('not after drain: waiting queries fail', async () => {
    const made = await bench(() => null);
    made.polls.query(quotes);
    await made.venue.drain();
    made.polls.query(quotes);
    const events = await made.inbox.until(2);
    expect(events.map((event) => event.kind)).toEqual(['failed', 'failed']);
  });

  it('and its answer has the send time and the venue time', async () => {
    const before = clock.now();
    const made = await ask(() => ({ data: [] }), quotes);
    if (made.event.kind !== 'answered') throw new Error('an answer was expected');
    expect(made.event.sentAt).toBeGreaterThanOrEqual(before);
    expect(Math.abs(made.event.venueTime - made.event.sentAt)).toBeLessThan(1_000);
  });
});
