/** An exchange killed at any moment returns to exactly the state that its callers saw. */
import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { callOver } from '../../support/exchange/exchange-client.ts';
import { Exchange, step } from '../../support/exchange/ledger-kit.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'exchange-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the ledger under a real exchange', () => {
  it.each([1, 2, 3, 4, 5, 6])('restores exactly after any number of random steps (seed %i)', async (seed) => {
    const random = new Random(seed);
    let path = join(folder, '0');
    const model = seed % 2 === 0 ? 'touch' : 'queue';
    let exchange = new Exchange(path, model, seed < 3 ? 4_000 : 1 << 20);
    for (let life = 1; life <= 5; life++) {
      for (let k = 0; k < 200 + random.below(200); k++) {
        step(exchange, random, life * 1_000 + k);
        // Snapshots are written meanwhile and may be at any stage at the kill.
        if (random.below(20) === 0) await setImmediate();
      }
      // The last reply reflects everything before it, so nothing may be lost.
      exchange.call('cancelOrders', { orderIdList: [] });
      const before = exchange.state();
      const truth = readLedger(path);
      const copy = join(folder, String(life));
      cpSync(path, copy, { recursive: true, filter: (name) => !name.endsWith('lock') });
      path = copy;
      const time = exchange.time;
      exchange = new Exchange(path, model, seed < 3 ? 4_000 : 1 << 20);
      exchange.time = time;
      expect(exchange.state()).toEqual(before);
      expect(readLedger(path)).toEqual(truth);
      exchange.sim.audit();
    }
    const truth = readLedger(path);
    expect(truth.fills.length).toBeGreaterThan(50);
    expect(truth.faults.length).toBeGreaterThan(20);
    const done = truth.commands.filter(({ result }) => result['done'] === true).map(({ name }) => name);
    expect(new Set(done).size).toBeGreaterThan(6);
    expect(new Set(truth.orders.map((one) => one.order.no)).size).toBe(truth.orders.length);
  });

  it('has every liquidation step before its effects, and repeats it after a restart', () => {
    const path = join(folder, 'liquidated');
    const exchange = new Exchange(path, 'touch', 1 << 20);
    exchange.ledger.quote(0, 600_000, 9_000, 600_001, 9_000, exchange.time);
    exchange.call('placeOrder', {
      symbol: 'BTCUSDT',
      marginMode: 'ISOLATED',
      size: '0.5',
      side: 'LONG',
      tradeSide: 'OPEN',
      orderType: 'MARKET',
    });
    exchange.ledger.quote(0, 400_000, 9_000, 400_001, 9_000, (exchange.time += 10));
    exchange.ledger.advance((exchange.time += 2_000));
    exchange.ledger.flush();
    const { steps, cash } = readLedger(path);
    expect(steps).toMatchObject([{ account: 'alice', step: 'close', instrument: 0, side: 0, size: 500, mark: 400_000 }]);
    expect(cash.map((one) => one.why).slice(-3)).toEqual(['insurance', 'liquidation', 'fee']);
    // Killed here: the inputs reproduce the same lines byte for byte, or the ledger does not open.
    exchange.ledger.abandon();
    const again = new Exchange(path, 'touch', 1 << 20);
    expect(again.state()).toEqual(exchange.state());
    expect(readLedger(path).steps).toEqual(steps);
    again.ledger.close();
  });

  it('has for every order the bytes of its request', () => {
    const random = new Random(99);
    const exchange = new Exchange(join(folder, 'x'), 'touch', 1 << 20);
    for (let k = 0; k < 3_000; k++) step(exchange, random, k);
    exchange.ledger.close();
    const truth = readLedger(join(folder, 'x'));
    const made = truth.orders.filter((one) => one.request?.endpoint === 'E12' && one.order['byVenue'] === false);
    for (const { order, request } of made) expect(JSON.parse(request?.body ?? '{}').clientOid).toBe(order['clientOid']);
  });
});

describe('a killed process', () => {
  const script = fileURLToPath(new URL('../../support/exchange/exchange-process.ts', import.meta.url));
  let child: ChildProcess | null = null;
  afterEach(() => child?.kill('SIGKILL'));

  function launch(): Promise<string> {
    const started = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    child = started;
    return new Promise((resolve, reject) => {
      let text = '';
      started.stdout.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (text.includes('\n')) resolve(text.trim());
      });
      started.on('exit', () => reject(new Error('the exchange process ended')));
    });
  }

  it('loses no answered order and duplicates no unanswered one', async () => {
    const random = new Random(7);
    const answered = new Map<string, string>();
    const asked = new Set<string>();
    for (let life = 0; life < 4; life++) {
      const url = await launch();
      const victim = child;
      const killAt = 40 + random.below(60);
      const workers = Array.from({ length: 4 }, async (_, worker) => {
        for (let k = 0; ; k++) {
          const clientOid = `${life}-${worker}-${k}`;
          const side = k % 2 === 0 ? 'LONG' : 'SHORT';
          const params = { symbol: 'BTCUSDT', marginMode: 'CROSS', size: '0.001', side, tradeSide: 'OPEN', orderType: 'LIMIT' };
          asked.add(clientOid);
          const price = k % 2 === 0 ? '50000.0' : '70000.0';
          const reply = await callOver(url, Date.now(), 'placeOrder', { ...params, price, clientOid });
          expect(reply.body.code).toBe('00000');
          answered.set(clientOid, reply.body.data.orderId);
          if (answered.size >= killAt * (life + 1)) victim?.kill('SIGKILL');
        }
      });
      const ends = await Promise.allSettled(workers);
      expect(victim?.killed, ends.map((end) => (end.status === 'rejected' ? String(end.reason) : '')).join('; ')).toBe(true);
    }
    const url = await launch();
    const listed = new Map<string, string>();
    let idLessThan = '';
    for (;;) {
      const page = await callOver(url, Date.now(), 'pendingOrders', { limit: 100, idLessThan });
      for (const record of page.body.data.entrustedList) {
        expect(listed.has(record.clientOid)).toBe(false);
        listed.set(record.clientOid, record.orderId);
      }
      if (page.body.data.endId === '') break;
      idLessThan = page.body.data.endId;
    }
    for (const [clientOid, orderId] of answered) expect(listed.get(clientOid)).toBe(orderId);
    for (const clientOid of listed.keys()) expect(asked.has(clientOid)).toBe(true);
    const truth = readLedger(folder);
    expect(new Set(truth.orders.map((one) => one.order['clientOid']))).toEqual(new Set(listed.keys()));
    expect(truth.orders).toHaveLength(listed.size);
    expect(truth.requests.filter((one) => one.code === '00000')).toHaveLength(listed.size);
  });
});
