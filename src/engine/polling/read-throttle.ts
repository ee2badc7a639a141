/**
 * The read throttle: keeps the reads of the bot within the venue's rates. Each rate bucket starts one request per gap, the most urgent first,
 * the oldest among equals. A request that was overtaken often enough comes first, so urgent reads cannot delay it for ever. Equal queries
 * that wait are sent once. A refusal pauses its bucket, and halves its rate for a while. The throttle is synchronous and gets the time from
 * its clock, so live runs and backtests use the same one.
 */
import { AdaptiveRate } from '../../base/adaptive-rate.ts';
import { assert } from '../../base/failure/assert.ts';
import { NextDeadline } from '../../base/time/next-deadline.ts';
import { KeyGate, type KeyTurns } from '../state/key-gate.ts';
import type { Clock } from '../../ports/clock.ts';
import { queryGapMs, type DropReason, type PollRequest } from '../../ports/limiter.ts';
import { READ_KINDS } from '../../ports/read-kinds.ts';
import type { PendingQuery, Query, ReadPort } from '../../ports/venue.ts';
import { ANSWERED, VenueEvent, type Inbox } from '../../ports/venue-event.ts';

export interface ReadThrottleOptions {
  /** Where queries go when it is their turn. Its answers come to the throttle. */
  readonly reads: ReadPort;
  readonly clock: Clock;
  /** The rate bucket of each kind of query. */
  readonly bucketOf: Readonly<Record<Query['kind'], string>>;
  /** Requests a second that the venue allows in a bucket; Infinity for no limit. */
  readonly perSecond: (bucket: string) => number;
  /** Requests that may wait in a bucket; more are dropped. Default 256. */
  readonly maxWaiting?: number | undefined;
  /** True while a close or a cancel is undecided. Reads of orders and positions then wait for a part of a pause only. Default: never. */
  readonly isExitOpen?: (() => boolean) | undefined;
  /** Lets one signed read at a time start while the venue refuses the key. Default: the key is never refused. */
  readonly keyGate?: KeyGate | undefined;
}

/** A queue that waits for the end of a pause checks this often whether an exit has become undecided. */
const LOOK_MS = 250;

export class ReadThrottle implements ReadPort, Inbox {
  /** Time of the next call of `drain`; Infinity if nothing waits. */
  nextDue = Infinity;
  /** Notified when `nextDue` becomes earlier. */
  nextDeadline = new NextDeadline();
  readonly #reads: ReadPort;
  readonly #clock: Clock;
  readonly #options: ReadThrottleOptions;
  /** By bucket, in a fixed order. */
  readonly #queues = new Map<string, BucketQueue>();
  readonly #ordered: readonly BucketQueue[];
  /** The bucket whose turn it is. */
  #next = 0;
  /** By the query that was sent or will be: equal queries that share its answer. */
  readonly #sharers = new Map<Query, Query[]>();
  readonly #event = new VenueEvent();
  #inbox: Inbox | null = null;
  #isStopped = false;

  constructor(options: ReadThrottleOptions) {
    const { bucketOf, perSecond, isExitOpen = never, keyGate = NEVER_SHUT } = options;
    this.#reads = options.reads;
    this.#clock = options.clock;
    this.#options = options;
    for (const bucket of new Set(Object.values(bucketOf))) {
      const decidesExits = bucket === bucketOf.history || bucket === bucketOf.positions;
      const key = bucket === bucketOf.quotes ? NEVER_SHUT.reads : keyGate.reads;
      this.#queues.set(bucket, new BucketQueue(queryGapMs(perSecond(bucket)), decidesExits ? isExitOpen : never, key));
    }
    this.#ordered = [...this.#queues.values()];
  }

  /** Sets the receiver of the answers. */
  connect(inbox: Inbox): void {
    this.#inbox = inbox;
  }

  /** Takes an answer, or the word that there is none, and passes it to all who asked. */
  take(event: VenueEvent): void {
    const { kind, query, answer, sentAt, venueTime, text } = event;
    const others = this.#takeSharers(query!);
    this.#connected.take(event);
    for (const one of others) {
      const shared = this.#event;
      this.#connected.take(kind === ANSWERED ? shared.answered(one, answer!, sentAt, venueTime) : shared.failed(one, text));
    }
  }

  /** Waits for its turn, which is at the next `drain` if the bucket is free. */
  query(query: Query): void {
    const bucket = this.#options.bucketOf[query.kind];
    const equal = this.#queueOf(bucket).equalTo(query);
    if (equal !== null) {
      this.#sharers.set(equal, [...(this.#sharers.get(equal) ?? []), query]);
      return;
    }
    const start = (): void => this.#reads.query(query);
    const drop = (why: DropReason): void => this.#drop(query, why);
    this.#add({ bucket, priority: READ_KINDS[query.kind].priority, start, drop }, query);
  }

  /** Adds a further request of a query: another page, or another attempt. */
  request(request: PollRequest): void {
    this.#add(request, null);
  }

  /**
   * Starts nothing of `bucket` before `until`. While an exit is undecided, reads of orders and positions wait until `exitUntil` instead.
   * Afterwards the bucket is slower for a while.
   */
  backOff(bucket: string, until: number, exitUntil = until): void {
    this.#queueOf(bucket).backOff(this.#clock.now(), until, exitUntil);
    this.#schedule(this.#clock.now());
  }

  /** Starts what may start at `now`. While the key is refused, buckets take turns: a probe of one must not use up those of all others. */
  drain(now: number): void {
    const queues = this.#ordered;
    const from = this.#next;
    for (let k = 0; k < queues.length; k++) {
      const at = (from + k) % queues.length;
      if (queues[at]!.drain(now)) this.#next = at + 1;
    }
    this.#schedule(now);
  }

