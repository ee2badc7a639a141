/**
 * The lanes that questions wait in before they leave, on virtual time: what the poll lanes do to them in a live run. Each bucket
 * starts one question per gap; the most urgent of those that wait becomes the next one when one has started, and is not overtaken
 * from then on; equal questions that wait are asked once. Commands pass straight through.
 */
import type { Approved, Command } from '../../domain/command.ts';
import { QUESTION_PRIORITY, questionGapMs } from '../../ports/limiter.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Inbox, Query, Venue } from '../../ports/venue.ts';

/** A venue with messages under way. */
export interface TimedVenue extends Venue {
  readonly nextDue: number;
  run(): void;
}

export interface QuestionLanesSpec {
  readonly venue: TimedVenue;
  readonly clock: Clock;
  /** Milliseconds between a question and its start in an idle lane. */
  readonly startMs: number;
  /** The bucket that questions of a kind are counted in, and what it allows a second. */
  readonly bucketOf: Readonly<Record<Query['kind'], string>>;
  readonly perSecond: (bucket: string) => number;
}

export class QuestionLanes implements TimedVenue {
  declare private readonly venue: TimedVenue;
  declare private readonly clock: Clock;
  declare private readonly startMs: number;
  declare private readonly laneOf: Readonly<Record<Query['kind'], Lane>>;
  declare private readonly lanes: readonly Lane[];
  /** Questions that get the answer of an equal one. */
  readonly #sharers = new Map<Query, Query[]>();
  #nextStart = Infinity;

  constructor({ venue, clock, startMs, bucketOf, perSecond }: QuestionLanesSpec) {
    this.venue = venue;
    this.clock = clock;
    this.startMs = startMs;
    const lanes = new Map<string, Lane>();
    for (const bucket of Object.values(bucketOf)) lanes.set(bucket, lanes.get(bucket) ?? new Lane(questionGapMs(perSecond(bucket))));
    const laneOf = (kind: Query['kind']): readonly [Query['kind'], Lane] => [kind, lanes.get(bucketOf[kind])!];
    this.laneOf = Object.fromEntries((Object.keys(bucketOf) as Query['kind'][]).map(laneOf)) as Record<Query['kind'], Lane>;
    this.lanes = [...lanes.values()];
  }

  /** When the next question starts or the next message arrives. */
  get nextDue(): number {
    const due = this.venue.nextDue;
    return this.#nextStart < due ? this.#nextStart : due;
  }

  execute(command: Approved<Command>): void {
    this.venue.execute(command);
  }

  /** Where the venue is to give its answers, so that everyone who asked hears them. */
  hearing(inbox: Inbox): Inbox {
    return {
      accepted: (seq, venueId) => inbox.accepted(seq, venueId),
      rejected: (seq, rejection) => inbox.rejected(seq, rejection),
      unsent: (seq, cause) => inbox.unsent(seq, cause),
      unknown: (seq, cause) => inbox.unknown(seq, cause),
      answered: (query, answer, sentAt, venueTime) => {
        const others = this.#takeSharers(query);
        inbox.answered(query, answer, sentAt, venueTime);
        for (const one of others) inbox.answered(one, answer, sentAt, venueTime);
      },
      failed: (query, cause) => {
        const others = this.#takeSharers(query);
        inbox.failed(query, cause);
        for (const one of others) inbox.failed(one, cause);
      },
    };
  }

  query(query: Query): void {
    const lane = this.laneOf[query.kind];
    const equal = lane.equalTo(query);
    if (equal !== null) {
      this.#sharers.set(equal, [...(this.#sharers.get(equal) ?? []), query]);
      return;
    }
    lane.add(query, this.clock.now() + this.startMs);
    if (lane.nextStart < this.#nextStart) this.#nextStart = lane.nextStart;
  }

  /** Starts what may start now, and lets arrive what is due. */
  run(): void {
    const now = this.clock.now();
    if (this.#nextStart <= now) this.#start(now);
    this.venue.run();
  }

  #takeSharers(query: Query): readonly Query[] {
    const others = this.#sharers.get(query);
    if (others === undefined) return NOBODY;
    this.#sharers.delete(query);
    return others;
  }

  #start(now: number): void {
    let next = Infinity;
    for (const lane of this.lanes) {
      while (lane.nextStart <= now) this.venue.query(lane.take(now));
      if (lane.nextStart < next) next = lane.nextStart;
    }
    this.#nextStart = next;
  }
}

const NOBODY: readonly Query[] = [];

function isEqual(a: Query, b: Query): boolean {
  return a.kind === b.kind && a.instrument === b.instrument && JSON.stringify(a) === JSON.stringify(b);
}

interface Waiting {
  readonly query: Query;
  readonly readyAt: number;
}

class Lane {
  /** When the next question may start; Infinity when none waits. */
  nextStart = Infinity;
  declare private readonly gapMs: number;
  /** The one that starts next: nothing overtakes it any more. */
  #next: Waiting | null = null;
  /** The others, in the order they were asked. */
  readonly #waiting: Waiting[] = [];
  #freeAt = -Infinity;

  constructor(gapMs: number) {
    this.gapMs = gapMs;
  }

  /** The question that waits here and asks the same; null when there is none. */
  equalTo(query: Query): Query | null {
    if (this.#next === null) return null;
    if (isEqual(this.#next.query, query)) return this.#next.query;
    for (const one of this.#waiting) if (isEqual(one.query, query)) return one.query;
    return null;
  }

  add(query: Query, readyAt: number): void {
    const one = { query, readyAt };
    if (this.#next === null) this.#setNext(one);
    else this.#waiting.push(one);
  }

  /** Takes the question that may start by `now`. The most urgent of those that wait is next then. */
  take(now: number): Query {
    const taken = this.#next!;
    this.#freeAt = now + this.gapMs;
    if (this.#waiting.length === 0) this.#setNext(null);
    else this.#setNext(this.#waiting.splice(this.#mostUrgent(), 1)[0]!);
    return taken.query;
  }

  #setNext(one: Waiting | null): void {
    this.#next = one;
    this.nextStart = one === null ? Infinity : Math.max(one.readyAt, this.#freeAt);
  }

  /** Place of the most urgent of those that wait, the oldest among equals. */
  #mostUrgent(): number {
    let best = 0;
    for (let k = 1; k < this.#waiting.length; k++) {
      if (QUESTION_PRIORITY[this.#waiting[k]!.query.kind] < QUESTION_PRIORITY[this.#waiting[best]!.query.kind]) best = k;
    }
    return best;
  }
}
