/** An exchange that is killed at any moment comes back exactly as its callers knew it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.ts';
import { ENDPOINTS, type EndpointName } from '../../src/contract/endpoints.ts';
import type { Reply } from '../../src/contract/envelope.ts';
import { openLedger, type Ledger } from '../../src/edge/file/ledger.ts';
import { readLedger } from '../../src/edge/file/read-ledger.ts';
import { VenueSim } from '../../src/sim/core.ts';
import { createExchange, createFace, type Face } from '../../src/sim/face.ts';
import { ALICE, BOB, callOver } from './exchange-client.ts';
import { instrumentsOf, SPECS, START } from './exchange-kit.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'exchange-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

class Exchange {
  time = START;
  readonly ledger: Ledger;
  readonly sim: VenueSim;
  readonly face: Face;
  constructor(path: string, fillModel: 'touch' | 'queue', snapshotBytes: number) {
    const names = new Map([ALICE, BOB].map((one) => [one.key, one.name]));
    this.ledger = openLedger(path, { identity: fillModel, clock: { now: () => this.time }, names, snapshotBytes });
    const instruments = instrumentsOf(SPECS);
    const accounts = [ALICE, BOB].map(({ name }) => ({ name, futures: '20000', spot: { USDT: '50000', BTC: '1' } }));
    this.sim = new VenueSim({ instruments, accounts, fillModel, leverage: 10, historyLimit: 50, keepTrades: 100 }, this.ledger.sink);
    const keys = new Map([ALICE, BOB].map((one, index) => [one.key, index]));
    this.face = createFace(this.sim, { instruments, clock: this.ledger.clock, accounts: keys, checkReplies: true });
    this.ledger.start(createExchange(this.sim, this.face));
  }

  call(name: EndpointName, params: object, caller = ALICE.key): Reply {
    const body = JSON.stringify(params);
    return this.ledger.handler(ENDPOINTS[name], {
      method: 'POST',
      target: '',
      body,
      params: JSON.parse(body),
      header: () => undefined,
      caller,
    });
  }

  state(): unknown {
    return JSON.parse(JSON.stringify({ sim: this.sim.snapshot(), face: this.face.snapshot() }));
  }
}

/** One random step: the market moves, time passes, or somebody writes. */
function step(exchange: Exchange, random: Random, count: number): void {
  exchange.time += random.below(400);
  const dice = random.below(12);
  const kind = random.below(5);
  const price = 600_000 + random.below(200) - 100;
  const caller = random.below(2) === 0 ? ALICE.key : BOB.key;
  const clientOid = `c-${count}`;
  const one = { symbol: 'BTCUSDT', marginMode: 'CROSS', size: `0.0${1 + random.below(9)}`, clientOid };
  const side = random.below(2) === 0 ? 'LONG' : 'SHORT';
  const tradeSide = random.below(3) === 0 ? 'CLOSE' : 'OPEN';
  const at = `${(price + random.below(40) - 20) / 10}`;
  if (dice === 10) exchange.ledger.command(...operatorsMove(random, at));
  else if (dice === 11) {
    const hasActed = random.below(2) === 0;
    const note = { fault: 'drop', phase: hasActed ? 'after' : 'before', rule: 1, endpoint: 'E12', asked: at, caller, hasActed } as const;
    exchange.ledger.fault(note);
  } else if (dice < 4) exchange.ledger.quote(0, price - 1, 20 + random.below(50), price + 1, 20 + random.below(50), exchange.time);
  else if (dice < 5) exchange.ledger.trade(0, price, 10, random.below(2), exchange.time, count);
  else if (dice < 6) exchange.ledger.advance(exchange.time);
  else if (dice < 8)
    exchange.call('placeOrder', { ...one, side, tradeSide, orderType: 'LIMIT', price: at, presetStopLossPrice: '59000.0' }, caller);
  else if (kind === 0) exchange.call('placeOrder', { ...one, side, tradeSide, orderType: 'MARKET' }, caller);
  else if (kind === 1) {
    exchange.call('placePlanOrder', { ...one, side, triggerPrice: at, triggerPriceType: 'MARK' }, caller);
  } else if (kind === 2) {
    exchange.call(
      'placeSpotOrders',
      { symbol: 'BTCUSDT', orderList: [{ side: 'buy', orderType: 'limit', price: '59999.00', size: '0.001' }] },
      caller,
    );
  } else {
    const target = `c-${Math.max(0, count - 1 - random.below(20))}`;
    if (random.below(2) === 0) exchange.call('cancelOrders', { orderIdList: [{ clientOid: target }] }, caller);
    else exchange.call('modifyOrder', { symbol: 'BTCUSDT', clientOid: target, newClientOid: clientOid, newPrice: at }, caller);
  }
}

