/** The journal in a real Redis: a stopped bot and a killed one continue from it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { openRedisStore } from '../../../src/edge/redis/redis-store.ts';
import { Random } from '../../../src/base/random.ts';
import { hasRedis, startRedis, type RedisServer } from '../../support/stores/redis.ts';
import { CLEAN, type Journal, journalOf } from '../audit.ts';
import { addressOf, cleanUp, freshFolder, STOPPED } from '../process.ts';
import { Scene } from '../scene.ts';

async function journalAt(url: string): Promise<Journal> {
  return journalOf(await openRedisStore({ url, prefix: 'tickwright:paper', leaseMs: 15_000, waitMs: 16_000 }), 'paper');
}

/** A start waits as long as a request of an earlier holder may be on its way, which is 10 s by default. */
function settingsOf({ url }: RedisServer): string[] {
  return ['store.kind=redis', `store.url=${url}`, 'venue.timeoutMs=3000'];
}

describe.skipIf(!hasRedis('the bot on Redis'))('a bot whose journal is in Redis', () => {
  let redis: RedisServer;
  beforeEach(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    await cleanUp();
    await redis.remove();
  });

  it('continues after a stop and after kill -9', async () => {
    const scene = new Scene(11);
    const random = new Random(5);
    const exchange = scene.exchange();
    const url = await addressOf(exchange);
    const settings = settingsOf(redis);
    const first = scene.run(url, settings);
    // A server without a lease may have been emptied: the first start waits for requests of another bot that may still be on their way.
    await first.untilLogged('fill', 3);
    await first.kill('SIGTERM');
    expect(STOPPED).toContain(first.code);

    // A stopped bot gave its lease back, so the next one does not wait for requests that may still be on their way: at least 60 s here.
    const second = scene.run(url, [...settings, 'venue.timeoutMs=60000']);
    await second.untilLogged('armed');
    expect(second.age).toBeLessThan(60_000);
    await second.untilLogged('fill', 2);
    await scene.killAtMoment(second, random);

    // A killed bot could not: the next one waits until the lease has expired.
    const third = scene.run(url, settings);
    await third.untilLogged('fill', 2);
    await scene.calmDown(third);
    await third.kill('SIGINT');
    expect(STOPPED).toContain(third.code);
    await exchange.kill('SIGTERM');
    expect(await scene.compare('redis', 1, third, await journalAt(redis.url))).toMatchObject(CLEAN);
  });

  it('opens nothing while Redis is down, logs it, and ends with 75 after store.outageMs', async () => {
    const scene = new Scene(12);
    const exchange = scene.exchange();
    const bot = scene.run(await addressOf(exchange), [...settingsOf(redis), 'store.outageMs=4000']);
    await bot.untilLogged('fill', 2);
    await redis.kill();
    await bot.ended;
    expect(bot.code).toBe(75);
    expect(bot.logged('journal-away')).toHaveLength(1);
    expect(bot.logged('journal-failed')).toHaveLength(1);
    await exchange.kill('SIGTERM');
    await redis.start();
    // Everything was durable before it was sent: no order at the exchange is missing in the journal.
    const { localState, records } = await journalAt(redis.url);
    expect(localState.nextSeq).toBeGreaterThan(records.filter(({ kind }) => kind === 'command').length - 1);
  });

  it('recovers by itself when Redis does, and loses and duplicates nothing [D1] [outcomes 3.7]', async () => {
    const scene = new Scene(14);
    const exchange = scene.exchange();
    const bot = scene.run(await addressOf(exchange), settingsOf(redis));
    await bot.untilLogged('fill', 2);
    for (let outage = 1; outage <= 2; outage++) {
      await redis.kill();
      await bot.untilLogged('journal-away', outage);
      const before = readLedger(scene.ledgerFolder).orders.length;
      await sleep(2_000);
      const opened = readLedger(scene.ledgerFolder).orders.slice(before);
      expect(
        opened.filter(({ order }) => order['byVenue'] !== true),
        'nothing is placed without a journal',
      ).toEqual([]);
      const fills = bot.logged('fill').length;
      await redis.start();
      await bot.untilLogged('journal-back', outage);
      // A fill of an order that rested may be told before the venue is read again and the halt ends.
      const lifted = (): number => bot.logged('halt-lifted').filter((line) => line['code'] === 'journal-away').length;
      await bot.until('the halt is lifted', () => lifted() === outage);
      await bot.untilLogged('fill', fills + 2);
    }
    await scene.calmDown(bot);
    await bot.kill('SIGTERM');
    expect(STOPPED).toContain(bot.code);
    await exchange.kill('SIGTERM');
    expect(await scene.compare('Redis is down twice', 0, bot, await journalAt(redis.url))).toMatchObject(CLEAN);
  });

  it('ends with 75 if Redis returns empty, then opens nothing; ends with 78 if it is emptied while it runs [D2]', async () => {
    const scene = new Scene(15);
    const url = await addressOf(scene.exchange());
    const settings = settingsOf(redis);
    const first = scene.run(url, settings);
    await first.untilLogged('fill', 2);
    const port = redis.port;
    await redis.remove();
    await first.untilLogged('journal-away');
    redis = await startRedis({}, port);
    await first.ended;
    expect([first.code, first.logged('journal-back')]).toEqual([75, []]);
    expect(first.logged('journal-failed')).toHaveLength(1);

    const second = scene.run(url, settings);
    await second.untilLogged('armed');
    const halts = second.logged('halts-from-marker').flatMap((line) => line['halts'] as string[]);
    expect(halts).toEqual(['bot journal-rollback']);
    expect(second.logged('opens-halted').map((line) => line['code'])).toContain('journal-lost');
    await redis.say('FLUSHALL');
    await second.ended;
    expect(second.code).toBe(78);
  });

  it('is refused while another bot, with another id and machine, has the account [P7] [outcomes 3.6]', async () => {
    const scene = new Scene(16);
    const url = await addressOf(scene.exchange());
    const settings = settingsOf(redis);
    const first = scene.run(url, settings);
    await first.untilLogged('armed');
    const second = scene.run(url, [...settings, 'bot=other'], { TICKWRIGHT_STATE_HOME: freshFolder() });
    await second.ended;
    expect([second.code, second.err]).toEqual([75, expect.stringContaining('is in use by process')]);
    expect(second.logged('armed')).toEqual([]);
    await first.kill('SIGTERM');
    const third = scene.run(url, [...settings, 'bot=other'], { TICKWRIGHT_STATE_HOME: freshFolder() });
    await third.untilLogged('armed');
  });
});
