/**
 * Watches the clocks of a live bot: says by name when the wall clock is set and when the venue's clock is off, halts opens while it
 * is off by more than a second, and lifts that by itself.
 */
import type { Log } from '../../ports/log.ts';
import type { LiveClock } from '../../edge/time/live-clock.ts';
import type { VenueClock } from '../../edge/time/venue-clock.ts';

/** Further apart than this is told, and than that halts opens. Both end at three quarters of it, so that nothing flutters. */
const WARN_MS = 250;
const HALT_MS = 1_000;
const BACK = 0.75;
/** How often the clocks are compared. */
const LOOK_EVERY_MS = 500;

export interface ClockWatchParts {
  readonly clock: LiveClock;
  readonly venueClock: VenueClock;
  readonly log: Log;
  /** Halts opens for the reason given, or lifts that: "". */
  readonly halt: (why: string) => void;
}

export class ClockWatch {
  readonly #parts: ClockWatchParts;
  readonly #timer: NodeJS.Timeout;
  #isOff = false;
  /** null before the first comparison: a halt of a process before this one may stand. */
  #isHalted: boolean | null = null;

  constructor(parts: ClockWatchParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /** Compares the clocks. Called by itself twice a second. */
  look(): void {
    const { clock, venueClock, log, halt } = this.#parts;
    clock.now();
    for (const byMs of clock.takeSteps()) {
      log.warn('clock-stepped', { byMs, hint: 'the wall clock of this machine was set; timers, ages and orders do not go by it' });
    }
    const { skew } = venueClock;
    clock.trustsWall = venueClock.agreesWithWall === true;
    if (skew === null) return;
    const off = Math.abs(skew);
    const offsetMs = Math.round(skew);
    if (off > HALT_MS && this.#isHalted !== true) {
      this.#isHalted = true;
      this.#isOff = true;
      log.error('clock-skew', {
        offsetMs,
        halted: true,
        hint: 'the clocks of this machine and of the venue are far apart; opens wait until they agree',
      });
      halt('the clock of the venue is ' + describe(offsetMs) + ' ours');
    } else if (off > WARN_MS && !this.#isOff) {
      this.#isOff = true;
      log.warn('clock-skew', { offsetMs, halted: false, hint: 'check the time synchronisation of this machine' });
    }
    if (this.#isHalted !== false && off < HALT_MS * BACK) {
      if (this.#isHalted === true) log.warn('clock-agrees', { offsetMs });
      this.#isHalted = false;
      halt('');
    }
    if (this.#isOff && off < WARN_MS * BACK) {
      this.#isOff = false;
      log.info('clock-agrees', { offsetMs });
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

function describe(offsetMs: number): string {
  return `${(Math.abs(offsetMs) / 1_000).toFixed(1)} s ${offsetMs < 0 ? 'behind' : 'ahead of'}`;
}
