/** Queries in flight. Each answer is applied to local state first, and then passed to its owner. */
import { assert } from '../../base/failure/assert.ts';
import type { Answer, Query, ReadPort } from '../../ports/venue.ts';

export interface QueryOwner {
  answered(query: Query, answer: Answer, sentAt: number): void;
  /** There was no usable answer: nothing may be concluded from it. */
  failed(query: Query, cause: string): void;
}

export class PendingQueries {
  readonly #reads: ReadPort;
  readonly #open = new Map<Query, QueryOwner | null>();

  constructor(reads: ReadPort) {
    this.#reads = reads;
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
    this.#open.set(query, owner);
    this.#reads.query(query);
  }

  /** Removes the query. Returns its owner, or undefined if the query was not in flight. */
  take(query: Query): QueryOwner | null | undefined {
    const owner = this.#open.get(query);
    this.#open.delete(query);
    return owner;
  }
}
