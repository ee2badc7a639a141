/** Backups of a store in Redis, and from one kind of store to the other. */
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULTS } from '../../../../src/config/defaults.ts';
import type { BotConfig } from '../../../../src/config/model.ts';
import { openEmbeddedStore } from '../../../../src/edge/embedded/embedded-store.ts';
import { openRedisStore } from '../../../../src/edge/redis/redis-store.ts';
import type { Store } from '../../../../src/ports/store.ts';
import { makeBackup, type BackupMade } from '../../../../src/run/backup/backup.ts';
import { restoreBackup } from '../../../../src/run/backup/restore.ts';
import { recover } from '../../../../src/run/bot/store/recovered.ts';
import { stateFolder } from '../../../../src/run/setup/state-folder.ts';
import { begin, configIn, configOnRedis, newFolder, recordOf, recordsOf, removeFolders } from '../../../support/stores/backup-kit.ts';
import { hasRedis, startRedis, type RedisServer } from '../../../support/stores/redis.ts';

const NOW = 1_700_000_100_000;
let redis: RedisServer;

beforeAll(async () => {
  if (hasRedis('backups of Redis')) redis = await startRedis();
});
afterAll(() => redis?.remove());
afterEach(removeFolders);

function openRedis(bot: string): Promise<Store> {
  return openRedisStore({ url: redis.url, prefix: `tickwright:${bot}`, timeoutMs: 5_000 });
}

function backup(config: BotConfig): Promise<BackupMade> {
  return makeBackup({
    folder: stateFolder(config),
    config: { file: join(newFolder(), 'none.yaml'), config, settings: DEFAULTS },
    to: join(newFolder(), 'copy.gz'),
    now: NOW,
  });
}

function restore({ file }: BackupMade, config: BotConfig): ReturnType<typeof restoreBackup> {
  return restoreBackup({ path: file, config, now: NOW, env: { TICKWRIGHT_STATE_HOME: '/nowhere' } });
}

describe.skipIf(!hasRedis('backups of Redis'))('a backup of a store in Redis', () => {
  it('is one moment of its journal while a bot commits, and is restored to Redis and to a file', async () => {
    const store = await openRedis('tw');
    await begin(store, 'tw', 1_200);
    const trade = { isDone: false };
    let k = 1_200;
    const trading = (async () => {
      while (!trade.isDone) {
        store.append(recordOf(++k));
        store.put('odd', String(k));
        await store.commit();
      }
    })();
    // No bot answers on the control socket: the journal is read from Redis.
    const made = await backup(configOnRedis(redis.url, join(newFolder(), 'bot')));
    trade.isDone = true;
    await trading;
    const all = await recordsOf(store);
    await store.close();
    expect(made).toMatchObject({ head: { store: 'redis', isRunning: false } });
    expect(made.records).toBeGreaterThanOrEqual(1_200);
    const embedded = configIn(join(newFolder(), 'bot'));
    await restore(made, embedded);
    const file = openEmbeddedStore({ folder: embedded.store.folder });
    expect((await recordsOf(file)).slice(0, -2)).toEqual(all.slice(0, made.records));
    expect(await file.get('odd')).toBe(made.records === 1_200 ? await file.get('odd') : String(made.records));
    await file.close();
    await expect(restore(made, configOnRedis(redis.url, join(newFolder(), 'bot')))).rejects.toMatchObject({ failure: 'store-exists' });
    await redis.say('FLUSHALL');
    const done = await restore(made, configOnRedis(redis.url, join(newFolder(), 'bot')));
    const again = await openRedis('tw');
    expect((await recordsOf(again)).slice(0, -2)).toEqual(all.slice(0, made.records));
    const { ids, snapshot } = await recover(again, 'tw', NOW);
    expect(ids.epoch).toBe(done.epoch + 1);
    expect(snapshot?.halts).toMatchObject([{ code: 'journal-restored' }]);
    await again.close();
  });

  it('that was killed while it was restored is opened by no bot, and can be restored again', async () => {
    await redis.say('FLUSHALL');
    const folder = join(newFolder(), 'bot');
    const store = openEmbeddedStore({ folder });
    await begin(store, 'tw', 700);
    await store.close();
    const made = await backup(configIn(folder));
    await redis.say('HSET {tickwright:tw}:head format restoring genesis x position 0 link x');
    await redis.say('XADD {tickwright:tw}:journal 1-0 data {} kind note seq 0 time 0 link x');
    await expect(openRedis('tw')).rejects.toMatchObject({ code: 'unsafe', message: expect.stringContaining('restore it again') as string });
    await expect(backup(configOnRedis(redis.url, folder + '-none'))).rejects.toThrow('restore it again');
    await redis.say('DEL {tickwright:tw}:lease');
    await restore(made, configOnRedis(redis.url, join(newFolder(), 'bot')));
    const again = await openRedis('tw');
    expect(await again.last()).toBe(702);
    await again.close();
  });

  it('shuts out a bot that still has a lease, and one that wrote there before', async () => {
    await redis.say('FLUSHALL');
    const folder = join(newFolder(), 'bot');
    const file = openEmbeddedStore({ folder });
    await begin(file, 'tw', 3);
    await file.close();
    const made = await backup(configIn(folder));
    const old = await openRedis('tw');
    await begin(old, 'tw', 1);
    const target = configOnRedis(redis.url, join(newFolder(), 'bot'));
    await expect(restore(made, target)).rejects.toMatchObject({ failure: 'store-occupied' });
    // Its lease has expired, and somebody emptied the database.
    await redis.say('FLUSHALL');
    await restore(made, target);
    old.append(recordOf(9));
    await expect(Promise.resolve(old.commit())).rejects.toThrow();
    await old.close();
  });
});
