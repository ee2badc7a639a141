/**
 * The order throttle: keeps the bot within the venue's rate limit for writes. Cancels go before closes, closes before opens. Commands that wait
 * too long, or must not be sent any more, are returned as unsent. At most `rate` commands leave in any second, and opens leave a fifth of
 * them free. A pause that the venue asks for affects only its own lane. Unlimited rates pass commands straight through. @hot
 */
import { AdaptiveRate } from '../../base/adaptive-rate.ts';
import { assert } from '../../base/failure/assert.ts';
import { NextDeadline } from '../../base/time/next-deadline.ts';
import { emptyCommand, type Approved, type Command } from '../../domain/orders/command.ts';
import * as traits from '../../domain/orders/command-traits.ts';
import { isMargin, isSpot, laneOf, LANES, type CommandBucket, type LaneName } from '../../domain/orders/command-traits.ts';
import { KeyGate, type KeyTurns } from '../state/key-gate.ts';
import type { Clock } from '../../ports/clock.ts';
import type { OrderPort } from '../../ports/venue.ts';
import { VenueEvent, type Inbox } from '../../ports/venue-event.ts';

const { CANCEL_LANE, OPEN_LANE } = traits;

/** Commands per second of each rate bucket; Infinity for no limit. */
export type CommandRates = Readonly<Record<CommandBucket, number>>;

/** Why a command that has waited must not be sent any more, or null. */
type Veto = (command: Command) => string | null;

export interface OrderThrottleOptions {
  /** Where commands go when they may leave. */
  readonly orders: OrderPort;
  readonly clock: Clock;
  readonly rates: CommandRates;
  /** Longest queue per bucket and priority; cancels get four times as much. Default 256. */
  readonly capacity?: number | undefined;
  /** Lets one command at a time leave while the venue refuses the key. Default: the key is never refused. */
  readonly keyGate?: KeyGate | undefined;
}

/** Share of the rate that opens leave to cancels and closes. */
const RESERVED = 0.2;

export class OrderThrottle implements OrderPort {
  /** Time of the next call of `drain`; Infinity if nothing waits. */
  nextDue = Infinity;
  /** Notified when `nextDue` becomes earlier. */
  nextDeadline = new NextDeadline();
  declare private readonly orders: OrderPort;
  declare private readonly clock: Clock;
  declare private readonly order: Bucket;
  declare private readonly spot: Bucket;
  declare private readonly margin: Bucket;
  declare private readonly capacity: number;
  declare private readonly key: KeyTurns;
  /** True while no limit applies. */
  declare private isFree: boolean;
  readonly #pool: Command[] = [];
  readonly #event = new VenueEvent();
  #inbox: Inbox | null = null;
  #vetoOf: Veto = () => null;

  constructor(options: OrderThrottleOptions) {
    this.orders = options.orders;
    this.clock = options.clock;
    this.capacity = options.capacity ?? 256;
    this.key = (options.keyGate ?? new KeyGate()).commands;
    this.order = new Bucket(options.rates.order);
    this.spot = new Bucket(options.rates.spot);
    this.margin = new Bucket(options.rates.margin);
    this.isFree = this.order.isFree && this.spot.isFree && this.margin.isFree;
  }

  /** Sets the receiver of commands that were never sent, and the judge of those that have waited. Call before the first command. */
  connect(inbox: Inbox, vetoOf?: Veto): void {
    this.#inbox = inbox;
    if (vetoOf !== undefined) this.#vetoOf = vetoOf;
  }

  /** Time of the oldest waiting command; Infinity if none waits. */
  get waitingSince(): number {
    return Math.min(this.order.oldest, this.spot.oldest, this.margin.oldest);
  }

  /** Number of waiting commands. */
  get waiting(): number {
    return this.order.waiting + this.spot.waiting + this.margin.waiting;
  }

  execute(command: Approved<Command>): void {
    if (this.isFree && !this.key.isShut) this.orders.execute(command);
    else this.#executeCounted(command);
  }

