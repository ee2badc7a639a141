/** The journal in a real Redis: a bot that is stopped, and one that is killed, carry on from it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRedisStore } from '../../src/edge/redis/store.ts';
import { Random } from '../../src/base/random.ts';
import { hasRedis, startRedis, type RedisServer } from '../support/redis.ts';
import { CLEAN, type Journal, journalOf } from './audit.ts';
import { addressOf, cleanUp, STOPPED } from './process.ts';
import { Scene } from './scene.ts';

async function journalAt(url: string): Promise<Journal> {
  return journalOf(await openRedisStore({ url, prefix: 'tickwright:paper', leaseMs: 15_000, waitMs: 16_000 }), 'paper');
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

  it('carries on after a stop and after kill -9', { timeout: 120_000 }, async () => {
    const scene = new Scene(11);
    const random = new Random(5);
    const exchange = scene.exchange();
    const url = await addressOf(exchange);
    const settings = ['store.kind=redis', `store.url=${redis.url}`];
    const first = scene.run(url, settings);
    await first.untilLogged('fill', 3);
    await first.kill('SIGTERM');
    expect(STOPPED).toContain(first.code);

    const second = scene.run(url, settings);
    await second.untilLogged('armed');
    // A bot that was stopped gave its lease back: nobody waits for it.
    expect(second.age).toBeLessThan(8_000);
    await second.untilLogged('fill', 2);
    await scene.killAtMoment(second, random);

    // One that was killed could not: the next waits until the lease has run out.
    const third = scene.run(url, settings);
    await third.untilLogged('fill', 2, 40_000);
    await scene.calmDown(third);
    await third.kill('SIGINT');
    expect(STOPPED).toContain(third.code);
    await exchange.kill('SIGTERM');
    expect(await scene.compare('redis', 1, third, await journalAt(redis.url))).toMatchObject(CLEAN);
  });

  it('opens nothing once Redis is gone, says so, and ends with 78', { timeout: 60_000 }, async () => {
    const scene = new Scene(12);
    const exchange = scene.exchange();
    const bot = scene.run(await addressOf(exchange), ['store.kind=redis', `store.url=${redis.url}`]);
    await bot.untilLogged('fill', 2);
    await redis.kill();
    await bot.ended;
    expect(bot.code).toBe(78);
    expect(bot.logged('journal-failed')).toHaveLength(1);
    await exchange.kill('SIGTERM');
    await redis.start();
    // What left was durable before: nothing at the exchange is missing in the journal.
    const { belief, records } = await journalAt(redis.url);
    expect(belief.nextSeq).toBeGreaterThan(records.filter(({ kind }) => kind === 'command').length - 1);
  });
});
