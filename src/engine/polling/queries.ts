/** Questions on their way. Every answer corrects the belief first; then whoever asked is told. */
import { assert } from '../../base/assert.ts';
import type { Answer, Query, Venue } from '../../ports/venue.ts';

export interface QueryOwner {
  answered(query: Query, answer: Answer, sentAt: number): void;
  /** There was no usable answer: nothing may be concluded. */
  failed(query: Query, cause: string): void;
}

export class PendingQueries {
  readonly #venue: Venue;
  readonly #open = new Map<Query, QueryOwner | null>();

  constructor(venue: Venue) {
    this.#venue = venue;
  }

  /** How many questions are on their way. */
  get count(): number {
    return this.#open.size;
  }

  isOpen(query: Query): boolean {
    return this.#open.has(query);
  }

  ask(query: Query, asker: QueryOwner | null): void {
    assert(!this.#open.has(query), 'a question is asked again only after its answer');
    this.#open.set(query, asker);
    this.#venue.query(query);
  }

  /** Takes the question off the list; undefined when it was not on it. */
  take(query: Query): QueryOwner | null | undefined {
    const asker = this.#open.get(query);
    if (asker !== undefined) this.#open.delete(query);
    return asker;
  }
}