/** Something that the venue's operator does, sensible or not. */
function operatorsMove(random: Random, price: string): [name: string, given: object] {
  const symbol = random.below(4) === 0 ? 'ETHUSDT' : 'BTCUSDT';
  const account = random.below(5) === 0 ? 'nobody' : random.below(2) === 0 ? 'alice' : 'bob';
  const order = { symbol, marginMode: 'CROSS', side: 'LONG', tradeSide: 'OPEN', orderType: 'LIMIT', size: '0.05', price };
  const moves: readonly [string, object][] = [
    ['call', { account, endpoint: 'E12', params: order }],
    ['cancel', { orderId: `fu-${1 + random.below(200)}` }],
    ['offline', { symbol: 'ETHUSDT' }],
    ['online', { symbol }],
    [random.below(4) === 0 ? 'freeze' : 'thaw', { symbol }],
    ['spike', { symbol, percent: random.below(40) - 20 }],
    ['margin-mode', { account, symbol, marginMode: 'ISOLATED' }],
    ['liquidate', { account, symbol, side: random.below(2) === 0 ? 'LONG' : 'SHORT' }],
    ['deposit', { account, wallet: 'futures', coin: 'USDT', amount: `${random.below(400) - 100}.00000001` }],
    ['deposit', { account, wallet: 'spot', coin: 'BTC', amount: '-0.5' }],
    ['withdrawal', { account, coin: 'USDT', amount: '12.5' }],
    ['nonsense', { symbol }],
  ];
  return moves[random.below(moves.length)]!;
}

describe('the ledger under a real exchange', () => {
  it.each([1, 2, 3, 4, 5, 6])('comes back exactly after any number of random steps (seed %i)', (seed) => {
    const random = new Random(seed);
    let path = join(folder, '0');
    const model = seed % 2 === 0 ? 'touch' : 'queue';
    let exchange = new Exchange(path, model, seed < 3 ? 4_000 : 1 << 20);
    for (let life = 1; life <= 5; life++) {
      for (let k = 0; k < 200 + random.below(200); k++) step(exchange, random, life * 1_000 + k);
      // The last reply shows all that happened before it, so nothing of this may be lost.
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

  it('tells every step of a liquidation before what came of it, and gives it again after a restart', () => {
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
    expect(steps).toMatchObject([{ account: 0, step: 'close', instrument: 0, side: 0, size: 500, mark: 400_000 }]);
    expect(cash.map((one) => one.why).slice(-3)).toEqual(['insurance', 'liquidation', 'fee']);
    // Killed here: the inputs give the same lines again, byte for byte, or the ledger does not open.
    exchange.ledger.abandon();
    const again = new Exchange(path, 'touch', 1 << 20);
    expect(again.state()).toEqual(exchange.state());
    expect(readLedger(path).steps).toEqual(steps);
    again.ledger.close();
  });

  it('accounts for every fill and every coin in its ground truth', () => {
    const random = new Random(99);
    const exchange = new Exchange(join(folder, 'x'), 'touch', 1 << 20);
    for (let k = 0; k < 3_000; k++) step(exchange, random, k);
    exchange.ledger.close();
    const truth = readLedger(join(folder, 'x'));
    for (const account of [0, 1]) {
      const cash = truth.cash.filter((one) => one.account === account && one.coin === 'USDT' && one.why !== 'spot');
      const { deposits, realised, fees, funding, insurance } = exchange.sim.totals(account);
      const futures = cash.filter((one) => ['deposit', 'realised', 'fee', 'funding', 'liquidation', 'insurance'].includes(one.why));
      const spotDeposit = 50_000e8;
      const spotFees = cash.filter((one) => one.why === 'fee' && isSpot(truth, one.orderNo)).reduce((sum, one) => sum + one.amount, 0);
      expect(futures.reduce((sum, one) => sum + one.amount, 0) - spotDeposit - spotFees).toBe(
        deposits + realised - fees + funding + insurance,
      );
    }
    const made = truth.orders.filter((one) => one.request?.endpoint === 'E12' && one.order['byVenue'] === false);
    for (const { order, request } of made) expect(JSON.parse(request?.body ?? '{}').clientOid).toBe(order['clientOid']);
  });
});

function isSpot(truth: ReturnType<typeof readLedger>, orderNo: number): boolean {
  return truth.orders.find((one) => one.order.no === orderNo)?.order['kind'] === 2;
}

describe('a killed process', () => {
  const script = fileURLToPath(new URL('../support/exchange-process.ts', import.meta.url));
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

  it('loses no order that was answered and doubles none that was not', async () => {
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
