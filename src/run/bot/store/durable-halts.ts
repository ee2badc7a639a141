/** Keeps halts that a person must end in a marker file beside the store, in addition to the journal. */
import { messageOf } from '../../../base/failure/message-of.ts';
import { HaltMarker } from '../../../edge/file/beside/halt-marker.ts';
import { haltRow } from '../../../engine/state/events/halt-codes.ts';
import type { SavedHalt } from '../../../domain/messages/saved-halt.ts';
import { EMPTY_SNAPSHOT, type KernelSnapshot } from '../../../engine/recovery/registry.ts';
import type { Log } from '../../../ports/log.ts';

/** Code of the halt that a damaged marker file causes. */
const DAMAGED = 'marker-damaged';

export class DurableHalts {
  readonly #marker: HaltMarker;
  readonly #log: Log;
  #kept: readonly SavedHalt[] = [];
  /** Ended halts that the file still contains. */
  #ended: readonly SavedHalt[] = [];
  /** Why the file is not as it should be; "" if it is. */
  failure = '';

  constructor(folder: string, log: Log) {
    this.#marker = new HaltMarker(folder);
    this.#marker.reserve();
    this.#log = log;
  }

  /** Adds the halts of the file to the snapshot. */
  restored(snapshot: KernelSnapshot | null, now: number): KernelSnapshot | null {
    const saved = snapshot?.halts ?? [];
    const marked = this.#read(now);
    const missing = marked.filter((one) => !saved.some((halt) => isSame(halt, one) && halt.detail === one.detail));
    const others = saved.filter((halt) => !missing.some((one) => isSame(one, halt)));
    this.#kept = [...others.filter(isKept), ...missing];
    if (this.#kept.length > marked.length) this.#write(this.#kept);
    if (missing.length === 0) return snapshot;
    this.#log.warn('halts-from-marker', { file: this.#marker.path, halts: missing.map(({ scope, code }) => `${scope} ${code}`) });
    return { ...(snapshot ?? EMPTY_SNAPSHOT), halts: [...others, ...missing] };
  }

  /** Sets the active halts. A new one is in the file on return; an ended one is removed by `settled`. */
  stand(halts: readonly SavedHalt[]): void {
    const kept = halts.filter(isKept);
    const without = (list: readonly SavedHalt[]): SavedHalt[] => list.filter((one) => !kept.some((halt) => isSame(one, halt)));
    const isNew = kept.some((halt) => !this.#kept.some((one) => isSame(one, halt) && one.detail === halt.detail));
    this.#ended = without([...this.#ended, ...this.#kept]);
    this.#kept = kept;
    if (isNew) this.#write([...this.#ended, ...kept]);
  }

  /** Call when all journal records are durable: removes ended halts from the file. */
  settled(): void {
    if (this.#ended.length === 0) return;
    this.#ended = [];
    this.#write(this.#kept);
  }

  #read(now: number): SavedHalt[] {
    try {
      return this.#marker.read();
    } catch (error) {
      this.#log.error('halts-marker-damaged', { file: this.#marker.path, error });
      const detail = `${this.#marker.path} cannot be read; it may have held a halt`;
      return [{ scope: 'bot', code: DAMAGED, detail, since: now, by: 'bot', seq: 0 }];
    }
  }

  /** Writes the file. A write error is only logged, because the journal has the halt too. */
  #write(halts: readonly SavedHalt[]): void {
    try {
      this.#marker.write(halts);
      this.#marker.reserve();
      this.failure = '';
    } catch (error) {
      this.failure = messageOf(error);
      this.#log.error('halts-marker-failed', { file: this.#marker.path, error });
    }
  }
}

/** True if the halt belongs in the file. Halts of an order's outcome end with that order, which only the journal knows. */
function isKept({ code, seq }: SavedHalt): boolean {
  const { end } = haltRow(code);
  return seq === 0 && (end === 'operator' || end === 'confirmed' || end === 'rotate');
}

function isSame(a: SavedHalt, b: SavedHalt): boolean {
  return a.scope === b.scope && a.code === b.code && a.seq === b.seq;
}
