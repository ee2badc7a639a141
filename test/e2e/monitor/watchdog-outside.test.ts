/** The watchdog beside a venue that really limits rates, and beside a bot whose store is a real Redis. Judged by the ledger. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLOSE, OPEN } from '../../../src/domain/codes.ts';
import { hasRedis, startRedis, type RedisServer } from '../../support/stores/redis.ts';
import { Watched } from '../../support/monitor/watched.ts';
import { cleanUp } from '../process.ts';

const SILENCE_MS = 6_000;
const CLOSES = 1;

async function cleared(watched: Watched): Promise<void> {
  await watched.untilState('done');
  expect(watched.live(OPEN), watched.watchdog?.out ?? '').toEqual([]);
  expect(watched.live(CLOSE)).toHaveLength(CLOSES);
  expect(watched.status).toMatchObject({ left: 0, problem: '' });
  // Which orders each of its cancels ended: none twice.
  const ended = watched.watchdog!.logged('watchdog-cancelled').map(({ clientId }) => clientId as string);
  expect(new Set(ended).size).toBe(ended.length);
}

describe('beside an exchange that refuses requests beyond its rates', () => {
  afterEach(cleanUp);

  it('cancels that are refused with 429 are repeated until all opens are gone', async () => {
    // The bot believes that it may send more: so does its watchdog, which cancels 12 orders at once where 5 a second are let through.
    const poll = { quotes: 1_000, trades: 1_000, orders: 1_000, positions: 1_000, account: 2_000 };
    const watched = await Watched.open({
      silenceMs: SILENCE_MS,
      opens: 12,
      exchange: ['--rate-limits', 'config'],
      config: { poll },
    });
    watched.bot.send('SIGSTOP');
    await cleared(watched);
    expect(watched.limitedCancels).toBeGreaterThan(0);
  });
});

describe.skipIf(!hasRedis('the watchdog of a bot on Redis'))('beside a bot whose journal is in Redis', () => {
  let redis: RedisServer;
  beforeEach(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    await cleanUp();
    await redis.remove();
  });

  const open = (): Promise<Watched> => Watched.open({ silenceMs: SILENCE_MS, redis: redis.url });

  it('the opens of a killed bot are cancelled', async () => {
    const watched = await open();
    await watched.bot.kill('SIGKILL');
    await cleared(watched);
  });

  it('so are those of a bot that ended because its Redis is lost', async () => {
    const watched = await open();
    await redis.kill();
    await watched.bot.ended;
    expect(watched.bot.code).toBe(75);
    await cleared(watched);
  });
});
