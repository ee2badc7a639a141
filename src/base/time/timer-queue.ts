/**
 * A timer queue as an indexed heap: strategy timers, polls, bars, probes. Each timer is added once and set many times. Equal times run in
 * the order in which the timers were added, so a run can be repeated.
 */
import { assert } from '../failure/assert.ts';
import { NextDeadline } from './next-deadline.ts';

/** An item whose work failed is tried again after this time. Milliseconds. */
export const AGAIN_MS = 1_000;

export interface Timer {
  /** Called when the timer is due. The timer is unset by then and may be set again, later than `now`. */
  due(now: number): void;
  /** True if it must not run again after it failed. */
  readonly isOnce?: boolean;
}

export class TimerQueue {
  /** Earliest due time; Infinity if no timer is set. */
  next = Infinity;
  /** Notified when `next` becomes earlier. */
  nextDeadline = new NextDeadline();
  /** Called with what failed in `each`. Returns if the other items shall have their turn. @throws the error otherwise */
  survive: (error: unknown) => void = rethrow;
  readonly #owners: Timer[] = [];
  readonly #at: number[] = [];
  /** Position of each timer in the heap, −1 if not set. */
  readonly #place: number[] = [];
  readonly #heap: number[] = [];

  /** Adds a timer, unset, and returns its id. */
  add(owner: Timer): number {
    this.#owners.push(owner);
    this.#at.push(Infinity);
    this.#place.push(-1);
    return this.#owners.length - 1;
  }

  /** Due time of the timer; Infinity if not set. */
  at(id: number): number {
    return this.#at[id]!;
  }

  set(id: number, at: number): void {
    assert(at >= 0, 'a due time is a number');
    if (at === Infinity) return this.clear(id);
    if (at === this.#at[id]) return;
    this.#at[id] = at;
    if (this.#place[id]! < 0) {
      this.#place[id] = this.#heap.length;
      this.#heap.push(id);
    }
    this.#up(this.#place[id]!);
    this.#down(this.#place[id]!);
    this.next = this.#at[this.#heap[0]!]!;
    this.nextDeadline.note(this.next);
  }

  clear(id: number): void {
    const place = this.#place[id]!;
    this.#at[id] = Infinity;
    if (place < 0) return;
    this.#place[id] = -1;
    const last = this.#heap.pop()!;
    if (last !== id) {
      this.#heap[place] = last;
      this.#place[last] = place;
      this.#up(place);
      this.#down(this.#place[last]);
    }
    this.next = this.#heap.length === 0 ? Infinity : this.#at[this.#heap[0]!]!;
  }

  /** Unsets all timers. */
  clearAll(): void {
    for (let id = 0; id < this.#at.length; id++) this.clear(id);
  }

  /** Removes the earliest timer due at `now` and returns its id, or −1. */
  take(now: number): number {
    if (this.next > now) return -1;
    const id = this.#heap[0]!;
    this.clear(id);
    return id;
  }

  /** True if the owner of this timer must not run again after it failed. */
  isOnce(id: number): boolean {
    return this.#owners[id]!.isOnce === true;
  }

  /**
   * Does the work of a timer for each item that is due. For one that fails, `again` keeps it for a later time, so that it is not lost and does
   * not keep the others from their turn. @throws the error, unless `survive` takes it
   */
  each<T>(items: Iterable<T>, work: (item: T) => void, again: (item: T) => void): void {
    for (const item of items) {
      try {
        work(item);
      } catch (error) {
        again(item);
        this.survive(error);
      }
    }
  }

  /** Calls the owner of a timer that `take` returned. */
  run(id: number, now: number): void {
    this.#owners[id]!.due(now);
  }

  #before(a: number, b: number): boolean {
    const d = this.#at[a]! - this.#at[b]!;
    return d < 0 || (d === 0 && a < b);
  }

  #swap(i: number, j: number): void {
    const a = this.#heap[i]!;
    const b = this.#heap[j]!;
    this.#heap[i] = b;
    this.#heap[j] = a;
    this.#place[b] = i;
    this.#place[a] = j;
  }

  #up(start: number): void {
    let i = start;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!this.#before(this.#heap[i]!, this.#heap[parent]!)) return;
      this.#swap(i, parent);
      i = parent;
    }
  }

  #down(start: number): void {
    let i = start;
    for (;;) {
      let least = i;
      const left = 2 * i + 1;
      const right = left + 1;
      if (left < this.#heap.length && this.#before(this.#heap[left]!, this.#heap[least]!)) least = left;
      if (right < this.#heap.length && this.#before(this.#heap[right]!, this.#heap[least]!)) least = right;
      if (least === i) return;
      this.#swap(i, least);
      i = least;
    }
  }
}

function rethrow(error: unknown): never {
  throw error;
}
