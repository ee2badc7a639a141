/** What the limits of loss have counted, kept beside the store as well as in the journal. */
import { LossMarker } from '../../edge/file/loss-marker.ts';
import { worseGuards, type SavedGuards } from '../../engine/risk/guards.ts';
import { worseLosses, type SavedLosses } from '../../engine/risk/loss-scope.ts';
import { EMPTY_SNAPSHOT, type KernelSnapshot } from '../../engine/recovery/kernel-snapshot.ts';
import type { Log } from '../../ports/log.ts';
import type { JournalRecord } from '../../ports/store.ts';

interface Counted {
  readonly losses?: SavedLosses | undefined;
  readonly guards?: SavedGuards | undefined;
}

export class DurableLosses {
  readonly #marker: LossMarker;
  readonly #log: Log;
  #counted: Counted = {};

  constructor(folder: string, log: Log) {
    this.#marker = new LossMarker(folder);
    this.#log = log;
  }

  /** What was saved, with the worse of what the journal and the file have counted. */
  restored(snapshot: KernelSnapshot | null): KernelSnapshot | null {
    const marked = this.#read();
    const losses = worseLosses(snapshot?.losses, marked.losses);
    const guards = worseGuards(snapshot?.guards, marked.guards);
    this.#counted = { losses, guards };
    if (losses === undefined && guards === undefined) return snapshot;
    return { ...(snapshot ?? EMPTY_SNAPSHOT), losses, guards };
  }

  /** The kernel counts: limits that are off have nothing to remember. */
  begin({ losses, guards }: KernelSnapshot): void {
    if (losses === undefined && guards === undefined) this.#marker.remove();
  }

  /** A record for the journal; where it is of these limits the file has it on return. */
  record({ kind, data }: JournalRecord): void {
    if (kind !== 'losses' && kind !== 'guards') return;
    this.#counted = { ...this.#counted, [kind]: data };
    try {
      this.#marker.write(this.#counted);
    } catch (error) {
      this.#log.error('losses-marker-failed', { file: this.#marker.path, error });
    }
  }

  /** A file that cannot be read is told; the journal has the same. */
  #read(): Counted {
    try {
      return this.#marker.read() ?? {};
    } catch (error) {
      this.#log.error('losses-marker-damaged', { file: this.#marker.path, error });
      return {};
    }
  }
}
