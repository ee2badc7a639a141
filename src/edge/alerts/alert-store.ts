/**
 * Stores what the monitor remembers of alerts, in a file of SQLite beside the store of the bot: the alerts that hold, what was told to
 * whom, and by the minute what could have been told. Rows are dropped after 90 days.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { PastRow } from '../../base/tables/alert-rules.ts';
import type { AlertMessage } from '../../ports/alert-channel.ts';

const KEEP_MS = 90 * 86_400_000;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS kept (name TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS told (number INTEGER PRIMARY KEY, time INTEGER NOT NULL, recipients TEXT NOT NULL, message TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS told_time ON told (time);
CREATE TABLE IF NOT EXISTS delivery (
  told INTEGER NOT NULL, channel TEXT NOT NULL, fate TEXT NOT NULL, time INTEGER NOT NULL, cause TEXT NOT NULL, tries INTEGER NOT NULL,
  PRIMARY KEY (told, channel)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS past (
  minute INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, cause TEXT NOT NULL, at INTEGER NOT NULL, ms INTEGER NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY (minute, kind, name, cause)
) STRICT, WITHOUT ROWID;`;

export interface ToldRow {
  readonly number: number;
  readonly time: number;
  readonly message: AlertMessage;
  /** What became of it, by channel. `waiting` while it is on its way. */
  readonly deliveries: readonly {
    readonly channel: string;
    readonly fate: string;
    readonly time: number;
    readonly cause: string;
    readonly tries: number;
  }[];
}

export class AlertStore {
  readonly #file: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /** Opens the file, and makes it if it is not there. `isReadOnly`: for a look at it from another process. @throws Error of SQLite */
  constructor(file: string, isReadOnly = false) {
    this.#file = new DatabaseSync(file, { readOnly: isReadOnly, timeout: 2_000 });
    if (!isReadOnly) this.#file.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${SCHEMA}`);
  }

  /** What was kept under the name; null for nothing. */
  kept(name: string): string | null {
    return (this.#run('SELECT json FROM kept WHERE name = ?').get(name)?.['json'] as string | undefined) ?? null;
  }

  keep(name: string, json: string): void {
    this.#run('INSERT INTO kept VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET json = excluded.json').run(name, json);
  }

  /** Writes down a message and to whom it goes, before it is sent. Returns its number. */
  tell(message: AlertMessage, recipients: readonly string[]): number {
    const { lastInsertRowid } = this.#run('INSERT INTO told (time, recipients, message) VALUES (?, ?, ?)').run(
      message.time,
      JSON.stringify(recipients),
      JSON.stringify(message),
    );
    const number = Number(lastInsertRowid);
    for (const channel of recipients) this.deliver(number, channel, { fate: 'waiting', time: message.time, cause: '', tries: 0 });
    return number;
  }

  /** Writes down what became of a message in one channel. */
  deliver(
    number: number,
    channel: string,
    { fate, time, cause, tries }: { fate: string; time: number; cause: string; tries: number },
  ): void {
    this.#run('INSERT OR REPLACE INTO delivery VALUES (?, ?, ?, ?, ?, ?)').run(number, channel, fate, time, cause, tries);
  }

  /** Messages of which nothing is known in a channel: a monitor that ended had them in its queue. */
  waiting(): readonly { readonly number: number; readonly channel: string; readonly message: AlertMessage }[] {
    const rows = this.#run(
      "SELECT told, channel, message FROM delivery JOIN told ON number = told WHERE fate = 'waiting' ORDER BY told",
    ).all();
    return rows.map(({ told, channel, message }) => {
      return { number: told as number, channel: channel as string, message: JSON.parse(message as string) as AlertMessage };
    });
  }

  /** The newest messages, oldest first. */
  told(last: number): readonly ToldRow[] {
    const rows = this.#run('SELECT * FROM (SELECT * FROM told ORDER BY number DESC LIMIT ?) ORDER BY number').all(last);
    return rows.map(({ number, time, message }) => ({
      number: number as number,
      time: time as number,
      message: JSON.parse(message as string) as AlertMessage,
      deliveries: this.#run('SELECT channel, fate, time, cause, tries FROM delivery WHERE told = ? ORDER BY channel').all(
        number as number,
      ) as unknown as ToldRow['deliveries'],
    }));
  }

  /** Adds what was seen in one minute. */
  note(rows: readonly PastRow[]): void {
    this.#file.exec('BEGIN');
    for (const { minute, kind, name, cause, at, ms, count } of rows) {
      this.#run('INSERT OR REPLACE INTO past VALUES (?, ?, ?, ?, ?, ?, ?)').run(minute, kind, name, cause, at, ms, count);
    }
    this.#file.exec('COMMIT');
  }

  /** What was seen since a time, oldest first. */
  past(from: number): readonly PastRow[] {
    return this.#run('SELECT * FROM past WHERE minute >= ? ORDER BY minute, at').all(from - (from % 60_000)) as unknown as PastRow[];
  }

  /** Drops what is older than 90 days. */
  prune(now: number): void {
    this.#run('DELETE FROM past WHERE minute < ?').run(now - KEEP_MS);
    this.#run('DELETE FROM delivery WHERE told IN (SELECT number FROM told WHERE time < ?)').run(now - KEEP_MS);
    this.#run('DELETE FROM told WHERE time < ?').run(now - KEEP_MS);
  }

  close(): void {
    this.#file.close();
  }

  #run(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.#file.prepare(sql)));
    return statement;
  }
}
