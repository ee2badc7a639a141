/** Events that arrive while the kernel is taking a step wait here, in order. @hot */
import type { Rejection } from '../../domain/outcome.ts';
import type { Answer, Query } from '../../ports/venue.ts';
import type { News } from './news.ts';

export const ACCEPTED = 1;
export const REJECTED = 2;
export const UNSENT = 3;
export const UNKNOWN = 4;
export const ANSWERED = 5;
export const FAILED = 6;
export const PUSHED_FILL = 7;
export const PUSHED_END = 8;
export const PUSHED_OWN_FILL = 9;

/** One event; which fields count depends on its kind. The objects are used again. */
export interface InboxEvent {
  kind: number;
  seq: number;
  /** Venue id or cause. */
  text: string;
  a: number;
  b: number;
  c: number;
  rejection: Rejection | null;
  query: Query | null;
  answer: Answer | null;
}

export class InboxQueue {
  count = 0;
  declare private readonly news: News;
  readonly #ring: InboxEvent[] = [];
  #first = 0;

  constructor(news: News) {
    this.news = news;
  }

  /** A free event at the end of the queue, to be filled by the caller. */
  push(kind: number, seq: number): InboxEvent {
    this.news.isSome = true;
    if (this.count === this.#ring.length) this.#grow();
    let at = this.#first + this.count++;
    if (at >= this.#ring.length) at -= this.#ring.length;
    const event = this.#ring[at]!;
    event.kind = kind;
    event.seq = seq;
    return event;
  }

  /** The oldest; valid until the next `push`. `count` is above zero. */
  shift(): InboxEvent {
    const event = this.#ring[this.#first]!;
    this.#first = this.#first + 1 === this.#ring.length ? 0 : this.#first + 1;
    this.count--;
    return event;
  }

  #grow(): void {
    const ring = this.#ring;
    const size = Math.max(16, ring.length * 2);
    for (let k = 0; k < this.#first; k++) ring.push(ring.shift()!);
    this.#first = 0;
    while (ring.length < size) {
      ring.push({ kind: 0, seq: 0, text: '', a: 0, b: 0, c: 0, rejection: null, query: null, answer: null }); // hot-ok: growth
    }
  }
}
