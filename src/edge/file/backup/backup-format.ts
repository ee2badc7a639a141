/**
 * The form of a backup: gzip of JSON lines. The first line says what it is of, then come the values of the store, then its records, and the last
 * line has the sums. A file without its last line is no backup.
 */
import type { RecordPlace } from '../../../ports/store.ts';

/** Raise it when a version before would lose or misread what this one writes. */
export const BACKUP_VERSION = 1;

export interface BackupHead {
  readonly tickwright: 'backup';
  readonly version: number;
  /** Version of the program that made it. */
  readonly program: string;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  readonly bot: string;
  /** Kind of the store, and whether the bot ran. */
  readonly store: 'embedded' | 'redis';
  readonly isRunning: boolean;
  /** The last record of which the store was before, and the last that is here. */
  readonly base: RecordPlace;
  readonly last: RecordPlace;
  /** Number of values. */
  readonly values: number;
  /** Files that the bot needs and that are not in the backup. */
  readonly files: readonly NamedFile[];
  /** Halts that people asked for and that no bot has taken yet. */
  readonly requests: readonly object[];
}

/** A file that is named, so that a person can tell whether it is the same one elsewhere. */
export interface NamedFile {
  readonly path: string;
  readonly bytes: number;
  /** Hexadecimal; "" where nothing is read. */
  readonly sha256: string;
  /** Why nothing is read: a file of secrets, a folder, it is not there, or closes of a watchdog that no bot has taken over. Absent in older files. */
  readonly is?: 'secret' | 'folder' | 'missing' | 'closes';
}

/** [key, text] */
export type ValueLine = readonly ['value', string, string];
/** [position, seq, time, data, kind] */
export type RecordLine = readonly ['record', number, number, number, Readonly<Record<string, unknown>>, string];

export interface BackupEnd {
  readonly end: true;
  readonly values: number;
  readonly records: number;
  /** SHA-256 of all text before this line, hexadecimal. */
  readonly sha256: string;
}
