/**
 * The archive beside the store: records that a start does not need, moved there from the store's file. Rows are only added at its end, and
 * the oldest are deleted by age. The store's head says how far the archive counts. What a killed process had added beyond that is not read,
 * and written again by the next move; so each record is in exactly one of the two files, whenever the process dies.
 */
import { dirname, join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { StoreError } from '../../ports/store.ts';
import type { Row } from '../journal-rows.ts';
import { COLUMNS } from './chain.ts';
import { storeErrorOf } from './sqlite-faults.ts';
import { ARCHIVE, checkFile, makeFile, SETTINGS } from './file.ts';

export class Archive {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #rows: StatementSync;
  readonly #base: StatementSync;

  private constructor(database: DatabaseSync, path: string) {
    this.path = path;
    this.#database = database;
    this.#insert = database.prepare(`INSERT OR REPLACE INTO journal (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`);
    this.#rows = database.prepare(`SELECT ${COLUMNS} FROM journal WHERE position >= ? AND position <= ? ORDER BY position LIMIT ?`);
    this.#base = database.prepare('SELECT position, link FROM base');
  }

  /** Opens or creates the archive of the store `file`. `after` and `link`: of the record before its first, if it is new. */
  static make(file: string, after: number, link: string): Archive {
    const path = Archive.pathOf(file);
    makeFile(path, ARCHIVE, (empty) => {
      empty.prepare('INSERT INTO base (position, link) VALUES (?, ?)').run(after, link);
    });
    const database = new DatabaseSync(path, { timeout: 0 });
    try {
      for (const setting of SETTINGS) database.exec(setting);
      checkFile(database, path, ARCHIVE);
      return new Archive(database, path);
    } catch (error) {
      database.close();
      throw storeErrorOf(error, path);
    }
  }

  static pathOf(file: string): string {
    return join(dirname(file), 'archive.sqlite');
  }

  /** Position and link of the record before the first. */
  get base(): { readonly position: number; readonly link: string } {
    const row = this.#base.get();
    if (row === undefined) throw new StoreError('corrupt', `${this.path} is damaged (its base is missing): restore an undamaged copy`);
    return { position: Number(row['position']), link: String(row['link']) };
  }

  /** At most `most` rows from `from` up to `to`. */
  rows(from: number, to: number, most: number): Row[] {
    return this.#rows.all(from, to, most) as unknown as Row[];
  }

  /** Adds rows, durable on return. After an error nothing of them is there. */
  add(rows: readonly Row[]): void {
    this.#transact(() => {
      for (const { position, kind, seq, time, data, link } of rows) this.#insert.run(position, kind, seq, time, data, link);
    });
  }

  /** Deletes the rows up to `position`, whose link is given. */
  drop(position: number, link: string): void {
    this.#transact(() => {
      this.#database.prepare('DELETE FROM journal WHERE position <= ?').run(position);
      this.#database.prepare('UPDATE base SET position = ?, link = ?').run(position, link);
    });
  }

  limit(pages: number): void {
    this.#database.exec(`PRAGMA max_page_count = ${pages}`);
  }

  close(): void {
    this.#database.close();
  }

  #transact(work: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}
