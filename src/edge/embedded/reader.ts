/** Opens the store of a stopped bot read-only. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { StoredRecord, StoreImage } from '../../ports/store.ts';
import { Archive } from './archive.ts';
import { recordOf, type Row } from '../journal-rows.ts';
import { COLUMNS, imageOf } from './chain.ts';
import { storeErrorOf } from './sqlite-faults.ts';
import { ARCHIVE, checkFile, STORE, type FileKind } from './file.ts';

export interface StoreReader {
  get(key: string): string | null;
  /** All but the records. */
  image(): StoreImage;
  /** Records from `position` on, in order. */
  read(from: number): Iterable<StoredRecord>;
  /** Position of the last record, 0 if there is none. */
  last(): number;
  close(): void;
}

/** Stores of older formats have no archive. */
const FORMAT_WITH_ARCHIVE = 3;
/** SQLite's IOERR, primary code. */
const IO_ERROR = 10;

/** Returns null if there is no store in `folder`. @throws StoreError locked | corrupt | unsafe */
export function openStoreReader(folder: string): StoreReader | null {
  const file = join(resolve(folder), 'store.sqlite');
  if (!existsSync(file)) return null;
  const store = openReadable(file, STORE);
  try {
    const version = Number(store.prepare('PRAGMA user_version').get()?.['user_version']);
    const head = version < FORMAT_WITH_ARCHIVE ? undefined : store.prepare('SELECT archived FROM head').get();
    const archived = Number(head?.['archived'] ?? 0);
    return readerOf(store, archived === 0 ? null : openReadable(Archive.pathOf(file), ARCHIVE), archived);
  } catch (error) {
    store.close();
    throw storeErrorOf(error, file);
  }
}

function openReadable(file: string, kind: FileKind): DatabaseSync {
  try {
    return checked(new DatabaseSync(file, { readOnly: true, timeout: 0 }), file, kind);
  } catch (error) {
    // On a full disk there is no room for the index that readers share. A reader that locks out others keeps the index in its memory.
    if (!(error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === IO_ERROR)) throw storeErrorOf(error, file);
  }
  try {
    const database = new DatabaseSync(file, { timeout: 0 });
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON');
    return checked(database, file, kind);
  } catch (error) {
    throw storeErrorOf(error, file);
  }
}

/** Checks the file. Closes it if it cannot be read. @throws StoreError, or SQLite's error */
function checked(opened: DatabaseSync, file: string, kind: FileKind): DatabaseSync {
  try {
    checkFile(opened, file, kind, false);
    return opened;
  } catch (error) {
    opened.close();
    throw error;
  }
}

/** Records up to `archived` are in the archive. */
function readerOf(store: DatabaseSync, archive: DatabaseSync | null, archived: number): StoreReader {
  const value = store.prepare('SELECT value FROM entry WHERE key = ?');
  const newest = store.prepare('SELECT position FROM head');
  // Each with a statement of its own, because one that is run again ends the reading that it has begun.
  const rowsOf = (database: DatabaseSync, from: number, to: number): Iterable<Record<string, unknown>> =>
    database.prepare(`SELECT ${COLUMNS} FROM journal WHERE position >= ? AND position <= ? ORDER BY position`).iterate(from, to);
  return {
    image() {
      const base = archive?.prepare('SELECT position, link FROM base').get() as { position: number; link: string } | undefined;
      return imageOf(store, base === undefined ? null : { ...base });
    },
    get: (key) => (value.get(key)?.['value'] as string | undefined) ?? null,
    *read(from) {
      if (archive !== null && from <= archived) for (const row of rowsOf(archive, from, archived)) yield recordOf(row as unknown as Row);
      for (const row of rowsOf(store, Math.max(from, archived + 1), Number.MAX_SAFE_INTEGER)) yield recordOf(row as unknown as Row);
    },
    last: () => Number(newest.get()?.['position'] ?? 0),
    close() {
      archive?.close();
      store.close();
    },
  };
}