  /** Drops all waiting requests and everything that comes later. */
  stop(): void {
    this.#isStopped = true;
    for (const queue of this.#queues.values()) queue.dropAll();
    this.nextDue = Infinity;
  }

  #add(request: PollRequest, query: Query | null): void {
    const queue = this.#queueOf(request.bucket);
    if (this.#isStopped) return request.drop('stopped');
    if (queue.waiting >= (this.#options.maxWaiting ?? 256)) return request.drop('queue-full');
    queue.add(request, query);
    this.#schedule(this.#clock.now());
  }

  #drop(query: Query, why: DropReason): void {
    this.take(this.#event.failed(query, why));
  }

  get #connected(): Inbox {
    assert(this.#inbox !== null, 'a throttle is connected before it is used');
    return this.#inbox;
  }

  #schedule(now: number): void {
    let next = Infinity;
    for (const queue of this.#queues.values()) next = Math.min(next, queue.due(now));
    this.nextDue = next;
    this.nextDeadline.note(next);
  }

  #takeSharers(query: Query): readonly Query[] {
    const others = this.#sharers.get(query);
    if (others === undefined) return NOBODY;
    this.#sharers.delete(query);
    return others;
  }

  #queueOf(bucket: string): BucketQueue {
    const queue = this.#queues.get(bucket);
    assert(queue !== undefined, `${bucket} is a bucket of queries`);
    return queue;
  }
}

const NOBODY: readonly Query[] = [];
const NEVER_SHUT = new KeyGate();

function never(): boolean {
  return false;
}

/** True if the answer to `waiting` is one to `query`. A read that may end before the last page does not answer one that may not. */
function answers(waiting: Query, query: Query): boolean {
  if (waiting.kind !== query.kind || waiting.instrument !== query.instrument) return false;
  if (waiting.kind === 'pending' && waiting.known !== undefined && waiting.known !== (query as PendingQuery).known) return false;
  return JSON.stringify(waiting) === JSON.stringify(query);
}

/** So many younger requests start before the oldest one, and not one more. */
const MOST_OVERTAKEN = 50;

interface Waiting {
  readonly request: PollRequest;
  /** null for a further request, which nobody shares. */
  readonly query: Query | null;
  /** Number of younger requests that were more urgent and have started since it came. */
  overtaken: number;
}

/** One rate bucket. */
class BucketQueue {
  readonly #gapMs: number;
  readonly #isExitOpen: () => boolean;
  readonly #key: KeyTurns;
  readonly #rate = new AdaptiveRate();
  /** In the order in which they came. */
  readonly #waiting: Waiting[] = [];
  #nextAt = -Infinity;
  #pausedUntil = -Infinity;
  #exitsPausedUntil = -Infinity;

  constructor(gapMs: number, isExitOpen: () => boolean, key: KeyTurns) {
    this.#gapMs = gapMs;
    this.#isExitOpen = isExitOpen;
    this.#key = key;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** The waiting query whose answer serves for this one; null if there is none. */
  equalTo(query: Query): Query | null {
    for (const one of this.#waiting) if (one.query !== null && answers(one.query, query)) return one.query;
    return null;
  }

  add(request: PollRequest, query: Query | null): void {
    this.#waiting.push({ request, query, overtaken: 0 });
  }

  backOff(now: number, until: number, exitUntil: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
    this.#exitsPausedUntil = Math.max(this.#exitsPausedUntil, exitUntil);
    this.#rate.refused(now, until);
  }

  /** True if a request has started as a probe of the key. */
  drain(now: number): boolean {
    let isProbe = false;
    while (this.#waiting.length > 0 && this.#readyAt(now) <= now && this.#key.mayTry(now)) {
      isProbe = this.#key.isShut;
      this.#key.tries(now);
      this.#nextAt = now + Math.ceil(this.#gapMs / this.#rate.share(now));
      const k = this.#mostUrgent();
      for (let older = 0; older < k; older++) this.#waiting[older]!.overtaken++;
      const [next] = this.#waiting.splice(k, 1);
      assert(next !== undefined, 'a request that starts has waited', k);
      next.request.start();
    }
    return isProbe;
  }

  dropAll(): void {
    for (const { request } of this.#waiting.splice(0)) request.drop('stopped');
  }

  /** When to call `drain`: an exit that becomes undecided during a pause makes the next start earlier. */
  due(now: number): number {
    if (this.#waiting.length === 0) return Infinity;
    const ready = this.#key.isShut ? Math.max(this.#readyAt(now), this.#key.lookAt(now)) : this.#readyAt(now);
    const earliest = Math.max(this.#nextAt, this.#exitsPausedUntil);
    if (this.#key.isShut) return ready;
    return earliest < ready && this.#isExitOpen !== never ? Math.min(ready, Math.max(earliest, now + LOOK_MS)) : ready;
  }

  #readyAt(now: number): number {
    const isShort = this.#pausedUntil > now && this.#isExitOpen();
    return Math.max(this.#nextAt, isShort ? this.#exitsPausedUntil : this.#pausedUntil);
  }

  /** Place of the most urgent request, the oldest among equals; 0 once the oldest was overtaken too often. */
  #mostUrgent(): number {
    if (this.#waiting[0]!.overtaken >= MOST_OVERTAKEN) return 0;
    let best = 0;
    for (let k = 1; k < this.#waiting.length; k++) {
      if (this.#waiting[k]!.request.priority < this.#waiting[best]!.request.priority) best = k;
    }
    return best;
  }
}
