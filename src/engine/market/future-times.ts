/**
 * Times of answers that were ahead of the venue's clock: a server with another clock gave them. When the venue's clock gets to such a time, an
 * answer that has it is a copy of the earlier one, which a cache repeats. It would count as new otherwise.
 */
import { RecentMap } from '../../base/collections/recent-map.ts';
import { assert } from '../../base/failure/assert.ts';

/** How many times of each kind of answer are remembered at least: those heard last. A copy that is repeated is heard again before its time comes. */
const KEPT = 32;

export class FutureTimes {
  /** By kind: each time, and by how many milliseconds it was ahead. */
  readonly #byKind = new Map<string, RecentMap<number, number>>();

  /** An answer of this kind has a time that is `aheadMs` ahead of the venue's clock. */
  saw(kind: string, venueTime: number, aheadMs: number): void {
    assert(aheadMs > 0, 'an answer ahead of the clock is ahead by some time', aheadMs);
    let times = this.#byKind.get(kind);
    if (times === undefined) this.#byKind.set(kind, (times = new RecentMap(KEPT)));
    times.set(venueTime, aheadMs);
  }

  /** By how much an earlier answer of this kind with this time was ahead; 0 if there was none. */
  aheadMsOf(kind: string, venueTime: number): number {
    return this.#byKind.get(kind)?.get(venueTime) ?? 0;
  }
}