  #executeCounted(command: Approved<Command>): void {
    assert(command.seq > 0, 'a command that leaves has a number', command.seq);
    const bucket = this.#bucketOf(command.kind);
    const priority = laneOf(command.kind, command.effect);
    if (this.key.isShut) return this.#wait(bucket, priority, command);
    if (bucket.isFree) return this.orders.execute(command);
    const now = this.clock.now();
    if (!bucket.isAwaited(priority) && bucket.readyAt(priority, now) <= now) {
      bucket.sent(priority, now);
      return this.orders.execute(command);
    }
    this.#wait(bucket, priority, command);
  }

  /** Pauses `lane` of a bucket until `until`, as the venue asked. Opens are slower for a while afterwards. */
  backOff(bucket: CommandBucket, lane: LaneName, until: number): void {
    const one = bucket === 'order' ? this.order : bucket === 'spot' ? this.spot : this.margin;
    assert(LANES.includes(lane), 'a pause is of a lane', lane);
    one.pause(LANES.indexOf(lane), this.clock.now(), until);
    this.isFree = false;
    this.#schedule();
  }

  /** Sends what may leave at `now`, and returns commands that have expired or must not be sent any more. */
  drain(now: number): void {
    this.#drainBucket(this.order, now);
    this.#drainBucket(this.spot, now);
    this.#drainBucket(this.margin, now);
    this.#schedule();
  }

  #drainBucket(bucket: Bucket, now: number): void {
    if (bucket.waiting === 0) return;
    for (let priority = CANCEL_LANE; priority <= OPEN_LANE; priority++) {
      const queue = bucket.queues[priority]!;
      for (let k = 0; k < queue.length;) {
        const command = queue[k]!;
        const isExpired = lastMoment(command) < now;
        if (!isExpired && (bucket.isAwaited(priority - 1) || bucket.readyAt(priority, now) > now || !this.key.mayTry(now))) {
          k++;
          continue;
        }
        queue.splice(k, 1);
        bucket.waiting--;
        assert(bucket.waiting >= 0, 'commands that wait are at least 0', bucket.waiting);
        const why = isExpired ? 'expired-in-queue' : this.#vetoOf(command);
        if (why !== null) this.#unsent(command.seq, why);
        else {
          bucket.sent(priority, now);
          this.key.tries(now);
          this.orders.execute(command);
        }
        this.#pool.push(command);
      }
    }
  }

  #wait(bucket: Bucket, priority: number, command: Approved<Command>): void {
    const queue = bucket.queues[priority]!;
    const room = priority === CANCEL_LANE ? this.capacity * 4 : this.capacity;
    if (queue.length >= room) return this.#unsent(command.seq, 'queue-full');
    const copy = this.#pool.pop() ?? emptyCommand();
    Object.assign(copy, command);
    assert(copy.seq === command.seq, 'a command waits as it is', copy.seq);
    queue.push(copy as Approved<Command>);
    bucket.waiting++;
    assert(queue.length <= room, 'a queue has room for what waits in it', queue.length);
    this.#schedule();
  }

  #unsent(seq: number, why: string): void {
    assert(this.#inbox !== null, 'a throttle is connected before it is used');
    this.#inbox.take(this.#event.unsent(seq, why));
  }

  #schedule(): void {
    const now = this.waiting === 0 ? 0 : this.clock.now();
    const due = Math.min(this.order.nextDue(now), this.spot.nextDue(now), this.margin.nextDue(now));
    this.nextDue = this.key.isShut ? Math.max(due, this.key.lookAt(now)) : due;
    this.nextDeadline.note(this.nextDue);
  }

  #bucketOf(kind: number): Bucket {
    if (isSpot(kind)) return this.spot;
    return isMargin(kind) ? this.margin : this.order;
  }
}

/** Time after which the command must not be sent; the largest number if it never expires. */
function lastMoment({ time, validMs }: Command): number {
  return validMs === 0 ? Number.MAX_VALUE : time + validMs;
}

/** A sliding window over the times of the last sends, which limits their number. */
class Window {
  declare readonly size: number;
  declare private readonly windowMs: number;
  declare private readonly times: Float64Array;
  #at = 0;

