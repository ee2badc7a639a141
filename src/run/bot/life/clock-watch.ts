/**
 * Watches the clocks of a live bot. Logs a step of the wall clock and a difference to the venue's clock. While the difference exceeds a
 * second, opens are halted.
 */
import type { Log } from '../../../ports/log.ts';
import type { LiveClock } from '../../../edge/time/live-clock.ts';
import type { VenueClock } from '../../../edge/time/venue-clock.ts';

/** Differences above which it warns, and above which it halts opens. Both end at three quarters of it, which avoids flapping. */
const WARN_MS = 250;
const HALT_MS = 1_000;
const BACK = 0.75;
/** Interval of comparisons. */
const LOOK_EVERY_MS = 500;

export interface ClockWatchDeps {
  readonly clock: LiveClock;
  readonly venueClock: VenueClock;
  readonly log: Log;
  /** Halts opens with this reason; "" ends the halt. */
  readonly halt: (why: string) => void;
}

export class ClockWatch {
  readonly #deps: ClockWatchDeps;
  readonly #timer: NodeJS.Timeout;
  #isOff = false;
  /** null before the first comparison: a halt of the previous process may still be active. */
  #isHalted: boolean | null = null;

  constructor(deps: ClockWatchDeps) {
    this.#deps = deps;
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /** Compares the clocks. Runs by timer, twice a second. */
  look(): void {
    const { clock, venueClock, log, halt } = this.#deps;
    clock.now();
    for (const byMs of clock.takeSteps()) {
      log.warn('clock-stepped', { byMs, hint: 'the wall clock of this machine was set; timers, ages and orders do not depend on it' });
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

  /** The venue's clock minus ours in milliseconds; null before enough answers. */
  get offsetMs(): number | null {
    const { skew } = this.#deps.venueClock;
    return skew === null ? null : Math.round(skew);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

function describe(offsetMs: number): string {
  return `${(Math.abs(offsetMs) / 1_000).toFixed(1)} s ${offsetMs < 0 ? 'behind' : 'ahead of'}`;
}
