/**
 * The order lane: what keeps the bot within the venue's rate for writes. Cancels go before closes, closes before opens; what has
 * waited too long comes back as unsent. In any window of one second at most `rate` commands leave; an unlimited rate passes
 * commands straight through. @hot
 */
import { assert } from '../base/assert.ts';
import { Soonest } from '../base/soonest.ts';
import * as codes from '../domain/codes.ts';
import { emptyCommand, type Approved, type Command } from '../domain/command.ts';
import type { Clock } from '../ports/clock.ts';
import type { Inbox, Query, Venue } from '../ports/venue.ts';

const { ADJUST_MARGIN, CANCEL, CANCEL_SPOT, CANCEL_TRIGGER, CLOSE, PLACE_SPOT, SET_MARGIN_MODE } = codes;

/** Commands per second of each bucket; Infinity for no limit. */
export interface LaneRates {
  readonly order: number;
  readonly spot: number;
  readonly margin: number;
}
export type LaneBucket = keyof LaneRates;

export interface LaneOptions {
  readonly venue: Venue;
  readonly clock: Clock;
  readonly rates: LaneRates;
  /** Commands that may wait per bucket and priority; cancels have four times the room. Default 256. */
  readonly capacity?: number | undefined;
}

/** Priorities: lower goes first. */
const FIRST_CANCEL = 0;
const THEN_CLOSE = 1;
const THEN_OPEN = 2;

export class OrderLane implements Venue {
  /** When `drain` has something to send or to give back; Infinity when nothing waits. */
  nextDue = Infinity;
  /** Who has to know when that becomes sooner. */
  soonest = new Soonest(); // hot-ok: construction
  declare private readonly venue: Venue;
  declare private readonly clock: Clock;
  declare private readonly order: Bucket;
  declare private readonly spot: Bucket;
  declare private readonly margin: Bucket;
  declare private readonly capacity: number;
  /** While nothing at all has to be counted. */
  declare private isFree: boolean;
  readonly #pool: Command[] = [];
  #inbox: Pick<Inbox, 'unsent'> | null = null;

  constructor(options: LaneOptions) {
    this.venue = options.venue;
    this.clock = options.clock;
    this.capacity = options.capacity ?? 256;
    this.order = new Bucket(options.rates.order); // hot-ok: construction
    this.spot = new Bucket(options.rates.spot); // hot-ok: construction
    this.margin = new Bucket(options.rates.margin); // hot-ok: construction
    this.isFree = this.order.isFree && this.spot.isFree && this.margin.isFree;
  }

  /** Says where commands that never left are reported. Before the first command. */
  connect(inbox: Pick<Inbox, 'unsent'>): void {
    this.#inbox = inbox;
  }

  /** How many commands wait. */
  get waiting(): number {
    return this.order.waiting + this.spot.waiting + this.margin.waiting;
  }

  query(query: Query): void {
    this.venue.query(query);
  }

  execute(command: Approved<Command>): void {
    if (this.isFree) this.venue.execute(command);
    else this.#executeCounted(command);
  }

