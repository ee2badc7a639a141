/** Converts errors of SQLite and the file system to StoreError. Each message names the file and what to do. */
import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileFaultOf, type FileFault } from '../../base/failure/file-fault.ts';
import { messageOf } from '../../base/failure/message-of.ts';
import { StoreError, type StoreErrorCode } from '../../ports/store.ts';

/** What each fault of the file is for the store, and what the message says. */
const ROWS: Readonly<Record<FileFault, readonly [code: StoreErrorCode, what: string, advice: string]>> = {
  locked: ['locked', 'is in use by another process', 'stop that bot, or give this one a folder of its own'],
  full: ['full', 'cannot be written', 'free space on its disk, then start again'],
  away: ['unreachable', 'cannot be used now', 'check its disk, then start again'],
  refused: ['refused', 'cannot be opened or written', 'check the folder and its permissions'],
  damaged: ['corrupt', 'is damaged', 'restore an undamaged copy, or move it away and start with an empty store'],
};

/** Returns a StoreError for any error from opening, reading or writing `file`. A StoreError is returned unchanged. */
export function storeErrorOf(error: unknown, file: string): StoreError {
  if (error instanceof StoreError) return error;
  const options = { cause: error };
  const detail = messageOf(error);
  const fault = fileFaultOf(error);
  if (fault === null) return new StoreError('poisoned', `${file} failed (${detail}): check the disk, then start again`, options);
  const [code, what, advice] = ROWS[fault === 'away' && !mayWrite(file) ? 'refused' : fault];
  return new StoreError(code, `${file} ${what} (${detail}): ${advice}`, options);
}

/** False if this user may not write the file, or it is no file: SQLite says only that it cannot open it. */
function mayWrite(file: string): boolean {
  try {
    accessSync(dirname(file), constants.W_OK | constants.X_OK);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found !== undefined) accessSync(file, constants.R_OK | constants.W_OK);
    return found === undefined || found.isFile();
  } catch (error) {
    return fileFaultOf(error) !== 'refused';
  }
}

/** True for the error `code` of the operating system. */
export function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'syscall' in error && 'code' in error && error.code === code;
}
