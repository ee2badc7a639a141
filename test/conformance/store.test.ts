/** The guarantees of every store, tested on each real implementation. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AssertionError } from '../../src/base/failure/assert.ts';
import { openEmbeddedStore } from '../../src/edge/embedded/embedded-store.ts';
import { MemoryDisk, openMemoryStore } from '../../src/edge/memory/memory-store.ts';
import { openRedisStore } from '../../src/edge/redis/redis-store.ts';
import { QUEUED_MAX, type JournalRecord, type Store, type StoredRecord } from '../../src/ports/store.ts';
import { hasRedis, startRedis, type RedisServer } from '../support/stores/redis.ts';

/** A place for a store: opening it twice, one after the other, finds the same contents. */
interface Place {
  open(): Promise<Store>;
}

interface Kind {
  readonly name: string;
  setUp(): Promise<void>;
  newPlace(): Place;
  tearDown(): Promise<void>;
}

let folders: string[] = [];
let server: RedisServer | null = null;
let places = 0;

const KINDS: readonly Kind[] = [
  {
    name: 'memory',
    setUp: async () => {},
    newPlace: () => {
      const disk = new MemoryDisk();
      return { open: async () => openMemoryStore({ disk }) };
    },
    tearDown: async () => {},
  },
  {
    name: 'embedded',
    setUp: async () => {},
    newPlace: () => {
      const folder = mkdtempSync(join(tmpdir(), 'tickwright-store-'));
      folders.push(folder);
      return { open: async () => openEmbeddedStore({ folder: join(folder, 'state') }) };
    },
    tearDown: async () => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
      folders = [];
    },
  },
  {
    name: 'redis',
    setUp: async () => {
      server = await startRedis();
    },
    newPlace: () => {
      const prefix = `place-${++places}`;
      return { open: () => openRedisStore({ url: server?.url ?? '', prefix }) };
    },
    tearDown: async () => server?.remove(),
  },
];

const hasServer = hasRedis('the conformance suite of the redis store');

