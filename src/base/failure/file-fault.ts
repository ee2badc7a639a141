/**
 * What an error of the operating system, or of SQLite, on a file means. One table for stores, locks, markers and commands, so that the same
 * cause has the same end everywhere.
 *
 * locked: another process has the file. full: there is no room, or a quota or size limit is reached. away: it may work at the next try.
 * refused: permissions or the path must be changed. damaged: the content is not what was written.
 */
export type FileFault = 'locked' | 'full' | 'away' | 'refused' | 'damaged';

const BY_ERRNO: ReadonlyMap<string, FileFault> = new Map([
  ...(['ENOSPC', 'EDQUOT', 'EFBIG'] as const).map((code) => [code, 'full'] as const),
  ...(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG'] as const).map((code) => [code, 'refused'] as const),
]);

/** Primary result codes (the low byte of SQLite's extended codes). */
const BY_SQLITE: ReadonlyMap<number, FileFault> = new Map([
  [1, 'damaged'], // ERROR: our statements do not fit the tables, so the file's schema was changed.
  [3, 'refused'], // PERM
  [5, 'locked'], // BUSY
  [6, 'locked'], // LOCKED
  [7, 'away'], // NOMEM
  [8, 'refused'], // READONLY
  [10, 'away'], // IOERR
  [11, 'damaged'], // CORRUPT
  [13, 'full'], // FULL
  [14, 'away'], // CANTOPEN
  [19, 'damaged'], // CONSTRAINT
  [23, 'refused'], // AUTH
  [26, 'damaged'], // NOTADB
]);

/** SQLite's IOERR_WRITE: a quota or size limit. It reports a full disk as FULL, and any other refused write like this. */
const REFUSED_WRITE = 778;

/** null for an error of another origin. */
export function fileFaultOf(error: unknown): FileFault | null {
  if (!(error instanceof Error)) return null;
  if ('errcode' in error && typeof error.errcode === 'number') {
    if (error.errcode === REFUSED_WRITE) return 'full';
    return BY_SQLITE.get(error.errcode & 0xff) ?? null;
  }
  if ('syscall' in error && 'code' in error) return BY_ERRNO.get(String(error.code)) ?? 'away';
  return null;
}
