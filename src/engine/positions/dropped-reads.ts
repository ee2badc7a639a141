/**
 * Reads of the account that were dropped, because the clock of the server that answered is not the venue's (market/venue-offset.ts). What
 * they would have shown is unknown, so nothing opens until a later list of positions is accepted. While an exit is undecided, positions are
 * read again at once.
 */
import type { Timer } from '../../base/time/timer-queue.ts';
import type { TradingState } from '../state/trading-state.ts';
import type { VenueOffset } from '../market/venue-offset.ts';
import type { EventCounters } from '../state/events/event-counters.ts';
import { hasOpenExit, type OpenExitsCore } from '../orders/open-exits.ts';
import type { Query } from '../../ports/venue.ts';

/** The shared state that this file uses. */
interface DroppedReadsCore extends OpenExitsCore {
  readonly tradingState: TradingState;
  readonly venueOffset: VenueOffset;
  readonly counters: EventCounters;
}

/** Shortest time between two reads because of an exit. */
const AGAIN_MS = 250;

export class DroppedReads implements Timer {
  readonly #core: DroppedReadsCore;
  readonly #readNow: () => void;
  readonly #alarm: number;
  #since = Infinity;
  /** True from the first answer that shows two clocks until opens go on. */
  #isApart = false;
  #readAt = -Infinity;

  /** `readNow`: reads the positions at once. */
  constructor(core: DroppedReadsCore, readNow: () => void) {
    this.#core = core;
    this.#readNow = readNow;
    this.#alarm = core.timerQueue.add(this);
  }

  /** An answer to `query` was dropped: its clock is off by so many milliseconds, below zero for an older answer. */
  dropped({ kind }: Query, offByMs: number): void {
    const core = this.#core;
    core.counters.count('old-read', kind, core.now, { kind, offByMs });
    const what = `a read of ${kind} was dropped, because its time is ${(Math.abs(offByMs) / 1_000).toFixed(1)} s`;
    this.#hold(`${what} ${offByMs < 0 ? 'behind' : 'ahead of'} the venue's clock`);
    if (hasOpenExit(core)) core.timerQueue.set(this.#alarm, Math.max(core.now, this.#readAt + AGAIN_MS));
  }

  due(now: number): void {
    if (this.#since === Infinity) return;
    this.#readAt = now;
    this.#readNow();
  }

  /** The venue's clock was set: positions from before may be those of another moment. */
  clockMoved(byMs: number): void {
    const core = this.#core;
    core.log.warn('venue-clock-moved', {
      byMs,
      hint: 'several answers agree on it; nothing opens until positions are read by the new clock',
    });
    if (this.#since !== Infinity) this.#since = core.now;
    this.#hold(`the venue's clock was set by ${(byMs / 1_000).toFixed(1)} s`);
  }

  /** Public answers have another clock than those about the account, by so many milliseconds: which of them are of now is unknown. */
  clocksApart(byMs: number): void {
    if (this.#isApart) return;
    this.#isApart = true;
    this.#core.log.warn('clocks-apart', { byMs, hint: 'nothing opens until they agree' });
    this.#since = Math.min(this.#since, this.#core.now);
    const seconds = (Math.abs(byMs) / 1_000).toFixed(1);
    this.#core.tradingState.hold(
      `answers about the account and public ones have clocks ${seconds} s apart: opens wait until they agree`,
      this.#core.now,
    );
  }

  /** A list of all positions that was requested at `sentAt` was accepted. */
  read(sentAt: number): void {
    if (sentAt < this.#since || this.#core.venueOffset.isAlone) return;
    this.#isApart = false;
    this.#since = Infinity;
    this.#core.tradingState.hold('', this.#core.now);
  }

  #hold(why: string): void {
    if (this.#since !== Infinity) return;
    this.#since = this.#core.now;
    this.#core.tradingState.hold(`${why}: opens wait until positions are read`, this.#core.now);
  }
}