for (const kind of KINDS) {
  describe.skipIf(kind.name === 'redis' && !hasServer)(`the ${kind.name} store`, () => {
    beforeAll(() => kind.setUp());
    afterAll(() => kind.tearDown());
    const opened = async (): Promise<Store> => kind.newPlace().open();

    it('is empty when new', async () => {
      const store = await opened();
      expect(await store.last()).toBe(0);
      expect(await all(store)).toEqual([]);
      expect(await store.get('anything')).toBeNull();
      await store.close();
    });

    it('assigns positions 1, 2, 3 … and returns records complete and in order', async () => {
      const store = await opened();
      const positions = [store.append(record(1)), store.append(record(2)), store.append(record(3))];
      await store.commit();
      positions.push(store.append(record(4)));
      await store.commit();
      expect(positions).toEqual([1, 2, 3, 4]);
      expect(await all(store)).toEqual([1, 2, 3, 4].map((n) => ({ position: n, ...record(n) })));
      expect(await store.last()).toBe(4);
      await store.close();
    });

    it('reads from any position, and nothing beyond the end', async () => {
      const store = await opened();
      for (let n = 1; n <= 5; n++) store.append(record(n));
      await store.commit();
      const from = async (position: number): Promise<number[]> => (await all(store, position)).map((r) => r.position);
      expect(await from(0)).toEqual([1, 2, 3, 4, 5]);
      expect(await from(1)).toEqual([1, 2, 3, 4, 5]);
      expect(await from(4)).toEqual([4, 5]);
      expect(await from(5)).toEqual([5]);
      expect(await from(6)).toEqual([]);
      await store.close();
    });

    it('shows nothing before it is committed', async () => {
      const store = await opened();
      store.append(record(1));
      store.put('key', 'value');
      expect(await store.last()).toBe(0);
      expect(await all(store)).toEqual([]);
      expect(await store.get('key')).toBeNull();
      await store.commit();
      expect(await store.last()).toBe(1);
      expect(await store.get('key')).toBe('value');
      await store.close();
    });

    it('discards what was queued but not committed', async () => {
      const place = kind.newPlace();
      const first = await place.open();
      first.append(record(1));
      first.put('kept', 'yes');
      await first.commit();
      first.append(record(2));
      first.put('kept', 'no');
      await first.close();
      const second = await place.open();
      expect(await second.last()).toBe(1);
      expect(await second.get('kept')).toBe('yes');
      expect(second.append(record(2))).toBe(2);
      await second.close();
    });

    it('keeps everything across a restart', async () => {
      const place = kind.newPlace();
      for (let round = 1; round <= 3; round++) {
        const store = await place.open();
        expect(await store.last()).toBe(round - 1);
        store.append(record(round));
        store.put('round', String(round));
        store.put(`round-${round}`, 'done');
        await store.commit();
        await store.close();
      }
      const store = await place.open();
      expect((await all(store)).map((r) => r.seq)).toEqual([1, 2, 3]);
      expect(await store.get('round')).toBe('3');
      expect(await store.get('round-1')).toBe('done');
      await store.close();
    });

    it('commits values without records, and the last value of a key counts', async () => {
      const store = await opened();
      store.put('key', 'first');
      store.put('key', 'second');
      await store.commit();
      expect(await store.get('key')).toBe('second');
      store.put('key', '');
      await store.commit();
      expect(await store.get('key')).toBe('');
      expect(await store.last()).toBe(0);
      await store.close();
    });

    it('has nothing to do when nothing is queued', async () => {
      const store = await opened();
      expect(store.commit()).toBeNull();
      await store.close();
    });

    it('copies its input, so that the caller may reuse the object', async () => {
      const store = await opened();
      const data = { size: 1 };
      const reused = { kind: 'command', seq: 1, time: 1, data };
      store.append(reused);
      data.size = 2;
      reused.seq = 2;
      store.append(reused);
      await store.commit();
      expect((await all(store)).map((r) => [r.seq, r.data['size']])).toEqual([
        [1, 1],
        [2, 2],
      ]);
      await store.close();
    });

    it('keeps any text and any JSON value', async () => {
      const place = kind.newPlace();
      const data = {
        text: '₿ 価格 \u0000 \n\r " \\ \u{1f680}',
        deep: [{ a: [null, true, -1, '0.00000001'] }],
        big: Number.MAX_SAFE_INTEGER,
        '': {},
      };
      const store = await place.open();
      store.append({ kind: 'ordre é', seq: Number.MAX_SAFE_INTEGER, time: 0, data });
      store.put('clé \u0000 {x}', 'valeur \u0000\n\u{1f680}');
      await store.commit();
      await store.close();
      const again = await place.open();
      expect(await all(again)).toEqual([{ position: 1, kind: 'ordre é', seq: Number.MAX_SAFE_INTEGER, time: 0, data }]);
      expect(await again.get('clé \u0000 {x}')).toBe('valeur \u0000\n\u{1f680}');
      await again.close();
    });

    it('keeps a record and a value of one megabyte', async () => {
      const store = await opened();
      const text = 'x'.repeat(1_000_000);
      store.append({ kind: 'big', seq: 1, time: 1, data: { text } });
      store.put('big', text);
      await store.commit();
      expect((await all(store))[0]?.data['text']).toBe(text);
      expect(await store.get('big')).toBe(text);
      await store.close();
    });

    it('keeps 10,001 records in one commit, and reads them in order', async () => {
      const place = kind.newPlace();
      const store = await place.open();
      for (let n = 1; n <= 10_001; n++) store.append(record(n));
      await store.commit();
      await store.close();
      const again = await place.open();
      expect(await again.last()).toBe(10_001);
      let expected = 1;
      for await (const r of again.read(1)) {
        if (r.position !== expected || r.seq !== expected) expect.fail(`record ${expected} is ${r.position} with seq ${r.seq}`);
        expected++;
      }
      expect(expected).toBe(10_002);
      await again.close();
    });

    it('commits that overlap become durable in the order of their appends', async () => {
      const place = kind.newPlace();
      const store = await place.open();
      const commits: (Promise<void> | null)[] = [];
      for (let n = 1; n <= 200; n++) {
        expect(store.append(record(n))).toBe(n);
        store.put('last', String(n));
        commits.push(store.commit());
      }
      for (const commit of commits) await commit;
      expect(await store.last()).toBe(200);
      await store.close();
      const again = await place.open();
      expect((await all(again)).map((r) => r.seq)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
      expect(await again.get('last')).toBe('200');
      await again.close();
    });

    it('refuses a second writer at once and says what to do', async () => {
      const place = kind.newPlace();
      const first = await place.open();
      const before = performance.now();
      await expect(place.open()).rejects.toMatchObject({ name: 'StoreError', code: 'locked', message: expect.stringMatching(/in use by/) });
      // It does not wait for the end of the lease, which lasts 15 s.
      expect(performance.now() - before).toBeLessThan(10_000);
      first.append(record(1));
      await first.commit();
      await first.close();
      const second = await place.open();
      expect(await second.last()).toBe(1);
      await second.close();
    });

    it('refuses every use after it is closed, and may be closed twice', async () => {
      const store = await opened();
      await store.close();
      await store.close();
      expect(() => store.append(record(1))).toThrow(expect.objectContaining({ code: 'poisoned' }));
      expect(() => store.put('a', 'b')).toThrow(expect.objectContaining({ code: 'poisoned' }));
      expect(() => store.commit()).toThrow(expect.objectContaining({ code: 'poisoned' }));
      await expect(store.get('a')).rejects.toMatchObject({ code: 'poisoned' });
      await expect(store.last()).rejects.toMatchObject({ code: 'poisoned' });
      await expect(all(store)).rejects.toMatchObject({ code: 'poisoned' });
    });

    it('treats an invalid record as our own bug and stays usable', async () => {
      const store = await opened();
      const bad: JournalRecord[] = [
        { kind: '', seq: 1, time: 1, data: {} },
        { kind: 'x', seq: 1.5, time: 1, data: {} },
        { kind: 'x', seq: 1, time: Number.NaN, data: {} },
        { kind: '\ud800', seq: 1, time: 1, data: {} },
      ];
      for (const each of bad) expect(() => store.append(each)).toThrow(AssertionError);
      expect(() => store.put('', 'value')).toThrow(AssertionError);
      expect(() => store.put('key', '\udfff')).toThrow(AssertionError);
      expect(store.append(record(1))).toBe(1);
      await store.commit();
      expect(await store.last()).toBe(1);
      await store.close();
    });

    it('limits what may wait for a commit', async () => {
      const store = await opened();
      const one = record(1);
      for (let n = 0; n < QUEUED_MAX; n++) store.append(one);
      expect(() => store.append(one)).toThrow(AssertionError);
      await store.close();
    });
  });
}

function record(n: number): JournalRecord {
  return { kind: n % 2 === 0 ? 'outcome' : 'command', seq: n, time: 1_700_000_000_000 + n, data: { n, price: '64123.10' } };
}

async function all(store: Store, from = 1): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for await (const each of store.read(from)) records.push(each);
  return records;
}
