/**
 * The archive of the embedded store: what is read is the same before and after records move there, and a kill, a full disk, damage or an
 * older file lose and double nothing.
 */
import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStoreReader } from '../../src/edge/embedded/reader.ts';
import { openEmbeddedStore } from '../../src/edge/embedded/embedded-store.ts';
import { StoreError, type Store, type StoredRecord } from '../../src/ports/store.ts';
import { changesBy, FilesOf } from '../support/stores/file-changes.ts';
import { writeOldStore } from '../support/stores/old-store.ts';
import { hasSmallDisk, smallDisk } from '../support/stores/small-disk.ts';
import { hasStrace } from '../support/stores/sync-trace.ts';

const MOVER = fileURLToPath(new URL('../support/stores/archive-mover.ts', import.meta.url));
const RECORDS = 100;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-archive-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const record = (n: number): Omit<StoredRecord, 'position'> => ({ kind: 'command', seq: n, time: n, data: { n, text: `record ${n}` } });
const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, k) => from + k);
const expected = (from: number, to: number): StoredRecord[] => numbers(from, to).map((n) => ({ position: n, ...record(n) }));

function fill(store: Store, from: number, to: number): void {
  for (const n of numbers(from, to)) {
    store.append(record(n));
    store.put('last', String(n));
    expect(store.commit()).toBeNull();
  }
}

async function all(store: Store, from = 1): Promise<StoredRecord[]> {
  const found: StoredRecord[] = [];
  for await (const one of store.read(from)) found.push(one);
  return found;
}

function read(place: string, from = 1): StoredRecord[] {
  const reader = openStoreReader(place)!;
  try {
    return [...reader.read(from)];
  } finally {
    reader.close();
  }
}

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return '';
  } catch (error) {
    return error instanceof StoreError ? error.code : String(error);
  }
};

async function filled(moved: number): Promise<void> {
  const store = openEmbeddedStore({ folder });
  fill(store, 1, RECORDS);
  expect(moved === 0 ? 0 : store.archive!(moved, RECORDS)).toBe(moved);
  await store.close();
}

describe('records in the archive', () => {
  it('are read as before from every position, by the store, after a restart and by a reader', async () => {
    const store = openEmbeddedStore({ folder });
    fill(store, 1, RECORDS);
    expect([store.archive!(40, 25), store.archive!(40, 25), store.archive!(40, 25)]).toEqual([25, 15, 0]);
    fill(store, RECORDS + 1, RECORDS + 3);
    const check = async (one: Store): Promise<void> => {
      for (const from of [0, 1, 2, 25, 39, 40, 41, 42, 103, 104]) {
        expect(await all(one, from), `from ${from}`).toEqual(expected(Math.max(1, from), RECORDS + 3));
      }
    };
    await check(store);
    await store.close();
    const again = openEmbeddedStore({ folder });
    await check(again);
    expect(again.archive!(1_000, 1_000)).toBe(63);
    await check(again);
    await again.close();
    expect(read(folder)).toEqual(expected(1, 103));
    expect(read(folder, 70)).toEqual(expected(70, 103));
    const last = openEmbeddedStore({ folder });
    fill(last, 104, 105);
    expect(await all(last)).toEqual(expected(1, 105));
    await last.close();
  });

  it('leave a store file that is small, however many there are', async () => {
    const store = openEmbeddedStore({ folder });
    const long = (n: number): Omit<StoredRecord, 'position'> => ({ ...record(n), data: { n, text: 'x'.repeat(300) } });
    for (const n of numbers(1, 20_000)) store.append(long(n));
    await store.commit();
    while (store.archive!(19_900, 1_000) > 0);
    await store.close();
    const large = statSync(join(folder, 'store.sqlite')).size;
    const again = openEmbeddedStore({ folder });
    await again.close();
    expect(statSync(join(folder, 'store.sqlite')).size).toBeLessThan(large / 10);
    expect(read(folder)).toEqual(numbers(1, 20_000).map((n) => ({ position: n, ...long(n) })));
  });

  it('are dropped by age, the oldest alone, and not while a younger one is before them', async () => {
    const store = openEmbeddedStore({ folder });
    fill(store, 1, RECORDS);
    expect(store.dropArchived!(50, 10)).toBe(0);
    store.archive!(60, 100);
    expect([store.dropArchived!(31, 20), store.dropArchived!(31, 20), store.dropArchived!(31, 20)]).toEqual([20, 10, 0]);
    expect(await all(store)).toEqual(expected(31, RECORDS));
    expect(store.dropArchived!(1_000, 1_000)).toBe(30);
    expect(await all(store, 5)).toEqual(expected(61, RECORDS));
    await store.close();
    const again = openEmbeddedStore({ folder });
    expect(await all(again)).toEqual(expected(61, RECORDS));
    again.archive!(70, 100);
    expect(await all(again)).toEqual(expected(61, RECORDS));
    await again.close();
    expect(read(folder)).toEqual(expected(61, RECORDS));
  });
});

describe('a store of an earlier version', () => {
  it.each([1, 2])('of format %i starts, is read while stopped, and its records move', async (format) => {
    writeOldStore(folder, format, numbers(1, RECORDS).map(record), { last: String(RECORDS) });
    if (format === 2) expect(read(folder), 'before this version has started it').toEqual(expected(1, RECORDS));
    const store = openEmbeddedStore({ folder, isRollbackAccepted: true });
    expect([await all(store), await store.get('last')]).toEqual([expected(1, RECORDS), String(RECORDS)]);
    store.archive!(50, 100);
    fill(store, RECORDS + 1, RECORDS + 1);
    expect(await all(store)).toEqual(expected(1, RECORDS + 1));
    await store.close();
    expect(read(folder)).toEqual(expected(1, RECORDS + 1));
  });
});

