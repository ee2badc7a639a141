/** Creates and checks the files of the embedded store: their tables, their settings, and whether an existing file is undamaged and ours. */
import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileFaultOf } from '../../base/failure/file-fault.ts';
import { StoreError } from '../../ports/store.ts';
import { JOURNAL_TABLE } from './chain.ts';
import { isErrno } from './sqlite-faults.ts';

/** A kind of file: how it is told from others, and what an empty one has. */
export interface FileKind {
  /** Application id of SQLite: "TwSt" or "TwAr". */
  readonly id: number;
  /** Version of the tables. */
  readonly format: number;
  readonly schema: readonly string[];
  /** From an older version to the next one, by that version. */
  readonly upgrades: Readonly<Record<number, string>>;
  /** True if the whole file is checked when it is opened. */
  readonly isChecked: boolean;
}

/** Format 1 had no commit counter and no mark file; format 2 had no archive. */
export const STORE: FileKind = {
  id: 0x54775374,
  format: 3,
  schema: [
    JOURNAL_TABLE,
    'CREATE TABLE entry (key TEXT PRIMARY KEY, value TEXT NOT NULL, sum TEXT NOT NULL) STRICT, WITHOUT ROWID',
    `CREATE TABLE head (
       one INTEGER PRIMARY KEY CHECK (one = 1),
       genesis TEXT NOT NULL,
       position INTEGER NOT NULL,
       link TEXT NOT NULL,
       entries INTEGER NOT NULL,
       commits INTEGER NOT NULL DEFAULT 0,
       archived INTEGER NOT NULL DEFAULT 0,
       archivedLink TEXT NOT NULL DEFAULT ''
     ) STRICT`,
  ],
  upgrades: {
    1: 'ALTER TABLE head ADD COLUMN commits INTEGER NOT NULL DEFAULT 0',
    2: "ALTER TABLE head ADD COLUMN archived INTEGER NOT NULL DEFAULT 0; ALTER TABLE head ADD COLUMN archivedLink TEXT NOT NULL DEFAULT ''",
  },
  isChecked: true,
};

/** Rows are checked by their links when they are read: a start does not depend on their number. */
export const ARCHIVE: FileKind = {
  id: 0x54774172,
  format: 1,
  schema: [JOURNAL_TABLE, 'CREATE TABLE base (position INTEGER NOT NULL, link TEXT NOT NULL) STRICT'],
  upgrades: {},
  isChecked: false,
};

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

/**
 * Creates folder and file, readable by this user only, if they do not exist. The file gets its name only when it is complete. A file
 * without our tables was therefore damaged, not left half written. An existing file is never opened here, because closing any descriptor of
 * a file drops all POSIX locks that this process holds on it.
 * `begin` fills the new tables.
 */
export function makeFile(file: string, kind: FileKind, begin: (database: DatabaseSync) => void): void {
  const folder = dirname(file);
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (made !== undefined) syncFolder(dirname(made));
  if (!existsSync(file)) {
    const draft = `${file}.${randomUUID()}`;
    try {
      closeSync(openSync(draft, 'wx', 0o600));
      writeEmpty(draft, kind, begin);
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

/**
 * Checks the open file, and brings it to the newest format if it `mayChange`. @throws StoreError corrupt | unsafe if it is not an undamaged
 * one of its kind
 */
export function checkFile(database: DatabaseSync, file: string, { id, format, isChecked, upgrades }: FileKind, mayChange = true): void {
  const pragma = (name: string): unknown => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  if (pragma('application_id') !== id) {
    throw new StoreError(
      'corrupt',
      `${file} is damaged or belongs to another program: give the bot its own folder, or restore an undamaged copy`,
    );
  }
  let found = Number(pragma('user_version'));
  const isOlder = upgrades[found] !== undefined;
  if (mayChange) while (upgrades[found] !== undefined) database.exec(`BEGIN; ${upgrades[found]}; PRAGMA user_version = ${++found}; COMMIT`);
  if (found !== format && (mayChange || !isOlder)) {
    throw new StoreError('unsafe', `${file} has format ${found}, expected format ${format}: open it with the version that wrote it`);
  }
  const verdict = isChecked ? pragma('quick_check(1)') : 'ok';
  if (verdict !== 'ok')
    throw new StoreError('corrupt', `${file} is damaged (${String(verdict)}): restore an undamaged copy, or move it away`);
}

/** Pages that a file may have unused. */
const UNUSED_PAGES = 1_000;

/** Gives unused pages back to the disk, if most of the file is unused. Without room for that, the file stays as it is. */
export function shrink(database: DatabaseSync): void {
  const pragma = (name: string): number => Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  const unused = pragma('freelist_count');
  if (unused < UNUSED_PAGES || unused < pragma('page_count') / 2) return;
  try {
    database.exec('VACUUM');
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (fileFaultOf(error) !== 'full') throw error;
  }
}

function writeEmpty(file: string, { id, format, schema }: FileKind, begin: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON');
    database.exec('BEGIN IMMEDIATE');
    database.exec(`PRAGMA application_id = ${id}; PRAGMA user_version = ${format}`);
    for (const statement of schema) database.exec(statement);
    begin(database);
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
