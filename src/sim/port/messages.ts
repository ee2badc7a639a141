/**
 * @hot What is between bot and venue, as records in a circle that are used again: a message goes up with a command or a question,
 * and the same record comes down with what became of it. Within a direction nothing overtakes, so each message has one answer and
 * the answers come in the order of the messages.
 */
import type { Random } from '../../base/random.ts';
import { CommandRecord, type Command } from '../../domain/command.ts';
import type { Rejection } from '../../domain/outcome.ts';
import type { Answer, Query } from '../../ports/venue.ts';

export interface LatencySpec {
  /** Milliseconds from the bot to the venue and back; whole, at least 0. */
  readonly upMs: number;
  readonly downMs: number;
  /** On top of either, uniform from 0 to this, drawn from `random`. Default 0. */
  readonly jitterMs?: number | undefined;
  readonly random?: Random | undefined;
}

/** Set at first to a number that is not a small integer, so that fields of time never change their representation. */
const WIDE = 0.5;

/** Arrival times of one direction. */
export class Delay {
  private readonly ms: number = WIDE;
  declare private readonly jitterMs: number;
  declare private readonly random: Random | null;
  #latest = -Infinity;

  constructor(ms: number, spec: LatencySpec) {
    this.ms = ms;
    this.jitterMs = spec.jitterMs ?? 0;
    this.random = this.jitterMs > 0 ? (spec.random?.fork() ?? null) : null;
  }

  /** When what leaves at `now`, which never goes back, arrives: no sooner than what left before it. */
  arrival(now: number): number {
    return this.random === null ? now + this.ms : this.#drawn(now, this.random);
  }

  #drawn(now: number, random: Random): number {
    const at = now + this.ms + random.below(this.jitterMs + 1);
    if (at > this.#latest) this.#latest = at;
    return this.#latest;
  }
}

/** Records at first, and as many more whenever all are under way. */
const RECORDS = 64;

/** A command or a question, and what became of it. */
export class Message extends CommandRecord {
  /** When it arrives at the venue; Infinity before it is sent. */
  upDue = Infinity;
  /** When it arrives at the bot; Infinity before it has been at the venue. */
  downDue = Infinity;
  /** null for a command. */
  query: Query | null = null;
  /** On the way down of a command: the order's number, 0 for done without one, −1 for refused and why. */
  orderNo = 0;
  rejection: Rejection | null = null;
  /** When the question left. */
  sentAt = WIDE;
  /** On the way down of a question: null when there is none, and why. */
  answer: Answer | null = null;
  cause = '';
  /** The venue's time of the answer. */
  venueTime = WIDE;
  /** The one that is sent after it. */
  next: Message = this;

  /** Says what `command` says; when that was made and how long it is valid is of no concern any more. */
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
    this.postOnly = command.postOnly;
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

/** In the circle come those on their way down, then those on their way up, then those that are not under way. */
export class Messages {
  /** The next that arrives at the bot. */
  falling: Message = new Message();
  /** The next that arrives at the venue. */
  rising = this.falling;
  /** The next to be sent, due nowhere yet. There is always one more. */
  free = this.falling;

  constructor() {
    this.#widen(RECORDS - 1);
  }

  /** A record for a message that arrives at `due`, for the caller to fill in. */
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

  /** `rising` has arrived at the venue and will be back at the bot at `due`. */
  turn(due: number): void {
    const message = this.rising;
    message.downDue = due;
    this.rising = message.next;
  }

  /** `falling` has arrived at the bot. What it says may be read until something else is sent. */
  drop(): void {
    this.falling = this.falling.next;
  }

  /** So many more after the next to be sent. */
  #widen(count: number): void {
    for (let k = 0; k < count; k++) {
      const message = new Message(); // hot-ok: growth
      message.next = this.free.next;
      this.free.next = message;
    }
  }
}
