/**
 * @hot The two directions between bot and venue as rings of pooled records: what is on its way and when it arrives. Within a
 * direction nothing overtakes: a message arrives no sooner than the one before it.
 */
import type { Random } from '../../base/random.ts';
import { emptyCommand, type Command } from '../../domain/command.ts';
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

/** Arrival times of one direction. */
export class Delay {
  readonly #ms: number;
  readonly #jitterMs: number;
  readonly #random: Random | null;
  #latest = -Infinity;

  constructor(ms: number, spec: LatencySpec) {
    this.#ms = ms;
    this.#jitterMs = spec.jitterMs ?? 0;
    this.#random = this.#jitterMs > 0 ? (spec.random?.fork() ?? null) : null;
  }

  /** When what leaves at `now` arrives. */
  arrival(now: number): number {
    let at = now + this.#ms;
    if (this.#random !== null) at += this.#random.below(this.#jitterMs + 1);
    if (at < this.#latest) at = this.#latest;
    this.#latest = at;
    return at;
  }
}

/** Places of a lane at first; it doubles when it is full. */
const PLACES = 64;
/** Set at first to a number that is not a small integer, so that fields of time never change their representation. */
const WIDE = 0.5;

/** A command or a question on its way to the venue. */
class Sent {
  due = WIDE;
  readonly command: Command = emptyCommand();
  /** null for a command. */
  query: Query | null = null;
  sentAt = WIDE;
}

/** Commands and questions on their way to the venue, in records that are used again. */
export class UpLane {
  /** When the head arrives; Infinity when empty. */
  nextDue = Infinity;
  #ring: Sent[] = Array.from({ length: PLACES }, () => new Sent());
  #head = 0;
  #count = 0;

  command(due: number, c: Command): void {
    const sent = this.#claim(due);
    const kept = sent.command;
    sent.query = null;
    kept.kind = c.kind;
    kept.seq = c.seq;
    kept.target = c.target;
    kept.targetVenueId = c.targetVenueId;
    kept.instrument = c.instrument;
    kept.side = c.side;
    kept.effect = c.effect;
    kept.type = c.type;
    kept.price = c.price;
    kept.size = c.size;
    kept.postOnly = c.postOnly;
    kept.marginMode = c.marginMode;
    kept.trigger = c.trigger;
    kept.triggerBy = c.triggerBy;
    kept.takeProfit = c.takeProfit;
    kept.takeProfitLimit = c.takeProfitLimit;
    kept.stopLoss = c.stopLoss;
    kept.stopLossLimit = c.stopLossLimit;
    kept.amount = c.amount;
  }

  question(due: number, query: Query, sentAt: number): void {
    const sent = this.#claim(due);
    sent.query = query;
    sent.sentAt = sentAt;
  }

  /** The message that arrives next. It stays until `drop`. */
  head(): Sent {
    return this.#ring[this.#head]!;
  }

  /** Done with the head: its record may be used again. */
  drop(): void {
    const ring = this.#ring;
    this.#head = (this.#head + 1) & (ring.length - 1);
    this.#count--;
    this.nextDue = this.#count === 0 ? Infinity : ring[this.#head]!.due;
  }

  #claim(due: number): Sent {
    if (this.#count === this.#ring.length) this.#grow();
    const sent = this.#ring[(this.#head + this.#count) & (this.#ring.length - 1)]!;
    sent.due = due;
    if (this.#count++ === 0) this.nextDue = due;
    return sent;
  }

  #grow(): void {
    const old = this.#ring;
    const from = this.#head;
    const size = old.length;
    this.#ring = Array.from({ length: size * 2 }, (_, k) => (k < size ? old[(from + k) & (size - 1)]! : new Sent())); // hot-ok: growth only
    this.#head = 0;
  }
}

export const ACCEPTED = 1;
export const REJECTED = 2;
export const ANSWERED = 3;
export const FAILED = 4;

/** An outcome or an answer on its way to the bot. */
class Reply {
  due = WIDE;
  /** ACCEPTED, REJECTED, ANSWERED or FAILED. */
  kind = 0;
  seq = 0;
  /** ACCEPTED: the order's number, 0 for done without one, and the order's kind. */
  orderNo = 0;
  orderKind = 0;
  /** ACCEPTED without a number: the target's venue id. FAILED: why. */
  text = '';
  rejection: Rejection | null = null;
  query: Query | null = null;
  answer: Answer | null = null;
  /** When the question left, and the venue's time of the answer. */
  sentAt = WIDE;
  venueTime = WIDE;
}

/** Outcomes and answers on their way to the bot, in records that are used again. */
export class DownLane {
  nextDue = Infinity;
  #ring: Reply[] = Array.from({ length: PLACES }, () => new Reply());
  #head = 0;
  #count = 0;

  /** A record for the next message, for the caller to fill in what its kind wants. */
  add(due: number, kind: number, seq: number): Reply {
    if (this.#count === this.#ring.length) this.#grow();
    const reply = this.#ring[(this.#head + this.#count) & (this.#ring.length - 1)]!;
    reply.due = due;
    reply.kind = kind;
    reply.seq = seq;
    if (this.#count++ === 0) this.nextDue = due;
    return reply;
  }

  /** The message that arrives next. It stays until `drop`. */
  head(): Reply {
    return this.#ring[this.#head]!;
  }

  /** Done with the head: its record may be used again. */
  drop(): void {
    const ring = this.#ring;
    this.#head = (this.#head + 1) & (ring.length - 1);
    this.#count--;
    this.nextDue = this.#count === 0 ? Infinity : ring[this.#head]!.due;
  }

  #grow(): void {
    const old = this.#ring;
    const from = this.#head;
    const size = old.length;
    this.#ring = Array.from({ length: size * 2 }, (_, k) => (k < size ? old[(from + k) & (size - 1)]! : new Reply())); // hot-ok: growth only
    this.#head = 0;
  }
}
