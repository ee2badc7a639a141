/** An exchange that passes through the market of another one: live prices, its own orders, and its behaviour while the other is down. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { defaultConfig } from '../../../src/config/defaults.ts';
import { openExchange, type RunningExchange } from '../../../src/run/exchange/exchange.ts';
import type { ExchangeOptions } from '../../../src/run/setup/options.ts';
import type { Log } from '../../../src/ports/log.ts';
import { TapeWriter } from '../../../src/tape/write.ts';
import { exchangeOptions, signedSend } from '../../support/exchange/served-kit.ts';
import { untilTraded } from '../../support/exchange/until-traded.ts';
import { eventually } from '../../support/eventually.ts';

const folder = mkdtempSync(join(tmpdir(), 'passed-through-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const running: RunningExchange[] = [];
afterEach(async () => {
  for (const one of running.splice(0).toReversed()) await one.close();
});

class Lines implements Log {
  readonly all: { event: string; fields: Record<string, unknown> }[] = [];
  readonly #note = (event: string, fields: object = {}): void => {
    this.all.push({ event, fields: { ...fields } });
  };
  debug = this.#note;
  info = this.#note;
  warn = this.#note;
  error = this.#note;
  of(event: string): Record<string, unknown>[] {
    return this.all.filter((line) => line.event === event).map(({ fields }) => fields);
  }
}

const base = defaultConfig();
const config = {
  ...base,
  limits: { public: 1000, private: 1000 },
  poll: { ...base.poll, quotes: 20, trades: 40, stats: 60 },
  venue: { ...base.venue, timeoutMs: 500 },
};

async function open(options: Partial<ExchangeOptions>, log = new Lines()): Promise<RunningExchange & { log: Lines }> {
  const exchange = await openExchange(exchangeOptions({ config, ...options }), log);
  running.push(exchange);
  return Object.assign(exchange, { log });
}

async function close(exchange: RunningExchange): Promise<void> {
  running.splice(running.indexOf(exchange), 1);
  await exchange.close();
}

async function read(exchange: RunningExchange, path: string): Promise<{ data: any; requestTime: number; code: string }> {
  return (await fetch(`${exchange.url}/api/v1/future/market/${path}`)).json() as never;
}

const order = {
  symbol: 'BTCUSDT',
  marginMode: 'CROSS',
  side: 'LONG',
  tradeSide: 'OPEN',
  orderType: 'MARKET',
  size: '0.01',
};

describe('a market passed through', () => {
  test('has prices, trades and 24h figures of the other venue, and its own orders', async () => {
    const other = await open({});
    await untilTraded(other);
    const here = await open({ marketUrl: other.url });
    await untilTraded(here);
    // A quiet moment comes within a second or two; then both show exactly the same.
    await eventually(async () => {
      const [theirs, ours] = await Promise.all([read(other, 'book-ticker'), read(here, 'book-ticker')]);
      const plain = (all: { data: any[] }): unknown => all.data.map(({ ts: _ts, ...rest }) => rest);
      expect(plain(ours)).toEqual(plain(theirs));
      for (const [k, { ts }] of ours.data.entries()) expect(Math.abs(ts - theirs.data[k].ts)).toBeLessThan(60_000);
    });
    const trades = await read(here, 'fills-history?symbol=BTCUSDT&limit=1000');
    const theirs = new Map((await read(other, 'fills-history?symbol=BTCUSDT&limit=1000')).data.map((one: any) => [one.tradeId, one]));
    expect(trades.data.length).toBeGreaterThan(3);
    for (const { ts, ...one } of trades.data) {
      const { ts: at, ...rest } = theirs.get(one.tradeId) as any;
      expect(one).toEqual(rest);
      expect(Math.abs(ts - at)).toBeLessThan(60_000);
    }
    await eventually(async () => {
      const [a, b] = await Promise.all([read(other, '24h-ticker?symbol=BTCUSDT'), read(here, '24h-ticker?symbol=BTCUSDT')]);
      expect(b.data.openPrice).toBe(a.data.openPrice);
      expect(b.data.count).toBeGreaterThan(a.data.count - 500);
    });
    expect(await signedSend(here.url, 0, 'POST', '/api/v1/future/order/place-order', order)).toMatchObject({ code: '00000' });
    await eventually(async () => {
      const { data } = await signedSend(here.url, 0, 'GET', '/api/v1/future/position/all-position');
      expect(data).toMatchObject([{ symbol: 'BTCUSDT', total: '0.010' }]);
    });
    expect((await signedSend(other.url, 0, 'GET', '/api/v1/future/position/all-position'))['data']).toEqual([]);
  });

  test('becomes stale while the other is silent, and continues when it returns, with growing trade ids', async () => {
    const other = await open({});
    await untilTraded(other);
    const here = await open({ marketUrl: other.url });
    await untilTraded(here);
    const port = Number(new URL(other.url).port);
    await close(other);
    await eventually(() => expect(here.log.of('venue-unreachable').length).toBeGreaterThan(0));
    const before = await read(here, 'book-ticker?symbol=BTCUSDT');
    await new Promise((resolve) => setTimeout(resolve, 300));
    const after = await read(here, 'book-ticker?symbol=BTCUSDT');
    expect(after.data).toEqual(before.data);
    expect(after.requestTime - after.data.ts).toBeGreaterThan(290);
    const highest = here.sim.ticker(0)!.lastId;

    const again = await open({ port, seed: 2 });
    await untilTraded(again);
    await eventually(async () => {
      const { data, requestTime } = await read(here, 'book-ticker?symbol=BTCUSDT');
      expect(requestTime - data.ts).toBeLessThan(200);
      expect(here.sim.ticker(0)!.lastId).toBeGreaterThan(highest + 3);
    });
    expect(here.log.of('venue-reached').length).toBeGreaterThan(0);
    expect(here.log.of('market-gap')).toContainEqual(expect.objectContaining({ symbol: 'BTCUSDT', cause: 'ids-restarted' }));
    const { data } = await read(here, 'fills-history?symbol=BTCUSDT&limit=1000');
    const ids: number[] = data.map((one: any) => Number(one.tradeId));
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a));
  });

  test('that the other repeats unchanged is as old here as it is there', async () => {
    const path = join(folder, 'still');
    const writer = new TapeWriter(path, { overwrite: true });
    const scale = { priceDecimals: 1, sizeDecimals: 3 };
    const from = 1_700_000_000_000;
    writer.stream('BTCUSDT', 'quotes', scale).quote(from, 600_000, 1000, 600_001, 2000);
    writer.stream('BTCUSDT', 'trades', scale).trade(from, 7, 600_000, 5, 0);
    writer.finish();
    const other = await open({ tape: path });
    await new Promise((resolve) => setTimeout(resolve, 700));
    const here = await open({ marketUrl: other.url });
    await eventually(() => expect(here.sim.bookTicker(0)).not.toBeNull());
    const theirs = await read(other, 'book-ticker?symbol=BTCUSDT');
    const ours = await read(here, 'book-ticker?symbol=BTCUSDT');
    expect(theirs.requestTime - theirs.data.ts).toBeGreaterThan(690);
    expect(Math.abs(ours.data.ts - theirs.data.ts)).toBeLessThan(2_000);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await read(here, 'book-ticker?symbol=BTCUSDT')).data).toEqual(ours.data);
    await eventually(() => expect(here.log.of('market-stale')).toEqual([{ ageMs: expect.any(Number) }]));
    expect(here.log.of('market-stale')[0]!['ageMs']).toBeGreaterThan(5000);
  });

  test('that is away fills no order at its last quotes, unless --stale-orders says so', async () => {
    const other = await open({});
    await untilTraded(other);
    const state = join(folder, 'refusing');
    const [refusing, filling] = [await open({ marketUrl: other.url, state }), await open({ marketUrl: other.url, staleOrders: 'fill' })];
    const place = (exchange: RunningExchange): Promise<any> =>
      signedSend(exchange.url, 0, 'POST', '/api/v1/future/order/place-order', { ...order, size: '0.001' });
    for (const one of [refusing, filling]) await eventually(async () => expect((await place(one)).code).toBe('00000'));
    await close(other);
    await eventually(async () => expect((await place(refusing)).code).toBe('50301'));
    // The ledger has each refused order, as it was asked for.
    const asked = { method: 'POST', endpoint: 'E12', account: 'account-1', isSigned: true, status: 503, code: '50301' };
    await eventually(() => {
      const lines = readFileSync(join(state, 'ledger.jsonl'), 'utf8').trim().split('\n');
      const refused = lines.map((line) => JSON.parse(line) as object).filter((line) => 'kind' in line && line.kind === 'refusal');
      expect(refused[0]).toMatchObject({ ...asked, body: expect.stringContaining('"size":"0.001"') });
    });
    await eventually(() => expect(refusing.log.of('market-stale')).toHaveLength(1));
    expect((await place(filling)).code).toBe('00000');
    const again = await open({ port: Number(new URL(other.url).port), seed: 2 });
    await untilTraded(again);
    await eventually(async () => expect((await place(refusing)).code).toBe('00000'));
    await eventually(() => expect(refusing.log.of('market-fresh')).toHaveLength(1));
  });

  test('that is crossed is told once, keeps its last quote, and fills no order of that symbol', async () => {
    const other = await open({});
    await untilTraded(other);
    let isCrossed = false;
    const between = createServer((request, response) => {
      void fetch(`${other.url}${request.url}`).then(async (answer) => {
        const body = (await answer.json()) as any;
        const records: any[] = request.url!.includes('book-ticker') && isCrossed ? body.data : [];
        for (const one of records) if (one.symbol === 'BTCUSDT') [one.bidPrice, one.askPrice] = [one.askPrice, one.bidPrice];
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
    const marketUrl = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
    const here = await open({ marketUrl });
    await untilTraded(here);
    const place = (symbol: string): Promise<any> =>
      signedSend(here.url, 0, 'POST', '/api/v1/future/order/place-order', {
        ...order,
        symbol,
        size: symbol === 'BTCUSDT' ? '0.001' : '0.01',
      });
    const upstream = async (): Promise<unknown> => ((await (await fetch(`${here.url}/live.json`)).json()) as any).upstream;
    await eventually(async () => expect(await upstream()).toEqual({ isAway: false, crossed: [] }));
    isCrossed = true;
    await eventually(() => expect(here.log.of('market-crossed')).toEqual([{ symbols: ['BTCUSDT'] }]));
    await eventually(async () => expect(await upstream()).toEqual({ isAway: false, crossed: ['BTCUSDT'] }));
    const { bid, ask } = here.sim.bookTicker(0)!;
    expect(bid).toBeLessThan(ask);
    await eventually(async () => expect(await place('BTCUSDT')).toMatchObject({ code: '50302' }));
    expect(await place('ETHUSDT')).toMatchObject({ code: '00000' });
    expect(here.sim.bookTicker(0)).toMatchObject({ bid, ask });
    isCrossed = false;
    await eventually(async () => expect(await place('BTCUSDT')).toMatchObject({ code: '00000' }));
    expect([here.log.of('market-crossed').length, here.log.of('market-uncrossed').length]).toEqual([1, 1]);
    await close(here);
    between.closeAllConnections();
    between.close();
  });

  test('that fits no configured grid is reported and left out', async () => {
    const other = await open({});
    await untilTraded(other);
    const coarse = base.instruments
      .filter(({ product }) => product === 'futures')
      .map((spec) => ({ ...spec, tickSize: '7', priceDecimals: 2 }));
    const fine = base.instruments
      .filter(({ product }) => product === 'spot')
      .map((spec) => ({ ...spec, tickSize: '0.001', lotSize: '0.00001' }));
    const here = await open({
      marketUrl: other.url,
      config: { ...config, instruments: coarse },
    });
    await eventually(() => expect(here.log.of('market-off-grid').length).toBe(1));
    const there = await open({
      marketUrl: other.url,
      config: { ...config, instruments: [...base.instruments.filter(({ product }) => product === 'futures'), ...fine] },
    });
    await eventually(() =>
      expect(there.log.of('instrument-differs')).toContainEqual(
        expect.objectContaining({ symbol: 'BTCUSDT', tickSize: '0.001', lotSize: '0.00001' }),
      ),
    );
    expect(there.log.of('market-off-grid')).toEqual([]);
  });

  test('is an input of the ledger: trades on it are restored after kill -9', async () => {
    const other = await open({});
    await untilTraded(other);
    const state = join(folder, 'state');
    const here = await open({ marketUrl: other.url, state });
    await untilTraded(here);
    for (let k = 0; k < 5; k++) {
      const side = k % 2 === 0 ? 'LONG' : 'SHORT';
      expect(await signedSend(here.url, 0, 'POST', '/api/v1/future/order/place-order', { ...order, side })).toMatchObject({
        code: '00000',
      });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const positions = await signedSend(here.url, 0, 'GET', '/api/v1/future/position/all-position');
    // The files at this moment, as after kill -9: the snapshot is that of the start.
    const copy = join(folder, 'copy');
    cpSync(state, copy, { recursive: true });
    rmSync(join(copy, 'lock'), { recursive: true, force: true });
    await close(here);
    const port = Number(new URL(other.url).port);
    await close(other);
    const again = await open({ marketUrl: `http://127.0.0.1:${port}`, state: copy });
    expect(again.resumed).toBe(true);
    const entries = (answer: Record<string, unknown>): unknown =>
      (answer['data'] as any[]).map(({ symbol, holdSide, total, openPriceAvg }) => ({ symbol, holdSide, total, openPriceAvg }));
    expect(entries(await signedSend(again.url, 0, 'GET', '/api/v1/future/position/all-position'))).toEqual(entries(positions));
  });
});
