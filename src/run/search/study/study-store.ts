/**
 * The file of a study: one SQLite database through node:sqlite. It has the identity of the study, and every outcome as soon as it is
 * known. A study that was killed is repeated from the file: the sampler chooses the same points, and only missing outcomes are run.
 */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Failure } from '../../../base/failure/failure.ts';
import { takeLock, type FolderLock } from '../../../edge/file/lock.ts';
import type { StudyPace } from '../../../search/study/time-left.ts';
import type { Constraint, Objective, Outcome } from '../../../search/trial.ts';

/** "TwSu": identifies the file as a study of Tickwright. */
const APPLICATION_ID = 0x54775375;
const FORMAT = 1;

/** A commit survives a killed process. After a power cut the last trials may be missing; they are run again. */
const SETTINGS: readonly string[] = ['PRAGMA journal_mode = WAL', 'PRAGMA synchronous = NORMAL'];

const SCHEMA: readonly string[] = [
  'BEGIN EXCLUSIVE',
  'CREATE TABLE identity (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID',
  `CREATE TABLE outcome (
     trial INTEGER NOT NULL,
     rung INTEGER NOT NULL,
     params TEXT NOT NULL,
     outcome TEXT NOT NULL,
     ms REAL NOT NULL,
     ended_at INTEGER NOT NULL DEFAULT 0,
     PRIMARY KEY (trial, rung)
   ) STRICT`,
  `PRAGMA application_id = ${APPLICATION_ID}`,
  `PRAGMA user_version = ${FORMAT}`,
  'COMMIT',
];

/** What identifies a study (strategy, tape and so on), each part as text. A study is continued only if all parts are the same. */
export type Identity = Readonly<Record<string, string>>;

/** What a study searches. */
export interface StudySubject {
  readonly strategy: string;
  readonly tape: string;
  readonly sampler: string;
  readonly objectives: readonly Objective[];
  readonly constraints: readonly Constraint[];
  /** Shares of the tape that a trial runs on, one after the other. */
  readonly rungs: number;
}

export interface KeptPace extends StudyPace {
  readonly startedAt: number;
  readonly at: number;
  readonly isComplete: boolean;
}

/** Tables of one row with one text. */
type KeptText = 'command' | 'subject' | 'pace' | 'result';

interface Row {
  readonly params: string;
  readonly outcome: string;
}

export class StudyStore {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #select: StatementSync;
  readonly #file: string;
  #lock: FolderLock | null = null;

