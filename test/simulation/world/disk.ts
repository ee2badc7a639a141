/** A disk that keeps what was synced, and the journal on it: a commit takes its time, and a crash leaves all of it or nothing. */
import { dataText, StoreError, type JournalRecord, type Store, type StoredRecord } from '../../../src/ports/store.ts';

interface Row {
  readonly kind: string;
  readonly seq: number;
  readonly time: number;
  readonly data: string;
}

/** What survives. */
export class Disk {
  rows: Row[] = [];
  entries = new Map<string, string>();
  /** As it was after each commit. */
  readonly #past: { readonly rows: Row[]; readonly entries: Map<string, string> }[] = [];

  write(rows: readonly Row[], entries: ReadonlyMap<string, string>): void {
    this.#past.push({ rows: this.rows, entries: this.entries });
    this.rows = [...this.rows, ...rows];
    this.entries = new Map([...this.entries, ...entries]);
  }

  /** Puts it back by so many commits. False when it is not that old: then nothing changes. */
  restore(commits: number): boolean {
    const past = this.#past.at(-commits);
    // The first commit holds the epochs: without it this is another journal.
    if (past === undefined || past.entries.size === 0) return false;
    this.#past.length -= commits;
    this.rows = past.rows;
    this.entries = past.entries;
    return true;
  }
}

/** What the store asks of the world around it. */
export interface DiskEvents {
  /** Time that a sync takes; 0: the commit is durable on return. */
  readonly commitMs: number;
  readonly after: (ms: number, run: () => void) => void;
  /** A sync begins, and one has ended. The process may die there. */
  readonly onCommit: () => void;
  readonly onDurable: () => void;
}

export class DiskStore implements Store {
  readonly #disk: Disk;
  readonly #events: DiskEvents;
  #rows: Row[] = [];
  #entries = new Map<string, string>();
  /** The sync that runs. */
  #syncing: { readonly rows: Row[]; readonly entries: Map<string, string> } | null = null;
  #isDead = false;

  constructor(disk: Disk, events: DiskEvents) {
    this.#disk = disk;
    this.#events = events;
  }

  append({ kind, seq, time, data }: JournalRecord): number {
    this.#rows.push({ kind, seq, time, data: dataText({ kind, seq, time, data }) });
    return this.#disk.rows.length + (this.#syncing?.rows.length ?? 0) + this.#rows.length;
  }

  put(key: string, value: string): void {
    this.#entries.set(key, value);
  }

  commit(): Promise<void> | null {
    const { commitMs, after, onCommit, onDurable } = this.#events;
    const batch = { rows: this.#rows, entries: this.#entries };
    this.#rows = [];
    this.#entries = new Map();
    this.#syncing = batch;
    onCommit();
    if (this.#isDead || commitMs > 0) {
      return new Promise((resolve) => {
        after(commitMs, () => {
          if (this.#isDead) return;
          this.#sync();
          onDurable();
          resolve();
        });
      });
    }
    this.#sync();
    onDurable();
    return null;
  }

  /** The process dies. `kept`: the disk has taken the whole sync that ran, else its torn tail is cut off. */
  crash(kept: boolean): void {
    if (kept && this.#syncing !== null) this.#sync();
    this.#isDead = true;
  }

  async get(key: string): Promise<string | null> {
    return this.#disk.entries.get(key) ?? null;
  }

  async *read(from: number): AsyncIterable<StoredRecord> {
    for (let position = Math.max(1, from); position <= this.#disk.rows.length; position++) {
      const { kind, seq, time, data } = this.#disk.rows[position - 1]!;
      yield { position, kind, seq, time, data: JSON.parse(data) as Record<string, unknown> };
    }
  }

  async last(): Promise<number> {
    return this.#disk.rows.length;
  }

  async check(): Promise<void> {
    if (this.#isDead) throw new StoreError('poisoned', 'the process is dead');
  }

  async close(): Promise<void> {}

  #sync(): void {
    const { rows, entries } = this.#syncing!;
    this.#syncing = null;
    this.#disk.write(rows, entries);
  }
}
