/** Creates and checks the embedded store's file: its tables, its settings, and whether an existing file is undamaged and ours. */
import { hash, randomUUID } from 'node:crypto';
import { chmodSync, closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../ports/store.ts';
import { isErrno } from './faults.ts';

/** "TwSt": identifies the file as a store of Tickwright. */
const APPLICATION_ID = 0x54775374;
/** Version of the tables. Format 1 had no commit counter and no mark file. */
const FORMAT = 2;
const FORMAT_WITHOUT_COMMITS = 1;

/**
 * The order matters: the lock mode must be set before the first read, so that no second process can open the file. FULL syncs at every
 * commit; NORMAL would survive a killed process but not a power cut. macOS needs fullfsync for the same guarantee.
 */
export const SETTINGS: readonly string[] = [
  'PRAGMA locking_mode = EXCLUSIVE',
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = FULL',
  'PRAGMA fullfsync = ON',
  'BEGIN EXCLUSIVE',
  'COMMIT',
];

const SCHEMA: readonly string[] = [
  `PRAGMA application_id = ${APPLICATION_ID}`,
  `PRAGMA user_version = ${FORMAT}`,
  `CREATE TABLE journal (
     position INTEGER PRIMARY KEY,
     kind TEXT NOT NULL,
     seq INTEGER NOT NULL,
     time INTEGER NOT NULL,
     data TEXT NOT NULL,
     link TEXT NOT NULL
   ) STRICT`,
  'CREATE TABLE entry (key TEXT PRIMARY KEY, value TEXT NOT NULL, sum TEXT NOT NULL) STRICT, WITHOUT ROWID',
  `CREATE TABLE head (
     one INTEGER PRIMARY KEY CHECK (one = 1),
     genesis TEXT NOT NULL,
     position INTEGER NOT NULL,
     link TEXT NOT NULL,
     entries INTEGER NOT NULL,
     commits INTEGER NOT NULL DEFAULT 0
   ) STRICT`,
];

/**
 * Creates folder and file, readable by this user only, if they do not exist. The file gets its name only when it is complete. A file
 * without our tables was therefore damaged, not left half written. An existing file is never opened here, because closing any descriptor of
 * a file drops all POSIX locks that this process holds on it.
 */
export function makeFile(file: string): void {
  const folder = dirname(file);
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (made !== undefined) syncFolder(dirname(made));
  if (!existsSync(file)) {
    const draft = `${file}.${randomUUID()}`;
    try {
      closeSync(openSync(draft, 'wx', 0o600));
      writeEmpty(draft);
      linkSync(draft, file);
    } catch (error) {
      // Another process that started at the same moment created the file; use that one.
      if (!isErrno(error, 'EEXIST')) throw error;
    } finally {
      rmSync(draft, { force: true });
    }
    syncFolder(folder);
  }
  if (process.platform !== 'win32') chmodSync(file, 0o600);
}

/** Checks the open file. @throws StoreError corrupt | unsafe if it is not an undamaged store of this format */
export function checkFile(database: DatabaseSync, file: string): void {
  const pragma = (name: string): unknown => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  if (pragma('application_id') !== APPLICATION_ID) {
    throw new StoreError(
      'corrupt',
      `${file} is damaged or belongs to another program: give the bot its own folder, or restore an undamaged copy`,
    );
  }
  if (pragma('user_version') === FORMAT_WITHOUT_COMMITS) {
    database.exec(`BEGIN; ALTER TABLE head ADD COLUMN commits INTEGER NOT NULL DEFAULT 0; PRAGMA user_version = ${FORMAT}; COMMIT`);
  }
  const format = pragma('user_version');
  if (format !== FORMAT) {
    throw new StoreError(
      'unsafe',
      `${file} has format ${String(format)}, expected format ${FORMAT}: open it with the version that wrote it`,
    );
  }
  const verdict = pragma('quick_check(1)');
  if (verdict !== 'ok')
    throw new StoreError('corrupt', `${file} is damaged (${String(verdict)}): restore an undamaged copy, or move it away`);
}

function writeEmpty(file: string): void {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON');
    database.exec('BEGIN IMMEDIATE');
    for (const statement of SCHEMA) database.exec(statement);
    const genesis = hash('sha256', randomUUID(), 'base64url');
    database.prepare('INSERT INTO head (one, genesis, position, link, entries) VALUES (1, ?, 0, ?, 0)').run(genesis, genesis);
    database.exec('COMMIT');
  } finally {
    database.close();
  }
}

function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
