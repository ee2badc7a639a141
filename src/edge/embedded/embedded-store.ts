/**
 * The embedded store: a SQLite file in its own folder, through node:sqlite, and an archive beside it (archive.ts). A commit is one
 * transaction and is on the disk when it returns. The store does not interpret records and values.
 * size: one class, every method a few lines of one transaction
 */
import { hash, randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { assert } from '../../base/failure/assert.ts';
import {
  checkEntry,
  dataText,
  QUEUED_MAX,
  StoreError,
  type JournalRecord,
  type Store,
  type StoredRecord,
  type StoreImage,
} from '../../ports/store.ts';
import { Archive } from './archive.ts';
import { linkOf, READ_ROWS, recordOf, sumOf, VERIFIED_AT_OPEN, type Row } from '../journal-rows.ts';
import { COLUMNS, imageOf } from './chain.ts';
import { storeErrorOf } from './sqlite-faults.ts';
import { checkFile, makeFile, SETTINGS, shrink, STORE } from './file.ts';
import { Mark } from './mark-file.ts';

export interface EmbeddedOptions {
  /** Folder of the file `store.sqlite`. Created, readable by this user only, if it does not exist. */
  readonly folder: string;
  /** Size limit of each file in bytes. A commit that would exceed it fails with `full`. Default: no limit. */
  readonly bytesMax?: number;
  /**
   * True also opens a file that was restored to an earlier state, because the operator has accepted the loss of the later records. Default:
   * false.
   */
  readonly isRollbackAccepted?: boolean | undefined;
}

interface Queued {
  readonly record: JournalRecord;
  readonly data: string;
}

const PAGE_BYTES = 4096;
/** Readers, for example health checks, have a file that no bot has for a moment. */
const READERS_MS = 2_000;
const GONE = 'everything written from now on would be lost; inspect the folder, then start again';

/** Opens or creates the store in `folder`. @throws StoreError locked | corrupt | unsafe | unreachable | full */
export function openEmbeddedStore(options: EmbeddedOptions): Store {
  const file = join(resolve(options.folder), 'store.sqlite');
  let database: DatabaseSync | null = null;
  try {
    makeFile(file, STORE, (empty) => {
      const genesis = hash('sha256', randomUUID(), 'base64url');
      empty.prepare('INSERT INTO head (one, genesis, position, link, entries) VALUES (1, ?, 0, ?, 0)').run(genesis, genesis);
    });
    database = new DatabaseSync(file, { timeout: READERS_MS });
    for (const setting of SETTINGS) database.exec(setting);
    checkFile(database, file, STORE);
    shrink(database);
    const pages = options.bytesMax === undefined ? null : Math.floor(options.bytesMax / PAGE_BYTES);
    if (pages !== null) database.exec(`PRAGMA max_page_count = ${pages}`);
    return new EmbeddedStore(database, file, options.isRollbackAccepted ?? false, pages);
  } catch (error) {
    database?.close();
    throw storeErrorOf(error, file);
  }
}

class EmbeddedStore implements Store {
  readonly #database: DatabaseSync;
  readonly #file: string;
  readonly #begin: StatementSync;
  readonly #end: StatementSync;
  readonly #insert: StatementSync;
  readonly #upsert: StatementSync;
  readonly #setHead: StatementSync;
  readonly #rows: StatementSync;
  readonly #value: StatementSync;
  readonly #genesis: string;
  readonly #mark: Mark;
  readonly #pages: number | null;
  /** Null before the first record is archived. */
  #archive: Archive | null = null;
  /** Position and link of the last archived record; 0 and the genesis for none. */
  #archived: number;
  #archivedLink: string;
  /** Device and inode of each file when it was first seen, by path. */
  readonly #inodes = new Map<string, string>();
  #commits: number;
  /** All existing keys. The head row stores their number, so that a lost one is noticed. */
  readonly #keys = new Set<string>();
  #records: Queued[] = [];
  #values = new Map<string, string>();
  #committed = 0;
  #link: string;
  #unusable: StoreError | null = null;
  #open = true;

  constructor(database: DatabaseSync, file: string, isRollbackAccepted: boolean, pages: number | null) {
    this.#database = database;
    this.#file = file;
    this.#pages = pages;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#end = database.prepare('COMMIT');
    this.#insert = database.prepare(`INSERT INTO journal (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`);
    this.#upsert = database.prepare('INSERT OR REPLACE INTO entry (key, value, sum) VALUES (?, ?, ?)');
    this.#setHead = database.prepare('UPDATE head SET position = ?, link = ?, entries = ?, commits = ?');
    this.#rows = database.prepare(`SELECT ${COLUMNS} FROM journal WHERE position >= ? ORDER BY position LIMIT ?`);
    this.#value = database.prepare('SELECT value, sum FROM entry WHERE key = ?');
    const head = database.prepare('SELECT genesis, position, link, entries, commits, archived, archivedLink FROM head').get();
    if (head === undefined) throw this.#corrupt('its head record is missing');
    this.#genesis = head['genesis'] as string;
    this.#committed = head['position'] as number;
    this.#link = head['link'] as string;
    this.#commits = head['commits'] as number;
    this.#archived = head['archived'] as number;
    this.#archivedLink = this.#archived === 0 ? this.#genesis : (head['archivedLink'] as string);
    this.#mark = new Mark(`${file.slice(0, -'sqlite'.length)}mark`);
    if (this.#archived > 0) this.#openArchive(isRollbackAccepted);
    this.#verifyTail();
    this.#verifyEntries(head['entries'] as number);
    if (isRollbackAccepted) this.#commits = Math.max(this.#commits, this.#mark.read()?.commit ?? 0);
    else this.#verifyMark();
    this.#replacedFile();
  }

  append(record: JournalRecord): number {
    this.#check();
    assert(this.#records.length < QUEUED_MAX, `at most ${QUEUED_MAX} records wait for a commit`);
    this.#records.push({ record: { ...record }, data: dataText(record) });
    return this.#committed + this.#records.length;
  }

  put(key: string, value: string): void {
    this.#check();
    assert(this.#values.size < QUEUED_MAX, `at most ${QUEUED_MAX} values wait for a commit`);
    checkEntry(key, value);
    this.#values.set(key, value);
  }

  commit(): null {
    this.#check();
    if (this.#records.length === 0 && this.#values.size === 0) return null;
    try {
      this.#write();
    } catch (error) {
      throw this.#poison(error);
    }
    return null;
  }

  #write(): void {
    let position = this.#committed;
    let link = this.#link;
    this.#begin.run();
    for (const { record, data } of this.#records) {
      position++;
      link = linkOf(link, position, record.seq, record.time, data, record.kind);
      this.#insert.run(position, record.kind, record.seq, record.time, data, link);
    }
    for (const [key, value] of this.#values) {
      this.#upsert.run(key, value, sumOf(key, value));
      this.#keys.add(key);
    }
    this.#setHead.run(position, link, this.#keys.size, this.#commits + 1);
    this.#end.run();
    this.#commits++;
    this.#mark.write({ commit: this.#commits, position, link });
    this.#committed = position;
    this.#link = link;
    this.#records = [];
    this.#values.clear();
  }

  async get(key: string): Promise<string | null> {
    this.#check();
    const row = this.#query(() => this.#value.get(key));
    if (row === undefined) {
      if (this.#keys.has(key) && !this.#values.has(key))
        throw this.#poison(this.#corrupt(`the value of ${JSON.stringify(key)} is missing`));
      return null;
    }
    const value = row['value'] as string;
    if (row['sum'] !== sumOf(key, value)) throw this.#poison(this.#corrupt(`the value of ${JSON.stringify(key)} is damaged`));
    return value;
  }

  async image(): Promise<StoreImage> {
    this.#check();
    return this.#query(() => imageOf(this.#database, this.#archive?.base ?? null));
  }

  async *read(from: number): AsyncIterable<StoredRecord> {
    for (const row of this.#verified(Math.max(1, from))) yield recordOf(row);
  }

  async last(): Promise<number> {
    this.#check();
    return this.#committed;
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    this.#records = [];
    this.#values.clear();
    this.#database.close();
    this.#archive?.close();
    this.#mark.close();
  }

  archive(upTo: number, most: number): number {
    this.#check();
    const count = Math.min(upTo, this.#committed, this.#archived + most) - this.#archived;
    if (count <= 0) return 0;
    const rows = [
      ...this.#chained(
        this.#archived + 1,
        this.#archivedLink,
        this.#query(() => this.#rowsAt(this.#archived + 1, count)),
      ),
    ];
    const last = rows.at(-1);
    assert(last?.position === this.#archived + count, 'the oldest records of the file are all there');
    try {
      this.#archive ??= this.#newArchive();
      this.#archive.add(rows);
    } catch (error) {
      // Nothing has moved yet, and the file has all of it.
      throw storeErrorOf(error, this.#archive?.path ?? this.#file);
    }
    this.#forget(last);
    return count;
  }

  dropArchived(before: number, most: number): number {
    this.#check();
    if (this.#archive === null) return 0;
    const { position } = this.#archive.base;
    const rows = this.#archive.rows(position + 1, Math.min(this.#archived, position + most), most);
    const young = rows.findIndex(({ time }) => time >= before);
    const old = young < 0 ? rows : rows.slice(0, young);
    const last = old.at(-1);
    if (last === undefined) return 0;
    try {
      this.#archive.drop(last.position, last.link);
    } catch (error) {
      throw storeErrorOf(error, this.#archive.path);
    }
    return old.length;
  }

  /** Deletes the records up to `last`, which the archive has. If there is no room, the file stays as it was. */
  #forget({ position, link }: Row): void {
    try {
      this.#begin.run();
      this.#database.prepare('DELETE FROM journal WHERE position <= ?').run(position);
      this.#database.prepare('UPDATE head SET archived = ?, archivedLink = ?').run(position, link);
      this.#end.run();
    } catch (error) {
      const fault = storeErrorOf(error, this.#file);
      if (this.#database.isTransaction) this.#query(() => this.#database.exec('ROLLBACK'));
      throw fault.code === 'full' ? fault : this.#poison(error);
    }
    this.#archived = position;
    this.#archivedLink = link;
  }

  #newArchive(): Archive {
    const archive = Archive.make(this.#file, this.#archived, this.#archivedLink);
    if (this.#pages !== null) archive.limit(this.#pages);
    this.#replacedFile();
    return archive;
  }

  /** The archive has the last archived record, or all up to it were dropped by age. `isLossAccepted`: a new archive replaces a lost one. */
  #openArchive(isLossAccepted: boolean): void {
    const path = Archive.pathOf(this.#file);
    if (!isLossAccepted && !existsSync(path)) throw this.#corrupt(`${path}, which has its older records, is missing`);
    const archive = (this.#archive = this.#newArchive());
    const { base } = archive;
    const link = base.position === this.#archived ? base.link : (archive.rows(this.#archived, this.#archived, 1)[0]?.link ?? '');
    if (link !== this.#archivedLink) throw this.#corrupt(`${path} does not have the records that were moved there`);
  }

  async check(): Promise<void> {
    this.#check();
    const missing = this.#replacedFile();
    if (missing !== null) throw this.#poison(new StoreError('poisoned', `${missing} was deleted or replaced while the bot ran: ${GONE}`));
  }

  /**
   * Returns the path of a file that was deleted or replaced, or null. Uses only stat by name: closing a descriptor of the file would drop
   * SQLite's lock.
   */
  #replacedFile(): string | null {
    const archive = Archive.pathOf(this.#file);
    for (const path of [this.#file, `${this.#file}-wal`, this.#mark.path, archive, `${archive}-wal`]) {
      const before = this.#inodes.get(path);
      const found = statSync(path, { throwIfNoEntry: false });
      const inode = found === undefined ? '' : `${found.dev} ${found.ino}`;
      if (before === undefined && inode !== '') this.#inodes.set(path, inode);
      else if (before !== undefined && before !== inode) return path;
    }
    return null;
  }

  /** Checks that the mark belongs to this history and is not ahead of the file's last commit. */
  #verifyMark(): void {
    const marked = this.#mark.read();
    if (marked === null) {
      if (this.#commits > 0) throw this.#rolledBack(`${this.#mark.path}, which records its last commit, is missing or damaged`);
      // Write a mark before the first commit, so that a kill right after that commit leaves one.
      this.#mark.write({ commit: 0, position: this.#committed, link: this.#link });
      return;
    }
    const { commit, position, link } = marked;
    if (commit > this.#commits) throw this.#rolledBack(`it ends with commit ${this.#commits}, but commit ${commit} was made`);
    const here = position === this.#committed ? this.#link : position < this.#committed ? this.#linkBefore(position + 1) : '';
    if (here !== link) throw this.#rolledBack(`${this.#mark.path} belongs to another history`);
  }

  #rolledBack(what: string): StoreError {
    const advice = 'restore the newest copy; if it is lost, `tickwright rotate-epoch` continues with this one';
    return new StoreError('rolled-back', `${this.#file} was damaged or restored to an earlier state (${what}): ${advice}`);
  }

  /** Yields the rows from `from` on, and not from before the archive begins. Each link is verified before its row is yielded. */
  *#verified(from: number): Generator<Row> {
    this.#check();
    let next = Math.max(from, (this.#archive?.base.position ?? 0) + 1);
    let link = this.#linkBefore(next);
    while (next <= this.#committed) {
      this.#check();
      const rows = this.#query(() => this.#rowsAt(next, READ_ROWS));
      if (rows.length === 0) throw this.#poison(this.#corrupt(`record ${next} is missing`));
      for (const row of this.#chained(next, link, rows)) {
        ({ link } = row);
        next = row.position + 1;
        yield row;
      }
    }
  }

  /** At most `most` rows from `position` on, of the archive or of the file. */
  #rowsAt(position: number, most: number): Row[] {
    if (position <= this.#archived) return this.#archive!.rows(position, this.#archived, most);
    return this.#rows.all(position, most) as unknown as Row[];
  }

  /** The rows from position `next` on, each verified: it follows from the one before, whose link is given. */
  *#chained(next: number, link: string, rows: readonly Row[]): Generator<Row> {
    for (const row of rows) {
      const expected = linkOf(link, next, row.seq, row.time, row.data, row.kind);
      if (row.position !== next || row.link !== expected) {
        throw this.#poison(this.#corrupt(`record ${next} does not follow from the one before it`));
      }
      ({ link } = row);
      next++;
      yield row;
    }
  }

  #linkBefore(position: number): string {
    if (position === this.#archived + 1) return this.#archivedLink;
    const base = this.#archive?.base;
    if (position - 1 === base?.position) return base.link;
    return this.#query(() => this.#rowsAt(position - 1, 1))[0]?.link ?? '';
  }

  #verifyTail(): void {
    let link = this.#archivedLink;
    for (const row of this.#verified(Math.max(this.#archived + 1, this.#committed - VERIFIED_AT_OPEN + 1))) link = row.link;
    if (link !== this.#link) throw this.#corrupt('its last record is not the one that was committed last');
    if (this.#rows.get(this.#committed + 1, 1) !== undefined) throw this.#corrupt('it holds records that were never committed');
  }

  #verifyEntries(expected: number): void {
    let before: Buffer | null = null;
    for (const row of this.#database.prepare('SELECT key, value, sum FROM entry').iterate()) {
      const key = row['key'] as string;
      if (row['sum'] !== sumOf(key, row['value'] as string)) throw this.#corrupt(`the value of ${JSON.stringify(key)} is damaged`);
      // If pages of the file were swapped, every value is present, but a lookup misses some: so check the order too.
      const bytes = Buffer.from(key);
      if (before !== null && Buffer.compare(before, bytes) >= 0) throw this.#corrupt('its values are out of order');
      before = bytes;
      this.#keys.add(key);
    }
    if (this.#keys.size !== expected) throw this.#corrupt(`it holds ${this.#keys.size} values, but ${expected} were committed`);
  }

  #query<T>(question: () => T): T {
    try {
      return question();
    } catch (error) {
      throw this.#poison(error);
    }
  }

  #check(): void {
    if (this.#unusable !== null) {
      throw new StoreError('poisoned', `${this.#file} is no longer used since this error: ${this.#unusable.message}`, {
        cause: this.#unusable,
      });
    }
    if (!this.#open) throw new StoreError('poisoned', `${this.#file} is closed`);
  }

  /** Makes the store unusable. After a failed write the content of the disk is unknown, and a second fsync may report false success. */
  #poison(error: unknown): StoreError {
    const fault = storeErrorOf(error, this.#file);
    this.#unusable = fault;
    this.#records = [];
    this.#values.clear();
    return fault;
  }

  #corrupt(what: string): StoreError {
    return new StoreError(
      'corrupt',
      `${this.#file} is damaged (${what}): keep a copy for inspection, then restore an undamaged one or move it away and start with an empty store`,
    );
  }
}
