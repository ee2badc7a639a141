/**
 * Runs questions to the venue that are repeated until something is decided. Each case has the time of its next turn and at most one query
 * in flight. An answer counts only while the case that asked is still open. One timer serves all cases of an owner.
 */
import { assert } from '../../base/failure/assert.ts';
import type { Query } from '../../ports/venue.ts';
import { AGAIN_MS, type Timer } from '../../base/time/timer-queue.ts';
import type { Core } from '../state/core.ts';
import type { QueryOwner, PendingQueries } from './queries.ts';

export interface Case {
  /** Key of the case: an instrument, or the number of a command. */
  readonly key: number;
  /** Time of the next turn. Infinity while it waits for an answer or another event. */
  nextAt: number;
}

/** Receives the answers, and decides what a case does in its turn. */
export interface CaseOwner<C extends Case> extends QueryOwner {
  turn(one: C): void;
}

export class Cases<C extends Case> implements Timer {
  readonly #core: Pick<Core, 'now' | 'timerQueue'>;
  readonly #queries: PendingQueries;
  readonly #owner: CaseOwner<C>;
  readonly #alarm: number;
  readonly #byKey = new Map<number, C>();
  readonly #asked = new Map<Query, C>();

  constructor(core: Pick<Core, 'now' | 'timerQueue'>, queries: PendingQueries, owner: CaseOwner<C>) {
    this.#core = core;
    this.#queries = queries;
    this.#owner = owner;
    this.#alarm = core.timerQueue.add(this);
  }

  get count(): number {
    return this.#byKey.size;
  }

  has(key: number): boolean {
    return this.#byKey.has(key);
  }

  get(key: number): C | undefined {
    return this.#byKey.get(key);
  }

  all(): IterableIterator<C> {
    return this.#byKey.values();
  }

  /** Opens a case; it replaces one with the same key. */
  open(one: C): void {
    this.#byKey.set(one.key, one);
    this.#arm();
  }

  close(one: C): void {
    const open = this.#byKey.get(one.key);
    assert(open === undefined || open === one, 'the case that is closed is the one that is open', one.key);
    this.#byKey.delete(one.key);
    this.#arm();
  }

  /** Sets the next turn to `ms` from now. */
  wait(one: C, ms: number): void {
    assert(ms >= 0, 'a case waits for at least 0 ms', ms);
    one.nextAt = this.#core.now + ms;
    this.#arm();
  }

  /** Sends a query; the case has no turn before the answer. */
  ask(one: C, query: Query): void {
    assert(!this.#asked.has(query), 'a question is asked once', query.kind);
    one.nextAt = Infinity;
    this.#asked.set(query, one);
    this.#queries.ask(query, this.#owner);
  }

  /** The case that sent the query, or null if it is closed. Call once for each answer and each failure. */
  asked(query: Query): C | null {
    const one = this.#asked.get(query);
    this.#asked.delete(query);
    return one !== undefined && this.#byKey.get(one.key) === one ? one : null;
  }

  due(now: number): void {
    this.#core.timerQueue.each(
      this.#byKey.values(),
      (one) => {
        if (one.nextAt <= now) this.#owner.turn(one);
      },
      (one) => (one.nextAt = now + AGAIN_MS),
    );
    this.#arm();
  }

  #arm(): void {
    let next = Infinity;
    for (const { nextAt } of this.#byKey.values()) next = Math.min(next, nextAt);
    this.#core.timerQueue.set(this.#alarm, next);
  }
}
