/** A killed process loses nothing that was reported durable: kill -9 of the writer, and of the Redis server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.ts';
import { openEmbeddedStore } from '../../src/edge/embedded/embedded-store.ts';
import { openRedisStore } from '../../src/edge/redis/redis-store.ts';
import type { Store } from '../../src/ports/store.ts';
import { hasRedis, startRedis, type RedisServer } from '../support/stores/redis.ts';

const WRITER = fileURLToPath(new URL('../support/stores/store-writer.ts', import.meta.url));

/** Runs a writer and calls `stop` once it has printed `lines` lines. Returns all that it printed until it ended. */
async function write(args: readonly string[], lines: number, stop: (kill: () => void) => void): Promise<string[]> {
  const child = spawn(process.execPath, [WRITER, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const printed: string[] = [];
  const closed = once(child, 'close');
  for await (const line of createInterface({ input: child.stdout })) {
    printed.push(line);
    if (printed.length === lines) stop(() => child.kill('SIGKILL'));
  }
  await closed;
  return printed;
}

/** Every printed position is stored, without a gap, and the value of the last commit belongs to its record. */
async function expectKept(store: Store, last: number): Promise<void> {
  const kept = await store.last();
  expect(kept).toBeGreaterThanOrEqual(last);
  let expected = 1;
  for await (const each of store.read(1)) {
    expect([each.position, each.seq]).toEqual([expected, expected]);
    expected++;
  }
  expect(expected).toBe(kept + 1);
  expect(await store.get('seq')).toBe(String(kept));
}

describe('the embedded store under kill -9', () => {
  it('has every printed position after each of 8 kills at random moments', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tickwright-crash-'));
    const random = new Random(20240808);
    let last = 0;
    for (let round = 0; round < 8; round++) {
      const printed = await write(['embedded', folder], 1 + random.below(400), (kill) => kill());
      last = Number(printed.at(-1));
      const store = openEmbeddedStore({ folder });
      await expectKept(store, last);
      await store.close();
    }
    expect(last).toBeGreaterThan(8);
    rmSync(folder, { recursive: true });
  });
});

describe.skipIf(!hasRedis('the crash suite of the redis store'))('the redis store under kill -9', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.remove());

  it('has every printed position after each of 3 kills of the writer', async () => {
    const random = new Random(20240809);
    for (let round = 0; round < 3; round++) {
      const printed = await write(['redis', server.url, 'writer'], 1 + random.below(300), (kill) => kill());
      const store = await openRedisStore({ url: server.url, prefix: 'writer', waitMs: 5000 });
      await expectKept(store, Number(printed.at(-1)));
      await store.close();
    }
  });

  it('has every printed position after kills of the server; the writer stops and names the cause', async () => {
    for (let round = 0; round < 2; round++) {
      const printed = await write(['redis', server.url, 'server'], 100, () => void server.kill());
      expect(printed.slice(-2)).toEqual(['fault unreachable', 'again poisoned']);
      await server.start();
      const store = await openRedisStore({ url: server.url, prefix: 'server', waitMs: 5000 });
      await expectKept(store, Number(printed.at(-3)));
      await store.close();
    }
  });
});
