/** Writes a store as earlier versions did: format 1 (no commit counter, no mark) and format 2 (no archive). */
import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { linkText, type JournalRecord } from '../../../src/ports/store.ts';

export function writeOldStore(
  folder: string,
  format: number,
  records: readonly JournalRecord[],
  values: Readonly<Record<string, string>>,
): void {
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(join(folder, 'store.sqlite'));
  const sha = (text: string): string => hash('sha256', text, 'base64url');
  const genesis = sha('genesis');
  const commits = format === 1 ? '' : ', commits INTEGER NOT NULL DEFAULT 0';
  database.exec(`
    PRAGMA application_id = ${0x54775374};
    PRAGMA user_version = ${format};
    CREATE TABLE journal (position INTEGER PRIMARY KEY, kind TEXT NOT NULL, seq INTEGER NOT NULL, time INTEGER NOT NULL,
      data TEXT NOT NULL, link TEXT NOT NULL) STRICT;
    CREATE TABLE entry (key TEXT PRIMARY KEY, value TEXT NOT NULL, sum TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), genesis TEXT NOT NULL, position INTEGER NOT NULL, link TEXT NOT NULL,
      entries INTEGER NOT NULL${commits}) STRICT`);
  const insert = database.prepare('INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?)');
  let link = genesis;
  for (const [k, { kind, seq, time, data }] of records.entries()) {
    const text = JSON.stringify(data);
    link = sha(linkText(link, k + 1, seq, time, text, kind));
    insert.run(k + 1, kind, seq, time, text, link);
  }
  for (const [key, value] of Object.entries(values)) {
    database.prepare('INSERT INTO entry VALUES (?, ?, ?)').run(key, value, sha(`${JSON.stringify(key)}\n${value}`));
  }
  database
    .prepare('INSERT INTO head (one, genesis, position, link, entries) VALUES (1, ?, ?, ?, ?)')
    .run(genesis, records.length, link, Object.keys(values).length);
  database.close();
}
