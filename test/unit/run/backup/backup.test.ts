/** Backups: a copy while the bot runs is a prefix of its journal; a killed backup or restore leaves none; what is not whole is refused. */
import fs, { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { FailureCode } from '../../../../src/base/failure/failures.ts';
import { Random } from '../../../../src/base/random.ts';
import { loadConfig } from '../../../../src/config/load.ts';
import { openEmbeddedStore } from '../../../../src/edge/embedded/embedded-store.ts';
import { HaltRequests } from '../../../../src/edge/file/beside/halt-requests.ts';
import { WatchdogCloses } from '../../../../src/edge/file/beside/watchdog-closes.ts';
import { makeBackup, type BackupMade } from '../../../../src/run/backup/backup.ts';
import { contentsOf } from '../../../../src/run/backup/contents.ts';
import { restoreBackup } from '../../../../src/run/backup/restore.ts';
import { recover } from '../../../../src/run/bot/store/recovered.ts';
import { openStoppedBot } from '../../../../src/run/bot/store/stopped.ts';
import { begin, configIn, newFolder, recordOf, recordsOf, removeFolders, serve } from '../../../support/stores/backup-kit.ts';

afterEach(removeFolders);

const NOW = 1_700_000_100_000;
const ENV = { TICKWRIGHT_STATE_HOME: '/nowhere' };

function backup(folder: string, to: string): Promise<BackupMade> {
  return makeBackup({ folder, config: null, to, now: NOW });
}

function restore(path: string, folder: string, bot = 'tw'): ReturnType<typeof restoreBackup> {
  return restoreBackup({ path, config: configIn(folder, bot), now: NOW, env: ENV });
}

/** A backup of a stopped bot with so many records. */
async function stoppedBackup(records: number): Promise<{ folder: string; made: BackupMade }> {
  const folder = join(newFolder(), 'bot');
  const store = openEmbeddedStore({ folder });
  await begin(store, 'tw', records);
  await store.close();
  return { folder, made: await backup(folder, join(newFolder(), 'copy.gz')) };
}

describe('a backup of a stopped bot', () => {
  it('restores records, values and their order, with another epoch and a halt', async () => {
    const { folder, made } = await stoppedBackup(1_500);
    expect(made).toMatchObject({ records: 1_500, positions: 0, orders: 0, head: { bot: 'tw', isRunning: false, store: 'embedded' } });
    expect(statSync(made.file).mode & 0o777).toBe(0o600);
    const elsewhere = join(newFolder(), 'bot');
    const done = await restore(made.file, elsewhere);
    const seen = openStoppedBot(elsewhere)!;
    expect(seen.status().time, 'the restore is no sign of life').toBeLessThan(NOW);
    seen.close();
    const [old, fresh] = [openEmbeddedStore({ folder }), openEmbeddedStore({ folder: elsewhere })];
    const records = await recordsOf(fresh);
    expect(records.slice(0, 1_500)).toEqual(await recordsOf(old));
    expect(records.slice(1_500).map(({ kind }) => kind)).toEqual(['halt', 'epoch']);
    for (const key of ['odd', 'format', 'snapshot']) expect(await fresh.get(key)).toBe(await old.get(key));
    const { ids, snapshot, lastEnd } = await recover(fresh, 'tw', NOW);
    expect(ids.epoch).toBeGreaterThan(done.epoch);
    expect(done.epoch).toBeGreaterThan(1_700_000_000 + 1_000_000);
    expect(ids.lostUpTo).toBe(done.epoch - 1);
    expect(snapshot?.halts).toMatchObject([{ scope: 'bot', code: 'journal-restored' }]);
    expect(snapshot?.nextSeq).toBe(7);
    expect(lastEnd).toBe('without a stop');
    await old.close();
    await fresh.close();
    const stopped = openStoppedBot(elsewhere)!;
    expect(stopped.status().halts).toMatchObject([{ code: 'journal-restored', ends: 'tickwright resume' }]);
    stopped.close();
  });

  it('names every file that the bot needs and that is not in it', async () => {
    const { folder } = await stoppedBackup(3);
    const home = newFolder();
    const write = (name: string, text: string): void => writeFileSync(join(home, name), text, { mode: 0o600 });
    write('helper.ts', 'export const one = 1;\n');
    write('mine.ts', "import { one } from './helper.ts';\nimport { defineStrategy } from 'tickwright';\nexport default one;\n");
    write('keys.yaml', 'key: "k"\nsecret: "s"\npassphrase: "p"\n');
    for (const name of ['instruments.json', 'limits.json']) write(name, readFileSync(join('config', name), 'utf8'));
    const venue = { baseUrl: 'http://127.0.0.1:9', credentials: 'keys.yaml' };
    const strategies = [{ file: 'mine.ts', symbols: ['BTCUSDT'] }];
    const written = {
      bot: 'tw',
      instruments: 'instruments.json',
      limits: 'limits.json',
      venue,
      strategies,
      data: ['past'],
      alerts: { file: 'alerts.yaml' },
      store: { folder },
    };
    write('bot.yaml', JSON.stringify(written));
    mkdirSync(join(folder, 'sessions'));
    new WatchdogCloses(folder).begin({ epoch: 1, time: NOW, legs: [], used: [] });
    const file = join(home, 'bot.yaml');
    const named = { file, ...loadConfig({ file, env: {}, set: [] }) };
    const { head } = await makeBackup({ folder, config: named, to: join(newFolder(), 'copy.gz'), now: NOW });
    expect(head.files.map(({ path, sha256, is }) => `${path.replace(home, '').replace(folder, 'STATE')} ${is ?? sha256.length}`)).toEqual([
      '/bot.yaml 64',
      '/instruments.json 64',
      '/limits.json 64',
      '/past missing',
      '/mine.ts 64',
      '/helper.ts 64',
      '/keys.yaml secret',
      '/alerts.yaml missing',
      'STATE/sessions folder',
      'STATE.watchdog-closes closes',
    ]);
  });

  it('keeps halts that people asked for and no bot has taken', async () => {
    const folder = join(newFolder(), 'bot');
    const store = openEmbeddedStore({ folder });
    await begin(store, 'tw', 3);
    await store.close();
    const asked = { id: 'one', name: 'halt', scope: '', by: 'me', why: 'news', time: NOW } as const;
    new HaltRequests(folder).add(asked);
    const made = await backup(folder, join(newFolder(), 'copy.gz'));
    const elsewhere = join(newFolder(), 'bot');
    await restore(made.file, elsewhere);
    expect(new HaltRequests(elsewhere).read()).toEqual([asked]);
  });

  it('has the records that are left, if older ones were deleted by age', async () => {
    const folder = join(newFolder(), 'bot');
    const store = openEmbeddedStore({ folder });
    await begin(store, 'tw', 3_000);
    expect(store.archive!(2_000, 2_000)).toBe(2_000);
    expect(store.dropArchived!(recordOf(1_201).time, 5_000)).toBe(1_200);
    await store.close();
    const made = await backup(folder, join(newFolder(), 'copy.gz'));
    expect(made).toMatchObject({ records: 1_800, head: { base: { position: 1_200 } } });
    const elsewhere = join(newFolder(), 'bot');
    await restore(made.file, elsewhere);
    const fresh = openEmbeddedStore({ folder: elsewhere });
    const records = await recordsOf(fresh);
    expect([records[0]?.position, records.length, await fresh.last()]).toEqual([1_201, 1_802, 3_002]);
    await fresh.close();
  });

  it('of an empty journal can be restored', async () => {
    const { made } = await stoppedBackup(0);
    const elsewhere = join(newFolder(), 'bot');
    await restore(made.file, elsewhere);
    const fresh = openEmbeddedStore({ folder: elsewhere });
    expect(await fresh.last()).toBe(2);
    await fresh.close();
  });
});

describe('a backup of a bot that runs', () => {
  it('is a prefix of its journal, with the values of that moment', async () => {
    const folder = join(newFolder(), 'bot');
    const store = openEmbeddedStore({ folder });
    await begin(store, 'tw', 1_500);
    const control = await serve(folder, store);
    const trade = { isDone: false };
    let k = 1_500;
    const trading = (async () => {
      while (!trade.isDone) {
        for (let n = 0; n < 5; n++) store.append(recordOf(++k));
        // Each commit replaces a value beside new records.
        store.put('odd', String(k));
        await store.commit();
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    })();
    const made: BackupMade[] = [];
    for (let n = 0; n < 2; n++) made.push(await backup(folder, join(newFolder(), 'copy.gz')));
    trade.isDone = true;
    await trading;
    await control.close();
    const all = await recordsOf(store);
    await store.close();
    for (const { file, records, head } of made) {
      expect(head).toMatchObject({ isRunning: true, bot: 'tw' });
      const { values } = await contentsOf(file, 'tw');
      expect([values.get('odd'), records]).toEqual([String(head.last.position), head.last.position]);
      const elsewhere = join(newFolder(), 'bot');
      await restore(file, elsewhere);
      const fresh = openEmbeddedStore({ folder: elsewhere });
      expect((await recordsOf(fresh)).slice(0, -2)).toEqual(all.slice(0, records));
      await fresh.close();
    }
    expect(made.at(-1)!.records).toBeGreaterThan(1_500);
    expect(k).toBeGreaterThan(made.at(-1)!.records);
  });
});

/** Calls `look` before each change of a file that `work` makes: what is there then is what a kill at that moment leaves. */
async function beforeEachChange(look: () => void, work: () => Promise<unknown>): Promise<number> {
  const names = ['openSync', 'writeSync', 'fsyncSync', 'closeSync', 'linkSync', 'renameSync', 'rmSync'] as const;
  const before = new Map(names.map((name) => [name, fs[name]]));
  let count = 0;
  let isLooking = false;
  for (const name of names) {
    const call = fs[name] as (...args: unknown[]) => unknown;
    (fs as unknown as Record<string, unknown>)[name] = (...args: unknown[]) => {
      if (!isLooking) {
        count++;
        isLooking = true;
        look();
        isLooking = false;
      }
      return call(...args);
    };
  }
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    Object.assign(fs, Object.fromEntries(before));
    syncBuiltinESMExports();
  }
  return count;
}

describe('killed at any change of a file', () => {
  it('a backup leaves no file of its name, or a whole one', async () => {
    const { folder } = await stoppedBackup(3_000);
    const to = join(newFolder(), 'copy.gz');
    const seen: Buffer[] = [];
    const changes = await beforeEachChange(
      () => void (existsSync(to) && seen.push(readFileSync(to))),
      () => backup(folder, to),
    );
    expect(changes).toBeGreaterThan(8);
    const whole = readFileSync(to);
    for (const bytes of seen) expect(bytes.equals(whole)).toBe(true);
    expect(readdirSync(join(to, '..'))).toEqual(['copy.gz']);
  });

  it('a restore leaves no store, or a whole one, and can be repeated', async () => {
    const { made } = await stoppedBackup(500);
    const folder = join(newFolder(), 'bot');
    const file = join(folder, 'store.sqlite');
    let lefts = 0;
    await beforeEachChange(
      () => void (existsSync(file) && lefts++),
      () => restore(made.file, folder),
    );
    // After its name is given, only the draft's name and the lock go.
    expect(lefts).toBeGreaterThan(0);
    const fresh = openEmbeddedStore({ folder });
    expect(await fresh.last()).toBe(502);
    await fresh.close();
    // A killed restore leaves a draft; the next one has its own.
    const other = join(newFolder(), 'bot');
    fs.mkdirSync(other);
    writeFileSync(join(other, `store.sqlite.${process.pid}.part`), 'half');
    await restore(made.file, other);
    expect(readdirSync(other).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('what a killed backup left is removed by the next one of that name', async () => {
    const { folder } = await stoppedBackup(10);
    const to = join(newFolder(), 'copy.gz');
    writeFileSync(`${to}.999999999.part`, 'half');
    await backup(folder, to);
    expect(readdirSync(join(to, '..'))).toEqual(['copy.gz']);
  });
});

describe('refused, with nothing changed', () => {
  const refusal = async (work: Promise<unknown>): Promise<string> => {
    const error = await work.then(
      () => null,
      (one: unknown) => one as { failure?: FailureCode },
    );
    return String(error?.failure);
  };

  it('a file or a store that exists already', async () => {
    const { folder, made } = await stoppedBackup(5);
    expect(await refusal(backup(folder, made.file))).toBe('backup-exists');
    const before = readFileSync(join(folder, 'store.sqlite'));
    expect(await refusal(restore(made.file, folder))).toBe('store-exists');
    expect(readFileSync(join(folder, 'store.sqlite')).equals(before)).toBe(true);
  });

  it('a folder that cannot be written, and one without a bot', async () => {
    const { folder, made } = await stoppedBackup(5);
    expect(await refusal(backup(folder, join(made.file, 'below', 'copy.gz')))).toBe('backup-failed');
    expect(await refusal(backup(join(folder, 'none'), newFolder()))).toBe('bot-missing');
  });

  it('a backup of another bot, of a newer version, or of a newer store', async () => {
    const { made } = await stoppedBackup(5);
    const elsewhere = join(newFolder(), 'bot');
    expect(await refusal(restore(made.file, elsewhere, 'other'))).toBe('backup-unusable');
    const text = gunzipSync(readFileSync(made.file)).toString();
    const newer = join(newFolder(), 'newer.gz');
    writeFileSync(newer, gzipSync(text.replace('"version":1', '"version":2')));
    await expect(restore(newer, elsewhere)).rejects.toThrow('made by a newer version of Tickwright');
    const folder = join(newFolder(), 'bot');
    const store = openEmbeddedStore({ folder });
    await begin(store, 'tw', 2);
    store.put('format', '2');
    await store.commit();
    await store.close();
    expect(await refusal(backup(folder, join(newFolder(), 'copy.gz')))).toBe('store-unusable');
    expect(existsSync(elsewhere)).toBe(false);
  });

  it('a file that is cut off anywhere, or in which any byte is another', async () => {
    const { made } = await stoppedBackup(60);
    const bytes = readFileSync(made.file);
    const folder = newFolder();
    const random = new Random(7);
    for (let n = 0; n < 150; n++) {
      const damaged = Buffer.from(n % 2 === 0 ? bytes.subarray(0, random.below(bytes.length)) : bytes);
      if (n % 2 === 1) {
        const at = random.below(bytes.length);
        damaged[at] = damaged[at]! ^ (1 << random.below(8));
      }
      const file = join(folder, `${n}.gz`);
      writeFileSync(file, damaged);
      // The header of gzip has bytes that mean nothing: a time, and the system.
      const read = await contentsOf(file, 'tw').then(
        ({ records }) => records,
        (error: { failure?: string }) => error.failure,
      );
      expect([n, read === 60 && gunzipSync(damaged).equals(gunzipSync(bytes)) ? 'backup-unusable' : read]).toEqual([n, 'backup-unusable']);
    }
  });

  it('a line that is left out, changed or put elsewhere, though gzip does not notice', async () => {
    const { made } = await stoppedBackup(60);
    const lines = gunzipSync(readFileSync(made.file)).toString().trimEnd().split('\n');
    const folder = newFolder();
    const changes: Readonly<Record<string, (all: string[]) => void>> = {
      record: (all) => void all.splice(20, 1),
      value: (all) => void all.splice(2, 1),
      swap: (all) => void ([all[20], all[21]] = [all[21]!, all[20]!]),
      data: (all) => void (all[20] = all[20]!.replace('"k":', '"j":')),
      head: (all) => void (all[0] = all[0]!.replace('"isRunning":false', '"isRunning":true')),
      end: (all) => void all.pop(),
      more: (all) => void all.push(all.at(-1)!),
    };
    for (const [name, change] of Object.entries(changes)) {
      const all = [...lines];
      change(all);
      const file = join(folder, `${name}.gz`);
      writeFileSync(file, gzipSync(`${all.join('\n')}\n`));
      expect([name, await refusal(contentsOf(file, 'tw'))]).toEqual([name, 'backup-unusable']);
    }
  });
});
