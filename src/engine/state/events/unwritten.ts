/** Lists what changed during a step, to write it into the journal once at the end of the step. */
import { assert } from '../../../base/failure/assert.ts';
import type { PendingWork } from '../records/pending-work.ts';

export interface Unwritten {
  write(): void;
}

export class UnwrittenList {
  count = 0;
  readonly #pendingWork: PendingWork;
  readonly #list: Unwritten[] = [];

  constructor(pendingWork: PendingWork) {
    this.#pendingWork = pendingWork;
  }

  /** `one` is written at the end of this step. Add it once. */
  add(one: Unwritten): void {
    this.#list.push(one);
    this.count++;
    this.#pendingWork.isSome = true;
  }

  /** Writes the oldest. */
  write(): void {
    const one = this.#list.shift();
    this.count = this.#list.length;
    assert(one !== undefined, 'what is written was added before', this.count);
    one.write();
  }
}
