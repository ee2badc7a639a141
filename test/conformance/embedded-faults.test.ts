/**
 * The embedded store on a bad disk: full, cut short, damaged, rolled back, or the file of another program. Damaged data is never accepted.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.ts';
import { openEmbeddedStore } from '../../src/edge/embedded/embedded-store.ts';
import { StoreError, type Store } from '../../src/ports/store.ts';

const WRITER = fileURLToPath(new URL('../support/stores/store-writer.ts', import.meta.url));
const RECORDS = 300;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-faults-'));
  file = join(folder, 'store.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function fill(store: Store, records: number): void {
  for (let n = 1; n <= records; n++) {
    store.append({ kind: 'command', seq: n, time: n, data: { n, text: `record ${n}` } });
    store.put(`key ${n}`, `value ${n}`);
    expect(store.commit()).toBeNull();
  }
}

/** Commits one record, and its number as a value. */
function fill2(store: Store, n: number): void {
  store.append({ kind: 'command', seq: n, time: n, data: { n } });
  store.put('last', String(n));
  expect(store.commit()).toBeNull();
}

async function filled(): Promise<void> {
  const store = openEmbeddedStore({ folder });
  fill(store, RECORDS);
  await store.close();
}

/** Reads everything. Returns "sound" if it equals what `fill` wrote, else the code of the StoreError. */
async function verdict(): Promise<string> {
  let store: Store | null = null;
  try {
    store = openEmbeddedStore({ folder });
    let n = 0;
    for await (const each of store.read(1)) {
      n++;
      if (each.seq !== n || each.kind !== 'command' || each.time !== n || each.data['text'] !== `record ${n}`) return 'lie';
    }
    for (let k = 1; k <= RECORDS; k++) if ((await store.get(`key ${k}`)) !== `value ${k}`) return 'lie';
    return n === RECORDS ? 'sound' : 'lie';
  } catch (error) {
    if (error instanceof StoreError) return error.code;
    throw error;
  } finally {
    await store?.close();
  }
}

