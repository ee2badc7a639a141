/** `tickwright/control` and `tickwright/exchange`: a program that reads, follows and operates a real bot. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, Failure, Refused, type OperatedBot } from '../../../src/control.ts';
import { CONTROL_COMMANDS } from '../../../src/control/commands.ts';
import type { Change } from '../../../src/control/changes.ts';
import { startExchange, type PaperExchange } from '../../../src/exchange.ts';
import { cleanUp, DEMO, freshFolder, launch, type Program } from '../process.ts';

const PORT = 18_431;
let exchange: PaperExchange;
let bot: Program;
let folder = '';

function run(): Program {
  const set = [`venue.baseUrl=${exchange.url}`, `store.folder=${folder}`, `control.port=${PORT}`].flatMap((one) => ['--set', one]);
  return launch(['run', '--config', 'config/paper.yaml', '--strategy', 'test/e2e/strategies/rests.ts', ...set], DEMO);
}

beforeAll(async () => {
  folder = join(freshFolder(), 'bot');
  exchange = await startExchange({ seed: 11, speed: 2 });
  bot = run();
  await bot.untilLogged('ready');
});
afterAll(async () => {
  await cleanUp();
  await exchange.close();
});

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error = await work.then(
    () => expect.fail('it did not fail'),
    (one: unknown) => one,
  );
  expect(error).toBeInstanceOf(Failure);
  return error as Failure;
}

async function restingOrder(client: OperatedBot): Promise<void> {
  await expect.poll(async () => (await client.orders()).map(({ state }) => state)).toContain('working');
}

it('a client of each role reads, and acts as far as its role goes', async () => {
  const client = await connect({ state: folder, role: 'operate', by: 'a test' });
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect([client.folder, client.version, client.role]).toEqual([folder, version, 'operate']);
  expect(await client.status()).toMatchObject({ bot: 'paper', isRunning: true, version, account: 'local' });
  await restingOrder(client);
  expect(exchange.state().orders.length).toBeGreaterThan(0);
  expect(await client.positions()).toEqual([]);
  expect(await client.fills({ last: 5, from: new Date(0) })).toEqual({ fills: [], next: null });
  expect((await client.pnl('day', { from: 0 })).map(({ key }) => key)).toContain('all');
  expect((await client.limits()).length).toBeGreaterThan(0);
  expect(await client.export('orders')).toMatchObject([{ symbol: 'BTCUSDT' }]);
  expect(await client.why('1')).toMatchObject({ number: 1, symbol: 'BTCUSDT' });

  const reader = await connect({ state: folder });
  const reducer = await connect({ state: folder, role: 'reduce' });
  const acting = reader as OperatedBot;
  expect((await failureOf(acting.halt())).failure).toBe('role-missing');
  expect((await failureOf((reducer as OperatedBot).resume())).problems).toMatchObject([
    { where: 'resume', hint: "connect({ role: 'operate' })" },
  ]);
  expect((await failureOf((reducer as OperatedBot).endReduceOnly())).failure).toBe('role-missing');
  expect((await reducer.halt({ why: 'from a program', scope: 'BTCUSDT' })).did.join()).toContain('BTCUSDT');
  expect((await client.status()).halts).toMatchObject([{ scope: 'symbol:BTCUSDT', detail: 'from a program' }]);
  expect(await client.resume()).toMatchObject({ ok: true, isDone: true });
  expect(await client.set('rests', 'orders', 2)).toMatchObject({ ok: true });
  expect((await client.status()).strategies[0]?.params).toMatchObject({ orders: '2' });
  expect(await client.flatten({ rehearse: true })).toHaveProperty('forecast');

  const refused = await failureOf(client.halt({ scope: 'NOSUCH' }));
  expect(refused).toBeInstanceOf(Refused);
  expect([refused.failure, (refused as Refused).code]).toEqual(['command-refused', 'no-such-scope']);
});

it('its changes go on over a kill of the bot, and end with a stop', async () => {
  const client = await connect({ state: folder, role: 'operate' });
  const seen: Change[] = [];
  const following = (async () => {
    for await (const change of client.changes()) seen.push(change);
  })();
  const saw = async (test: (change: Change) => boolean): Promise<void> => {
    await expect.poll(() => seen.some(test), { timeout: 60_000 }).toBe(true);
  };
  await saw(({ kind }) => kind === 'reset');
  await client.halt();
  await saw((change) => change.kind === 'halts' && change.halts.length > 0);
  await client.resume();
  const last = seen.at(-1)!.id;
  for await (const change of client.changes({ after: last })) {
    // The bot still has what came after: no reset.
    expect(change.kind).not.toBe('reset');
    break;
  }
  const boots = (): number => new Set(seen.map(({ id }) => id.split('-')[0])).size;
  expect(boots()).toBe(1);
  await bot.kill('SIGKILL');
  expect((await failureOf(client.status())).failure).toBe('bot-missing');
  expect((await failureOf(connect({ state: folder }))).problems[0]?.what).toContain(`no bot runs in ${folder}`);
  bot = run();
  await saw((change) => change.kind === 'reset' && boots() === 2);
  await bot.kill('SIGTERM');
  await following;
  expect(seen.at(-1)?.kind).toBe('end');
  bot = run();
  await bot.untilLogged('ready');
});

it('over its port it needs the token, and has the same commands', async () => {
  const url = `http://127.0.0.1:${PORT}`;
  const token = readFileSync(join(folder, 'control.token'), 'utf8').trim();
  const client = await connect({ url, token, role: 'operate', by: 'another container' });
  await restingOrder(client);
  expect((await client.cancelAll({ why: 'test' })).ok).toBe(true);
  expect((await client.halt()).ok).toBe(true);
  expect((await client.status()).halts).toMatchObject([{ by: 'another container' }]);
  const wrong = await failureOf(connect({ url, token: 'x' }));
  expect([(wrong as Refused).code, wrong.message]).toEqual(['not-allowed', expect.stringContaining('control.token')]);
  expect((await failureOf(connect({ url: 'https://example.com', token }))).problems[0]?.where).toBe('option url');
  expect((await failureOf(connect({ url: 'http://127.0.0.1:9', token }))).failure).toBe('bot-missing');
  const line = (async () => {
    for await (const { event } of client.log({ since: '10m' })) if (event === 'ready') return event;
    return '';
  })();
  expect(await line).toBe('ready');
});

it('has a method for each control command', async () => {
  const client = await connect({ state: folder, role: 'operate' });
  const names: Readonly<Record<string, string>> = { tail: 'log', events: 'changes' };
  const method = (name: string): string => names[name] ?? name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  for (const { name } of CONTROL_COMMANDS) expect(client).toHaveProperty(method(name));
});
