/** `tickwright/exchange`: an exchange in the process of a test, its market, accounts, faults, operator and ledger. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Failure, startExchange, type PaperExchange, type PaperExchangeOptions } from '../../../../src/exchange.ts';
import { limitOrder } from '../../../support/exchange/exchange-kit.ts';
import { signedSend } from '../../../support/exchange/served-kit.ts';

const open: PaperExchange[] = [];
afterEach(async () => {
  for (const exchange of open.splice(0)) await exchange.close();
});

async function start(options: PaperExchangeOptions = {}): Promise<PaperExchange> {
  const exchange = await startExchange(options);
  open.push(exchange);
  return exchange;
}

async function failureOf(work: () => unknown): Promise<Failure> {
  try {
    await work();
  } catch (error) {
    expect(error).toBeInstanceOf(Failure);
    return error as Failure;
  }
  return expect.fail('it did not fail');
}

const place = (exchange: PaperExchange, order: object): Promise<Record<string, unknown>> =>
  signedSend(exchange.url, 0, 'POST', '/api/v1/future/order/place-order', order);
const folders = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('tickwright-exchange-'));

test('it serves the rows of a test, shows what the venue holds, and keeps a ledger that is read as objects', async () => {
  const before = folders();
  const exchange = await start({
    rows: [
      { at: 0, bid: 59_990, ask: 60_010 },
      { at: 50, trade: 60_000 },
    ],
    accounts: 2,
    deposit: { USDT: '5000' },
  });
  expect(exchange.accounts.map(({ name, key }) => [name, key])).toEqual([
    ['account-1', 'demo-key'],
    ['account-2', 'demo-key-2'],
  ]);
  expect(exchange.symbols).toEqual(['BTCUSDT', 'spot:BTCUSDT']);
  const market = { symbol: 'BTCUSDT', marginMode: 'CROSS', side: 'LONG', tradeSide: 'OPEN', size: '0.01' };
  expect(await place(exchange, { ...market, orderType: 'MARKET' })).toMatchObject({ code: '00000' });
  expect(await place(exchange, { ...market, orderType: 'LIMIT', price: '50000', clientOid: 'far' })).toMatchObject({ code: '00000' });
  const { accounts, positions, orders } = exchange.state();
  expect(accounts.map(({ account, orders: count }) => [account, count])).toEqual([
    ['account-1', 1],
    ['account-2', 0],
  ]);
  expect(positions).toMatchObject([{ account: 'account-1', symbol: 'BTCUSDT', side: 'LONG', size: '0.010', entry: '60010.00' }]);
  expect(orders).toMatchObject([{ clientOid: 'far', price: '50000.00', size: '0.010', filled: '0.000' }]);
  expect(exchange.ledger('request', 'fill').map(({ kind }) => kind)).toEqual(['fill', 'request', 'request']);
  expect(exchange.ledger().map(({ n }) => n)).toEqual(exchange.ledger().map((_, k) => k + 1));
  expect(exchange.requests().endpoints.find(({ endpoint }) => endpoint === 'E12')).toMatchObject({ asked: 2, refused: 0 });
  await exchange.close();
  await exchange.close();
  expect(folders()).toEqual(before);
});

test('its operator and its faults act in the process, with the checks of the admin interface', async () => {
  const plan = { seed: 3, rules: [{ fault: 'refuse', endpoints: ['E12'], msg: 'Insufficient balance', count: 1 }] } as const;
  const exchange = await start({ seed: 4, faults: plan });
  const order = limitOrder({ size: '0.002', price: '20000.0' });
  expect(await place(exchange, order)).toMatchObject({ msg: 'Insufficient balance' });
  expect(await place(exchange, order)).toMatchObject({ code: '00000' });
  expect(exchange.faults()).toMatchObject([{ fault: 'refuse', seen: 2, struck: 1 }]);
  exchange.setFaults(null);
  expect(exchange.faults()).toEqual([]);
  expect(exchange.ledger('fault')).toHaveLength(1);

  expect(exchange.act('offline', { symbol: 'ETHUSDT' })).toMatchObject({ done: true });
  const [wrong, refused, unknown, kind] = await Promise.all([
    failureOf(() => exchange.act('spike', { symbol: 'BTCUSDT', percent: 'up' })),
    failureOf(() => exchange.act('cancel', { orderId: 'fu-99' })),
    failureOf(() => exchange.setFaults({ rules: [{ fault: 'dorp' as 'drop' }] })),
    failureOf(() => exchange.ledger('fils')),
  ]);
  expect([wrong.failure, wrong.problems[0]?.what]).toEqual(['admin-request', expect.stringContaining('found "up"')]);
  expect([refused.failure, refused.problems[0]]).toEqual(['admin-request', { what: 'refused: order-not-found', where: 'cancel' }]);
  expect([unknown.failure, unknown.problems[0]?.hint]).toEqual(['fault-plan', expect.stringContaining('drop')]);
  expect([kind.failure, kind.problems[0]?.hint]).toEqual(['admin-request', expect.stringContaining('fill')]);
});

test('one seed gives one market', async () => {
  const firstTrades = async (seed: number): Promise<unknown> => {
    const exchange = await start({ seed, pastMs: 600_000 });
    const answer = await fetch(`${exchange.url}/api/v1/future/market/fills-history?symbol=BTCUSDT&idLessThan=21&limit=20`);
    const { data } = (await answer.json()) as { data: readonly { tradeId: string; price: string; size: string }[] };
    return data.map(({ tradeId, price, size }) => [tradeId, price, size]);
  };
  const [first, again, other] = [await firstTrades(5), await firstTrades(5), await firstTrades(6)];
  expect(first).toHaveLength(20);
  expect(again).toEqual(first);
  expect(other).not.toEqual(first);
});

test('a folder of its own keeps the ledger, and the exchange that is started there again goes on', async () => {
  const state = mkdtempSync(join(tmpdir(), 'kept-'));
  try {
    const first = await start({ state, seed: 6 });
    expect(await place(first, limitOrder({ size: '0.002', price: '20000.0', clientOid: 'kept' }))).toMatchObject({ code: '00000' });
    await first.close();
    const second = await start({ state, seed: 6 });
    expect(second.isResumed).toBe(true);
    expect(second.state().orders).toMatchObject([{ clientOid: 'kept' }]);
    await second.close();
    expect(existsSync(join(state, 'ledger.jsonl'))).toBe(true);
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
});

test.each<[string, object, string, string]>([
  ['an unknown option', { sead: 1 }, 'flag-value', '"sead" is not a key of the options'],
  ['a wrong value', { accounts: 0 }, 'flag-value', '"accounts": expected a whole number from 1'],
  ['both markets', { tape: 'x', rows: [{ at: 0, bid: 1, ask: 2 }] }, 'flag-value', 'expected a tape or rows, found both'],
  [
    'rows out of order',
    {
      rows: [
        { at: 5, bid: 1, ask: 2 },
        { at: 1, bid: 1, ask: 2 },
      ],
    },
    'flag-value',
    'option rows: rows[1]',
  ],
  ['no such tape', { tape: 'nowhere' }, 'path-missing', 'option tape: there is no tape nowhere'],
  ['another coin', { deposit: { EUR: '5' } }, 'flag-value', 'option deposit: expected a coin of this market, found "EUR"'],
  ['an unknown switch', { switches: { modifi: 'atomic' } }, 'config-flag', 'exchange.modifi'],
  ['a wrong fault plan', { faults: { rules: [{ fault: 'late', ms: -1 }] } }, 'fault-plan', 'option faults: rule 1'],
])('%s is refused, and nothing is left', async (_, options, code, message) => {
  const before = folders();
  const failure = await failureOf(() => start(options));
  expect([failure.failure, failure.message]).toEqual([code, expect.stringContaining(message)]);
  expect(folders()).toEqual(before);
});
