/**
 * The record of what comes back from the venue: the outcome of a command, the answer to a query, or a push. One flat record with a method
 * for each kind; its fields are reused, so a receiver copies what it keeps. @hot
 */
import type { Rejection } from '../domain/orders/outcome.ts';
import type { Answer, Query } from './venue.ts';

/** The venue accepted command `seq`; `text` is the venue's id. */
export const ACCEPTED = 6;
/** The venue rejected command `seq`; `rejection` says why. */
export const REJECTED = 7;
/** Command `seq` was provably never sent, so it is safe to send again; `text` is the cause. */
export const UNSENT = 8;
/** Command `seq` may have been executed; `text` is the cause. */
export const UNKNOWN = 9;
/**
 * `answer` to `query`. `sentAt` is when the query left, so that outdated answers can be recognised; `venueTime` is the venue's clock when it
 * answered, 0 if unknown.
 */
export const ANSWERED = 10;
/** `query` got no usable answer, and nothing may be concluded from it; `text` is the cause. */
export const FAILED = 11;
/** A push: `size` lots of order `seq` traded at `price` ticks. Endpoints E1–E20 never push; the simulator does under `--every-tick` and on bars. */
export const PUSHED_FILL = 12;
/** A push: an order without a number, which the venue placed for us (bracket, liquidation), traded on `side` of `instrument` with `effect`. */
export const PUSHED_OWN_FILL = 13;
/** A push: order `seq` ended in the state `effect`: CANCELLED or REJECTED. None for an order that filled, or that a modify replaced. */
export const PUSHED_END = 14;

/** Initial value of time fields. It is not a small integer, so V8 stores the field as a double from the start. */
const WIDE = 0.5;

/** Its kind decides which fields count; the others may be from earlier events. Prices in ticks, sizes in lots, times in milliseconds. */
export class VenueEvent {
  kind = 0;
  seq = 0;
  instrument = 0;
  side = 0;
  effect = 0;
  price = 0;
  size = 0;
  sentAt = WIDE;
  venueTime = WIDE;
  text = '';
  rejection: Rejection | null = null;
  query: Query | null = null;
  answer: Answer | null = null;

  accepted(seq: number, venueId: string): this {
    return this.#outcome(ACCEPTED, seq, venueId);
  }

  rejected(seq: number, rejection: Rejection): this {
    this.rejection = rejection;
    return this.#outcome(REJECTED, seq, '');
  }

  unsent(seq: number, cause: string): this {
    return this.#outcome(UNSENT, seq, cause);
  }

  unknown(seq: number, cause: string): this {
    return this.#outcome(UNKNOWN, seq, cause);
  }

  answered(query: Query, answer: Answer, sentAt: number, venueTime: number): this {
    this.kind = ANSWERED;
    this.query = query;
    this.answer = answer;
    this.sentAt = sentAt;
    this.venueTime = venueTime;
    return this;
  }

  failed(query: Query, cause: string): this {
    this.kind = FAILED;
    this.query = query;
    this.text = cause;
    return this;
  }

  pushedFill(seq: number, size: number, price: number): this {
    this.kind = PUSHED_FILL;
    this.seq = seq;
    this.size = size;
    this.price = price;
    return this;
  }

  pushedOwnFill(instrument: number, side: number, effect: number, size: number, price: number): this {
    this.kind = PUSHED_OWN_FILL;
    this.instrument = instrument;
    this.side = side;
    this.effect = effect;
    this.size = size;
    this.price = price;
    return this;
  }

  pushedEnd(seq: number, how: number): this {
    this.kind = PUSHED_END;
    this.seq = seq;
    this.effect = how;
    return this;
  }

  #outcome(kind: number, seq: number, text: string): this {
    this.kind = kind;
    this.seq = seq;
    this.text = text;
    return this;
  }
}

/** Receives what the venue says. Each call is one event; the kernel processes them in order. */
export interface Inbox {
  take(event: VenueEvent): void;
}

/** Drops what the venue says. */
export const SILENT_INBOX: Inbox = { take: () => undefined };