function change(sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

/** Reads the file that is named after it, says so, and is killed after 300 ms. */
const READER = `
  const store = new (require('node:sqlite').DatabaseSync)(process.argv[1], { readOnly: true });
  store.prepare('SELECT count(*) FROM head').get();
  require('node:fs').writeSync(1, 'read');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300);
`;

// A health check looks at the file of a bot that was killed while this bot starts again.
it('waits for a reader that is about to end', async () => {
  const written = openEmbeddedStore({ folder });
  fill(written, 3);
  await written.close();
  const reader = spawn(process.execPath, ['-e', READER, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(reader.stdout, 'data');
  const store = openEmbeddedStore({ folder });
  expect(await store.last()).toBe(3);
  await store.close();
});

describe('the embedded store on a full disk', () => {
  it('refuses the commit that does not fit, keeps earlier ones, and is unusable then', async () => {
    const store = openEmbeddedStore({ folder, bytesMax: 100_000 });
    let kept = 0;
    const flood = (): void => {
      for (let n = 1; n < 1000; n++) {
        store.append({ kind: 'command', seq: n, time: n, data: { text: 'x'.repeat(1000) } });
        expect(store.commit()).toBeNull();
        kept = n;
      }
    };
    expect(flood).toThrow(expect.objectContaining({ code: 'full', message: expect.stringContaining(file) }));
    expect(kept).toBeGreaterThan(10);
    expect(() => store.append({ kind: 'command', seq: 1, time: 1, data: {} })).toThrow(expect.objectContaining({ code: 'poisoned' }));
    expect(() => store.commit()).toThrow(
      expect.objectContaining({ code: 'poisoned', message: expect.stringContaining('since this error:') }),
    );
    await expect(store.last()).rejects.toMatchObject({ code: 'poisoned' });
    await store.close();

    const again = openEmbeddedStore({ folder });
    expect(await again.last()).toBe(kept);
    await again.close();
  });

  it.skipIf(process.platform === 'win32')('stops at the first write that the operating system refuses', async () => {
    const command = `ulimit -f 512; exec "$0" "$@"`;
    const run = spawnSync('bash', ['-c', command, process.execPath, WRITER, 'embedded', folder], { encoding: 'utf8' });
    const lines = run.stdout.trim().split('\n');
    expect(lines.at(-2)).toBe('fault full');
    expect(lines.at(-1)).toBe('again poisoned');
    const store = openEmbeddedStore({ folder });
    expect(await store.last()).toBeGreaterThanOrEqual(Number(lines.at(-3)));
    await store.close();
  });
});

describe('the embedded store on a damaged file', () => {
  it('detects a changed, removed, added or swapped record [outcomes 3.2]', async () => {
    await filled();
    const sound = readFileSync(file);
    expect(await verdict()).toBe('sound');
    const changes = [
      `UPDATE journal SET data = '{"n":7,"text":"record 8"}' WHERE position = 7`,
      'UPDATE journal SET seq = seq + 1 WHERE position = 1',
      `UPDATE journal SET kind = 'outcome' WHERE position = ${RECORDS}`,
      'UPDATE journal SET time = 0 WHERE position = 100',
      'DELETE FROM journal WHERE position = 50',
      `DELETE FROM journal WHERE position = ${RECORDS}`,
      'DELETE FROM journal',
      `INSERT INTO journal SELECT position + ${RECORDS}, kind, seq, time, data, link FROM journal WHERE position = 1`,
      'UPDATE journal SET position = -position WHERE position = 3',
      `UPDATE head SET position = position - 1`,
      'DELETE FROM head',
      `UPDATE entry SET value = 'value 2' WHERE key = 'key 1'`,
      `UPDATE entry SET key = 'key 0' WHERE key = 'key 1'`,
      `DELETE FROM entry WHERE key = 'key 1'`,
    ];
    for (const sql of changes) {
      writeFileSync(file, sound);
      change(sql);
      expect([sql, await verdict()]).toEqual([sql, 'corrupt']);
    }
  });

  it('detects a journal whose tail was restored to an earlier state', async () => {
    const store = openEmbeddedStore({ folder });
    fill(store, 10);
    await store.close();
    const earlier = join(folder, 'earlier');
    copyFileSync(file, earlier);
    const later = openEmbeddedStore({ folder });
    fill(later, 10);
    await later.close();
    change(`ATTACH '${earlier}' AS old; DELETE FROM journal; INSERT INTO journal SELECT * FROM old.journal`);
    expect(() => openEmbeddedStore({ folder })).toThrow(expect.objectContaining({ code: 'corrupt' }));
  });

  it('never returns data changed by a flipped bit, at 400 random places', async () => {
    await filled();
    const sound = readFileSync(file);
    const random = new Random(7);
    const seen = new Map<string, number>();
    for (let n = 0; n < 400; n++) {
      const bytes = Buffer.from(sound);
      const at = random.below(bytes.length);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random.below(8)), at);
      writeFileSync(file, bytes);
      const found = await verdict();
      seen.set(found, (seen.get(found) ?? 0) + 1);
      expect(['sound', 'corrupt', 'unsafe'], `bit flip at byte ${at}`).toContain(found);
    }
    expect(seen.get('corrupt')).toBeGreaterThan(200);
  });

  it('detects a file cut short, or with a page of zeros', async () => {
    await filled();
    const sound = readFileSync(file);
    for (const length of [0, 1, 100, 4096, sound.length - 4096, sound.length - 1]) {
      writeFileSync(file, sound.subarray(0, length));
      expect([length, await verdict()]).toEqual([length, 'corrupt']);
    }
    const zeroed = Buffer.from(sound);
    zeroed.fill(0, 2 * 4096, 3 * 4096);
    writeFileSync(file, zeroed);
    expect(await verdict()).toBe('corrupt');
  });

  it('refuses a file of another program and one of a newer format, and changes neither', async () => {
    change('CREATE TABLE theirs (a)');
    expect(() => openEmbeddedStore({ folder })).toThrow(
      expect.objectContaining({ code: 'corrupt', message: expect.stringContaining('belongs to another program') }),
    );
    expect(new DatabaseSync(file).prepare('SELECT count(*) AS n FROM theirs').get()?.['n']).toBe(0);
    rmSync(file);
    await filled();
    change('PRAGMA user_version = 99');
    expect(() => openEmbeddedStore({ folder })).toThrow(
      expect.objectContaining({ code: 'unsafe', message: expect.stringContaining('99') }),
    );
  });
});

const DAMAGES = Number(process.env['TICKWRIGHT_DAMAGE_RUNS'] ?? 150);

describe('the embedded store after any damage to its files', () => {
  const NAMES = ['store.sqlite', 'store.sqlite-wal', 'store.mark'];

  type Files = Readonly<Record<string, Buffer | null>>;

  function filesIn(): Files {
    return Object.fromEntries(NAMES.map((name) => [name, existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : null]));
  }

  function putBack(files: Files): void {
    for (const name of NAMES) {
      const bytes = files[name];
      if (bytes === null || bytes === undefined) rmSync(join(folder, name), { force: true });
      else writeFileSync(join(folder, name), bytes);
    }
  }

  /** Returns the files of an open store, as kill -9 would leave them: at some commits with and without a log, and after a close. */
  async function lives(): Promise<{ earlier: Files[]; newest: Files[] }> {
    const earlier: Files[] = [];
    const store = openEmbeddedStore({ folder });
    for (let n = 1; n <= RECORDS; n++) {
      store.append({ kind: 'command', seq: n, time: n, data: { n, text: `record ${n}` } });
      store.put(`key ${n}`, `value ${n}`);
      expect(store.commit()).toBeNull();
      if (n % 50 === 0 && n < RECORDS) earlier.push(filesIn());
    }
    const killed = filesIn();
    await store.close();
    return { earlier, newest: [killed, filesIn()] };
  }

  function damaged(files: Files, earlier: readonly Files[], random: Random): { what: string; files: Files } {
    const name = NAMES[random.below(NAMES.length)] ?? '';
    const before = files[name];
    if (before === null || before === undefined || before.length === 0) return { what: `no ${name}`, files };
    const bytes = Buffer.from(before);
    const at = random.below(bytes.length);
    const made = (what: string, changed: Buffer | null): { what: string; files: Files } => ({
      what: `${name}: ${what}`,
      files: { ...files, [name]: changed },
    });
    switch (random.below(7)) {
      case 0:
      case 1:
        bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random.below(8)), at);
        return made(`a flipped bit at ${at}`, bytes);
      case 2:
        return made(`cut at ${at}`, bytes.subarray(0, at));
      case 3: {
        const pages = Math.max(1, Math.floor(bytes.length / 4096));
        const [a, b] = [random.below(pages) * 4096, random.below(pages) * 4096];
        const first = Buffer.from(bytes.subarray(a, a + 4096));
        bytes.copyWithin(a, b, b + 4096);
        first.copy(bytes, b);
        return made(`pages ${a / 4096} and ${b / 4096} exchanged`, bytes);
      }
      case 4:
        bytes.fill(0, at, Math.min(bytes.length, at + 1 + random.below(8192)));
        return made(`zeros at ${at}`, bytes);
      case 5:
        return made('removed', null);
      default:
        return made('an earlier copy', earlier[random.below(earlier.length)]?.[name] ?? null);
    }
  }

  it(`detects or survives all of ${DAMAGES} random damages [D5]`, { timeout: 300_000 + DAMAGES * 200 }, async () => {
    const { earlier, newest } = await lives();
    const random = new Random(11);
    const seen = new Map<string, number>();
    for (let n = 0; n < DAMAGES; n++) {
      const { what, files } = damaged(newest[n % 2]!, earlier, random);
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
      putBack(files);
      const found = await verdict();
      seen.set(found, (seen.get(found) ?? 0) + 1);
      expect(['sound', 'corrupt', 'unsafe', 'rolled-back'], `damage ${n}, ${what}`).toContain(found);
    }
    console.info(`damages: ${[...seen].map(([found, count]) => `${found} ${count}`).join(', ')}`);
    expect(seen.get('rolled-back')).toBeGreaterThan(0);
  });

  it('detects an earlier copy of its files without the mark or of its log, and a removed log [D5]', async () => {
    const { earlier, newest } = await lives();
    const [killed, closed] = newest as [Files, Files];
    const old = earlier[1]!;
    const cases: [string, Files, string][] = [
      ['killed', killed, 'sound'],
      ['closed', closed, 'sound'],
      ['no log', { ...killed, 'store.sqlite-wal': null }, 'rolled-back'],
      ['an earlier log', { ...killed, 'store.sqlite-wal': old['store.sqlite-wal']! }, 'rolled-back'],
      ['an earlier store', { ...old, 'store.mark': closed['store.mark']! }, 'rolled-back'],
      ['no mark', { ...closed, 'store.mark': null }, 'rolled-back'],
      [
        'a mark one commit behind',
        { ...closed, 'store.mark': Buffer.concat([Buffer.alloc(512), closed['store.mark']!.subarray(512)]) },
        'sound',
      ],
    ];
    for (const [what, files, expected] of cases) {
      putBack(files);
      expect([what, await verdict()]).toEqual([what, expected]);
    }
    const log = killed['store.sqlite-wal']!;
    putBack({ ...killed, 'store.sqlite-wal': Buffer.concat([log, Buffer.alloc(3_000, 7)]) });
    expect(await verdict(), 'the torn tail of an unconfirmed write').toBe('sound');
    putBack({ ...old, 'store.mark': closed['store.mark']! });
    const accepted = openEmbeddedStore({ folder, isRollbackAccepted: true });
    accepted.put('epochs', 'rotated');
    expect(accepted.commit()).toBeNull();
    await accepted.close();
    await openEmbeddedStore({ folder }).close();
  });

  it('holds exactly the confirmed commits after a kill inside any commit [P2]', async () => {
    const commits = 12;
    const store = openEmbeddedStore({ folder });
    const states: { bytes: number; mark: Buffer }[] = [];
    for (let n = 0; n <= commits; n++) {
      if (n > 0) fill2(store, n);
      const log = join(folder, 'store.sqlite-wal');
      const mark = join(folder, 'store.mark');
      states.push({ bytes: existsSync(log) ? statSync(log).size : 0, mark: existsSync(mark) ? readFileSync(mark) : Buffer.alloc(0) });
    }
    const base = readFileSync(file);
    const log = readFileSync(join(folder, 'store.sqlite-wal'));
    await store.close();
    let points = 0;
    for (let n = 1; n <= commits; n++) {
      const [from, to] = [states[n - 1]!, states[n]!];
      // Cut at every page frame of the log and at places inside; the mark is that of the commit before.
      for (let bytes = from.bytes; bytes <= to.bytes; bytes = bytes === to.bytes ? bytes + 1 : Math.min(to.bytes, bytes + 1030)) {
        points++;
        rmSync(folder, { recursive: true });
        mkdirSync(folder);
        writeFileSync(file, base);
        writeFileSync(join(folder, 'store.sqlite-wal'), log.subarray(0, bytes));
        if (from.mark.length > 0) writeFileSync(join(folder, 'store.mark'), from.mark);
        const again = openEmbeddedStore({ folder });
        const expected = bytes === to.bytes ? n : n - 1;
        expect([n, bytes, await again.last(), await again.get('last')]).toEqual([
          n,
          bytes,
          expected,
          expected === 0 ? null : String(expected),
        ]);
        await again.close();
      }
    }
    expect(points).toBeGreaterThan(commits * 4);
  });

  it('detects while open that a file was removed or replaced, and reports nothing otherwise', async () => {
    const store = openEmbeddedStore({ folder });
    fill(store, 3);
    await store.check();
    fill(store, 1);
    await store.check();
    const copy = join(folder, 'copy');
    copyFileSync(file, copy);
    rmSync(file);
    copyFileSync(copy, file);
    await expect(store.check()).rejects.toMatchObject({ code: 'poisoned', message: expect.stringContaining('was deleted or replaced') });
    expect(() => store.append({ kind: 'command', seq: 1, time: 1, data: {} })).toThrow(expect.objectContaining({ code: 'poisoned' }));
    await store.close();
  });
});

