/**
 * @hot What is between bot and venue, as records in one ring that are used again: a message goes up with a command or a question,
 * and the same record comes down with what became of it. Within a direction nothing overtakes, so each message has one answer and
 * the answers come in the order of the messages.
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
  declare private readonly ms: number;
  declare private readonly jitterMs: number;
  declare private readonly random: Random | null;
  #latest = -Infinity;

  constructor(ms: number, spec: LatencySpec) {
    this.ms = ms;
    this.jitterMs = spec.jitterMs ?? 0;
    this.random = this.jitterMs > 0 ? (spec.random?.fork() ?? null) : null;
  }

  /** When what leaves at `now` arrives: no sooner than what left before it. */
  arrival(now: number): number {
    let at = now + this.ms;
    if (this.random !== null) at += this.random.below(this.jitterMs + 1);
    if (at < this.#latest) at = this.#latest;
    this.#latest = at;
    return at;
  }
}

export const ACCEPTED = 1;
export const REJECTED = 2;
export const ANSWERED = 3;
export const FAILED = 4;

/** Places of the ring at first; it doubles when it is full. */
const PLACES = 64;
/** Set at first to a number that is not a small integer, so that fields of time never change their representation. */
const WIDE = 0.5;

export class Message {
  /** When it arrives: at the venue, then at the bot. */
  due = WIDE;
  readonly command: Command = emptyCommand();
  /** null for a command. */
  query: Query | null = null;
  /** When the question left. */
  sentAt = WIDE;
  /** On the way down: ACCEPTED, REJECTED, ANSWERED or FAILED, and what belongs to it. */
  outcome = 0;
  /** ACCEPTED: the order's number, 0 for done without one, and the order's kind. */
  orderNo = 0;
  orderKind = 0;
  rejection: Rejection | null = null;
  answer: Answer | null = null;
  /** FAILED: why. */
  cause = '';
  /** The venue's time of the answer. */
  venueTime = WIDE;
}

export class Messages {
  /** When the next one arrives at the venue, and when the next one arrives at the bot; Infinity for none. */
  upDue = Infinity;
  downDue = Infinity;
  #ring: Message[] = Array.from({ length: PLACES }, () => new Message());
  #mask = PLACES - 1;
  /** Place of the next that arrives at the bot; those on their way down come first from there, then those on their way up. */
  #first = 0;
  #down = 0;
  #up = 0;

  /** A record for a message that arrives at `due`, for the caller to fill in. */
  send(due: number): Message {
    if (this.#down + this.#up > this.#mask) this.#grow();
    const message = this.#ring[(this.#first + this.#down + this.#up) & this.#mask]!;
    message.due = due;
    if (this.#up++ === 0) this.upDue = due;
    return message;
  }

  /** The next that arrives at the venue. It stays until `turn`. */
  rising(): Message {
    return this.#ring[(this.#first + this.#down) & this.#mask]!;
  }

  /** What `rising` gave turns around and arrives at the bot at `due`. */
  turn(message: Message, due: number): void {
    message.due = due;
    if (this.#down++ === 0) this.downDue = due;
    this.upDue = --this.#up === 0 ? Infinity : this.rising().due;
  }

  /** The next that arrives at the bot. It stays until `drop`. */
  falling(): Message {
    return this.#ring[this.#first]!;
  }

  /** Done with what `falling` gave: its record may be used again. */
  drop(): void {
    this.#first = (this.#first + 1) & this.#mask;
    this.downDue = --this.#down === 0 ? Infinity : this.falling().due;
  }

  /** Twice the places, in order from the first. */
  #grow(): void {
    const old = this.#ring;
    const from = this.#first;
    const mask = this.#mask;
    this.#ring = Array.from({ length: old.length * 2 }, (_, k) => (k <= mask ? old[(from + k) & mask]! : new Message())); // hot-ok: growth
    this.#mask = this.#ring.length - 1;
    this.#first = 0;
  }
}
