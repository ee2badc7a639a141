/** Kinds of reads that fail now: since when every read of a kind has failed, and the last cause. */
import type { Query } from '../../ports/venue.ts';

export interface ReadFailure {
  readonly since: number;
  readonly cause: string;
}

export class ReadFailures {
  readonly #all = new Map<Query['kind'], ReadFailure>();

  get all(): ReadonlyMap<Query['kind'], ReadFailure> {
    return this.#all;
  }

  failed(kind: Query['kind'], cause: string, now: number): void {
    this.#all.set(kind, { since: this.#all.get(kind)?.since ?? now, cause });
  }

  answered(kind: Query['kind']): void {
    if (this.#all.size > 0) this.#all.delete(kind);
  }
}
