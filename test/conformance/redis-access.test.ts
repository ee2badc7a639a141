/** Who may use the Redis of a store, and how the way there is protected: passwords, ACL users, TLS, and addresses that are refused. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openRedisStore, type RedisOptions } from '../../src/edge/redis/redis-store.ts';
import type { Store } from '../../src/ports/store.ts';
import { freePort, hasRedis, startRedis, startReplica, startSentinel, type RedisServer } from '../support/stores/redis.ts';

const RECORD = { kind: 'command', seq: 1, time: 1, data: { text: 'one' } };
const OPTIONS = { prefix: 'tickwright:paper', account: 'a', timeoutMs: 20_000 };

/** The commands that docs/operations.md allows the user of a bot. */
const ALLOWED = /^user tickwright on >PASSWORD (~\S+) (-@all .*)$/m.exec(readFileSync('docs/operations.md', 'utf8'))?.slice(1) ?? [];

describe.skipIf(!hasRedis('the access suite of the redis store'))('the redis store', () => {
  const servers: RedisServer[] = [];
  const stores: Store[] = [];
  let folder = '';
  const serving = async (server: Promise<RedisServer>): Promise<RedisServer> => {
    servers.push(await server);
    return server;
  };
  const opened = async (url: string, options: Partial<RedisOptions> = {}): Promise<Store> => {
    const store = await openRedisStore({ url, ...OPTIONS, ...options });
    stores.push(store);
    return store;
  };
  const refusal = (url: string, options: Partial<RedisOptions> = {}): Promise<unknown> =>
    opened(url, options).catch((error: unknown) => error);
  const used = async (store: Store): Promise<void> => {
    store.append(RECORD);
    store.put('key', 'value');
    await store.commit();
    await store.check();
    expect([await store.last(), await store.get('key')]).toEqual([1, 'value']);
  };
  /** Opens the store, uses it, and finds that a second one may not have it. */
  const everyCall = async (url: string): Promise<void> => {
    const store = await opened(url);
    await used(store);
    const second = await refusal(url);
    if ((second as { code?: unknown }).code !== 'locked') throw second;
    await store.close();
  };
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    for (const server of servers.splice(0)) await server.remove();
    if (folder !== '') rmSync(folder, { recursive: true });
    folder = '';
  });

  it('needs no more than the commands and keys of docs/operations.md, with a replica too', async () => {
    const server = await serving(startRedis());
    await serving(startReplica(server));
    const [keys = '', commands = ''] = ALLOWED;
    const isNew =
      !(await server.say('COMMAND INFO waitaof')).includes('*-1') && !(await server.say('COMMAND INFO waitaof')).includes('$-1');
    expect(await server.say(`ACL SETUSER tickwright on >secret ${keys} ${isNew ? commands : commands.replace(' +waitaof', '')}`)).toContain(
      '+OK',
    );
    await everyCall(`redis://tickwright:secret@127.0.0.1:${server.port}`);
    const names = [...commands.matchAll(/\+([a-z|]+)/g)].map(([, name]) => name!).filter((name) => name !== 'waitaof' || isNew);
    expect(names.length).toBeGreaterThan(15);
    for (const name of names) {
      await server.say('FLUSHALL');
      await server.say('SCRIPT FLUSH');
      await server.say(`ACL SETUSER tickwright -${name}`);
      const url = `redis://tickwright:secret@127.0.0.1:${server.port}`;
      const failure = await everyCall(url).then(
        () => 'it is not needed',
        (error: unknown) => (error as Error).message,
      );
      await Promise.all(stores.splice(0).map((store) => store.close()));
      await server.say(`ACL SETUSER tickwright +${name}`);
      // Without it the lease is only not given back.
      if (name === 'del') expect(await server.say('EXISTS {tickwright:paper}:lease')).toContain(':1');
      else if (name === 'config|get') expect(failure).toContain('allow "config|get"');
      else expect(failure, `without ${name}`).toContain(`the command ${name} `);
      await server.say('FLUSHALL');
    }
  });

  it('is refused outside its keys, and with a wrong password, and does not repeat the password', async () => {
    const server = await serving(startRedis());
    await server.say('ACL SETUSER tickwright on >secret ~other:* +@all');
    expect(await refusal(`redis://tickwright:secret@127.0.0.1:${server.port}`)).toMatchObject({ code: 'refused' });
    const wrong = await refusal(`redis://tickwright:hunter2@127.0.0.1:${server.port}`);
    expect(wrong).toMatchObject({ code: 'refused', message: expect.stringContaining('check user and password') });
    expect(String(wrong)).not.toContain('hunter2');
  });

  it('says `refused` when the password changes while it is open', async () => {
    const server = await serving(startRedis());
    const store = await opened(server.url, { outageMs: 60_000 });
    await used(store);
    await server.say('CONFIG SET requirepass other');
    await server.say('AUTH other\r\nCLIENT KILL TYPE normal');
    store.append(RECORD);
    await expect(store.commit()).rejects.toMatchObject({ code: 'refused' });
  });

  it('uses TLS with a CA and a certificate of its own, to the sentinels as well', async () => {
    folder = mkdtempSync(join(tmpdir(), 'tickwright-tls-'));
    const file = (name: string): string => join(folder, name);
    const openssl = (...args: string[]): Buffer => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
    openssl(
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=ca',
      '-keyout',
      'ca.key',
      '-out',
      'ca.crt',
    );
    openssl(
      'req',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-subj',
      '/CN=redis',
      '-addext',
      'subjectAltName=IP:127.0.0.1',
      '-keyout',
      'own.key',
      '-out',
      'own.csr',
    );
    openssl(
      'x509',
      '-req',
      '-in',
      'own.csr',
      '-CA',
      'ca.crt',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-days',
      '2',
      '-copy_extensions',
      'copy',
      '-out',
      'own.crt',
    );
    const files = { 'tls-ca-cert-file': file('ca.crt'), 'tls-cert-file': file('own.crt'), 'tls-key-file': file('own.key') };
    const tlsPort = await freePort();
    const server = await serving(startRedis({ 'tls-port': String(tlsPort), 'tls-replication': 'yes', ...files }));
    const own = `cert=${file('own.crt')}&key=${file('own.key')}`;
    await used(await opened(`rediss://127.0.0.1:${tlsPort}?ca=${file('ca.crt')}&${own}`));
    await stores.splice(0)[0]?.close();
    const quick = { timeoutMs: 1_000 };
    // Its CA is unknown to the system, it wants a certificate of ours, and it does not speak in plain text there.
    for (const url of [
      `rediss://127.0.0.1:${tlsPort}?${own}`,
      `rediss://127.0.0.1:${tlsPort}?ca=${file('ca.crt')}`,
      `redis://127.0.0.1:${tlsPort}`,
    ]) {
      expect(await refusal(url, quick), url).toMatchObject({ code: 'unreachable' });
    }
    const watched = { ...server, port: tlsPort };
    const sentinelPort = await freePort();
    const lines = Object.entries(files).map(([name, path]) => `${name} ${path}`);
    await serving(startSentinel(watched, [`tls-port ${sentinelPort}`, 'tls-replication yes', ...lines]));
    const store = await opened(`rediss-sentinel://127.0.0.1:${sentinelPort}/group?ca=${file('ca.crt')}&${own}`);
    expect(await store.last()).toBe(1);
    expect(await refusal(`rediss://127.0.0.1:${tlsPort}?ca=${file('none')}`)).toMatchObject({
      code: 'unsafe',
      message: expect.stringContaining('the file of "ca" in the address of Redis cannot be read'),
    });
  });

  it('signs in to sentinels with their own password, and says `refused` without it', async () => {
    const server = await serving(startRedis());
    const sentinel = await serving(startSentinel(server, ['requirepass of-sentinels']));
    const url = `redis-sentinel://127.0.0.1:${sentinel.port}/group`;
    await used(await opened(`${url}?sentinelPassword=of-sentinels`));
    expect(await refusal(url)).toMatchObject({ code: 'refused' });
    const wrong = await refusal(`${url}?sentinelPassword=hunter2`);
    expect(wrong).toMatchObject({ code: 'refused' });
    expect(String(wrong)).not.toContain('hunter2');
  });

  it('refuses to leave this machine without TLS, before anything is sent', async () => {
    for (const url of ['redis://10.0.0.1', 'redis-sentinel://127.0.0.1,10.0.0.1/group']) {
      const error = await openRedisStore({ url, ...OPTIONS }).catch((e: unknown) => e);
      expect(error).toMatchObject({ code: 'unsafe', message: expect.stringContaining('use rediss:// or rediss-sentinel://') });
    }
  });
});
