/** A bot process and an exchange process that speak mix-v2 over HTTP, killed once: afterwards ledger and journal agree. */
import { afterEach, expect, it } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { CLEAN } from '../audit.ts';
import { addressOf, cleanUp, STOPPED } from '../process.ts';
import { alarms, Scene } from '../scene.ts';

const DIALECT = 'venue.dialect=mix-v2';

afterEach(cleanUp);

it('a bot that speaks mix-v2 trades on an exchange that speaks it, and is killed once', async () => {
  const scene = new Scene(11);
  const exchange = scene.exchange('0', ['--set', DIALECT]);
  const url = await addressOf(exchange);
  expect((await fetch(`${url}/api/v1/future/market/book-ticker`)).status, 'the interface is not served').toBe(404);
  const tickers = await fetch(`${url}/api/v2/mix/market/tickers?productType=USDT-FUTURES`);
  expect(await tickers.json()).toMatchObject({ code: '00000', data: [{ symbol: 'BTCUSDT' }, { symbol: 'ETHUSDT' }] });
  const killed = scene.run(url, [DIALECT]);
  await scene.untilFree(killed);
  await killed.until('fills', () => killed.logged('fill').length > 5);
  await scene.killAtMoment(killed, new Random(20_240_808));
  const bot = scene.run(url, [DIALECT]);
  await bot.untilLogged('armed');
  await bot.until('fills', () => bot.logged('fill').length > 5);
  await scene.calmDown(bot);
  await bot.kill('SIGINT');
  expect(STOPPED).toContain(bot.code);
  await exchange.kill('SIGTERM');
  expect(exchange.code).toBe(0);
  const result = await scene.compare('mix-v2', 1, bot);
  expect(result).toMatchObject(CLEAN);
  expect([...alarms(killed), ...alarms(bot)]).toEqual([]);
  expect(result.orders).toBeGreaterThan(10);
});
