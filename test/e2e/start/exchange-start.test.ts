/** The exchange starts after `kill -9` with a long ledger: its port is open at once and says how far it is, and no answer is wrong. */
import { afterEach, expect, it } from 'vitest';
import { callOver, type HttpReply, type TestAccount } from '../../support/exchange/exchange-client.ts';
import { addressOf, cleanUp, DEMO, freshFolder, launch, type Program } from '../process.ts';

const ORDERS = Number(process.env['TICKWRIGHT_RESTING_ORDERS'] ?? 10_000);
const BATCH = 50;
const { TICKWRIGHT_KEY: key, TICKWRIGHT_SECRET: secret, TICKWRIGHT_PASSPHRASE: passphrase } = DEMO;
const DEMO_ACCOUNT: TestAccount = { name: 'demo', key, secret, passphrase };
const PROGRESS = /^The exchange is starting: (it opens its ledger|(\d+) of (\d+) records of its ledger are read)$/;

afterEach(cleanUp);

const call = (url: string, name: Parameters<typeof callOver>[2], params: Readonly<Record<string, unknown>>): Promise<HttpReply> =>
  callOver(url, Date.now(), name, params, { as: DEMO_ACCOUNT });

function exchange(state: string, port: string): Program {
  const market = ['--synth', '--seed', '5', '--deposit', 'USDT=40000000'];
  return launch(['exchange', ...market, '--port', port, '--state', state]);
}

/** Spot buys, each farther from the best than the one before, and one futures order. */
async function placeMany(url: string): Promise<void> {
  const one = { symbol: 'BTCUSDT', marginMode: 'CROSS', side: 'LONG', tradeSide: 'OPEN', orderType: 'LIMIT', size: '0.01' };
  const placed = await call(url, 'placeOrder', { ...one, price: '20000.0', clientOid: 'before-the-kill' });
  expect(placed.body.code).toBe('00000');
  for (let from = 0; from < ORDERS; from += BATCH) {
    const prices = Array.from({ length: BATCH }, (_, k) => (30_000 - (from + k) / 10).toFixed(1));
    const orderList = prices.map((price) => ({ side: 'buy', orderType: 'limit', price, size: '0.001' }));
    const { body } = await call(url, 'placeSpotOrders', { symbol: 'BTCUSDT', orderList });
    expect(body.data.failureList).toEqual([]);
  }
}

/** Asks for the waiting orders, again and again, from the start of the process to its announcement. */
async function answersUntilReady(starting: Program, url: string): Promise<HttpReply[]> {
  const answers: HttpReply[] = [];
  let isAnnounced = false;
  while (!isAnnounced) {
    // Read before the request, so that the last answer is from after it.
    isAnnounced = starting.out.includes('listening on');
    const answer = await call(url, 'pendingOrders', { symbol: 'BTCUSDT', limit: 100 }).catch(() => null);
    if (answer !== null) answers.push(answer);
    if (!starting.isRunning) throw new Error(`the exchange ended: ${starting.err}`);
  }
  return answers;
}

it('answers 503 with its progress until all is read, then as before the kill', { timeout: 600_000 }, async () => {
  const state = freshFolder();
  let running = exchange(state, '0');
  const url = await addressOf(running);
  await placeMany(url);
  let waiting: HttpReply[] = [];
  // A caller may get no turn while the ledger is read: then again.
  while (waiting.length === 0) {
    await running.kill('SIGKILL');
    running = exchange(state, new URL(url).port);
    const answers = await answersUntilReady(running, url);
    console.info(`${ORDERS} orders: ready after ${(running.age / 1_000).toFixed(1)} s`);
    waiting = answers.filter(({ status }) => status === 503);
    const served = answers.slice(waiting.length);
    expect(served.length).toBeGreaterThan(0);
    for (const { status, body } of served) {
      expect([status, body.code]).toEqual([200, '00000']);
      expect(body.data.entrustedList.map((one: { clientOid: string }) => one.clientOid)).toEqual(['before-the-kill']);
    }
  }
  let before = 0;
  for (const { headers, body } of waiting) {
    expect(headers['retry-after']).toBe('1');
    expect(body.code).toBe('50303');
    expect(body.msg).toMatch(PROGRESS);
    const read = Number(PROGRESS.exec(body.msg)?.[2] ?? 0);
    expect(read).toBeGreaterThanOrEqual(before);
    before = read;
  }
});
