/** The Redis store while the primary is demoted, replaced or reconfigured: it waits, goes on where nothing is lost, and says what is. */
import { afterEach, describe, expect, it } from 'vitest';
import { openRedisStore, openRedisStoreOn, type RedisOptions } from '../../src/edge/redis/redis-store.ts';
import { RedisClient } from '../../src/edge/redis/redis-client.ts';
import { REAL_TIME } from '../../src/edge/redis/time.ts';
import type { Store } from '../../src/ports/store.ts';
import {
  hasRedis,
  movableAddress,
  startRedis,
  startReplica,
  startSentinel,
  untilSaid,
  type MovableAddress,
  type RedisServer,
} from '../support/stores/redis.ts';

const RECORD = { kind: 'command', seq: 1, time: 1, data: { text: 'one' } };
const PATIENT = { timeoutMs: 2_000, outageMs: 100_000 };

async function written(store: Store, count = 1): Promise<number> {
  for (let k = 0; k < count; k++) {
    store.append(RECORD);
    await store.commit();
  }
  return store.last();
}

async function codeOf(work: Promise<unknown> | null): Promise<string> {
  try {
    await work;
    return 'none';
  } catch (error) {
    return String((error as { code?: unknown }).code);
  }
}

describe.skipIf(!hasRedis('the failover suite of the redis store'))('the redis store', () => {
  const servers: RedisServer[] = [];
  const stores: Store[] = [];
  const addresses: MovableAddress[] = [];
  const serving = async (server: Promise<RedisServer>): Promise<RedisServer> => {
    servers.push(await server);
    return server;
  };
  const opened = async (url: string, options: Partial<RedisOptions> = {}): Promise<Store> => {
    const store = await openRedisStore({ url, prefix: 'bot', ...PATIENT, ...options });
    stores.push(store);
    return store;
  };
  /** A primary with a replica, and an address that leads to the primary. */
  const pair = async (): Promise<{ primary: RedisServer; replica: RedisServer; address: MovableAddress }> => {
    const primary = await serving(startRedis());
    const replica = await serving(startReplica(primary));
    const address = await movableAddress(primary.port);
    addresses.push(address);
    return { primary, replica, address };
  };
  afterEach(async () => {
    for (const server of servers) server.signal('SIGCONT');
    await Promise.all(stores.splice(0).map((store) => store.close()));
    for (const address of addresses.splice(0)) address.close();
    for (const server of servers.splice(0)) await server.remove();
  });

  it.each(['written', 'idle'])('is away while its primary is a replica, %s, and goes on when it is a primary again', async (how) => {
    const server = await serving(startRedis());
    const store = await opened(server.url);
    await written(store);
    await server.say('REPLICAOF 127.0.0.1 1');
    if (how === 'written') store.append(RECORD);
    const commit = how === 'written' ? store.commit() : store.check();
    await expect.poll(() => store.isAway).toBe(true);
    await server.say('REPLICAOF NO ONE');
    await commit;
    await expect.poll(() => store.isAway).toBe(false);
    expect([store.era, store.maySend]).toEqual([1, true]);
    expect(await written(store)).toBe(how === 'written' ? 3 : 2);
  });

  it('ends as unreachable if the primary stays a replica for longer than outageMs', async () => {
    const server = await serving(startRedis());
    const store = await opened(server.url, { timeoutMs: 600, outageMs: 1_000 });
    await written(store);
    await server.say('REPLICAOF 127.0.0.1 1');
    store.append(RECORD);
    expect(await codeOf(store.commit())).toBe('unreachable');
    expect(await codeOf(opened(server.url, { timeoutMs: 600 }))).toBe('unreachable');
  });

  it('goes on at a promoted replica that has everything, in a new era', async () => {
    const { primary, replica, address } = await pair();
    const store = await opened(address.url, { account: 'a' });
    expect(await written(store, 3)).toBe(3);
    await primary.kill();
    await replica.say('REPLICAOF NO ONE');
    address.moveTo(replica.port);
    store.append(RECORD);
    store.put('key', 'value');
    await store.commit();
    expect([store.era, store.risk, store.maySend, await store.get('key')]).toEqual([1, '', true, 'value']);
    expect(await replica.say('XLEN {bot}:journal')).toContain(':4\r\n');
  });

  it.each(['a record', 'only values', 'everything'])(
    'says `behind` of a promoted replica that lacks %s, also while nothing is written',
    async (what) => {
      const { primary, replica, address } = await pair();
      const store = await opened(address.url, { acceptReplicaLoss: true });
      await written(store, 2);
      store.put('key', 'old');
      await store.commit();
      await untilSaid(replica, 'HGET {bot}:head entries', /\r\n1\r\n/);
      await replica.say('REPLICAOF 127.0.0.1 1');
      if (what === 'a record') store.append(RECORD);
      store.put('key', 'new');
      await store.commit();
      await replica.say('REPLICAOF NO ONE');
      if (what === 'everything') await replica.say('FLUSHALL');
      await primary.kill();
      address.moveTo(replica.port);
      await expect.poll(() => codeOf(store.check().then(() => store.last()))).toBe('poisoned');
      expect(() => store.append(RECORD)).toThrow(expect.objectContaining({ cause: expect.objectContaining({ code: 'behind' }) }));
      expect([store.era, store.maySend]).toEqual([1, false]);
    },
  );

  it('finds records that are lost although the connection stayed', async () => {
    const server = await serving(startRedis());
    const other = await serving(startRedis());
    const store = await opened(server.url);
    await written(store, 2);
    // A replica of an empty server has nothing, and is promoted before anybody asks.
    await server.say(`REPLICAOF 127.0.0.1 ${other.port}`);
    await untilSaid(server, 'INFO replication', /master_link_status:up/);
    await server.say('REPLICAOF NO ONE');
    store.append(RECORD);
    expect(await codeOf(store.commit())).toBe('behind');
  });

  it('holds opens while no replica confirms, not closes, and takes back that risk by itself', async () => {
    const { primary, replica } = await pair();
    const store = await opened(primary.url, { timeoutMs: 2_000 });
    await written(store);
    expect(store.risk).toBe('');
    replica.signal('SIGSTOP');
    expect(await written(store, 2)).toBe(3);
    expect(store.risk).toContain('no replica confirms the journal');
    expect(store.isAway).toBe(false);
    replica.signal('SIGCONT');
    await expect.poll(() => written(store).then(() => store.risk)).toBe('');
  });

  it('waits from the first commit on for a replica that is new, also at a primary that took over', async () => {
    const { primary, replica, address } = await pair();
    const store = await opened(address.url);
    await written(store);
    await primary.kill();
    await replica.say('REPLICAOF NO ONE');
    address.moveTo(replica.port);
    await written(store);
    expect([store.era, store.risk]).toEqual([1, '']);
    // The former primary comes back as a replica.
    await primary.start();
    await primary.say(`REPLICAOF 127.0.0.1 ${replica.port}`);
    await untilSaid(replica, 'INFO replication', /state=online/);
    primary.signal('SIGSTOP');
    await written(store);
    expect(store.risk).toContain('no replica confirms');
    primary.signal('SIGCONT');
    await expect.poll(() => written(store).then(() => store.risk)).toBe('');
  });

  it('takes no answer for the confirmation of a replica that a new connection did not wait for', async () => {
    const { primary, replica } = await pair();
    const store = await opened(primary.url, { timeoutMs: 10_000 });
    await written(store);
    replica.signal('SIGSTOP');
    store.append(RECORD);
    const commit = store.commit();
    await untilSaid(primary, 'CLIENT LIST TYPE normal', /cmd=wait/);
    await primary.say('CLIENT KILL TYPE normal');
    await commit;
    expect(store.risk).toContain('no replica confirms');
  });

  it('waits for no replica where there is none, or with acceptReplicaLoss', async () => {
    const { primary, replica } = await pair();
    const accepting = await opened(primary.url, { acceptReplicaLoss: true });
    replica.signal('SIGSTOP');
    await written(accepting);
    expect(accepting.risk).toBe('');
    const alone = await opened((await serving(startRedis())).url);
    await written(alone);
    expect(alone.risk).toBe('');
  });

  it('notices at the next look a changed setting, its correction, and a new replica', async () => {
    const server = await serving(startRedis());
    let skipped = 0;
    const time = { ...REAL_TIME, now: () => performance.now() + skipped };
    const options = { url: server.url, prefix: 'bot', leaseMs: 6_000_000, ...PATIENT };
    const store = await openRedisStoreOn(new RedisClient(options), time, options);
    stores.push(store);
    const look = async (): Promise<string> => {
      skipped += 60_000;
      await store.check();
      return store.risk ?? '';
    };
    expect(await look()).toBe('');
    for (const [bad, good, risk] of [
      ['appendonly no', 'appendonly yes', '"appendonly no" loses writes'],
      ['appendfsync no', 'appendfsync always', '"appendfsync no" loses'],
      ['maxmemory-policy allkeys-lru', 'maxmemory-policy noeviction', '"maxmemory-policy allkeys-lru" deletes keys'],
    ]) {
      await server.say(`CONFIG SET ${bad}`);
      expect(await look()).toContain(risk);
      await server.say(`CONFIG SET ${good}`);
      expect(await look()).toBe('');
    }
    const replica = await serving(startReplica(server));
    await look();
    replica.signal('SIGSTOP');
    await written(store);
    expect(store.risk).toContain('no replica confirms');
  });

  it('follows sentinels to the replica that they promote', async () => {
    const { primary } = await pair();
    const sentinel = await serving(startSentinel(primary));
    await untilSaid(sentinel, 'SENTINEL master group', /num-slaves\r\n\$1\r\n1\r\n/);
    const store = await opened(`redis-sentinel://127.0.0.1:1,127.0.0.1:${sentinel.port}/group/0`);
    await written(store, 2);
    await primary.kill();
    expect(await written(store)).toBe(3);
    expect(store.era).toBe(1);
  });
});
