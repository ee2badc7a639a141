/** Halts that a person must end, kept in the marker file beside the store as well as in the journal. */
import { HaltMarker } from '../../edge/file/halt-marker.ts';
import { haltRow, type SavedHalt } from '../../engine/state/halt-codes.ts';
import { EMPTY_SNAPSHOT, type KernelSnapshot } from '../../engine/recovery/kernel-snapshot.ts';
import type { Log } from '../../ports/log.ts';

/** What a damaged marker file stands for. */
const DAMAGED = 'marker-damaged';

export class DurableHalts {
  readonly #marker: HaltMarker;
  readonly #log: Log;
  #kept: readonly SavedHalt[] = [];
  /** Halts that have ended, of which the file does not know yet. */
  #ended: readonly SavedHalt[] = [];

  constructor(folder: string, log: Log) {
    this.#marker = new HaltMarker(folder);
    this.#log = log;
  }

  /** What was saved, with the halts of the file added. */
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

  /** The halts that stand now. A new one is in the file on return; one that has ended leaves it by `settled`. */
  stand(halts: readonly SavedHalt[]): void {
    const kept = halts.filter(isKept);
    const without = (list: readonly SavedHalt[]): SavedHalt[] => list.filter((one) => !kept.some((halt) => isSame(one, halt)));
    const isNew = kept.some((halt) => !this.#kept.some((one) => isSame(one, halt) && one.detail === halt.detail));
    this.#ended = without([...this.#ended, ...this.#kept]);
    this.#kept = kept;
    if (isNew) this.#write([...this.#ended, ...kept]);
  }

  /** All records are durable in the journal: the file may forget what has ended. */
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

  /** The journal has the halt as well: a disk that takes no file is told, and the halt holds. */
  #write(halts: readonly SavedHalt[]): void {
    try {
      this.#marker.write(halts);
    } catch (error) {
      this.#log.error('halts-marker-failed', { file: this.#marker.path, error });
    }
  }
}

/** Halts about a command end with its order, which only the journal knows. */
function isKept({ code, seq }: SavedHalt): boolean {
  const { end } = haltRow(code);
  return seq === 0 && (end === 'operator' || end === 'confirmed' || end === 'rotate');
}

function isSame(a: SavedHalt, b: SavedHalt): boolean {
  return a.scope === b.scope && a.code === b.code && a.seq === b.seq;
}
