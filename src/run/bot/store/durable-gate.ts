/**
 * The durable gate between order throttle and venue. A command leaves only after its journal record is durable. Cancels do not wait: they lower
 * risk and can be repeated, and a lost record does no harm. If the journal can no longer be written, only cancels leave.
 */
import { isCancel, laneOf, OPEN_LANE } from '../../../domain/orders/command-traits.ts';
import type { Approved, Command } from '../../../domain/orders/command.ts';
import type { OrderPort } from '../../../ports/venue.ts';
import { VenueEvent, type Inbox } from '../../../ports/venue-event.ts';
import type { JournalRecord, Store } from '../../../ports/store.ts';

export class DurableGate implements OrderPort {
  readonly #store: Store;
  readonly #orders: OrderPort;
  readonly #inbox: Inbox;
  readonly #event = new VenueEvent();
  /** Commands covered by the running commit, and those that wait for the next one. */
  #covered: Approved<Command>[] = [];
  #waiting: Approved<Command>[] = [];
  #position: number;
  #durable: number;
  #isDirty = false;
  #commit: Promise<void> | null = null;
  #failure: unknown = null;
  /** The store's era whose epoch of client ids is queued or durable. */
  #era: number;

  /** Commands go to `orders`; those that must not leave return to `inbox` as unsent. `position` is the journal's end. */
  constructor(store: Store, position: number, orders: OrderPort, inbox: Inbox) {
    this.#store = store;
    this.#era = store.era ?? 0;
    this.#position = position;
    this.#durable = position;
    this.#orders = orders;
    this.#inbox = inbox;
  }

  /** The error that made the journal unusable, or null. */
  get failure(): unknown {
    return this.#failure;
  }

  /** True if everything queued is durable. */
  get isSettled(): boolean {
    return this.#commit === null && !this.#isDirty && this.#failure === null;
  }

  /** Returns waiting commands as unsent while the store is away: decisions made before may be wrong when it is back. */
  dropWaiting(): void {
    const dropped = [...this.#covered, ...this.#waiting];
    this.#covered = [];
    this.#waiting = [];
    for (const { seq } of dropped) this.#unsent(seq, 'journal-away');
  }

  /** True if another server took over, until `renewed`: no command that needs the journal leaves. */
  get isMoved(): boolean {
    return this.#era !== (this.#store.era ?? 0);
  }

  /** Client ids of a new epoch were queued: commands wait for them as for every record. */
  renewed(): void {
    this.#era = this.#store.era ?? 0;
  }

  /** Called if another part found the store unusable: nothing that needs the journal leaves any more. */
  fail(error: unknown): void {
    this.#failure ??= error;
  }

  /** Journal position of the newest record, durable or not. */
  get position(): number {
    return this.#position;
  }

  /** Journal position of the newest durable record. */
  get durablePosition(): number {
    return this.#durable;
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
    if (isCancel(command.kind)) this.#orders.execute(command);
    else if (this.#isDirty || this.#failure !== null) this.#waiting.push({ ...command });
    else if (this.#commit !== null) this.#covered.push({ ...command });
    else this.#send(command);
  }

  /** Sends a command. Checks the store again, because the process may have slept since the commit. */
  #send(command: Approved<Command>): void {
    if (this.#store.maySend === false || this.isMoved) this.#unsent(command.seq, 'lease-over');
    else if (laneOf(command.kind, command.effect) === OPEN_LANE && (this.#store.risk ?? '') !== '')
      this.#unsent(command.seq, 'journal-unsafe');
    else this.#orders.execute(command);
  }

  #unsent(seq: number, why: string): void {
    this.#inbox.take(this.#event.unsent(seq, why));
  }

  /**
   * Commits what was queued, then sends the commands that waited for it. Returns null if nothing is pending, else a promise after which
   * `flush` must be called again. The promise never rejects; see `failure`.
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

  /** Resolves to true when everything queued so far is durable, to false if the journal has failed. */
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

  /** Resolves when nothing is queued. */
  async settled(): Promise<void> {
    for (let pending = this.flush(); pending !== null; pending = this.flush()) await pending;
  }

  /** Runs a write of the store. A store that has failed before (lost lease, server without its data) throws at the first use. */
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
      else this.#unsent(command.seq, 'journal-not-durable');
    }
  }
}
