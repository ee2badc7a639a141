/**
 * Queries in flight. Each answer is applied to local state first, and then passed to its owner. An answer that the venue gave before the
 * query was sent is a copy of an older one: nothing follows from it.
 */
import { assert } from '../../base/assert.ts';
import type { Answer, Query, Venue } from '../../ports/venue.ts';

/** Servers of the venue may differ by this much. A younger copy is within the lag of every list. */
const SLACK_MS = 1_000;
/** When all answers have been older for so long, the clock of the venue itself went back. */
const CLOCK_BACK_MS = 30_000;

export interface QueryOwner {
  answered(query: Query, answer: Answer, sentAt: number): void;
  /** There was no usable answer: nothing may be concluded from it. */
  failed(query: Query, cause: string): void;
}

interface OpenQuery {
  readonly owner: QueryOwner | null;
  /** Venue time that two answers had reached when the query was sent. */
  readonly askedAt: number;
}

export class PendingQueries {
  readonly #venue: Venue;
  readonly #open = new Map<Query, OpenQuery>();
  /** The two newest venue times of answers. One wrong time moves only the first, and only the second is used. */
  #newest = 0;
  #agreed = 0;
  /** When the first of a run of older answers came; Infinity if the last answer was in order. */
  #olderSince = Infinity;

  constructor(venue: Venue) {
    this.#venue = venue;
  }

  /** Number of queries in flight. */
  get count(): number {
    return this.#open.size;
  }

  isOpen(query: Query): boolean {
    return this.#open.has(query);
  }

  ask(query: Query, owner: QueryOwner | null): void {
    assert(!this.#open.has(query), 'a query is repeated only after its answer');
    this.#open.set(query, { owner, askedAt: this.#agreed });
    this.#venue.query(query);
  }

  /** Removes the query. Returns its owner, or undefined if the query was not in flight. */
  take(query: Query): QueryOwner | null | undefined {
    const open = this.#open.get(query);
    if (open === undefined) return undefined;
    this.#open.delete(query);
    return open.owner;
  }

  /** True if an answer with this venue time was given before the query in flight was sent. 0: the answer has no time. */
  isBefore(query: Query, venueTime: number): boolean {
    const open = this.#open.get(query);
    return open !== undefined && venueTime > 0 && venueTime < open.askedAt - SLACK_MS && venueTime < this.#agreed - SLACK_MS;
  }

  /** An answer with this venue time came at `now`. Called after `isBefore`. */
  heard(venueTime: number, now: number): void {
    if (venueTime <= 0) return;
    if (venueTime >= this.#agreed - SLACK_MS) this.#olderSince = Infinity;
    else if (this.#olderSince === Infinity) this.#olderSince = now;
    if (now >= this.#olderSince + CLOCK_BACK_MS) {
      this.#newest = venueTime;
      this.#agreed = venueTime;
      this.#olderSince = Infinity;
    } else if (venueTime > this.#newest) {
      this.#agreed = this.#newest;
      this.#newest = venueTime;
    } else if (venueTime > this.#agreed) this.#agreed = venueTime;
  }
}
