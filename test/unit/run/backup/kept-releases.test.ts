/**
 * What earlier releases wrote is read by this one: journals in files and in Redis, backups. What a newer one wrote is refused,
 * and not a byte of it is changed. A whole bot starts on them, and
 * replays their sessions, in test/e2e/operator/kept-releases.test.ts.
 */
import { writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sessionsIn, SessionWriter } from '../../../../src/edge/file/session-file.ts';
import { Packer } from '../../../../src/edge/file/pack.ts';
import { openEmbeddedStore } from '../../../../src/edge/embedded/embedded-store.ts';
import { openRedisStore } from '../../../../src/edge/redis/redis-store.ts';
import { RedisClient } from '../../../../src/edge/redis/redis-client.ts';
import type { Store } from '../../../../src/ports/store.ts';
import { restoreBackup } from '../../../../src/run/backup/restore.ts';
import { recover, type Recovered } from '../../../../src/run/bot/store/recovered.ts';
import { openSession } from '../../../../src/run/replay/replay.ts';
import { HEAD } from '../../../../src/run/session/entries.ts';
import { programVersion } from '../../../../src/run/setup/version.ts';
import { bytesBelow, keptReleases, layOut, layOutOnRedis, type KeptRelease } from '../../../support/stores/golden-release.ts';
import { configIn, newFolder, removeFolders } from '../../../support/stores/backup-kit.ts';
import { hasRedis, startRedis, type RedisServer } from '../../../support/stores/redis.ts';

const NOW = Date.UTC(2030, 0, 1);
const BOT = 'paper';
const releases = keptReleases();
const newest = releases.at(-1)!;

afterEach(removeFolders);

it('there is what each release wrote, this one too: `npm run golden` makes it', () => {
  expect(releases.map(({ version }) => version)).toContain(programVersion());
});

/** What the bot held, as the recovered journal says it: in lots of 0.001. */
function expectHolding({ snapshot, ids, isNew, lastEnd }: Recovered): void {
  expect({ isNew, lastEnd }).toEqual({ isNew: false, lastEnd: 'without a stop' });
  const text = JSON.stringify(snapshot);
  expect(snapshot?.orders, text).toHaveLength(1);
  expect(
    snapshot?.legs?.filter(({ total }) => total > 0),
    text,
  ).toMatchObject([{ symbol: 'BTCUSDT', total: 100, own: 100 }]);
  expect(snapshot?.halts, text).toMatchObject([{ code: 'operator' }]);
  expect(ids.epoch).toBe(Math.floor(NOW / 1_000));
}

function stateOf(release: KeptRelease): string {
  const folder = newFolder();
  layOut(release, folder);
  return folder;
}

describe.each(releases)('a bot of $version that was killed', (release) => {
  it('left a journal in a file, with its position, its order and its halt', async () => {
    const store = openEmbeddedStore({ folder: join(stateOf(release), 'bot') });
    expectHolding(await recover(store, BOT, NOW));
    await store.close();
  });

  it('left a backup, which is restored', async () => {
    const path = join(newFolder(), 'copy.gz');
    writeFileSync(path, Buffer.from(release.backup, 'base64'));
    const config = configIn(join(newFolder(), 'bot'), BOT);
    await restoreBackup({ path, config, now: NOW, env: { TICKWRIGHT_STATE_HOME: '/nowhere' } });
    const store = openEmbeddedStore({ folder: config.store.folder });
    const { snapshot } = await recover(store, BOT, NOW);
    expect(snapshot?.halts.map(({ code }) => code).sort()).toEqual(['journal-restored', 'operator']);
    expect(snapshot?.orders).toHaveLength(1);
    await store.close();
  });
});

describe.skipIf(!hasRedis('journals of earlier releases'))('a journal in Redis', () => {
  let redis: RedisServer;
  let client: RedisClient;
  beforeAll(async () => {
    redis = await startRedis();
    client = new RedisClient({ url: redis.url, timeoutMs: 5_000 });
  });
  afterAll(async () => {
    client.close();
    await redis.remove();
  });
  afterEach(() => redis.say('FLUSHALL'));
  const open = (): Promise<Store> => openRedisStore({ url: redis.url, prefix: `tickwright:${BOT}`, timeoutMs: 5_000 });

  it.each(releases)('of a bot of $version that was killed has its position, its order and its halt', async (release) => {
    await layOutOnRedis(release, client);
    const store = await open();
    expectHolding(await recover(store, BOT, NOW));
    await store.close();
  });

  /** What each key has, but for the lease: who has it comes and goes. */
  const contents = async (): Promise<unknown[]> => {
    const names = ((await client.command('KEYS', '*')) as string[]).sort();
    const all: unknown[] = [];
    for (const key of names) {
      const type = String(await client.command('TYPE', key));
      if (type === 'stream') all.push([key, await client.command('XRANGE', key, '-', '+')]);
      else if (type === 'hash') all.push([key, await client.command('HGETALL', key)]);
    }
    return all;
  };

  it('of a newer version is refused, and neither its records nor its values change', async () => {
    await layOutOnRedis(newest, client);
    const head = `{tickwright:${BOT}}:head`;
    await client.command('HSET', head, 'format', '3');
    const before = await contents();
    await expect(open()).rejects.toThrow(/has format 3, expected format 2/);
    expect(await contents()).toEqual(before);
  });

  it('of a newer version of the bot is refused, and neither its records nor its values change', async () => {
    await layOutOnRedis(newest, client);
    const writer = await open();
    writer.put('format', '2');
    await writer.commit();
    await writer.close();
    const before = await contents();
    const store = await open();
    await expect(recover(store, BOT, NOW)).rejects.toThrow(/written by a newer version of Tickwright/);
    await store.close();
    expect(await contents()).toEqual(before);
  });
});

describe('of a newer version', () => {
  it('a store in a file is refused, and no byte of it is changed', () => {
    const folder = join(stateOf(newest), 'bot');
    const database = new DatabaseSync(join(folder, 'store.sqlite'));
    database.exec('PRAGMA user_version = 99');
    database.close();
    const before = bytesBelow(folder);
    expect(() => openEmbeddedStore({ folder })).toThrow(/has format 99, expected format \d+: open it with the version that wrote it/);
    expect(bytesBelow(folder)).toEqual(before);
  });

  it('a session is refused, whether its files or its head are newer', async () => {
    const [folder = ''] = sessionsIn(join(stateOf(newest), 'bot/sessions'));
    const { head } = openSession(folder);
    const segment = join(folder, '000001.seg');
    const bytes = readFileSync(segment);
    bytes.write('2', 'TWSESS'.length);
    writeFileSync(segment, bytes);
    const before = bytesBelow(folder);
    expect(() => openSession(folder)).toThrow(/made by another version of Tickwright: its format is 2, and this version reads format 1/);
    expect(bytesBelow(folder)).toEqual(before);
    const later = join(newFolder(), 'later');
    const [writer, packer] = [new SessionWriter(later), new Packer()];
    packer.put({ ...head, kind: HEAD, version: 2, tickwright: '9.0.0' });
    writer.write(packer.take());
    writer.close();
    expect(() => openSession(later)).toThrow(/made by Tickwright 9\.0\.0: its format is 2/);
  });
});
