/**
 * Everything that reaches the kernel is one flat record of these kinds. The order of a session's events is all it takes to go through the
 * session again. @hot
 */
import type { Rejection } from '../domain/outcome.ts';
import type { Answer, Query } from '../ports/venue.ts';
import type { OperatorCommand, OperatorResult } from './operator/command.ts';

/** The kernel begins: it restores its orders and reads the venue, or trades at once where the venue pushes. */
export const START = 1;
/** Strategies may cancel; nothing else is taken from them any more. */
export const STOP = 2;
/** All timers that are due by `at` run. */
export const TIMERS = 3;
/** A quote of `instrument`, shown the moment it is made: `price` and `size` are the bid's. */
export const QUOTE = 4;
/** A trade of `instrument`, shown the moment it is made; `side` is the aggressor's. */
export const TRADE = 5;
/** The venue took command `seq`; `text` is the venue's id. */
export const ACCEPTED = 6;
/** The venue refused command `seq`, for `rejection`. */
export const REJECTED = 7;
/** Command `seq` provably never left, because of `text`. */
export const UNSENT = 8;
/** What became of command `seq` is unknown, because of `text`. */
export const UNKNOWN = 9;
/** `answer` to `query`, which left at `sentAt`; `venueTime` is the venue's clock, 0 when it did not say. */
export const ANSWERED = 10;
/** `query` got no usable answer, because of `text`. */
export const FAILED = 11;
/** `size` lots of order `seq` traded at `price`. */
export const PUSHED_FILL = 12;
/** Something that the venue ordered by itself for us traded on `side` of `instrument`, with `effect`. */
export const PUSHED_OWN_FILL = 13;
/** Order `seq` ended, as the state `effect` says. */
export const PUSHED_END = 14;
/** A person or a program that operates the bot says `command`; its answer is left in `result`. */
export const OPERATE = 15;
/** Cancels that came to nothing are sent again. */
export const CANCEL_AGAIN = 16;
/** The clocks do not agree, for the reason `text`; "" when they do again. */
export const CLOCK_SKEW = 17;
/** The journal cannot be written (`size` 1), or can be again (0). */
export const JOURNAL_AWAY = 18;
/** Client ids are of a new epoch from now on. */
export const ROTATE_EPOCH = 19;

/** Name of each kind, as recordings and traces have it. */
export const EVENT_NAMES: Readonly<Record<number, string>> = {
  [START]: 'start',
  [STOP]: 'stop',
  [TIMERS]: 'timers',
  [QUOTE]: 'quote',
  [TRADE]: 'trade',
  [ACCEPTED]: 'accepted',
  [REJECTED]: 'rejected',
  [UNSENT]: 'unsent',
  [UNKNOWN]: 'unknown',
  [ANSWERED]: 'answered',
  [FAILED]: 'failed',
  [PUSHED_FILL]: 'pushed-fill',
  [PUSHED_OWN_FILL]: 'pushed-own-fill',
  [PUSHED_END]: 'pushed-end',
  [OPERATE]: 'operate',
  [CANCEL_AGAIN]: 'cancel-again',
  [CLOCK_SKEW]: 'clock-skew',
  [JOURNAL_AWAY]: 'journal-away',
  [ROTATE_EPOCH]: 'rotate-epoch',
};

/** One event; which fields count depends on its kind. Prices are in ticks, sizes in lots, times in milliseconds. The object is used again. */
export interface EngineEvent {
  kind: number;
  /** The kernel's time while the event is taken. */
  at: number;
  seq: number;
  instrument: number;
  side: number;
  effect: number;
  price: number;
  size: number;
  askPrice: number;
  askSize: number;
  sentAt: number;
  venueTime: number;
  text: string;
  rejection: Rejection | null;
  query: Query | null;
  answer: Answer | null;
  command: OperatorCommand | null;
  result: OperatorResult | null;
}

const EMPTY: EngineEvent = {
  kind: 0,
  // Times begin as numbers that are not small integers, so that the fields never change their representation.
  at: 0.5,
  seq: 0,
  instrument: 0,
  side: 0,
  effect: 0,
  price: 0,
  size: 0,
  askPrice: 0,
  askSize: 0,
  sentAt: 0.5,
  venueTime: 0.5,
  text: '',
  rejection: null,
  query: null,
  answer: null,
  command: null,
  result: null,
};

export function newEvent(): EngineEvent {
  return { ...EMPTY }; // hot-ok: once for each place that makes events
}

function copyEvent(from: EngineEvent, to: EngineEvent): void {
  to.kind = from.kind;
  to.at = from.at;
  to.seq = from.seq;
  to.instrument = from.instrument;
  to.side = from.side;
  to.effect = from.effect;
  to.price = from.price;
  to.size = from.size;
  to.askPrice = from.askPrice;
  to.askSize = from.askSize;
  to.sentAt = from.sentAt;
  to.venueTime = from.venueTime;
  to.text = from.text;
  to.rejection = from.rejection;
  to.query = from.query;
  to.answer = from.answer;
  to.command = from.command;
  to.result = from.result;
}

/** Events that arrive while a step is taken wait here, in order. */
export class EventQueue {
  count = 0;
  readonly #ring: EngineEvent[] = [];
  #first = 0;

  /** Keeps a copy. */
  push(event: EngineEvent): void {
    if (this.count === this.#ring.length) this.#grow();
    let at = this.#first + this.count++;
    if (at >= this.#ring.length) at -= this.#ring.length;
    copyEvent(event, this.#ring[at]!);
  }

  /** The oldest; valid until the next `push`. `count` is above zero. */
  shift(): EngineEvent {
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
    while (ring.length < size) ring.push(newEvent());
  }
}
