/** An exchange with injected faults: the bot loses and duplicates nothing. After a kill, the exchange has all its lines again. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { CLEAN } from '../audit.ts';
import { addressOf, adminOf, cleanUp, freshFolder, runToEnd, type Program, STOPPED } from '../process.ts';
import { Scene } from '../scene.ts';

const TOKEN = 'token-of-the-test';
const ADMIN = { TICKWRIGHT_ADMIN_TOKEN: TOKEN };
/** Seconds of trading under faults. */
const SECONDS = Number(process.env['TICKWRIGHT_FAULT_SECONDS'] ?? 10);

afterEach(cleanUp);

async function admin(exchange: Program, method: string, path: string, given?: object): Promise<any> {
  const reply = await fetch(`${await adminOf(exchange)}${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}` },
    ...(given === undefined ? {} : { body: JSON.stringify(given) }),
  });
  return reply.json();
}

/** All kinds of faults, each in a few percent of the requests. */
const PLAN = `
seed: 11
rules:
  - { fault: drop, endpoints: writes, phase: after, probability: 0.03 }
  - { fault: drop, endpoints: writes, phase: before, probability: 0.03 }
  - { fault: late, endpoints: writes, ms: 900, probability: 0.03 }
  - { fault: reset, endpoints: writes, phase: after, probability: 0.03 }
  - { fault: status, endpoints: writes, phase: after, status: 502, probability: 0.03 }
  - { fault: html, endpoints: writes, phase: before, probability: 0.03 }
  - { fault: duplicate, endpoints: [E12], ms: 20, probability: 0.05 }
  - { fault: truncate, endpoints: all, how: close, probability: 0.03 }
  - { fault: reset, endpoints: all, phase: answer, probability: 0.02 }
  - { fault: malformed, endpoints: reads, probability: 0.03 }
  - { fault: wrong-types, endpoints: reads, probability: 0.03 }
  - { fault: empty, endpoints: reads, probability: 0.02 }
  - { fault: stale, ms: 400, probability: 0.1 }
  - { fault: reorder, endpoints: reads, ms: 200, probability: 0.05 }
  - { fault: delay, endpoints: all, ms: 150, probability: 0.05 }
`;

it(`a bot trades for ${SECONDS} s on an exchange with constant faults`, { timeout: 300_000 + SECONDS * 2_000 }, async () => {
  const scene = new Scene(21);
  const plan = join(scene.folder, 'plan.yaml');
  writeFileSync(plan, PLAN);
  const exchange = scene.exchange('0', ['--faults', plan, '--admin-port', '0'], ADMIN);
  const bot = scene.run(await addressOf(exchange), ['venue.timeoutMs=600']);
  await bot.untilLogged('armed');
  await sleep(SECONDS * 1_000);
  expect(bot.isRunning).toBe(true);
  const rules = (await admin(exchange, 'DELETE', '/faults')) as { rules: { struck: number }[] };
  await scene.calmDown(bot);
  await bot.kill('SIGTERM');
  expect(STOPPED).toContain(bot.code);
  await exchange.kill('SIGINT');
  const result = await scene.compare('faults', 0, bot);
  const { faults } = readLedger(scene.ledgerFolder);
  console.info(`${faults.length} faults; outcomes that were unknown: ${bot.logged('outcome-unknown').length}`);
  expect(rules.rules.reduce((sum, { struck }) => sum + struck, 0)).toBe(faults.length);
  expect(faults.length).toBeGreaterThan(SECONDS * 3);
  expect(bot.logged('outcome-unknown').length).toBeGreaterThan(0);
  expect(result).toMatchObject(CLEAN);
});

it('an exchange killed during faults and commands has every line again, and keeps the operator’s state', async () => {
  const scene = new Scene(22);
  const plan = join(scene.folder, 'plan.json');
  writeFileSync(
    plan,
    JSON.stringify({
      rules: [
        { fault: 'duplicate', endpoints: ['E12'] },
        { fault: 'status', phase: 'after', every: 2 },
      ],
    }),
  );
  const start = (): Program => scene.exchange('0', ['--faults', plan, '--admin-port', '0'], ADMIN);
  const file = join(scene.ledgerFolder, 'ledger.jsonl');
  let exchange = start();
  let before = '';
  for (let life = 0; life < 3; life++) {
    await adminOf(exchange);
    await sleep(300);
    const symbol = 'ETHUSDT';
    const order = { marginMode: 'CROSS', side: 'LONG', tradeSide: 'OPEN', size: '0.05', symbol, orderType: 'MARKET' };
    const commands: [string, object][] = [
      ['/call', { account: 'account-1', endpoint: 'E12', params: { ...order, clientOid: `human-${life}` } }],
      ['/deposit', { account: 'account-1', wallet: 'futures', coin: 'USDT', amount: '12.5' }],
      ['/spike', { symbol, percent: -3 }],
      ['/freeze', { symbol: 'BTCUSDT' }],
      ['/withdrawal', { account: 'account-1', coin: 'USDT', amount: '3' }],
    ];
    for (const [path, given] of commands) expect(await admin(exchange, 'POST', path, given)).toMatchObject({ done: true });
    await exchange.kill('SIGKILL');
    const now = readFileSync(file, 'utf8');
    const whole = now.slice(0, now.lastIndexOf('\n') + 1);
    expect(whole.startsWith(before)).toBe(true);
    before = whole;
    exchange = start();
  }
  await adminOf(exchange);
  const still = async (): Promise<string> => {
    const reply = await fetch(`${await addressOf(exchange)}/api/v1/future/market/book-ticker?symbol=BTCUSDT`);
    return JSON.stringify(((await reply.json()) as { data: unknown }).data);
  };
  await admin(exchange, 'DELETE', '/faults');
  const first = await still();
  await sleep(500);
  expect(await still()).toBe(first);
  await exchange.kill('SIGINT');
  expect(readFileSync(file, 'utf8').startsWith(before)).toBe(true);
  const { commands, orders } = readLedger(scene.ledgerFolder);
  expect(commands).toHaveLength(15);
  expect(orders.filter(({ order }) => order['byVenue'] !== true)).toHaveLength(3);
  const shown = await runToEnd(['ledger', scene.ledgerFolder, '--json']);
  expect(JSON.parse(shown.out)).toMatchObject({ commands: { call: 3, spike: 3 }, orders: { made: 3 } });
  const text = await runToEnd(['ledger', scene.ledgerFolder]);
  expect(text.out).toMatch(/operator +call +3/);
  const lines = await runToEnd(['ledger', scene.ledgerFolder, '--lines', 'command']);
  expect(lines.out.trim().split('\n')).toHaveLength(15);
  expect((await runToEnd(['ledger', scene.ledgerFolder, '--lines', 'comand'])).err).toContain('did you mean "command"?');
  // The state folder of `start` has it too; any other folder is refused.
  expect((await runToEnd(['ledger', scene.folder])).code).toBe(0);
  expect((await runToEnd(['ledger', freshFolder()])).code).toBe(2);
});
