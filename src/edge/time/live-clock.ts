/**
 * The clock for timers, ages and deadlines. It starts at the wall clock's time and then follows the monotonic clock, so that a change of
 * the wall clock does not stop or hurry anything. Also a movable timer for the next deadline.
 */
import { uptime } from 'node:os';
import { CLOCK_SLEW, type Clock } from '../../ports/clock.ts';

export interface LiveClockSources {
  /** The system's wall clock in milliseconds since 1970; it may jump. */
  readonly wall: () => number;
  /** Monotonic milliseconds. Never jumps, but may stop while the machine is suspended. */
  readonly steady: () => number;
  /** Monotonic milliseconds that include suspension. If undefined, `steady` itself includes it. */
  readonly boot?: (() => number) | undefined;
}

/** On Linux, Node's monotonic clock stops during suspension and the uptime does not. Elsewhere the monotonic clock includes suspension. */
const SYSTEM: LiveClockSources = {
  wall: () => Date.now(),
  steady: () => performance.now(),
  boot: process.platform === 'linux' ? () => uptime() * 1_000 : undefined,
};
/** How often the other clocks are read. */
const READ_EVERY_MS = 1_000;
/** If reading the clocks took longer, the process was interrupted between them, and the readings are discarded. */
const READ_WITHIN_MS = 1;
/** A larger difference means that the wall clock was set, not that it drifted. It is followed only once it is known to be right. */
const SET_MS = 1_000;
/** A larger change of the wall clock against the monotonic clock between two readings is reported as a step. */
const STEP_MS = 250;
/** A shorter suspension cannot be distinguished from the rounding of the uptime. */
const SLEEP_MS = 1_000;

/**
 * Never goes back, and only jumps forward by the time that the machine was suspended. It approaches the wall clock by running a tenth
 * faster or slower, as long as the difference is below a second. A larger difference is followed only while `trustsWall` is true.
 */
export class LiveClock implements Clock {
  /** True if the wall clock is known to be right and is followed at any difference. Set by the code that compares it with the venue. */
  trustsWall = false;
  readonly #sources: LiveClockSources;
  #base: number;
  #anchor: number;
  /** Remaining difference to the wall clock. */
  #toGo = 0;
  /** Wall clock minus monotonic clock at the last reading. */
  #wallOffset: number;
  #slept = 0;
  readonly #bootOffset: number;
  readonly #steps: number[] = [];
  #jumps = 0;

  constructor(sources: LiveClockSources = SYSTEM) {
    this.#sources = sources;
    this.#base = sources.wall();
    this.#anchor = sources.steady();
    this.#wallOffset = this.#base - this.#anchor;
    this.#bootOffset = sources.boot === undefined ? 0 : sources.boot() - this.#anchor;
  }

  /** Whole milliseconds since 1970. */
  now(): number {
    const steady = this.#sources.steady();
    if (steady - this.#anchor >= READ_EVERY_MS) this.#readClocks(steady);
    return Math.floor(this.#at(steady));
  }

  /** The wall clock's time. */
  wall(): number {
    return this.#sources.wall();
  }

  /** How often the wall clock was set by more than a quarter of a second. */
  get jumps(): number {
    return this.#jumps;
  }

  /** Returns the steps of the wall clock since the last call, in milliseconds. */
  takeSteps(): number[] {
    return this.#steps.splice(0);
  }

  #at(steady: number): number {
    const elapsed = steady - this.#anchor;
    const slewed = Math.min(elapsed * CLOCK_SLEW, Math.abs(this.#toGo));
    return this.#base + elapsed + (this.#toGo < 0 ? -slewed : slewed);
  }

  #readClocks(steady: number): void {
    const { wall: readWall, boot } = this.#sources;
    const wall = readWall();
    const awake = boot === undefined ? 0 : boot() - this.#bootOffset - steady - this.#slept;
    if (this.#sources.steady() - steady > READ_WITHIN_MS) return;
    const slept = awake > SLEEP_MS ? awake : 0;
    this.#slept += slept;
    const reached = this.#at(steady) + slept;
    const step = wall - steady - this.#wallOffset - slept;
    this.#wallOffset = wall - steady;
    if (Math.abs(step) > STEP_MS) {
      this.#jumps++;
      this.#steps.push(Math.round(step));
    }
    const ahead = wall - reached;
    this.#base = reached;
    // The wall clock has whole milliseconds, so a smaller difference is none.
    this.#toGo = Math.abs(ahead) > 1 && (this.trustsWall || Math.abs(ahead) < SET_MS) ? ahead : 0;
    this.#anchor = steady;
  }
}

/** Longest delay of a system timer in milliseconds. A longer wait uses several. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/** One movable timer: calls `due` once for each time set, never early and never twice. */
export class Alarm {
  readonly #clock: Clock;
  readonly #due: (now: number) => void;
  #at = Infinity;
  #timer: NodeJS.Timeout | null = null;
  /** Time when the current system timer fires. A later `at` lets it fire and wait again, instead of replacing it. */
  #wakesAt = Infinity;

  constructor(clock: Clock, due: (now: number) => void) {
    this.#clock = clock;
    this.#due = due;
  }

  /** Calls `due` at `at` (milliseconds since 1970) instead of the time set before; Infinity cancels. */
  setAt(at: number): void {
    if (at === this.#at) return;
    this.#at = at;
    if (at < this.#wakesAt) this.#arm();
    else if (at === Infinity) this.stop();
  }

  /** Cancels the timer, so that the process can end. */
  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#at = Infinity;
    this.#wakesAt = Infinity;
  }

  #arm(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    const delay = Math.min(Math.max(0, Math.ceil(this.#at - this.#clock.now())), LONGEST_DELAY_MS);
    this.#wakesAt = this.#clock.now() + delay;
    this.#timer = setTimeout(() => this.#wake(), delay);
  }

  #wake(): void {
    this.#timer = null;
    this.#wakesAt = Infinity;
    const now = this.#clock.now();
    if (this.#at > now) {
      if (this.#at !== Infinity) this.#arm();
      return;
    }
    this.#at = Infinity;
    this.#due(now);
  }
}
