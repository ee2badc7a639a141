/** Writes the store of a backup: all of it beside its name, then the name. A killed restore leaves no store. */
import { existsSync, linkSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { StoreError, type RecordPlace } from '../../ports/store.ts';
import { Archive } from './archive.ts';
import { sumOf, type Row } from '../journal-rows.ts';
import { COLUMNS } from './chain.ts';
import { makeFile, STORE } from './file.ts';
import { isErrno, storeErrorOf } from './sqlite-faults.ts';

export class RestoredStore {
  readonly #file: string;
  readonly #draft: string;
  readonly #base: RecordPlace;
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #put: StatementSync;
  #last: RecordPlace;
  #values = 0;

  /** `base`: the place of the last record that is not restored, because it was deleted by age. @throws StoreError */
  constructor(folder: string, base: RecordPlace) {
    this.#file = join(resolve(folder), 'store.sqlite');
    this.#draft = `${this.#file}.${process.pid}.part`;
    this.#base = base;
    this.#last = base;
    try {
      rmSync(this.#draft, { force: true });
      makeFile(this.#draft, STORE, (empty) => {
        const head = 'INSERT INTO head (one, genesis, position, link, entries, archived, archivedLink) VALUES (1, ?, ?, ?, 0, ?, ?)';
        empty.prepare(head).run(base.link, base.position, base.link, base.position, base.position === 0 ? '' : base.link);
      });
      this.#database = new DatabaseSync(this.#draft);
      this.#database.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; BEGIN EXCLUSIVE');
      this.#insert = this.#database.prepare(`INSERT INTO journal (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`);
      this.#put = this.#database.prepare('INSERT INTO entry (key, value, sum) VALUES (?, ?, ?)');
    } catch (error) {
      throw storeErrorOf(error, this.#draft);
    }
  }

  value(key: string, value: string): void {
    this.#do(() => this.#put.run(key, value, sumOf(key, value)));
    this.#values++;
  }

  record({ position, kind, seq, time, data, link }: Row): void {
    this.#do(() => this.#insert.run(position, kind, seq, time, data, link));
    this.#last = { position, link };
  }

  /** Gives the store its name, durable on return. @throws StoreError locked if there is a store by now */
  publish(): void {
    const { position, link } = this.#last;
    this.#do(() => {
      this.#database.prepare('UPDATE head SET position = ?, link = ?, entries = ?').run(position, link, this.#values);
      this.#database.exec('COMMIT');
      this.#database.close();
      // The mark of a store that is gone would say that this one is older.
      rmSync(`${this.#file.slice(0, -'sqlite'.length)}mark`, { force: true });
      if (this.#base.position > 0) Archive.make(this.#file, this.#base.position, this.#base.link).close();
      linkSync(this.#draft, this.#file);
      rmSync(this.#draft);
    });
  }

  /** Leaves nothing. */
  discard(): void {
    if (this.#database.isOpen) this.#database.close();
    for (const ending of ['', '-journal']) rmSync(`${this.#draft}${ending}`, { force: true });
  }

  #do(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (isErrno(error, 'EEXIST')) throw new StoreError('locked', `${this.#file} was made by another process meanwhile`, { cause: error });
      throw storeErrorOf(error, this.#draft);
    }
  }
}

/**
 * The file of a store in the folder, which a restore would not replace; null for none. An empty archive is left by a restore that was killed, and is
 * taken by the next one of the same backup.
 */
export function storeFileIn(folder: string, base: RecordPlace): string | null {
  const file = join(resolve(folder), 'store.sqlite');
  for (const path of [file, `${file}-wal`]) if (existsSync(path)) return path;
  const archive = Archive.pathOf(file);
  return existsSync(archive) && !isEmptyArchive(archive, base) ? archive : null;
}

function isEmptyArchive(path: string, { position, link }: RecordPlace): boolean {
  let archive: DatabaseSync | null = null;
  try {
    archive = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    const rows = archive.prepare('SELECT count(*) AS n FROM journal').get()?.['n'];
    const base = archive.prepare('SELECT position, link FROM base').get();
    return rows === 0 && base?.['position'] === position && base['link'] === link;
  } catch {
    return false;
  } finally {
    archive?.close();
  }
}
