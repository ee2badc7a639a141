/** The methods by which the parts around the kernel reach it: each fills one event and passes it on. @hot */
import type { Clock } from '../ports/clock.ts';
import type { Inbox, VenueEvent } from '../ports/venue-event.ts';
import * as events from './event.ts';
import { newEvent, type EngineEvent } from './event.ts';
import type { EndedBars } from './market/bar.ts';
import type { BarRow } from './market/series.ts';
import type { OperatorCommand, OperatorResult } from './operator/command.ts';

const { QUOTE, TIMERS, TRADE } = events;

/** Receives events: the kernel, or a wrapper that inspects them first. */
export interface EventTaker {
  step(event: EngineEvent): void;
}

export class KernelInbox implements Inbox {
  declare private readonly taker: EventTaker;
  declare private readonly clock: Clock;
  declare private readonly event: EngineEvent;

  /** Every event gets the current time of `clock`. */
  constructor(taker: EventTaker, clock: Clock) {
    this.taker = taker;
    this.clock = clock;
    this.event = newEvent();
  }

  start(): void {
    this.taker.step(this.#of(events.START));
  }

  stop(): void {
    this.taker.step(this.#of(events.STOP));
  }

  cancelAgain(): void {
    this.taker.step(this.#of(events.CANCEL_AGAIN));
  }

  rotateEpoch(): void {
    this.taker.step(this.#of(events.ROTATE_EPOCH));
  }

  /** Halts opens because the clocks disagree, for this reason; "" ends the halt. */
  clockHalt(why: string): void {
    this.#because(events.CLOCK_SKEW, why);
  }

  /**
   * The journal cannot be written for a while: opens are halted. When it is back, the venue is read as at a start, and then opens continue.
   */
  journalAway(isAway: boolean): void {
    const event = this.#of(events.JOURNAL_AWAY);
    event.size = isAway ? 1 : 0;
    this.taker.step(event);
  }

  /** Another server has taken over the journal, with all records: later client ids are of a new epoch. */
  newEpoch(): void {
    this.taker.step(this.#of(events.NEW_EPOCH));
  }

  /** What is committed may be lost, for this reason: opens are halted. "" ends the halt. */
  journalUnsafe(why: string): void {
    this.#because(events.JOURNAL_UNSAFE, why);
  }

  /** The server that took over lacks records: opens are halted until a person rotates the epoch. */
  journalBehind(why: string): void {
    this.#because(events.JOURNAL_BEHIND, why);
  }

  /** Executes a command of an operator, a person or a program. */
  operate(command: OperatorCommand): OperatorResult {
    const event = this.#of(events.OPERATE);
    event.command = command;
    event.result = null;
    this.taker.step(event);
    return event.result!;
  }

  /** Runs everything that is due at `now`: strategy timers, polls, bars, probes. */
  runTimers(now: number): void {
    const event = this.event;
    event.kind = TIMERS;
    event.at = now;
    this.taker.step(event);
  }

  /** A pushed quote, received at the moment it was made. */
  onQuote(instrument: number, bid: number, bidSize: number, ask: number, askSize: number): void {
    const event = this.#of(QUOTE);
    event.instrument = instrument;
    event.price = bid;
    event.size = bidSize;
    event.askPrice = ask;
    event.askSize = askSize;
    this.taker.step(event);
  }

  /** A pushed trade, received at the moment it was made. */
  onTrade(instrument: number, price: number, size: number, aggressor: number): void {
    const event = this.#of(TRADE);
    event.instrument = instrument;
    event.price = price;
    event.size = size;
    event.side = aggressor;
    this.taker.step(event);
  }

  /** Backtests on bars: a bar begins to be played. Until `bars`, handlers wait. */
  insideBar(): void {
    this.taker.step(this.#of(events.INSIDE_BAR));
  }

  /** Inside a bar the market came to this quote. */
  path(instrument: number, bid: number, ask: number, size: number): void {
    const event = this.#of(events.PATH);
    event.instrument = instrument;
    event.price = bid;
    event.size = size;
    event.askPrice = ask;
    event.askSize = size;
    this.taker.step(event);
  }

  /** These bars have ended. Their timers are run, and their quotes told, by `runTimers` and `quoted`. */
  bars(ended: EndedBars): void {
    this.#ended(events.BARS, ended);
  }

  /** The bars after them, as long as they only move prices: as `bars`, `runTimers` and `quoted` for each time. */
  quietBars(ended: EndedBars): void {
    this.#ended(events.QUIET_BARS, ended);
  }

  #ended(kind: number, ended: EndedBars): void {
    const event = this.#of(kind);
    event.ended = ended;
    this.taker.step(event);
    event.ended = null;
  }

  /** The timers of this moment were called. */
  quoted(): void {
    this.taker.step(this.#of(events.QUOTED));
  }

  /** Bars of the past, oldest first, for the strategies that declared this timeframe. Every trade before `until` is in them. */
  history(instrument: number, timeframe: string, bars: readonly BarRow[], until: number): void {
    this.#bars(events.HISTORY, instrument, timeframe, bars, until);
  }

  /** The same from recordings, called before the start: what came after `until` is read from the venue. */
  recorded(instrument: number, timeframe: string, bars: readonly BarRow[], until: number): void {
    this.#bars(events.RECORDED, instrument, timeframe, bars, until);
  }

  #bars(kind: number, instrument: number, timeframe: string, bars: readonly BarRow[], until: number): void {
    const event = this.#of(kind);
    event.instrument = instrument;
    event.text = timeframe;
    event.bars = bars;
    event.venueTime = until;
    this.taker.step(event);
    event.bars = null;
  }

  /** What the venue says: an outcome, an answer or a push. */
  take(said: VenueEvent): void {
    const event = this.#of(said.kind);
    event.seq = said.seq;
    event.instrument = said.instrument;
    event.side = said.side;
    event.effect = said.effect;
    event.price = said.price;
    event.size = said.size;
    event.sentAt = said.sentAt;
    event.venueTime = said.venueTime;
    event.text = said.text;
    event.rejection = said.rejection;
    event.query = said.query;
    event.answer = said.answer;
    this.taker.step(event);
  }

  #because(kind: number, why: string): void {
    const event = this.#of(kind);
    event.text = why;
    this.taker.step(event);
  }

  #of(kind: number): EngineEvent {
    const event = this.event;
    event.kind = kind;
    event.at = this.clock.now();
    return event;
  }
}
