/** Records of a store file: rows in order, each with the hash that links it to the one before. */
import { hash } from 'node:crypto';
import type { StoredRecord } from '../../ports/store.ts';

export interface Row {
  readonly position: number;
  readonly kind: string;
  readonly seq: number;
  readonly time: number;
  readonly data: string;
  readonly link: string;
}

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

export function recordOf({ position, kind, seq, time, data }: Omit<Row, 'link'>): StoredRecord {
  return { position, kind, seq, time, data: JSON.parse(data) as Record<string, unknown> };
}

/** The sum that is kept beside a value. */
export function sumOf(key: string, value: string): string {
  return hash('sha256', `${JSON.stringify(key)}\n${value}`, 'base64url');
}
