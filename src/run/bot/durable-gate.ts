/**
 * The one wait between a command and the venue: what the journal holds of it must be durable before a byte leaves. Cancels do not
 * wait: they lower risk, may be repeated, and nothing is lost when their record is. When the journal cannot be written any more,
 * cancels alone leave.
 */
import { isCancel } from '../../domain/command-traits.ts';
import type { Approved, Command } from '../../domain/command.ts';
import type { Inbox, Query, Venue } from '../../ports/venue.ts';
import type { JournalRecord, Store } from '../../ports/store.ts';

export class DurableGate implements Venue {
  readonly #store: Store;
  readonly #venue: Venue;
  readonly #inbox: Pick<Inbox, 'unsent'>;
  /** Commands whose records the commit that runs covers, and those that wait for the one after it. */
  #covered: Approved<Command>[] = [];
  #waiting: Approved<Command>[] = [];
  #position: number;
  /** Place of the newest durable record. */
  #durable: number;
  #isDirty = false;
  #commit: Promise<void> | null = null;
  #failure: unknown = null;

  /** Commands go on to `venue`; those that must not leave come back to `inbox` as unsent. `position` is the journal's end. */
  constructor(store: Store, position: number, venue: Venue, inbox: Pick<Inbox, 'unsent'>) {
    this.#store = store;
    this.#position = position;
    this.#durable = position;
    this.#venue = venue;
    this.#inbox = inbox;
  }

  /** What made the journal unusable, or null. */
  get failure(): unknown {
    return this.#failure;
  }

  /** True when all that was queued is durable. */
  get isSettled(): boolean {
    return this.#commit === null && !this.#isDirty && this.#failure === null;
  }

  /** Commands that wait for a store that is away come back as unsent: what was decided before may be wrong when it returns. */
  dropWaiting(): void {
    const dropped = [...this.#covered, ...this.#waiting];
    this.#covered = [];
    this.#waiting = [];
    for (const { seq } of dropped) this.#inbox.unsent(seq, 'journal-away');
  }

  /** The store was found unusable by somebody else: nothing that needs the journal leaves any more. */
  fail(error: unknown): void {
    this.#failure ??= error;
  }

  /** Place of the newest record in the journal, whether durable yet or not. */
  get position(): number {
    return this.#position;
  }

  /** Queues a record for the next commit. */
  append(record: JournalRecord): void {
    this.#queue(() => {
      this.#position = this.#store.append(record);
    });
  }

  /** Queues a value for the next commit. */
  put(key: string, value: string): void {
    this.#queue(() => this.#store.put(key, value));
  }

  execute(command: Approved<Command>): void {
    if (isCancel(command.kind)) this.#venue.execute(command);
    else if (this.#isDirty || this.#failure !== null) this.#waiting.push({ ...command });
    else if (this.#commit !== null) this.#covered.push({ ...command });
    else this.#send(command);
  }

  /** Asked right before it leaves: the process may have slept since the commit. */
  #send(command: Approved<Command>): void {
    if (this.#store.maySend === false) this.#inbox.unsent(command.seq, 'lease-over');
    else this.#venue.execute(command);
  }

  query(query: Query): void {
    this.#venue.query(query);
  }

  /**
   * Makes what was queued durable, then lets the commands go that waited for it. null when nothing is left to wait for on return,
   * else a promise after which `flush` is to be called again; it never rejects: see `failure`.
   */
  flush(): Promise<void> | null {
    if (this.#commit !== null) return this.#commit;
    this.#covered = this.#waiting;
    this.#waiting = [];
    if (this.#failure === null && this.#isDirty) {
      this.#isDirty = false;
      try {
        const written = this.#store.commit();
        const { position } = this;
        if (written !== null) return (this.#commit = this.#finish(written, position));
        this.#durable = position;
      } catch (error) {
        this.#failure = error;
      }
    }
    this.#release();
    return null;
  }

  /** Resolves when all that is queued by now is durable, or the journal has failed: true when it is durable. */
  async durable(): Promise<boolean> {
    const { position } = this;
    while (this.#failure === null && (this.#durable < position || this.#isDirty)) {
      const pending = this.flush();
      if (pending === null) break;
      await pending;
      if (this.#durable >= position) break;
    }
    return this.#failure === null;
  }

  /** Resolves when nothing that was queued waits any more. */
  async settled(): Promise<void> {
    for (let pending = this.flush(); pending !== null; pending = this.flush()) await pending;
  }

  /** A store that has failed before (a lease taken over, a server that forgot) says so at the first touch. */
  #queue(write: () => void): void {
    this.#isDirty = true;
    if (this.#failure !== null) return;
    try {
      write();
    } catch (error) {
      this.#failure = error;
    }
  }

  async #finish(written: Promise<void>, position: number): Promise<void> {
    try {
      await written;
      this.#durable = position;
    } catch (error) {
      this.#failure = error;
    }
    this.#commit = null;
    this.#release();
  }

  #release(): void {
    const released = this.#covered;
    this.#covered = [];
    for (const command of released) {
      if (this.#failure === null) this.#send(command);
      else this.#inbox.unsent(command.seq, 'journal-not-durable');
    }
  }
}
