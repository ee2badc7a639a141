/** The exchange dies or hangs while the bot runs: the bot survives, resolves its orders, and continues. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { CLEAN } from '../audit.ts';
import { addressOf, cleanUp } from '../process.ts';
import { Scene } from '../scene.ts';

const KILLS = Number(process.env['TICKWRIGHT_KILLS'] ?? 8);

afterEach(cleanUp);

it(`${KILLS} kills of the exchange`, { timeout: 300_000 + KILLS * 15_000 }, async () => {
  const scene = new Scene(8);
  const random = new Random(42);
  let exchange = scene.exchange();
  const url = await addressOf(exchange);
  const bot = scene.run(url);
  await bot.untilLogged('fill');
  for (let kill = 0; kill < KILLS; kill++) {
    await scene.killExchangeAtMoment(exchange, random);
    await sleep(300 + random.below(700));
    expect(bot.isRunning).toBe(true);
    const fills = bot.logged('fill').length;
    exchange = scene.exchange(new URL(url).port);
    await addressOf(exchange);
    await bot.untilLogged('fill', fills + 1);
  }
  await scene.calmDown(bot);
  const last = await scene.stop(bot, url);
  await exchange.kill('SIGINT');
  expect(exchange.code).toBe(0);
  console.info(`outcomes that were unknown: ${bot.logged('outcome-unknown').length}`);
  const result = await scene.compare('exchange', KILLS, last);
  expect(result).toMatchObject(CLEAN);
  expect(result.orders).toBeGreaterThan(KILLS);
});

it('an exchange that hangs: what was sent meanwhile is unknown, then resolved [N4]', async () => {
  const scene = new Scene(13);
  const random = new Random(17);
  const exchange = scene.exchange();
  const url = await addressOf(exchange);
  const settings = ['venue.timeoutMs=500'];
  const bot = scene.run(url, settings);
  await bot.untilLogged('fill');
  const unknown = (): number => bot.logged('outcome-unknown').length;
  let hangs = 0;
  // Not every journal write belongs to a command about to be sent: continue until the hang has met some.
  while (unknown() < 2 && hangs < 25) {
    await sleep(random.below(300));
    await scene.untilJournalWritten();
    exchange.send('SIGSTOP');
    hangs++;
    await sleep(900);
    exchange.send('SIGCONT');
    await scene.untilFree(bot);
    await bot.untilLogged('fill', bot.logged('fill').length + 1);
  }
  await scene.calmDown(bot);
  const last = await scene.stop(bot, url, settings);
  await exchange.kill('SIGINT');
  console.info(`outcomes that were unknown: ${unknown()}`);
  expect(unknown()).toBeGreaterThan(1);
  expect(await scene.compare('hangs', hangs, last)).toMatchObject(CLEAN);
});

it('a suspended bot wakes up and continues [P5]', async () => {
  const scene = new Scene(14);
  const exchange = scene.exchange();
  const url = await addressOf(exchange);
  const settings = ['risk.staleAfterMs=300'];
  const bot = scene.run(url, settings);
  await bot.untilLogged('fill', 2);
  for (let nap = 0; nap < 2; nap++) {
    bot.send('SIGSTOP');
    await sleep(1_500);
    bot.send('SIGCONT');
    await bot.untilLogged('fill', bot.logged('fill').length + 1);
  }
  await scene.calmDown(bot);
  const last = await scene.stop(bot, url, settings);
  await exchange.kill('SIGTERM');
  expect(await scene.compare('naps', 2, last)).toMatchObject(CLEAN);
});
