/**
 * @hot Messages in flight between bot and venue, as a ring of reused records. A message goes up to the venue with a command or query; the
 * same record comes down with the outcome. Messages do not overtake each other, so answers arrive in the order of the messages.
 */
import { CommandRecord, type Command } from '../../domain/orders/command.ts';
import type { LatencyModel } from '../../domain/models/latency.ts';
import type { Rejection } from '../../domain/orders/outcome.ts';
import type { Answer, Query } from '../../ports/venue.ts';

export interface LatencySpec {
  /** Latency in whole milliseconds from the bot to the venue (up) and back (down), at least 0. */
  readonly upMs: number;
  readonly downMs: number;
  /** Models of the two directions. Default: always `upMs` and `downMs`. */
  readonly up?: LatencyModel | null | undefined;
  readonly down?: LatencyModel | null | undefined;
  /** Models of reads, if they take another time than orders. A port ignores them: reads then have a port of their own. */
  readonly reads?: { readonly up: LatencyModel | null; readonly down: LatencyModel | null } | undefined;
}

/** Initial value of time fields. It is not a small integer, so V8 stores the field as a double from the start. */
const WIDE = 0.5;

/** Computes arrival times of one direction. */
export class Delay {
  private readonly ms: number = WIDE;
  /** null for a constant time. */
  declare private readonly model: LatencyModel | null;
  #latest = -Infinity;

  constructor(ms: number, model: LatencyModel | null = null) {
    this.ms = ms;
    this.model = model;
  }

  /** Arrival time of a message sent at `now`, which must not decrease. Never earlier than that of the message before it. */
  arrival(now: number): number {
    return this.model === null ? now + this.ms : this.#drawn(now, this.model);
  }

  #drawn(now: number, model: LatencyModel): number {
    const at = now + model.next(this.ms);
    if (at > this.#latest) this.#latest = at;
    return this.#latest;
  }
}

/** Initial number of records, and the number added when all are in flight. */
const RECORDS = 64;

/** A command or query, and its outcome. */
export class Message extends CommandRecord {
  /** Arrival time at the venue; Infinity before it is sent. */
  upDue = Infinity;
  /** Arrival time of the answer at the bot; Infinity before it reached the venue. */
  downDue = Infinity;
  /** null for a command. */
  query: Query | null = null;
  /** Outcome of a command: the order number, 0 for success without an order, −1 for a refusal, with its reason. */
  orderNo = 0;
  rejection: Rejection | null = null;
  /** Time when the query was sent. */
  sentAt = WIDE;
  /** Answer to a query; null if there is none, with the reason. */
  answer: Answer | null = null;
  cause = '';
  /** Venue time of the answer. */
  venueTime = WIDE;
  /** The next record of the ring. */
  next: Message = this;

  /** Copies `command`, except its creation time and its validity, which no longer matter. */
  say(command: Command): void {
    this.kind = command.kind;
    this.seq = command.seq;
    this.target = command.target;
    this.targetVenueId = command.targetVenueId;
    this.instrument = command.instrument;
    this.side = command.side;
    this.effect = command.effect;
    this.type = command.type;
    this.price = command.price;
    this.size = command.size;
    this.force = command.force;
    this.marginMode = command.marginMode;
    this.trigger = command.trigger;
    this.triggerBy = command.triggerBy;
    this.takeProfit = command.takeProfit;
    this.takeProfitLimit = command.takeProfitLimit;
    this.stopLoss = command.stopLoss;
    this.stopLossLimit = command.stopLossLimit;
    this.amount = command.amount;
  }
}

/** The ring holds, in this order, messages on their way down, messages on their way up, and free records. */
export class Messages {
  /** The next message to arrive at the bot. */
  falling: Message = new Message();
  /** The next message to arrive at the venue. */
  rising = this.falling;
  /** The first free record. There is always one. */
  free = this.falling;

  constructor() {
    this.#widen(RECORDS - 1);
  }

  /** Takes a record for a message that arrives at `due`. The caller fills it in. */
  send(due: number): Message {
    const message = this.free;
    if (message.next === this.falling) this.#widen(RECORDS);
    const { next } = message;
    next.upDue = Infinity;
    next.downDue = Infinity;
    this.free = next;
    message.upDue = due;
    return message;
  }

  /** `rising` has reached the venue; its answer arrives at `due`. */
  turn(due: number): void {
    const message = this.rising;
    message.downDue = due;
    this.rising = message.next;
  }

  /** `falling` has reached the bot. Its fields stay valid until the next send. */
  drop(): void {
    this.falling = this.falling.next;
  }

  /** Adds `count` free records. */
  #widen(count: number): void {
    for (let k = 0; k < count; k++) {
      const message = new Message(); // hot-ok: growth
      message.next = this.free.next;
      this.free.next = message;
    }
  }
}