describe.skipIf(!hasStrace('kills amid moves to the archive'))('a process killed amid moves to the archive', () => {
  it('loses and doubles nothing, whichever change of a file was its last', async () => {
    await filled(0);
    const files = new FilesOf(folder);
    const changes = changesBy(MOVER, folder);
    expect(changes.length).toBeGreaterThan(100);
    const place = join(folder, 'killed');
    let [before, dropped] = [RECORDS, 0];
    for (const [k, change] of [null, ...changes].entries()) {
      if (change !== null) files.apply(change);
      files.writeTo(place);
      const store = openEmbeddedStore({ folder: place });
      const last = await store.last();
      const found = await all(store);
      const first = found[0]!.position;
      expect(first === 1 || first === 21, `change ${k}: begins at ${first}`).toBe(true);
      expect(last, `change ${k}`).toBeGreaterThanOrEqual(before);
      expect(first, `change ${k}`).toBeGreaterThanOrEqual(dropped);
      [before, dropped] = [last, first];
      expect(found, `change ${k}`).toEqual(expected(first, last));
      expect(await store.get('last'), `change ${k}`).toBe(String(last));
      // What an interrupted move had copied is copied again.
      store.archive!(last - 3, 1_000);
      expect(await all(store), `change ${k}, moved again`).toEqual(expected(first, last));
      await store.close();
      expect(read(place), `change ${k}, stopped`).toEqual(expected(first, last));
    }
    expect([before, dropped]).toEqual([105, 21]);
  });
});

describe.skipIf(!hasSmallDisk('moves to the archive on a full disk'))('a disk that is full amid a move', () => {
  it('leaves everything where it is, at every amount of room; the store goes on, and moves once there is room', async () => {
    const outcomes = new Set<string>();
    for (let room = 0; room <= 160; room += 8) {
      const disk = smallDisk(4_000);
      const state = join(disk.folder, 'state');
      const store = openEmbeddedStore({ folder: state });
      fill(store, 1, RECORDS);
      disk.fill(room * 1_024);
      const code = codeOf(() => store.archive!(90, RECORDS));
      outcomes.add(code);
      expect(['', 'full']).toContain(code);
      expect(await all(store), `with ${room} kB`).toEqual(expected(1, RECORDS));
      disk.free();
      fill(store, RECORDS + 1, RECORDS + 1);
      expect(store.archive!(95, RECORDS)).toBe(code === '' ? 5 : 95);
      expect(await all(store)).toEqual(expected(1, RECORDS + 1));
      await store.close();
      expect(read(state)).toEqual(expected(1, RECORDS + 1));
      disk.remove();
    }
    expect(outcomes).toEqual(new Set(['', 'full']));
  });
});

describe('an archive that is not the one of its store', () => {
  it('is refused if it is missing or older; an accepted loss begins a new one', async () => {
    await filled(40);
    const path = join(folder, 'archive.sqlite');
    const older = join(folder, 'older');
    copyFileSync(path, older);
    const store = openEmbeddedStore({ folder });
    store.archive!(60, 100);
    await store.close();
    copyFileSync(older, path);
    expect(codeOf(() => openEmbeddedStore({ folder }))).toBe('corrupt');
    rmSync(path);
    expect(codeOf(() => openEmbeddedStore({ folder }))).toBe('corrupt');
    const accepted = openEmbeddedStore({ folder, isRollbackAccepted: true });
    expect(await all(accepted)).toEqual(expected(61, RECORDS));
    accepted.archive!(70, 100);
    await accepted.close();
    const again = openEmbeddedStore({ folder });
    expect(await all(again)).toEqual(expected(61, RECORDS));
    await again.close();
  });

  it('that goes further than an older file of its store gives nothing of what that has lost', async () => {
    await filled(40);
    const path = join(folder, 'store.sqlite');
    copyFileSync(path, join(folder, 'older'));
    const store = openEmbeddedStore({ folder });
    store.archive!(60, 100);
    fill(store, RECORDS + 1, RECORDS + 30);
    store.archive!(RECORDS + 20, 100);
    await store.close();
    copyFileSync(join(folder, 'older'), path);
    const back = openEmbeddedStore({ folder, isRollbackAccepted: true });
    const other = { kind: 'outcome', seq: 7, time: 7, data: { is: 'of another history' } };
    back.append(other);
    back.put('last', 'other');
    await back.commit();
    const history = [...expected(1, RECORDS), { position: RECORDS + 1, ...other }];
    expect(await all(back)).toEqual(history);
    expect(await all(back, 90)).toEqual(history.slice(89));
    back.archive!(RECORDS + 1, 100);
    expect(await all(back)).toEqual(history);
    await back.close();
    expect(read(folder)).toEqual(history);
  });

  it('is noticed if it is deleted while the store is open', async () => {
    const store = openEmbeddedStore({ folder });
    fill(store, 1, RECORDS);
    store.archive!(40, 100);
    await store.check();
    rmSync(join(folder, 'archive.sqlite'));
    await expect(store.check()).rejects.toThrow('archive.sqlite was deleted or replaced');
    await store.close();
  });

  it('gives no damaged record', async () => {
    await filled(40);
    const database = new DatabaseSync(join(folder, 'archive.sqlite'));
    database.exec(`UPDATE journal SET data = '{"n":7,"text":"record 8"}' WHERE position = 7`);
    database.close();
    const store = openEmbeddedStore({ folder });
    await expect(all(store)).rejects.toThrow('record 7 does not follow');
    await store.close();
    expect(readdirSync(folder)).toContain('archive.sqlite');
  });
});
