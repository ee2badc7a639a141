/**
 * Questions that are asked again until something is decided: each case has the time of its next turn and one question under way at most.
 * An answer counts only while the case that asked is still the one under its key. One alarm serves all cases of an owner.
 */
import type { Query } from '../../ports/venue.ts';
import type { Timer } from '../../base/timer-queue.ts';
import type { Core } from '../state/core.ts';
import type { QueryOwner, PendingQueries } from './queries.ts';

export interface Case {
  /** By what it is known among the cases of its owner: an instrument, or the number of a command. */
  readonly key: number;
  /** Infinity while it waits for an answer, or for something else than time. */
  nextAt: number;
}

/** Whose cases they are: hears the answers, and is told when a case has its turn. */
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

  /** Takes the place of another one with its key. */
  open(one: C): void {
    this.#byKey.set(one.key, one);
    this.#arm();
  }

  close(one: C): void {
    this.#byKey.delete(one.key);
    this.#arm();
  }

  /** Its next turn is in `ms`. */
  wait(one: C, ms: number): void {
    one.nextAt = this.#core.now + ms;
    this.#arm();
  }

  /** It has no turn before the answer. */
  ask(one: C, query: Query): void {
    one.nextAt = Infinity;
    this.#asked.set(query, one);
    this.#queries.ask(query, this.#owner);
  }

  /** The case that asked, when it is still open. To be called once for each answer, and for each failure. */
  asked(query: Query): C | null {
    const one = this.#asked.get(query);
    this.#asked.delete(query);
    return one !== undefined && this.#byKey.get(one.key) === one ? one : null;
  }

  due(now: number): void {
    for (const one of this.#byKey.values()) if (one.nextAt <= now) this.#owner.turn(one);
    this.#arm();
  }

  #arm(): void {
    let next = Infinity;
    for (const { nextAt } of this.#byKey.values()) next = Math.min(next, nextAt);
    this.#core.timerQueue.set(this.#alarm, next);
  }
}
