/**
 * A file that at most one process holds: an exclusive SQLite lock, which the kernel releases when the process ends. It works across network
 * and process namespaces (containers on one volume). Only SQLite opens the file, because closing it elsewhere would drop the lock.
 */
import { chmodSync, existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Holds the file, which is created if need be. Returns null if another process has it for longer than `waitMs`. */
export function holdFile(file: string, waitMs = 0): DatabaseSync | null {
  const database = new DatabaseSync(file, { timeout: waitMs });
  try {
    // Without a journal, which a killed process would leave beside the file.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    if (process.platform !== 'win32') chmodSync(file, 0o600);
    return database;
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
}

/** True if a process holds the file. A file that cannot be read, or is no database, is held by nobody. */
export function isFileHeld(file: string): boolean {
  if (!existsSync(file)) return false;
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: 0 });
    database.prepare('SELECT count(*) FROM sqlite_master').get();
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    database?.close();
  }
}

/** True for SQLite's result codes BUSY and LOCKED: another connection has the file. */
function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : -1;
  return code === 5 || code === 6;
}
