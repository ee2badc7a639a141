/** The venue is put back to a backup, and gives ids again that it had given before. The bot names it by one halt, and opens nothing. */
import { cpSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import type { StatusAnswer } from '../../../src/control/answers.ts';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { addressOf, cleanUp, freshFolder, runToEnd } from '../process.ts';
import { Scene } from '../scene.ts';

afterEach(cleanUp);

it('a venue that was restored from a backup is named by one halt, which says what to do [outcomes 3.3]', async () => {
  const scene = new Scene(41);
  let exchange = scene.exchange();
  const url = await addressOf(exchange);
  const { port } = new URL(url);
  const bot = scene.run(url);
  await bot.untilLogged('fill', 4);
  await exchange.kill('SIGTERM');
  const backup = freshFolder();
  cpSync(scene.ledgerFolder, backup, { recursive: true });
  exchange = scene.exchange(port);
  await addressOf(exchange);
  await bot.untilLogged('fill', bot.logged('fill').length + 8);
  await exchange.kill('SIGKILL');
  rmSync(scene.ledgerFolder, { recursive: true });
  cpSync(backup, scene.ledgerFolder, { recursive: true });
  exchange = scene.exchange(port);
  await addressOf(exchange);
  const from = performance.now();
  await bot.untilLogged('venue-restored');
  console.info(`named after ${((performance.now() - from) / 1_000).toFixed(1)} s: ${String(bot.logged('venue-restored')[0]!['cause'])}`);
  expect(String(bot.logged('venue-restored')[0]!['cause'])).toMatch(
    /^(fu-\d+ was the id of \S+ and is that of \S+ now|the history had shown \S+ as fu-\d+)/,
  );
  expect(bot.logged('opens-halted')).toMatchObject([{ code: 'venue-restored', ends: 'tickwright resume --i-know' }]);
  await sleep(500);
  const opens = (): number => readLedger(scene.ledgerFolder).orders.filter(({ order }) => order['effect'] === 0).length;
  const before = opens();
  await sleep(8_000);
  expect(opens()).toBe(before);
  // What follows from it is told, and halts nothing of its own. Outcomes of lost orders are found by the bot.
  const { halts } = JSON.parse((await runToEnd(['status', '--json', '--state', scene.botFolder])).out) as StatusAnswer;
  expect(halts.filter(({ ends }) => ends.startsWith('tickwright')).map(({ code }) => code)).toEqual(['venue-restored']);
  const resumed = await runToEnd(['resume', '--i-know', '--state', scene.botFolder]);
  expect(resumed.out).toContain('ended: bot venue-restored');
  await bot.until('it opens again', () => opens() > before);
});
