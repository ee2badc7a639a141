/** Answers that belong to other requests: the whole bot stops opening, names the order, and loses nothing. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { OPEN } from '../../../src/domain/codes.ts';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { adminOf, addressOf, cleanUp, type Program } from '../process.ts';
import { Scene } from '../scene.ts';

const TOKEN = 'token-of-the-test';

afterEach(cleanUp);

async function plan(exchange: Program, rules: readonly object[]): Promise<void> {
  const body = JSON.stringify({ seed: 1, rules });
  const reply = await fetch(`${await adminOf(exchange)}/faults`, { method: 'PUT', headers: { authorization: `Bearer ${TOKEN}` }, body });
  expect(reply.ok).toBe(true);
}

/** Runs a bot with these fault rules for its orders. Returns the codes of the halts, the opens after them, and duplicates. */
async function haltUnder(seed: number, rules: readonly object[]): Promise<{ codes: unknown[]; openedLater: number; twice: number }> {
  const scene = new Scene(seed);
  const exchange = scene.exchange('0', ['--admin-port', '0'], { TICKWRIGHT_ADMIN_TOKEN: TOKEN });
  const bot = scene.run(await addressOf(exchange), ['venue.timeoutMs=1500']);
  await bot.untilLogged('armed');
  await plan(exchange, rules);
  await bot.untilLogged('opens-halted');
  await plan(exchange, []);
  await sleep(500);
  const opens = (): { clientOid: unknown }[] =>
    readLedger(scene.ledgerFolder).orders.flatMap(({ order }) => (order['effect'] === OPEN ? [{ clientOid: order['clientOid'] }] : []));
  const before = opens().length;
  expect(before, 'it opened until then').toBeGreaterThan(0);
  await sleep(2_000);
  const ids = opens().map(({ clientOid }) => clientOid);
  await bot.kill('SIGTERM');
  await exchange.kill('SIGINT');
  const codes = bot.logged('opens-halted').map(({ code }) => code);
  return { codes, openedLater: ids.length - before, twice: ids.length - new Set(ids).size };
}

it('an answer to another order halts all opens of the bot [N10] [outcomes C6]', async () => {
  const rules = [{ fault: 'mixup', endpoints: ['E12'], every: 2 }];
  expect(await haltUnder(31, rules)).toEqual({ codes: ['response-mixup'], openedLater: 0, twice: 0 });
});

it('a proxy that delivers an order twice halts all opens when the second answer returns [N9]', async () => {
  const rules = [{ fault: 'duplicate', endpoints: ['E12'], answer: 'second', every: 1 }];
  expect(await haltUnder(32, rules)).toEqual({ codes: ['id-reused'], openedLater: 0, twice: 0 });
});
