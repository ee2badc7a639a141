/**
 * The interface of durable storage. Appends are grouped: nothing counts as written until `commit` has returned null or its promise has
 * resolved. No command is sent before that.
 */
import { assert } from '../base/failure/assert.ts';
import { Failure } from '../base/failure/failure.ts';
import { STORE_FAILURES, type StoreErrorCode } from '../base/failure/store-failures.ts';

export type { StoreErrorCode } from '../base/failure/store-failures.ts';

export interface JournalRecord {
  /** What happened: "command", "outcome", "order", "halt", … */
  readonly kind: string;
  /** Number of the order or command concerned, 0 for none. */
  readonly seq: number;
  readonly time: number;
  /** Facts as JSON values; money and sizes are integers or decimal strings, never fractions. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface StoredRecord extends JournalRecord {
  /** Position in the journal: 1, 2, 3, … without gaps. */
  readonly position: number;
}

/** The store cannot be used any more (disk full, corrupt, another writer): no opens may be sent. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The error as a user sees it, by the table in base/failure/store-failures.ts. */
export function storeFailure(error: StoreError, where?: string): Failure {
  return new Failure(STORE_FAILURES[causeOf(error).code], { what: error.message, where }, { cause: error });
}

/** The first error of a store: what is thrown after it says only that the store is not used any more. */
export function causeOf(error: StoreError): StoreError {
  return error.code === 'poisoned' && error.cause instanceof StoreError ? causeOf(error.cause) : error;
}

/** What a store had committed at one moment, except its records, which `read` gives. */
export interface StoreImage {
  /** The last record that was deleted by age, and its link. Position 0, and the link that the first record follows, if none was. */
  readonly base: RecordPlace;
  readonly position: number;
  readonly link: string;
  readonly values: ReadonlyMap<string, string>;
}

export interface RecordPlace {
  readonly position: number;
  readonly link: string;
}

export interface Store {
  /** True while a commit waits for a server that may come back: nothing new becomes durable meanwhile. Default: never. */
  readonly isAway?: boolean;
  /** False while another process may hold the journal, or may have held it: then even durable commands must not be sent. Default: true. */
  readonly maySend?: boolean;
  /** Grows when another server takes over: commands must not be sent before ids of a new epoch are durable there. Default: 0 for ever. */
  readonly era?: number;
  /** Why what is committed may still be lost; "" if it is safe. Opening orders must not be sent meanwhile. Default: "". */
  readonly risk?: string;
  /** Queues one record. Its position is known at once, its durability only after `commit`. */
  append(record: JournalRecord): number;
  /** Queues a value under `key`, replacing the old one. It becomes durable together with the appends of the same commit: all or nothing. */
  put(key: string, value: string): void;
  /**
   * Makes everything queued durable (fsync). null = durable on return. @throws StoreError, or rejects with it; the store is unusable then
   */
  commit(): Promise<void> | null;
  /** The value under `key` as last committed, or null. */
  get(key: string): Promise<string | null>;
  /** Records from `position` on, in order; not those that were dropped. */
  read(from: number): AsyncIterable<StoredRecord>;
  /**
   * Checks that the store still exists and was not replaced or emptied. Called about once a second while idle. Rejects with StoreError; the
   * store is unusable then.
   */
  check(): Promise<void>;
  /**
   * Moves the oldest records up to position `upTo`, at most `most` of them, to the archive: a start neither reads nor checks them there, and
   * `read` gives them as before. Returns how many have moved. @throws StoreError; with code `full` nothing has moved, and the store goes on
   */
  archive?(upTo: number, most: number): number;
  /** Deletes the oldest archived records, at most `most` of them, if they are older than `before`. Returns how many. */
  dropArchived?(before: number, most: number): number;
  /** For a copy while it is used. Absent: it keeps nothing that a copy could restore. */
  image?(): Promise<StoreImage>;
  /** Position of the last committed record, 0 if empty. */
  last(): Promise<number>;
  close(): Promise<void>;
}

/** Largest number of records and values that may wait for one `commit`; more means that the caller forgot to commit. */
export const QUEUED_MAX = 100_000;

/** `record.data` as JSON text, the form that every store keeps. Asserts the requirements of every store. */
export function dataText(record: JournalRecord): string {
  assert(record.kind !== '' && record.kind.isWellFormed(), 'a journal record has a kind of well-formed text');
  assert(Number.isSafeInteger(record.seq), 'seq of a journal record is a safe integer');
  assert(Number.isSafeInteger(record.time), 'time of a journal record is a safe integer');
  return JSON.stringify(record.data);
}

/** Asserts the requirements of every store for an entry: text that survives UTF-8. */
export function checkEntry(key: string, value: string): void {
  assert(key !== '' && key.isWellFormed(), 'an entry has a key of well-formed text');
  assert(value.isWellFormed(), 'the value of an entry is well-formed text');
}

/**
 * The text whose hash links a record to the one before it. `link` and `data` have no line break and `kind` comes last, so two different
 * records never give the same text.
 */
export function linkText(link: string, position: number, seq: number, time: number, data: string, kind: string): string {
  return `${link}\n${position}\n${seq}\n${time}\n${data}\n${kind}`;
}
