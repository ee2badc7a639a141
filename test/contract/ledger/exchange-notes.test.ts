/** Every request that reached the exchange is in its ledger, including reads and requests refused before an endpoint. */
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { defaultConfig } from '../../../src/config/defaults.ts';
import { ENDPOINTS } from '../../../src/contract/endpoints/endpoints.ts';
import { createLog } from '../../../src/edge/log/pino-log.ts';
import { isNote } from '../../../src/edge/file/ledger/ledger-page.ts';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { RequestNotes, type LedgerReads } from '../../../src/edge/file/ledger/request-notes.ts';
import { openExchange, untilMarketOpens, type RunningExchange } from '../../../src/run/exchange/exchange.ts';
import type { ExchangeOptions } from '../../../src/run/setup/options.ts';
import { signedHeaders } from '../../support/exchange/exchange-client.ts';
import { Exchange, step } from '../../support/exchange/ledger-kit.ts';
import { demoAccount, exchangeOptions, signedSend } from '../../support/exchange/served-kit.ts';

const quiet = createLog({ level: 'silent', form: 'json' });
let folder = '';
let running: RunningExchange | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'notes-'));
});
afterEach(async () => {
  vi.useRealTimers();
  await running?.close();
  running = null;
  rmSync(folder, { recursive: true, force: true });
});

async function open(ledgerReads: LedgerReads, options: Partial<ExchangeOptions> = {}): Promise<string> {
  running = await openExchange(exchangeOptions({ state: folder, ledgerReads, ...options }), quiet);
  await untilMarketOpens(running);
  return running.url;
}

const PLACE = '/api/v1/future/order/place-order';
const TICKER = '/api/v1/future/market/book-ticker';
const POSITIONS = ENDPOINTS.positions.path;

