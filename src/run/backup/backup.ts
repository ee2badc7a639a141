/** Copies the store of a bot into one file while it runs, and proves the copy by reading it back and replaying it. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Failure } from '../../base/failure/failure.ts';
import type { Settings } from '../../config/defaults.ts';
import { namedPaths } from '../../config/file-keys.ts';
import type { BotConfig } from '../../config/model.ts';
import { BACKUP_VERSION, type BackupHead, type NamedFile } from '../../edge/file/backup/backup-format.ts';
import { BackupWriter } from '../../edge/file/backup/backup-writer.ts';
import { PASSPHRASE_FILE } from '../../edge/web/passphrase.ts';
import { HaltRequests } from '../../edge/file/beside/halt-requests.ts';
import { WatchdogCloses } from '../../edge/file/beside/watchdog-closes.ts';
import { makeFolder } from '../bot/outside/try-folders.ts';
import { programVersion } from '../setup/version.ts';
import { contentsOf, type BackupContents } from './contents.ts';
import { openSource, type BackupSource } from './source.ts';

export interface BackupOptions {
  /** The bot's state folder. */
  readonly folder: string;
  /** The configuration that names the bot, its file, and its settings as they are written; null if none was named. */
  readonly config: { readonly file: string; readonly config: BotConfig; readonly settings: Settings } | null;
  /** A file, a folder in which it gets a name, or "" for the current folder. */
  readonly to: string;
  readonly now: number;
}

export interface BackupMade extends Pick<BackupContents, 'records' | 'positions' | 'orders' | 'until'> {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly head: BackupHead;
}

/** In the state folder, beside the store. Locks, sockets and tokens are not named: a start makes them. */
const KEPT_BESIDE = [
  { name: 'sessions', is: 'folder' },
  { name: 'alerts.sqlite' },
  { name: 'divergence.json' },
  { name: PASSPHRASE_FILE, is: 'secret' },
  { name: 'assistant', is: 'folder' },
] as const;

/** Times that a copy begins again, if records were deleted by age while it was made. */
const TRIES = 3;

/** @throws Failure, StoreError. Nothing is left then. */
export async function makeBackup(options: BackupOptions): Promise<BackupMade> {
  for (let left = TRIES - 1; ; left--) {
    const source = await openSource(options.folder, options.config?.config ?? null);
    try {
      const made = await copy(source, options);
      if (made !== null) return made;
      if (left === 0) throw new Failure('backup-failed', { what: 'records of the journal were deleted by age during each of three tries' });
    } finally {
      source.close();
    }
  }
}

/** null if records that the image has are gone. */
async function copy(source: BackupSource, options: BackupOptions): Promise<BackupMade | null> {
  const { image } = source;
  const head: BackupHead = {
    tickwright: 'backup',
    version: BACKUP_VERSION,
    program: programVersion(),
    madeAt: options.now,
    bot: source.bot,
    store: source.store,
    isRunning: source.isRunning,
    base: image.base,
    last: { position: image.position, link: image.link },
    values: image.values.size,
    files: namedFiles(options),
    requests: new HaltRequests(options.folder).read().filter(({ epoch }) => epoch === undefined),
  };
  const file = fileFor(options.to, source.bot, options.now);
  const writer = openWriter(file, head);
  try {
    for (const [key, value] of image.values) writer.value(key, value);
    let next = image.base.position + 1;
    if (next <= image.position)
      for await (const { position, kind, seq, time, data } of source.records(next)) {
        if (position !== next) break;
        writer.record(position, seq, time, data, kind);
        if (position === image.position) break;
        next++;
      }
    if (next < image.position) return (writer.discard(), null);
    writer.end();
    const { records, positions, orders, until } = await contentsOf(writer.draft, source.bot);
    const { bytes, sha256 } = sumOf(writer.draft);
    writer.publish();
    return { file, bytes, sha256, head, records, positions, orders, until };
  } catch (error) {
    writer.discard();
    throw failureOf(error, file);
  }
}

function openWriter(file: string, head: BackupHead): BackupWriter {
  try {
    makeFolder(dirname(file));
    return new BackupWriter(file, head);
  } catch (error) {
    throw failureOf(error, file);
  }
}

function failureOf(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return error;
  return new Failure(
    'backup-failed',
    { what: `${file} cannot be written: ${error.message}`, hint: 'nothing is left of it' },
    { cause: error },
  );
}

function fileFor(to: string, bot: string, now: number): string {
  const path = resolve(to);
  const isFolder = to === '' || /[/\\]$/.test(to) || (existsSync(path) && statSync(path).isDirectory());
  const at = new Date(now).toISOString().slice(0, 19).replaceAll(':', '-');
  return isFolder ? join(path, `${bot}-${at}Z.backup.gz`) : path;
}

/** What the bot needs elsewhere: the files that the configuration names, and what lies beside the store. Of a file of secrets only the name is told. */
function namedFiles({ config: named, folder }: BackupOptions): NamedFile[] {
  const kept = KEPT_BESIDE.map(({ name, ...is }): NamedFile => ({ path: join(resolve(folder), name), bytes: 0, sha256: '', ...is })).filter(
    ({ path }) => existsSync(path),
  );
  for (const path of new WatchdogCloses(folder).held) kept.push({ path, bytes: 0, sha256: '', is: 'closes' });
  if (named === null) return kept;
  const { open, secret } = namedPaths(named.settings);
  const secrets = secret.map((path): NamedFile => ({ path, bytes: 0, sha256: '', is: existsSync(path) ? 'secret' : 'missing' }));
  return [...[resolve(named.file), ...open].map(nameOf), ...secrets, ...kept];
}

function nameOf(path: string): NamedFile {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return { path, bytes: 0, sha256: '', is: 'missing' };
  return found.isFile() ? { path, ...sumOf(path) } : { path, bytes: 0, sha256: '', is: 'folder' };
}

function sumOf(path: string): { readonly bytes: number; readonly sha256: string } {
  const bytes = readFileSync(path);
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
