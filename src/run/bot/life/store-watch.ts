/** Watches that the store is still there, on the same server and safe, and tells the bot what changes. */
import type { KernelInbox } from '../../../engine/inbox.ts';
import type { Log } from '../../../ports/log.ts';
import type { Store } from '../../../ports/store.ts';
import type { ClientIds } from '../../../domain/orders/client-ids.ts';
import type { AccountLock } from '../../../edge/file/account-lock.ts';
import type { DurableGate } from '../store/durable-gate.ts';
import type { EventLoop } from './event-loop.ts';
import type { JournalUpkeep } from '../store/journal-upkeep.ts';
import type { Snapshots } from '../store/snapshots.ts';

/** Interval of checks that the store still exists. */
export const STORE_LOOK_MS = 1_000;

export interface StoreWatchDeps {
  readonly store: Pick<Store, 'isAway' | 'maySend' | 'risk' | 'check'>;
  /** Kind of the store, for the log. */
  readonly kind: string;
  readonly gate: Pick<DurableGate, 'failure' | 'fail' | 'dropWaiting' | 'isMoved' | 'renewed'>;
  readonly loop: Pick<EventLoop, 'take'>;
  readonly events: Pick<KernelInbox, 'journalAway' | 'journalUnsafe' | 'newEpoch'>;
  readonly ids: Pick<ClientIds, 'epoch'>;
  readonly lock: Pick<AccountLock, 'noteEpoch'>;
  /** A snapshot has the epochs of client ids. */
  readonly snapshots: Pick<Snapshots, 'save'>;
  readonly upkeep: Pick<JournalUpkeep, 'look'>;
  readonly log: Log;
}

export class StoreWatch {
  readonly #deps: StoreWatchDeps;
  #timer: NodeJS.Timeout | undefined;
  #isAway = false;
  #risk = '';

  constructor(deps: StoreWatchDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(), STORE_LOOK_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Detects a deleted, replaced or emptied store even if nothing is written. */
  async look(): Promise<void> {
    const { store, kind, gate, loop, events, upkeep, log } = this.#deps;
    if (gate.failure !== null) return;
    // After an outage that outlived its lease the store can be written before commands may leave.
    const isAway = store.isAway === true || store.maySend === false;
    if (!isAway && gate.isMoved) {
      log.warn('journal-moved', { store: kind });
      loop.take(() => {
        gate.dropWaiting();
        this.#newEpoch();
      });
    }
    if (isAway !== this.#isAway) {
      this.#isAway = isAway;
      log.warn(isAway ? 'journal-away' : 'journal-back', { store: kind });
      loop.take(() => {
        if (isAway) gate.dropWaiting();
        events.journalAway(isAway);
      });
    }
    const risk = store.risk ?? '';
    if (risk !== this.#risk) {
      this.#risk = risk;
      if (risk === '') log.warn('journal-safe', { store: kind });
      else log.error('journal-unsafe', { store: kind, why: risk });
      loop.take(() => events.journalUnsafe(risk));
    }
    if (isAway) loop.take(() => gate.dropWaiting());
    if (store.isAway === true) return;
    try {
      await store.check();
      await upkeep.look();
    } catch (error) {
      loop.take(() => gate.fail(error));
    }
  }

  /** Commands wait until ids of the new epoch are durable on the server that took over. */
  #newEpoch(): void {
    const { events, ids, lock, gate, snapshots } = this.#deps;
    events.newEpoch();
    lock.noteEpoch(ids.epoch);
    gate.renewed();
    snapshots.save();
  }
}
