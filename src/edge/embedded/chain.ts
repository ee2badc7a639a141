/** The rows of a store file in SQL: one for each record, in order, and all that the file has beside them. */
import type { DatabaseSync } from 'node:sqlite';
import type { StoreImage } from '../../ports/store.ts';

/** The columns of a row, for SQL. */
export const COLUMNS = 'position, kind, seq, time, data, link';

/** The table of rows. */
export const JOURNAL_TABLE = `CREATE TABLE journal (
     position INTEGER PRIMARY KEY,
     kind TEXT NOT NULL,
     seq INTEGER NOT NULL,
     time INTEGER NOT NULL,
     data TEXT NOT NULL,
     link TEXT NOT NULL
   ) STRICT`;

/** All but the records. `base`: position and link of the record before the first of the archive; null without an archive. */
export function imageOf(store: DatabaseSync, base: StoreImage['base'] | null): StoreImage {
  const head = store.prepare('SELECT position, link, genesis FROM head').get() as { position: number; link: string; genesis: string };
  const rows = store.prepare('SELECT key, value FROM entry ORDER BY key').all() as { key: string; value: string }[];
  const { position, link, genesis } = head;
  return { base: base ?? { position: 0, link: genesis }, position, link, values: new Map(rows.map(({ key, value }) => [key, value])) };
}