async function post(url: string, target: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<number> {
  const response = await request(`${url}${target}`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
  await response.body.dump();
  return response.statusCode;
}

/** Sends raw bytes and returns the answer. */
function raw(url: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

describe('the ledger of requests that change nothing', () => {
  it('has a line for each read and each refusal, in order, and never a secret', async () => {
    const url = await open('all');
    await (await request(`${url}${TICKER}?symbol=BTCUSDT`)).body.dump();
    await signedSend(url, 1, 'GET', POSITIONS);
    await (await request(`${url}${TICKER}?symbol=NOSUCH`)).body.dump();
    const { key, secret, passphrase } = demoAccount(1);
    const stolen = { 'access-key': key, 'access-passphrase': passphrase, 'access-sign': 'c2lnbmF0dXJl', 'access-timestamp': '1' };
    expect(await post(url, PLACE, '{"size":"1"}', stolen)).toBe(400);
    expect(await post(url, PLACE, 'x'.repeat(70_000), { 'access-key': 'stranger' })).toBe(413);
    expect(await post(url, PLACE, Buffer.from([0xff, 0xfe]))).toBe(400);
    expect(await post(url, '/api/v1/future/order/plaice-order', '{"a":1}')).toBe(404);
    expect(await post(url, TICKER, '{}')).toBe(405);
    expect(await raw(url, `NONSENSE ${secret}\r\n\r\n`)).toContain('400 Bad Request');
    await running!.close();
    const { reads, refusals, requests, counts } = readLedger(folder);
    expect(reads.map(({ account, endpoint, target, code }) => [account, endpoint, target, code])).toEqual([
      [null, 'E7', `${TICKER}?symbol=BTCUSDT`, '00000'],
      ['account-2', 'E19', POSITIONS, '00000'],
      [null, 'E7', `${TICKER}?symbol=NOSUCH`, expect.stringMatching(/^4/)],
    ]);
    const told = refusals.map(({ status, method, target, endpoint, account, isSigned, body, bytes }) => {
      return [status, method, target, endpoint, account, isSigned, body, bytes];
    });
    expect(told).toEqual([
      [400, 'POST', PLACE, 'E12', 'account-2', false, '{"size":"1"}', 12],
      [413, 'POST', PLACE, 'E12', null, false, '', 70_000],
      [400, 'POST', PLACE, 'E12', null, false, '', 2],
      [404, 'POST', '/api/v1/future/order/plaice-order', null, null, false, '{"a":1}', 7],
      [405, 'POST', TICKER, null, null, false, '{}', 2],
      [400, '', '', null, null, false, '', null],
    ]);
    for (const { code, msg } of refusals) expect(`${code} ${msg}`).toMatch(/^4\d{4} \S/);
    expect([requests, counts]).toEqual([[], []]);
    const text = readFileSync(join(folder, 'ledger.jsonl'), 'utf8');
    expect(text.split('\n').filter((line) => isNote(line))).toHaveLength(9);
    for (const word of [key, secret, passphrase, stolen['access-sign'], 'stranger']) expect(text).not.toContain(`"${word}"`);
    expect(text).not.toContain(secret);
  });

  it('names the caller of bad JSON and of too many requests', async () => {
    const config = { ...defaultConfig(), limits: { public: 1000, private: 1 } };
    const { switches } = exchangeOptions({});
    const url = await open('counts', { config, switches: { ...switches, rateLimits: 'config' } });
    const headers = signedHeaders({ name: '', ...demoAccount(0) }, String(Date.now()), 'POST', PLACE, '{"a":1,"a":2}');
    expect(await post(url, PLACE, '{"a":1,"a":2}', headers)).toBe(400);
    const bodies = await Promise.all([0, 1, 2].map(() => signedSend(url, 0, 'GET', POSITIONS)));
    expect(bodies.filter(({ code }) => code === '42900').length).toBeGreaterThan(0);
    await running!.close();
    const { refusals } = readLedger(folder);
    const about = { endpoint: 'E12', account: 'account-1', isSigned: true, status: 400, body: '{"a":1,"a":2}', bytes: 13 };
    expect(refusals[0]).toMatchObject({ ...about, msg: 'Duplicate key a' });
    expect(refusals[1]).toMatchObject({ status: 429, method: 'GET', endpoint: 'E19', account: 'account-1', isSigned: true });
  });

  it('counts reads by endpoint and code, or omits them, according to exchange.ledgerReads', async () => {
    for (const reads of ['counts', 'none'] as const) {
      const url = await open(reads, { state: join(folder, reads) });
      for (let k = 0; k < 30; k++) await (await request(`${url}${TICKER}?symbol=${k < 20 ? 'BTCUSDT' : 'NOSUCH'}`)).body.dump();
      await running!.close();
      const truth = readLedger(join(folder, reads));
      const sums: Record<string, number> = {};
      for (const counts of truth.counts) {
        expect(counts.time - counts.from).toBeLessThan(2_000);
        for (const [key, times] of Object.entries(counts.reads)) sums[key] = (sums[key] ?? 0) + times;
      }
      expect(truth.reads).toEqual([]);
      if (reads === 'none') expect(sums).toEqual({});
      else expect(sums).toEqual({ 'E7 00000': 20, [Object.keys(sums).find((key) => key !== 'E7 00000')!]: 10 });
    }
  });

  it('is not flooded by refusals: above a hundred per second they are only counted', async () => {
    const url = await open('counts');
    for (let k = 0; k < 150; k++) expect(await post(url, '/nowhere', '{}')).toBe(404);
    const view = (await (await request(`${url}/live.json`)).body.json()) as {
      requests: { asked: number; refused: number; rows: object[] };
    };
    expect(view.requests).toMatchObject({ asked: 150, refused: 150 });
    expect(view.requests.rows.at(-1)).toMatchObject({ path: 'no endpoint', asked: 150, lastRefusal: '40404 Request path does not exist' });
    await running!.close();
    const { refusals, counts } = readLedger(folder);
    const counted = counts.reduce((sum, one) => sum + (one.refusals['404 40404'] ?? 0), 0);
    expect(refusals.length + counted).toBe(150);
    expect(refusals.length).toBeGreaterThanOrEqual(100);
  });

  it('writes its counters at the end of each second, even without further requests', () => {
    vi.useFakeTimers();
    const exchange = new Exchange(join(folder, 'x'), 'touch', 1 << 20);
    const handler = new RequestNotes(exchange.ledger, 'counts').over(exchange.ledger.handler);
    const ask = (): unknown => {
      return handler(ENDPOINTS.bookTickers, { method: 'GET', target: '', body: '', params: {}, header: () => undefined, caller: null });
    };
    ask();
    ask();
    expect(readLedger(join(folder, 'x')).counts).toEqual([]);
    vi.advanceTimersByTime(1_000);
    expect(readLedger(join(folder, 'x')).counts).toMatchObject([{ reads: { 'E7 00000': 2 } }]);
    ask();
    exchange.time += 1_000;
    ask();
    expect(readLedger(join(folder, 'x')).counts).toMatchObject([{ reads: { 'E7 00000': 2 } }, { reads: { 'E7 00000': 1 } }]);
    exchange.ledger.close();
  });
});

describe('a ledger with notes, cut off anywhere', () => {
  it.each([1, 2, 3])('restores all other lines, and keeps the remaining notes (seed %i)', (seed) => {
    const random = new Random(seed);
    const path = join(folder, 'x');
    const exchange = new Exchange(path, 'touch', 1 << 20);
    const notes = new RequestNotes(exchange.ledger, 'all');
    const handler = notes.over(exchange.ledger.handler);
    for (let k = 0; k < 120; k++) {
      step(exchange, random, k);
      const caller = random.below(2) === 0 ? 'nobody' : null;
      const wire = { method: 'GET', target: `/${k}`, body: '', params: {}, header: () => undefined, caller };
      handler(random.below(2) === 0 ? ENDPOINTS.bookTickers : ENDPOINTS.positions, wire);
    }
    const whole = linesOf(path);
    expect(whole.notes).toHaveLength(120);
    for (let k = 0; k < 20; k++) {
      const copy = join(folder, `cut-${k}`);
      cpSync(path, copy, { recursive: true, filter: (name) => !name.endsWith('lock') });
      const file = join(copy, 'ledger.jsonl');
      const { bytes } = JSON.parse(readFileSync(join(copy, 'state.json'), 'utf8')) as { bytes: number };
      truncateSync(file, bytes + random.below(statSync(file).size - bytes + 1));
      const left = linesOf(copy).notes;
      const again = new Exchange(copy, 'touch', 1 << 20);
      expect(again.state()).toEqual(exchange.state());
      const { notes: kept, others, numbers } = linesOf(copy);
      expect(kept).toEqual(left);
      expect(others).toEqual(whole.others);
      expect(numbers).toEqual(numbers.map((_, i) => i + 1));
      again.ledger.abandon();
    }
    exchange.ledger.close();
  });
});

/** The lines of a ledger without their numbers: notes, and all others. An incomplete last line is left out. */
function linesOf(path: string): { notes: string[]; others: string[]; numbers: number[] } {
  const lines = readFileSync(join(path, 'ledger.jsonl'), 'utf8').split('\n').slice(0, -1);
  const bare = (line: string): string => line.replace(/^\{"n":\d+/, '');
  return {
    notes: lines.filter((line) => isNote(line)).map(bare),
    others: lines.filter((line) => !isNote(line)).map(bare),
    numbers: lines.map((line) => (JSON.parse(line) as { n: number }).n),
  };
}
