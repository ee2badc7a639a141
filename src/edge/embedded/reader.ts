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
  close(): void;
}

/** Returns null if there is no store in `folder`. @throws StoreError locked | corrupt | unsafe */
export function openStoreReader(folder: string): StoreReader | null {
  const file = join(resolve(folder), 'store.sqlite');
  if (!existsSync(file)) return null;
  let database: DatabaseSync | null = null;
  try {
    const opened = (database = new DatabaseSync(file, { readOnly: true, timeout: 0 }));
    checkFile(opened, file);
    const value = opened.prepare('SELECT value FROM entry WHERE key = ?');
    const rows = opened.prepare('SELECT position, kind, seq, time, data FROM journal WHERE position >= ? ORDER BY position');
    return {
      get: (key) => (value.get(key)?.['value'] as string | undefined) ?? null,
      *read(from) {
        for (const row of rows.iterate(from)) {
          const { position, kind, seq, time, data } = row as unknown as Omit<StoredRecord, 'data'> & { readonly data: string };
          yield { position, kind, seq, time, data: JSON.parse(data) as Record<string, unknown> };
        }
      },
      close: () => opened.close(),
    };
  } catch (error) {
    database?.close();
    throw storeErrorOf(error, file);
  }
}