  #executeCounted(command: Approved<Command>): void {
    const bucket = this.#bucketOf(command.kind);
    if (bucket.isFree) return this.venue.execute(command);
    const now = this.clock.now();
    if (bucket.waiting === 0 && bucket.readyAt() <= now) {
      bucket.sent(now);
      return this.venue.execute(command);
    }
    this.#wait(bucket, command);
  }

  /** Nothing of `bucket` leaves before `until`: the venue asked for a pause. */
  backOff(bucket: LaneBucket, until: number): void {
    const one = bucket === 'order' ? this.order : bucket === 'spot' ? this.spot : this.margin;
    one.pausedUntil = Math.max(one.pausedUntil, until);
    this.isFree = false;
    this.#schedule();
  }

  /** Sends what may leave at `now` and gives back what is past its time. */
  drain(now: number): void {
    this.#drainBucket(this.order, now);
    this.#drainBucket(this.spot, now);
    this.#drainBucket(this.margin, now);
    this.#schedule();
  }

  #drainBucket(bucket: Bucket, now: number): void {
    if (bucket.waiting === 0) return;
    for (let priority = FIRST_CANCEL; priority <= THEN_OPEN; priority++) {
      const queue = bucket.queues[priority]!;
      for (let k = 0; k < queue.length;) {
        const command = queue[k]!;
        const isExpired = lastMoment(command) < now;
        if (!isExpired && bucket.readyAt() > now) {
          k++;
          continue;
        }
        queue.splice(k, 1);
        bucket.waiting--;
        if (isExpired) this.#inbox?.unsent(command.seq, 'expired-in-lane');
        else {
          bucket.sent(now);
          this.venue.execute(command);
        }
        this.#pool.push(command);
      }
    }
  }

  #wait(bucket: Bucket, command: Approved<Command>): void {
    const priority = priorityOf(command);
    const queue = bucket.queues[priority]!;
    const room = priority === FIRST_CANCEL ? this.capacity * 4 : this.capacity;
    if (queue.length >= room) {
      assert(this.#inbox !== null, 'a lane is connected before it is used');
      return this.#inbox.unsent(command.seq, 'lane-full');
    }
    const copy = this.#pool.pop() ?? emptyCommand();
    Object.assign(copy, command);
    queue.push(copy as Approved<Command>);
    bucket.waiting++;
    this.#schedule();
  }

  #schedule(): void {
    this.nextDue = Math.min(this.order.nextDue(), this.spot.nextDue(), this.margin.nextDue());
    this.soonest.note(this.nextDue);
  }

  #bucketOf(kind: number): Bucket {
    if (kind === PLACE_SPOT || kind === CANCEL_SPOT) return this.spot;
    return kind === SET_MARGIN_MODE || kind === ADJUST_MARGIN ? this.margin : this.order;
  }
}

/** After when it must not be sent any more; for what may wait for ever the last moment before the end of time. */
function lastMoment({ time, validMs }: Command): number {
  return validMs === 0 ? Number.MAX_VALUE : time + validMs;
}

function priorityOf(command: Command): number {
  if (command.kind === CANCEL || command.kind === CANCEL_TRIGGER || command.kind === CANCEL_SPOT) return FIRST_CANCEL;
  return command.effect === CLOSE ? THEN_CLOSE : THEN_OPEN;
}

/** At most `limit` sends in any window: the times of the last ones in a ring. */
class Bucket {
  readonly queues: readonly Approved<Command>[][] = [[], [], []];
  waiting = 0;
  pausedUntil = -Infinity;
  declare private readonly windowMs: number;
  declare private readonly times: Float64Array;
  #at = 0;

  constructor(perSecond: number) {
    if (!(perSecond > 0)) throw new RangeError('a rate above zero was expected, found ' + perSecond); // hot-ok: construction
    const limit = perSecond === Infinity ? 0 : Math.max(1, Math.floor(perSecond));
    this.times = new Float64Array(limit).fill(-Infinity); // hot-ok: construction
    this.windowMs = limit === 0 ? 0 : (limit * 1000) / perSecond;
  }

  /** True while nothing has to be counted. */
  get isFree(): boolean {
    return this.times.length === 0 && this.pausedUntil === -Infinity;
  }

  /** When the next command may leave. */
  readyAt(): number {
    const limited = this.times.length === 0 ? -Infinity : Math.ceil(this.times[this.#at]! + this.windowMs);
    return limited > this.pausedUntil ? limited : this.pausedUntil;
  }

  sent(now: number): void {
    if (this.times.length === 0) return;
    this.times[this.#at] = now;
    this.#at = this.#at + 1 === this.times.length ? 0 : this.#at + 1;
  }

  /** The earlier of: the next may leave; the first is past its time. */
  nextDue(): number {
    if (this.waiting === 0) return Infinity;
    let due = this.readyAt();
    for (let p = FIRST_CANCEL; p <= THEN_OPEN; p++) {
      const queue = this.queues[p]!;
      for (let k = 0; k < queue.length; k++) due = Math.min(due, lastMoment(queue[k]!) + 1);
    }
    return due;
  }
}
