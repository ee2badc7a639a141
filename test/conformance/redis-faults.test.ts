/** The Redis store with servers that are unsafe, down, hanging, emptied or taken over. It never blocks for ever and never writes twice. */
import { afterEach, describe, expect, it } from 'vitest';
import { openRedisStore, type RedisOptions } from '../../src/edge/redis/redis-store.ts';
import type { Store } from '../../src/ports/store.ts';
import { hasRedis, startRedis, type RedisServer } from '../support/stores/redis.ts';

function failureOf(work: () => unknown): string {
  try {
    work();
    return '';
  } catch (error) {
    return String(error);
  }
}

const RECORD = { kind: 'command', seq: 1, time: 1, data: { text: 'one' } };

describe.skipIf(!hasRedis('the fault suite of the redis store'))('the redis store', () => {
  let server: RedisServer;
  const stores: Store[] = [];
  const started = async (settings?: Record<string, string>): Promise<void> => {
    server = await startRedis(settings);
  };
  /** A server that answers may be slow on a busy machine: only a test of one that does not answer sets a short time-out. */
  const opened = async (options: Partial<RedisOptions> = {}): Promise<Store> => {
    const store = await openRedisStore({ url: server.url, prefix: 'bot', timeoutMs: 60_000, ...options });
    stores.push(store);
    return store;
  };
  afterEach(async () => {
    server.signal('SIGCONT');
    for (const store of stores.splice(0)) await store.close();
    await server.remove();
  });

  it.each([
    [{ appendonly: 'no' }, 'set "appendonly yes"'],
    [{ appendfsync: 'no' }, 'set "appendfsync always"'],
    [{ 'maxmemory-policy': 'allkeys-lru' }, 'set "maxmemory-policy noeviction"'],
  ])('refuses a server with %o and names the setting to change [D3]', async (settings, advice) => {
    await started(settings);
    await expect(opened()).rejects.toMatchObject({ code: 'unsafe', message: expect.stringContaining(advice) });
    const store = await opened({ acceptDataLoss: true });
    store.append(RECORD);
    await store.commit();
    expect(await store.last()).toBe(1);
  });

  it('does not open at a replica, which may become the primary', async () => {
    await started({ replicaof: '127.0.0.1 1' });
    const error = await opened({ timeoutMs: 600 }).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'unreachable', message: expect.stringContaining('it is a replica') });
  });

  it('refuses an invalid Redis URL without repeating it', async () => {
    await started();
    for (const url of ['http://user:hunter2@127.0.0.1', 'hunter2', '']) {
      const error = await openRedisStore({ url, prefix: 'bot' }).catch((e: unknown) => e);
      expect(error).toMatchObject({ code: 'unsafe' });
      expect(String(error)).not.toContain('hunter2');
    }
    await expect(opened({ prefix: 'a}{b' })).rejects.toThrow(RangeError);
  });

  it('signs in, and reports a wrong password without repeating it', async () => {
    await started({ requirepass: 'correct-horse' });
    const url = (password: string): string => `redis://:${password}@127.0.0.1:${server.port}`;
    const error = await opened({ url: url('hunter2'), timeoutMs: 60_000 }).catch((e: unknown) => e);
    expect(error).toMatchObject({
      code: 'refused',
      message: expect.stringContaining('check user and password'),
    });
    expect(String(error)).not.toContain('hunter2');
    const store = await opened({ url: url('correct-horse') });
    expect(await store.last()).toBe(0);
  });

  it('fails within the time-out if no server answers', async () => {
    await started();
    await server.kill();
    const before = performance.now();
    const refused = { code: 'unreachable', message: expect.stringContaining('ECONNREFUSED') };
    await expect(opened({ timeoutMs: 600 })).rejects.toMatchObject(refused);
    expect(performance.now() - before).toBeLessThan(60_000);
  });

  it('rejects a commit within the time-out if the server hangs, and is unusable then', async () => {
    await started();
    const store = await opened({ timeoutMs: 2_000 });
    store.append(RECORD);
    await store.commit();
    server.signal('SIGSTOP');
    store.append(RECORD);
    const before = performance.now();
    await expect(store.commit()).rejects.toMatchObject({ code: 'unreachable' });
    expect(performance.now() - before).toBeLessThan(60_000);
    expect(() => store.append(RECORD)).toThrow(expect.objectContaining({ code: 'poisoned' }));
    expect(() => store.commit()).toThrow(expect.objectContaining({ code: 'poisoned' }));
  });

  it('survives a server that is down for less than the time-out, and writes nothing twice', async () => {
    await started();
    const store = await opened();
    store.append(RECORD);
    await store.commit();
    await server.kill();
    store.append(RECORD);
    const commit = store.commit();
    await server.start();
    await commit;
    store.append(RECORD);
    await store.commit();
    expect(await store.last()).toBe(3);
    expect(await server.say('XLEN {bot}:journal')).toContain(':3\r\n');
  });

  it('detects that the server came back empty', async () => {
    await started();
    const store = await opened();
    store.append(RECORD);
    await store.commit();
    await server.say('FLUSHALL');
    store.append(RECORD);
    await expect(store.commit()).rejects.toMatchObject({ code: 'corrupt', message: expect.stringContaining('the server lost') });
  });

  it('reports a server that lost the lease of the account as damaged, not as taken', async () => {
    await started();
    const store = await opened({ account: 'a', leaseMs: 300 });
    await server.say('DEL {tickwright:account:a}:lease {tickwright:account:a}:fence');
    // The renewal of the account's lease finds it before anything is written.
    await expect.poll(() => failureOf(() => store.append(RECORD))).toMatch(/lost the lease of the account/);
  });

  it('detects that the server lost the last commits and someone wrote others', async () => {
    await started();
    const store = await opened();
    store.append(RECORD);
    await store.commit();
    await server.say('HSET {bot}:head position 0');
    store.append(RECORD);
    await expect(store.commit()).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining('last position is 0, expected 1'),
    });
  });

  it.each([
    ['XDEL {bot}:journal 2-0'],
    ['XDEL {bot}:journal 3-0'],
    ['XTRIM {bot}:journal MAXLEN 1'],
    ['DEL {bot}:journal'],
    ['XADD {bot}:journal 4-0 data {} kind command seq 1 time 1 link none'],
    ['HSET {bot}:head link none'],
    ['HDEL {bot}:head genesis'],
    ['DEL {bot}:head'],
    ['HSET {bot}:entries one 1'],
    ['HSET {bot}:entries more 1'],
    ['HDEL {bot}:entries one'],
    ['DEL {bot}:entries'],
    ["EVAL \"redis.call('HSET',KEYS[1],'one',redis.call('HGET',KEYS[1],'two'))\" 1 {bot}:entries"],
    ["EVAL \"redis.call('HSET',KEYS[1],'two',redis.call('HGET',KEYS[1],'two')..' ')\" 1 {bot}:entries"],
  ])('detects when it opens that %s', async (damage) => {
    await started();
    const store = await opened();
    for (let n = 0; n < 3; n++) store.append(RECORD);
    for (const key of ['one', 'two']) store.put(key, 'a value');
    await store.commit();
    await store.close();
    const sound = await opened();
    expect([await sound.get('one'), await sound.get('three')]).toEqual(['a value', null]);
    await sound.close();
    expect(await server.say(damage)).not.toMatch(/^-/);
    await expect(opened()).rejects.toMatchObject({ code: 'corrupt' });
  });

  it('answers full memory with `full`, and keeps all of a commit or nothing', async () => {
    await started();
    const store = await opened();
    store.append(RECORD);
    await store.commit();
    await server.say('CONFIG SET maxmemory 1');
    store.append(RECORD);
    store.put('key', 'value');
    await expect(store.commit()).rejects.toMatchObject({ code: 'full' });
    await server.say('CONFIG SET maxmemory 0');
    expect(await server.say('XLEN {bot}:journal')).toContain(':1\r\n');
    expect(await server.say('EXISTS {bot}:entries')).toContain(':0\r\n');
  });

  it('waits for memory while the server has none, is away meanwhile, and then commits once [D3]', async () => {
    await started();
    const store = await opened({ outageMs: 200_000 });
    await server.say('CONFIG SET maxmemory 1');
    store.append(RECORD);
    const commit = store.commit();
    await expect.poll(() => store.isAway).toBe(true);
    await store.check();
    await server.say('CONFIG SET maxmemory 0');
    await commit;
    expect(store.isAway).toBe(false);
    expect(await server.say('XLEN {bot}:journal')).toContain(':1\r\n');
  });

  it.each([
    ['DEL {bot}:journal', 'last position is 0, expected 2'],
    ['XDEL {bot}:journal 2-0', 'last position is 1, expected 2'],
    ['DEL {bot}:entries', 'holds 0 values, but 2 were committed'],
    ['HDEL {bot}:entries one', 'holds 1 values, but 2 were committed'],
  ])('detects at the next commit that %s', async (damage, message) => {
    await started();
    const store = await opened();
    for (const key of ['one', 'two']) {
      store.append(RECORD);
      store.put(key, 'a value');
      await store.commit();
    }
    expect(await server.say(damage)).not.toMatch(/^-/);
    store.append(RECORD);
    store.put('one', 'another');
    await expect(store.commit()).rejects.toMatchObject({ code: 'corrupt', message: expect.stringContaining(message) });
  });

  it('waits for the lease of a dead holder, and fences that holder out if it wakes', async () => {
    await started();
    const asleep = await opened({ leaseMs: 600_000 });
    asleep.append(RECORD);
    await asleep.commit();
    await server.say('PEXPIRE {bot}:lease 300');
    const next = await opened({ waitMs: 60_000 });
    next.append(RECORD);
    await next.commit();
    asleep.append(RECORD);
    asleep.put('key', 'of the old one');
    await expect(asleep.commit()).rejects.toMatchObject({ code: 'locked', message: expect.stringContaining('took over') });
    expect(await next.get('key')).toBeNull();
    expect(await next.last()).toBe(2);
  });

  it('renews its lease by itself, and a renewal detects that it was taken over', async () => {
    await started();
    const store = await opened({ leaseMs: 6_000 });
    const left = async (): Promise<number> => Number(/\d+/.exec(await server.say('PTTL {bot}:lease'))?.[0]);
    let before = await left();
    await expect.poll(async () => -before + (before = await left())).toBeGreaterThan(0);
    await expect(opened()).rejects.toMatchObject({ code: 'locked' });
    await server.say('INCR {bot}:fence');
    await expect.poll(() => store.last().then(String, (e: { code: string }) => e.code)).toMatch(/locked|poisoned/);
  });

  it('gives the lease back when it is closed', async () => {
    await started();
    const store = await opened();
    await store.close();
    expect(await server.say('EXISTS {bot}:lease')).toContain(':0\r\n');
  });
});
