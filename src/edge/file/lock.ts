/**
 * One process per folder or file: a lock file that the kernel frees when its owner ends, however it ends. The number of the process in it is for the
 * message alone: after a restart of the machine or of a container another process, or a thread, may have this number.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { holdFile } from './exclusive-file.ts';

export interface FolderLock {
  release(): void;
}

/** Paths of the locks held by this process. Reading such a file here would drop its lock. */
const own = new Set<string>();

/** Where SQLite keeps `user_version` in a file: four bytes, the highest first. */
const NUMBER_AT = 60;

/** `of`: what is locked. @throws the error that `refuse` returns, if a running process holds the lock */
export function takeLock(path: string, refuse: (message: string) => Error, of = 'folder'): FolderLock {
  const held = own.has(path) ? null : hold(path);
  if (held === null) throw refuse(`the ${of} is in use by process ${holderOf(path)}; stop it first or use another ${of}`);
  own.add(path);
  return {
    release: (): void => {
      // Before the lock ends, so that nobody takes a file that is about to go. Windows removes no open file.
      if (process.platform !== 'win32') rmSync(path, { force: true });
      held.close();
      if (process.platform === 'win32') rmSync(path, { force: true });
      own.delete(path);
    },
  };
}

/** Null if another process has the file. */
function hold(path: string): DatabaseSync | null {
  // Version 0.1 wrote the number as text.
  if (existsSync(path) && /^\d+$/.test(readFileSync(path, 'latin1'))) rmSync(path, { force: true });
  const held = holdFile(path);
  // In this mode the lock outlives the transaction.
  held?.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA user_version = ${process.pid}; COMMIT`);
  if (held === null || existsSync(path)) return held;
  // Its holder removed it in between.
  held.close();
  return hold(path);
}

function holderOf(path: string): number {
  if (own.has(path)) return process.pid;
  const bytes = readFileSync(path);
  return bytes.length < NUMBER_AT + 4 ? 0 : bytes.readUInt32BE(NUMBER_AT);
}
