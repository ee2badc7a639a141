/**
 * Reads the order history from time to time, to find orders with this bot's name that it did not place. Those that filled at once are never
 * among the pending orders. Own orders in the answer are applied like any other read.
 */
import type { Answer, Query } from '../../ports/venue.ts';
import type { Timer } from '../../base/time/timer-queue.ts';
import type { Core } from '../state/core.ts';
import type { QueryOwner, PendingQueries } from './queries.ts';

/** The shared state that this file uses. */
interface IdWatchCore extends Core {
  /** Newest venue time seen on an answer; 0 before the first. */
  readonly venueTime: number;
}

/** How far each read overlaps the one before, because a history may list orders late. */
const OVERLAP_MS = 10_000;

export class IdWatch implements Timer, QueryOwner {
  readonly #core: IdWatchCore;
  readonly #queries: PendingQueries;
  readonly #everyMs: number;
  readonly #alarm: number;
  /** Venue time of the last read that was answered. */
  #seenTo = 0;
  #asking = 0;

  constructor(core: IdWatchCore, queries: PendingQueries, everyMs: number) {
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
    this.#queries.ask(
      { kind: 'history', instrument: -1, clientId: '', since: Math.max(1, Math.min(this.#seenTo, this.#asking) - OVERLAP_MS) },
      this,
    );
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
