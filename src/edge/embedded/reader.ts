/** Opens the store of a stopped bot read-only. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { StoredRecord } from '../../ports/store.ts';
import { storeErrorOf } from './faults.ts';
import { checkFile } from './file.ts';

export interface StoreReader {
  get(key: string): string | null;
  /** Records from `position` on, in order. */
  read(from: number): Iterable<StoredRecord>;
  /** Position of the last record, 0 if there is none. */
  last(): number;
  close(): void;
}

/** SQLite's IOERR, primary code. */
const IO_ERROR = 10;

/** Returns null if there is no store in `folder`. @throws StoreError locked | corrupt | unsafe */
export function openStoreReader(folder: string): StoreReader | null {
  const file = join(resolve(folder), 'store.sqlite');
  if (!existsSync(file)) return null;
  try {
    return readerOf(new DatabaseSync(file, { readOnly: true, timeout: 0 }), file);
  } catch (error) {
    // On a full disk there is no room for the index that readers share. A reader that locks out others keeps the index in its memory.
    if (!(error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === IO_ERROR)) throw storeErrorOf(error, file);
  }
  try {
    const database = new DatabaseSync(file, { timeout: 0 });
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON');
    return readerOf(database, file);
  } catch (error) {
    throw storeErrorOf(error, file);
  }
}

/** Checks the file. Closes it if it cannot be read. @throws StoreError, or SQLite's error */
function readerOf(opened: DatabaseSync, file: string): StoreReader {
  try {
    checkFile(opened, file);
    const value = opened.prepare('SELECT value FROM entry WHERE key = ?');
    const newest = opened.prepare('SELECT max(position) AS position FROM journal');
    const rows = opened.prepare('SELECT position, kind, seq, time, data FROM journal WHERE position >= ? ORDER BY position');
    return {
      get: (key) => (value.get(key)?.['value'] as string | undefined) ?? null,
      *read(from) {
        for (const row of rows.iterate(from)) {
          const { position, kind, seq, time, data } = row as unknown as Omit<StoredRecord, 'data'> & { readonly data: string };
          yield { position, kind, seq, time, data: JSON.parse(data) as Record<string, unknown> };
        }
      },
      last: () => Number(newest.get()?.['position'] ?? 0),
      close: () => opened.close(),
    };
  } catch (error) {
    opened.close();
    throw error;
  }
}
