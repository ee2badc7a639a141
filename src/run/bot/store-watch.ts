/** Watches that the store is still there, and tells the bot while it is away. */
import type { KernelInbox } from '../../engine/inbox.ts';
import type { Log } from '../../ports/log.ts';
import type { Store } from '../../ports/store.ts';
import type { DurableGate } from './durable-gate.ts';
import type { EventLoop } from './event-loop.ts';

/** Interval of checks that the store still exists. */
export const STORE_LOOK_MS = 1_000;

export interface StoreWatchParts {
  readonly store: Pick<Store, 'isAway' | 'maySend' | 'check'>;
  /** Kind of the store, for the log. */
  readonly kind: string;
  readonly gate: Pick<DurableGate, 'failure' | 'fail' | 'dropWaiting'>;
  readonly loop: Pick<EventLoop, 'take'>;
  readonly events: Pick<KernelInbox, 'journalAway'>;
  readonly log: Log;
}

export class StoreWatch {
  readonly #parts: StoreWatchParts;
  #timer: NodeJS.Timeout | undefined;
  #isAway = false;

  constructor(parts: StoreWatchParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(), STORE_LOOK_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Detects a deleted, replaced or emptied store even if nothing is written. */
  async look(): Promise<void> {
    const { store, kind, gate, loop, events, log } = this.#parts;
    if (gate.failure !== null) return;
    // After an outage that outlived its lease the store can be written before commands may leave.
    const isAway = store.isAway === true || store.maySend === false;
    if (isAway !== this.#isAway) {
      this.#isAway = isAway;
      log.warn(isAway ? 'journal-away' : 'journal-back', { store: kind });
      loop.take(() => {
        if (isAway) gate.dropWaiting();
        events.journalAway(isAway);
      });
    }
    if (isAway) loop.take(() => gate.dropWaiting());
    if (store.isAway === true) return;
    try {
      await store.check();
    } catch (error) {
      loop.take(() => gate.fail(error));
    }
  }
}
