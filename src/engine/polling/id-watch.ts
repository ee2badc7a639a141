/**
 * Looks through the order history now and then for orders with this bot's name that it did not place: those that filled at once are
 * never among the pending ones. Own orders in the answer are belief like any other read of them.
 */
import type { Answer, Query } from '../../ports/venue.ts';
import type { Due } from '../../base/timer-queue.ts';
import type { Core } from '../state/core.ts';
import type { Asker, Asks } from './asks.ts';

/** How far each look reaches back beyond the last one, for a history that shows orders late. */
const OVERLAP_MS = 10_000;

export class IdWatch implements Due, Asker {
  readonly #core: Core;
  readonly #asks: Asks;
  readonly #everyMs: number;
  readonly #alarm: number;
  /** The venue's time at the last look that was answered. */
  #seenTo = 0;
  #asking = 0;

  constructor(core: Core, asks: Asks, everyMs: number) {
    this.#core = core;
    this.#asks = asks;
    this.#everyMs = everyMs;
    this.#alarm = core.agenda.add(this);
  }

  start(): void {
    this.#seenTo = this.#core.venueTime;
    this.#wait();
  }

  due(): void {
    this.#asking = this.#core.venueTime;
    this.#asks.ask({ kind: 'history', instrument: -1, clientId: '', since: Math.max(1, this.#seenTo - OVERLAP_MS) }, this);
  }

  answered(query: Query, answer: Answer): void {
    if (query.kind === 'history' && answer.kind === 'history' && answer.rest !== undefined) {
      return this.#asks.ask({ ...query, before: answer.rest }, this);
    }
    this.#seenTo = this.#asking;
    this.#wait();
  }

  failed(): void {
    this.#wait();
  }

  #wait(): void {
    this.#core.agenda.set(this.#alarm, this.#core.now + this.#everyMs);
  }
}
