/** The store of backtests and tests: the guarantees of the durable stores for as long as the process lives. */
import { assert } from '../../base/failure/assert.ts';
import { checkEntry, dataText, QUEUED_MAX, StoreError, type JournalRecord, type Store, type StoredRecord } from '../../ports/store.ts';

/** The data of memory stores. A store opened later on the same disk finds what an earlier one committed. */
export class MemoryDisk {
  readonly rows: { kind: string; seq: number; time: number; data: string }[] = [];
  readonly entries = new Map<string, string>();
  /** The store that has this disk open. Setting it to null simulates a crash of that store: uncommitted data is lost. */
  holder: Store | null = null;
}

export interface MemoryOptions {
  readonly disk?: MemoryDisk;
  /** False counts records without keeping them, for long backtests whose journal nobody reads; `disk` is ignored then. Default: true. */
  readonly keep?: boolean;
}

/** Opens a memory store. @throws StoreError locked */
export function openMemoryStore(options: MemoryOptions = {}): Store {
  if (options.keep === false) return new CountingStore();
  const disk = options.disk ?? new MemoryDisk();
  if (disk.holder !== null) throw new StoreError('locked', 'this memory disk is in use by another store: close that one first');
  const store = new MemoryStore(disk);
  disk.holder = store;
  return store;
}

class MemoryStore implements Store {
  readonly #disk: MemoryDisk;
  #rows: MemoryDisk['rows'] = [];
  #entries = new Map<string, string>();

  constructor(disk: MemoryDisk) {
    this.#disk = disk;
  }

  append(record: JournalRecord): number {
    this.#check();
    assert(this.#rows.length < QUEUED_MAX, `at most ${QUEUED_MAX} records wait for a commit`);
    this.#rows.push({ kind: record.kind, seq: record.seq, time: record.time, data: dataText(record) });
    return this.#disk.rows.length + this.#rows.length;
  }

  put(key: string, value: string): void {
    this.#check();
    assert(this.#entries.size < QUEUED_MAX, `at most ${QUEUED_MAX} values wait for a commit`);
    checkEntry(key, value);
    this.#entries.set(key, value);
  }

  commit(): null {
    this.#check();
    for (const row of this.#rows) this.#disk.rows.push(row);
    for (const [key, value] of this.#entries) this.#disk.entries.set(key, value);
    this.#rows = [];
    this.#entries.clear();
    return null;
  }

  async get(key: string): Promise<string | null> {
    this.#check();
    return this.#disk.entries.get(key) ?? null;
  }

  async *read(from: number): AsyncIterable<StoredRecord> {
    for (let position = Math.max(1, from); ; position++) {
      this.#check();
      const row = this.#disk.rows[position - 1];
      if (row === undefined) return;
      const data = JSON.parse(row.data) as Record<string, unknown>;
      yield { position, kind: row.kind, seq: row.seq, time: row.time, data };
    }
  }

  async last(): Promise<number> {
    this.#check();
    return this.#disk.rows.length;
  }

  async check(): Promise<void> {
    this.#check();
  }

  async close(): Promise<void> {
    if (this.#disk.holder === this) this.#disk.holder = null;
  }

  #check(): void {
    if (this.#disk.holder !== this) throw new StoreError('poisoned', 'the memory store is closed');
  }
}

/** Keeps values and counts positions, but keeps no record; reading yields nothing. */
class CountingStore implements Store {
  readonly #entries = new Map<string, string>();
  #count = 0;

  append(): number {
    return ++this.#count;
  }

  put(key: string, value: string): void {
    this.#entries.set(key, value);
  }

  commit(): null {
    return null;
  }

  async get(key: string): Promise<string | null> {
    return this.#entries.get(key) ?? null;
  }

  async *read(): AsyncIterable<StoredRecord> {}

  async last(): Promise<number> {
    return this.#count;
  }

  async check(): Promise<void> {}

  async close(): Promise<void> {}
}