  constructor(size: number, windowMs: number) {
    this.size = size;
    this.windowMs = windowMs;
    this.times = new Float64Array(size).fill(-Infinity);
  }

  /** Earliest time of the next send at a `share` of the rate; −Infinity without a limit. */
  readyAt(share: number): number {
    return this.size === 0 ? -Infinity : Math.ceil(this.times[this.#at]! + this.windowMs / share);
  }

  sent(now: number): void {
    if (this.size === 0) return;
    assert(now - this.times[this.#at]! >= this.windowMs - 1, 'a command leaves when the rate has room', now - this.times[this.#at]!);
    this.times[this.#at] = now;
    this.#at = this.#at + 1 === this.size ? 0 : this.#at + 1;
  }
}

/** One rate limit of the venue, shared by its three lanes. All commands together, and opens alone, stay within a window. */
class Bucket {
  readonly queues: readonly Approved<Command>[][] = [[], [], []];
  waiting = 0;
  /** End of the pause, by priority. */
  readonly pausedUntil = new Float64Array(3).fill(-Infinity);
  declare private readonly all: Window;
  declare private readonly opens: Window;
  private readonly openRate = new AdaptiveRate();
  #wasPaused = false;

  constructor(perSecond: number) {
    if (!(perSecond > 0)) throw new RangeError('a rate above zero was expected, found ' + perSecond);
    const limit = perSecond === Infinity ? 0 : Math.max(1, Math.floor(perSecond));
    const windowMs = limit === 0 ? 0 : (limit * 1000) / perSecond;
    const reserved = limit < 2 ? 0 : Math.ceil(limit * RESERVED);
    this.all = new Window(limit, windowMs);
    this.opens = new Window(limit - reserved, windowMs);
  }

  /** True while no limit and no pause applies. */
  get isFree(): boolean {
    return this.all.size === 0 && !this.#wasPaused;
  }

  /** Time of the oldest command that waits here; Infinity for none. */
  get oldest(): number {
    let oldest = Infinity;
    for (const queue of this.queues) for (const { time } of queue) oldest = Math.min(oldest, time);
    return oldest;
  }

  pause(priority: number, now: number, until: number): void {
    this.#wasPaused = true;
    this.pausedUntil[priority] = Math.max(this.pausedUntil[priority]!, until);
    if (priority === OPEN_LANE) this.openRate.refused(now, until);
  }

  /** True if a command of this priority or a higher one waits. */
  isAwaited(priority: number): boolean {
    for (let p = CANCEL_LANE; p <= priority; p++) if (this.queues[p]!.length > 0) return true;
    return false;
  }

  /** Earliest time at which a command of this priority may leave, as known at `now`. */
  readyAt(priority: number, now: number): number {
    const limited = this.all.readyAt(1);
    const paused = this.pausedUntil[priority]!;
    const ready = limited > paused ? limited : paused;
    if (priority !== OPEN_LANE) return ready;
    const own = this.opens.readyAt(this.openRate.share(now));
    return own > ready ? own : ready;
  }

  /** When to check again: while the rate recovers, the next command may leave earlier than computed now. */
  #lookAt(priority: number, now: number): number {
    const ready = this.readyAt(priority, now);
    return priority === OPEN_LANE && this.openRate.share(now) < 1
      ? Math.min(ready, Math.max(now, this.pausedUntil[priority]!) + 1_000)
      : ready;
  }

  sent(priority: number, now: number): void {
    this.all.sent(now);
    if (priority === OPEN_LANE) this.opens.sent(now);
  }

  /** The earlier of: the next command may leave, or a waiting command expires. */
  nextDue(now: number): number {
    if (this.waiting === 0) return Infinity;
    let due = Infinity;
    for (let p = CANCEL_LANE; p <= OPEN_LANE; p++) {
      const queue = this.queues[p]!;
      if (queue.length > 0 && !this.isAwaited(p - 1)) due = Math.min(due, this.#lookAt(p, now));
      for (let k = 0; k < queue.length; k++) due = Math.min(due, lastMoment(queue[k]!) + 1);
    }
    return due;
  }
}
