/**
 * Everything that reaches the kernel is a flat record of one of these kinds, or of those of the venue (ports/venue-event.ts: 6 to 14). The
 * ordered events of a session are enough to replay it. @hot
 */
import { Ring } from '../base/collections/ring.ts';
import type { Rejection } from '../domain/orders/outcome.ts';
import type { Answer, Query } from '../ports/venue.ts';
import * as said from '../ports/venue-event.ts';
import type { EndedBars } from './market/bar.ts';
import type { BarRow } from './market/series.ts';
import type { OperatorCommand, OperatorResult } from './operator/command.ts';

/** Starts the kernel: restores its orders and reads the venue, or trades at once if the venue pushes. */
export const START = 1;
/** Stops the strategies: they may only cancel from now on. */
export const STOP = 2;
/** Runs all timers that are due by `at`. */
export const TIMERS = 3;
/** A pushed quote of `instrument`; `price` and `size` are those of the bid. */
export const QUOTE = 4;
/** A pushed trade of `instrument`; `side` is that of the aggressor. */
export const TRADE = 5;
/** An operator sends `command`; the answer is stored in `result`. */
export const OPERATE = 15;
/** Repeats the cancels that had no effect. */
export const CANCEL_AGAIN = 16;
/** The clocks disagree, for the reason `text`; "" when they agree again. */
export const CLOCK_SKEW = 17;
/** The journal cannot be written (`size` 1), or can be again (0). */
export const JOURNAL_AWAY = 18;
/** Starts a new epoch of client ids. */
export const ROTATE_EPOCH = 19;

/** Bars of the past: `bars` of `instrument` and the timeframe `text`, oldest first, with every trade before `venueTime`. */
export const HISTORY = 20;
/** The same from recordings, before the start: the venue is asked for what came after. */
export const RECORDED = 21;

/** Backtests on bars: a bar begins to be played; handlers wait for BARS. */
export const INSIDE_BAR = 22;
/** Inside a bar the market of `instrument` came to this quote, as in QUOTE. */
export const PATH = 23;
/** The bars `ended` are over: what waited inside them is told, then the bars. */
export const BARS = 24;
/** The same for the bars after them, as long as `ended` has some; timers and quotes of each are told at once. */
export const QUIET_BARS = 25;
/** The timers of this moment were called: quotes are told. */
export const QUOTED = 26;
/** Another server has taken over the journal: later client ids are of a new epoch. */
export const NEW_EPOCH = 27;
/** What is committed may still be lost, for the reason `text`; "" when it is safe again. */
export const JOURNAL_UNSAFE = 28;
/** The server that took over lacks records, as `text` says. */
export const JOURNAL_BEHIND = 29;

/** Name of each kind in recordings and traces. */
export const EVENT_NAMES: Readonly<Record<number, string>> = {
  [START]: 'start',
  [STOP]: 'stop',
  [TIMERS]: 'timers',
  [QUOTE]: 'quote',
  [TRADE]: 'trade',
  [said.ACCEPTED]: 'accepted',
  [said.REJECTED]: 'rejected',
  [said.UNSENT]: 'unsent',
  [said.UNKNOWN]: 'unknown',
  [said.ANSWERED]: 'answered',
  [said.FAILED]: 'failed',
  [said.PUSHED_FILL]: 'pushed-fill',
  [said.PUSHED_OWN_FILL]: 'pushed-own-fill',
  [said.PUSHED_END]: 'pushed-end',
  [OPERATE]: 'operate',
  [CANCEL_AGAIN]: 'cancel-again',
  [CLOCK_SKEW]: 'clock-skew',
  [JOURNAL_AWAY]: 'journal-away',
  [ROTATE_EPOCH]: 'rotate-epoch',
  [HISTORY]: 'history',
  [RECORDED]: 'recorded',
  [INSIDE_BAR]: 'inside-bar',
  [PATH]: 'path',
  [BARS]: 'bars',
  [QUIET_BARS]: 'quiet-bars',
  [QUOTED]: 'quoted',
  [NEW_EPOCH]: 'new-epoch',
  [JOURNAL_UNSAFE]: 'journal-unsafe',
  [JOURNAL_BEHIND]: 'journal-behind',
};

/** One event; its kind decides which fields count. Prices in ticks, sizes in lots, times in milliseconds. The object is reused. */
export interface EngineEvent {
  kind: number;
  /** The kernel's time during the event. */
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
  bars: readonly BarRow[] | null;
  ended: EndedBars | null;
}

const EMPTY: EngineEvent = {
  kind: 0,
  // Times start as fractions, so that V8 keeps the fields as doubles.
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
  bars: null,
  ended: null,
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
  to.bars = from.bars;
  to.ended = from.ended;
}

/** Queue of events that arrive during a step, in order. */
export class EventQueue {
  readonly #ring = new Ring<EngineEvent>(newEvent);

  get count(): number {
    return this.#ring.count;
  }

  /** Appends a copy of the event. */
  push(event: EngineEvent): void {
    copyEvent(event, this.#ring.push());
  }

  /** The oldest event; valid until the next `push`. `count` must be above zero. */
  shift(): EngineEvent {
    return this.#ring.shift();
  }
}