  /** Opens or makes the file. ":memory:" keeps nothing. @throws Failure if it is no study, or one of something else */
  constructor(file: string, identity: Identity) {
    this.#file = file;
    const isNew = file === ':memory:' || !existsSync(file);
    try {
      this.#db = new DatabaseSync(file, { timeout: 2_000 });
      if (!isNew) this.#check();
      for (const setting of SETTINGS) this.#db.exec(setting);
      if (isNew || this.#pragma('user_version') === 0) for (const line of SCHEMA) this.#db.exec(line);
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw unusable(file, (error as Error).message, error);
    }
    this.#claim(identity);
    this.#addTimes();
    this.#insert = this.#db.prepare('INSERT OR REPLACE INTO outcome VALUES (?, ?, ?, ?, ?, ?)');
    this.#select = this.#db.prepare('SELECT params, outcome FROM outcome WHERE trial = ? AND rung = ?');
  }

  /** The outcome of a run that was kept. @throws Failure if the file has it for other parameters */
  outcome(trial: number, rung: number, params: string): Outcome | null {
    const row = this.#select.get(trial, rung) as Row | undefined;
    if (row === undefined) return null;
    if (row.params === params) return JSON.parse(row.outcome) as Outcome;
    throw unusable(this.#file, `trial ${trial} has the parameters ${row.params}, expected ${params}`);
  }

  keep(trial: number, rung: number, params: string, outcome: Outcome, ms: number): void {
    this.#insert.run(trial, rung, params, JSON.stringify(outcome), ms, Date.now());
  }

  /** Keeps what is searched, for pages that show it while it runs. */
  keepSubject(subject: StudySubject): void {
    this.#keepText('subject', JSON.stringify(subject));
  }

  /** Keeps how far the search is, for the same pages. */
  keepPace(pace: KeptPace): void {
    this.#keepText('pace', JSON.stringify(pace));
  }

  /** Keeps how the search was asked for, for `optimize --resume`. */
  keepCommand(json: string): void {
    this.#keepText('command', json);
  }

  /** Keeps the result of a complete search, for those who read the file later. */
  keepResult(json: string): void {
    this.#keepText('result', json);
  }

  /** Keeps other searches off the file until it is closed. @throws Failure if one has it */
  lock(): void {
    if (this.#file === ':memory:') return;
    const refused = (what: string): Failure => new Failure('study-in-use', { what, where: this.#file });
    this.#lock = takeLock(`${resolve(this.#file)}.lock`, refused, 'study');
  }

  close(): void {
    this.#db.close();
    this.#lock?.release();
  }

  /** One text in a table of its own. */
  #keepText(table: KeptText, json: string): void {
    this.#db.exec(`CREATE TABLE IF NOT EXISTS ${table} (json TEXT NOT NULL) STRICT`);
    this.#db.exec('BEGIN');
    this.#db.exec(`DELETE FROM ${table}`);
    this.#db.prepare(`INSERT INTO ${table} VALUES (?)`).run(json);
    this.#db.exec('COMMIT');
  }

  /** Writes the identity of a new study, or compares that of an old one. */
  #claim(identity: Identity): void {
    const rows = this.#db.prepare('SELECT name, value FROM identity').all() as unknown as readonly { name: string; value: string }[];
    if (rows.length === 0) {
      const insert = this.#db.prepare('INSERT INTO identity VALUES (?, ?)');
      this.#db.exec('BEGIN');
      for (const [name, value] of Object.entries(identity)) insert.run(name, value);
      this.#db.exec('COMMIT');
      return;
    }
    const kept = new Map(rows.map(({ name, value }) => [name, value]));
    const names = new Set([...kept.keys(), ...Object.keys(identity)]);
    const problems = [...names]
      .filter((name) => kept.get(name) !== identity[name])
      .map((name) => ({
        what: `${name}: the study has ${kept.get(name) ?? 'none'}, found ${identity[name] ?? 'none'}`,
        where: this.#file,
      }));
    if (problems.length === 0) return;
    this.#db.close();
    const hint = 'use what the study was begun with, or name another file';
    throw new Failure(
      'study-different',
      problems.map((problem, at) => (at === problems.length - 1 ? { ...problem, hint } : problem)),
    );
  }

  #check(): void {
    const [id, format] = [this.#pragma('application_id'), this.#pragma('user_version')];
    // A process that was killed before the tables were written left an empty database.
    if (id === 0 && format === 0 && this.#isEmpty()) return;
    if (id !== APPLICATION_ID) throw unusable(this.#file, 'the file is no study of tickwright');
    if (format !== FORMAT) throw unusable(this.#file, `expected format ${FORMAT} of a study, found ${format}`);
  }

  /** The first studies had no times of their outcomes. */
  #addTimes(): void {
    const columns = this.#db.prepare('PRAGMA table_info(outcome)').all();
    if (columns.every(({ name }) => name !== 'ended_at'))
      this.#db.exec('ALTER TABLE outcome ADD COLUMN ended_at INTEGER NOT NULL DEFAULT 0');
  }

  #isEmpty(): boolean {
    const { count } = this.#db.prepare('SELECT count(*) AS count FROM sqlite_schema').get() as { count: number };
    return count === 0;
  }

  #pragma(name: 'application_id' | 'user_version'): number {
    return Number(Object.values(this.#db.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  }
}

/** The first bytes of every SQLite file. */
const MAGIC = 'SQLite format 3\0';

/** True if a file is a database, and so no JSON. @throws Error if it cannot be read */
export function isStudy(file: string): boolean {
  const head = Buffer.alloc(MAGIC.length);
  const from = openSync(file, 'r');
  try {
    readSync(from, head);
  } finally {
    closeSync(from);
  }
  return head.toString('latin1') === MAGIC;
}

/** What a complete search left in its file. */
export interface StoredResult {
  readonly json: string;
  /** The tape as the study identifies it. */
  readonly tape: string;
}

/** @throws Failure if the search is not complete, or the file is no study */
export function storedResult(file: string): StoredResult {
  return readStudy(file, (db) => {
    const json = textIn(db, 'result');
    if (json === null) {
      throw unreadable(
        file,
        'the study is not complete, so it has no result yet',
        'run the same optimize command again, or tickwright optimize --resume FILE; it goes on where it stopped',
      );
    }
    const { value } = db.prepare("SELECT value FROM identity WHERE name = 'tape'").get() as { value: string };
    return { json, tape: value };
  });
}

/** How the search of a study was asked for; null in a study of an older version. @throws Failure if the file is no study */
export function storedCommand(file: string): string | null {
  return readStudy(file, (db) => textIn(db, 'command'));
}

export function textIn(db: DatabaseSync, table: KeptText): string | null {
  const isThere = db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined;
  const row = isThere ? (db.prepare(`SELECT json FROM ${table}`).get() as { json: string } | undefined) : undefined;
  return row?.json ?? null;
}

/** Reads a study, which a search may be writing. @throws Failure if the file is no study */
export function readStudy<T>(file: string, read: (db: DatabaseSync) => T): T {
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(readOnly(file), { readOnly: true });
    const { application_id: id } = db.prepare('PRAGMA application_id').get() as { application_id: number };
    if (id !== APPLICATION_ID) throw unreadable(file, 'expected a study, found a database of something else');
    return read(db);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw unreadable(file, (error as Error).message);
  } finally {
    db?.close();
  }
}

/** A study that nobody writes is complete in its file: read so, SQLite leaves no files beside it. */
function readOnly(file: string): string | URL {
  if (existsSync(`${file}-wal`)) return file;
  const url = pathToFileURL(file);
  url.search = '?immutable=1';
  return url;
}

function unreadable(file: string, what: string, hint?: string): Failure {
  return new Failure('report-unreadable', { what, where: file, hint });
}

function unusable(file: string, what: string, cause?: unknown): Failure {
  const hint = 'name another file with --study; the search then begins again';
  return new Failure('study-unusable', { what, where: file, hint }, cause === undefined ? undefined : { cause });
}
