/**
 * Durable state. Appends are grouped: nothing counts as written until `commit` has returned null or its promise has resolved,
 * and no command's bytes leave before that.
 */
export interface JournalRecord {
  /** What happened: "command", "outcome", "order", "halt", … */
  readonly kind: string;
  /** Number of the order or command it is about, 0 when it is about none. */
  readonly seq: number;
  readonly time: number;
  /** Facts as JSON values; money and sizes are integers or decimal strings, never fractions. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface StoredRecord extends JournalRecord {
  /** Place in the journal: 1, 2, 3, … without a gap. */
  readonly position: number;
}

export type StoreErrorCode = 'locked' | 'full' | 'corrupt' | 'unreachable' | 'unsafe' | 'poisoned';

/** The store cannot be trusted or used any more (disk full, corrupt, another writer): no opens may leave. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export interface Store {
  /** Queues one record; its position is known at once, its durability only after `commit`. */
  append(record: JournalRecord): number;
  /** Queues a value under `key` (replaces). Same durability as appends of the same commit: all or nothing. */
  put(key: string, value: string): void;
  /** Makes all that was queued durable (fsync). null = durable on return. @throws StoreError, or rejects with it; the store is poisoned then */
  commit(): Promise<void> | null;
  /** The value under `key` as last committed, or null. */
  get(key: string): Promise<string | null>;
  /** Records from `position` on, in order. */
  read(from: number): AsyncIterable<StoredRecord>;
  /** Position of the last committed record, 0 when empty. */
  last(): Promise<number>;
  close(): Promise<void>;
}
