/** Converts errors of SQLite and the file system to StoreError. Each message names the file and what to do. */
import { StoreError } from '../../ports/store.ts';

/** Primary result codes (the low byte of SQLite's extended codes). */
const ERROR = 1;
const BUSY = 5;
const LOCKED = 6;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const CONSTRAINT = 19;
const NOTADB = 26;

/** Returns a StoreError for any error from opening, reading or writing `file`. A StoreError is returned unchanged. */
export function storeErrorOf(error: unknown, file: string): StoreError {
  if (error instanceof StoreError) return error;
  const options = { cause: error };
  const detail = error instanceof Error ? error.message : String(error);
  switch (resultCodeOf(error)) {
    case BUSY:
    case LOCKED:
      return new StoreError('locked', `${file} is in use by another process: stop that bot, or give this one a folder of its own`, options);
    case ERROR: // Our statements do not fit the tables: the file's schema was changed.
    case CONSTRAINT:
    case CORRUPT:
    case NOTADB:
      return new StoreError(
        'corrupt',
        `${file} is damaged (${detail}): restore an undamaged copy, or move it away and start with an empty store`,
        options,
      );
    case FULL:
      return new StoreError('full', `${file} cannot grow (${detail}): free space on its disk, then start again`, options);
    case CANTOPEN:
      return new StoreError('unreachable', `${file} cannot be opened (${detail}): check that the folder exists and is writable`, options);
  }
  if (isErrno(error, 'ENOSPC'))
    return new StoreError('full', `${file} cannot be created (${detail}): free space on its disk, then start again`, options);
  if (isErrno(error))
    return new StoreError('unreachable', `${file} cannot be created (${detail}): check the folder and its permissions`, options);
  return new StoreError('poisoned', `${file} failed (${detail}): check the disk, then start again`, options);
}

/** True for an error of the operating system. With `code`, only for that error code. */
export function isErrno(error: unknown, code?: string): boolean {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return false;
  return code === undefined || error.code === code;
}

function resultCodeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : -1;
}