describe.skipIf(process.platform === 'win32')('the embedded store and its folder', () => {
  it('creates folder and file readable by this user only', async () => {
    const inner = join(folder, 'a', 'b');
    const store = openEmbeddedStore({ folder: inner });
    fill(store, 1);
    expect(statSync(inner).mode & 0o777).toBe(0o700);
    for (const name of ['store.sqlite', 'store.sqlite-wal']) expect(statSync(join(inner, name)).mode & 0o777).toBe(0o600);
    await store.close();
  });

  it('removes the access of others from a file', async () => {
    await filled();
    spawnSync('chmod', ['644', file]);
    const store = openEmbeddedStore({ folder });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await store.close();
  });

  it('names the folder that cannot be used', () => {
    writeFileSync(join(folder, 'plain'), '');
    expect(() => openEmbeddedStore({ folder: join(folder, 'plain', 'inner') })).toThrow(
      expect.objectContaining({ code: 'refused', message: expect.stringContaining('plain') }),
    );
    mkdirSync(file);
    expect(() => openEmbeddedStore({ folder })).toThrow(expect.objectContaining({ code: 'refused' }));
  });

  it('refuses a second process at once', async () => {
    const store = openEmbeddedStore({ folder });
    fill(store, 1);
    const run = spawnSync(process.execPath, [WRITER, 'embedded', folder], { encoding: 'utf8', timeout: 240_000 });
    expect(run.status).not.toBe(0);
    expect(run.stderr).toContain('is in use by another process');
    fill(store, 1);
    expect(await store.last()).toBe(2);
    await store.close();
    expect(existsSync(join(folder, 'store.sqlite-wal'))).toBe(false);
  });
});
