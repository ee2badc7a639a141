/**
 * Looks through the order history now and then for orders with this bot's name that it did not place: those that filled at once are
 * never among the pending ones. Own orders in the answer are belief like any other read of them.
 */
import type { Answer, Query } from '../../ports/venue.ts';
import type { Timer } from '../../base/timer-queue.ts';
import type { Core } from '../state/core.ts';
import type { QueryOwner, PendingQueries } from './queries.ts';

/** How far each look reaches back beyond the last one, for a history that shows orders late. */
const OVERLAP_MS = 10_000;

export class IdWatch implements Timer, QueryOwner {
  readonly #core: Core;
  readonly #queries: PendingQueries;
  readonly #everyMs: number;
  readonly #alarm: number;
  /** The venue's time at the last look that was answered. */
  #seenTo = 0;
  #asking = 0;

  constructor(core: Core, queries: PendingQueries, everyMs: number) {
    this.#core = core;
    this.#queries = queries;
    this.#everyMs = everyMs;
    this.#alarm = core.timerQueue.add(this);
  }

  start(): void {
    this.#seenTo = this.#core.venueTime;
    this.#wait();
  }

  due(): void {
    this.#asking = this.#core.venueTime;
    this.#queries.ask({ kind: 'history', instrument: -1, clientId: '', since: Math.max(1, this.#seenTo - OVERLAP_MS) }, this);
  }

  answered(query: Query, answer: Answer): void {
    if (query.kind === 'history' && answer.kind === 'history' && answer.rest !== undefined) {
      return this.#queries.ask({ ...query, before: answer.rest }, this);
    }
    this.#seenTo = this.#asking;
    this.#wait();
  }

  failed(): void {
    this.#wait();
  }

  #wait(): void {
    this.#core.timerQueue.set(this.#alarm, this.#core.now + this.#everyMs);
  }
}
