/**
 * Keeps the counters of the loss limits in a file beside the store, in addition to the journal. The file has only what the journal has durably.
 * A fill whose record was lost with the process is read again after a restart, and is counted then.
 */
import { LossMarker } from '../../../edge/file/beside/loss-marker.ts';
import { worseGuards, type SavedGuards } from '../../../engine/risk/guards.ts';
import { worseLosses, type SavedLosses } from '../../../engine/risk/loss-scope.ts';
import { EMPTY_SNAPSHOT, type KernelSnapshot } from '../../../engine/recovery/registry.ts';
import type { Log } from '../../../ports/log.ts';
import type { JournalRecord } from '../../../ports/store.ts';

interface Counted {
  readonly losses?: SavedLosses | undefined;
  readonly guards?: SavedGuards | undefined;
}

/** The counters as of a position of the journal. */
interface Waiting {
  readonly position: number;
  readonly counted: Counted;
}

export class DurableLosses {
  readonly #marker: LossMarker;
  readonly #log: Log;
  #counted: Counted = {};
  /** Counters whose records are not known to be durable, oldest first. */
  #waiting: Waiting[] = [];

  constructor(folder: string, log: Log) {
    this.#marker = new LossMarker(folder);
    this.#log = log;
  }

  /** Sets the counters of the snapshot to the worse of journal and file. */
  restored(snapshot: KernelSnapshot | null): KernelSnapshot | null {
    const marked = this.#read();
    const losses = worseLosses(snapshot?.losses, marked.losses);
    const guards = worseGuards(snapshot?.guards, marked.guards);
    this.#counted = { losses, guards };
    if (losses === undefined && guards === undefined) return snapshot;
    return { ...(snapshot ?? EMPTY_SNAPSHOT), losses, guards };
  }

  /** Starts with the kernel's counters. Limits that are off have none. */
  begin({ losses, guards }: KernelSnapshot): void {
    if (losses === undefined && guards === undefined) this.#marker.remove();
  }

  /** Processes the journal record at `position`. If it concerns these limits, the file will have it once it is durable. */
  record({ kind, data }: JournalRecord, position: number): void {
    if (kind !== 'losses' && kind !== 'guards') return;
    this.#counted = { ...this.#counted, [kind]: data };
    this.#waiting.push({ position, counted: this.#counted });
  }

  /** The journal is durable up to `position`: the file has its counters on return. */
  durable(position: number): void {
    const newest = this.#waiting.findLast((one) => one.position <= position);
    if (newest === undefined) return;
    this.#waiting = this.#waiting.filter((one) => one.position > position);
    try {
      this.#marker.write(newest.counted);
    } catch (error) {
      this.#log.error('losses-marker-failed', { file: this.#marker.path, error });
    }
  }

  /** Reads the file. An unreadable file is only logged, because the journal has the same counters. */
  #read(): Counted {
    try {
      return this.#marker.read() ?? {};
    } catch (error) {
      this.#log.error('losses-marker-damaged', { file: this.#marker.path, error });
      return {};
    }
  }
}
