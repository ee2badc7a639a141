/**
 * The clock that timers, ages and deadlines go by: it counts on the monotonic clock from where the wall clock stood at the start, so
 * that a wall clock that is set forward or back stops nothing and hurries nothing. And one timer for "the next thing due".
 */
import { uptime } from 'node:os';
import type { Clock } from '../../ports/clock.ts';

export interface LiveClockSources {
  /** The system's idea of now; it may jump. */
  readonly wall: () => number;
  /** Milliseconds since some fixed moment; it never jumps, and may stand still while the machine sleeps. */
  readonly steady: () => number;
  /** The same, but it never stands still. Where there is none, `steady` counts the machine's sleep. */
  readonly boot?: (() => number) | undefined;
}

/** On Linux the monotonic clock of Node.js leaves out the sleep of the machine and the uptime counts it; elsewhere it counts it itself. */
const SYSTEM: LiveClockSources = {
  wall: () => Date.now(),
  steady: () => performance.now(),
  boot: process.platform === 'linux' ? () => uptime() * 1_000 : undefined,
};
/** How often the other clocks are looked at. */
const LOOK_EVERY_MS = 1_000;
/** A look that took longer was interrupted between its clocks, and says nothing about any. */
const LOOK_WITHIN_MS = 1;
/** The clock runs at most this share faster or slower while it follows the wall. */
const SLEW = 0.1;
/** A wall that is farther away than this was set, and has not drifted: it is followed only once it is known to be right. */
const SET_MS = 1_000;
/** A change of the wall against the monotonic clock between two looks that is told as a step. */
const STEP_MS = 250;
/** A sleep that is shorter is not told from the roughness of the uptime. */
const SLEEP_MS = 1_000;

/**
 * Never goes back and never jumps but for the time that the machine slept. It follows the wall by running a tenth faster or slower,
 * as long as that drifts by less than a second; a wall that was set is followed once `trustsWall` is true.
 */
export class LiveClock implements Clock {
  /** Whether the wall is known to be right, so that it is followed however far away it is. Told by who compares it with the venue. */
  trustsWall = false;
  readonly #sources: LiveClockSources;
  #base: number;
  #anchor: number;
  /** How far the clock still has to go to meet the wall; it goes at a tenth of its speed. */
  #toGo = 0;
  /** Wall minus steady at the last look. */
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

  /** Whole milliseconds since the Unix epoch, as the wall told them at the start. */
  now(): number {
    const steady = this.#sources.steady();
    if (steady - this.#anchor >= LOOK_EVERY_MS) this.#look(steady);
    return Math.floor(this.#at(steady));
  }

  /** What the wall clock says. */
  wall(): number {
    return this.#sources.wall();
  }

  /** How often the wall was set by more than a quarter of a second. */
  get jumps(): number {
    return this.#jumps;
  }

  /** By how many milliseconds the wall was set since this was asked last, step by step. */
  takeSteps(): number[] {
    return this.#steps.splice(0);
  }

  #at(steady: number): number {
    const elapsed = steady - this.#anchor;
    const slewed = Math.min(elapsed * SLEW, Math.abs(this.#toGo));
    return this.#base + elapsed + (this.#toGo < 0 ? -slewed : slewed);
  }

  #look(steady: number): void {
    const { wall: readWall, boot } = this.#sources;
    const wall = readWall();
    const awake = boot === undefined ? 0 : boot() - this.#bootOffset - steady - this.#slept;
    if (this.#sources.steady() - steady > LOOK_WITHIN_MS) return;
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
    // The wall tells whole milliseconds: less than one of them is no difference.
    this.#toGo = Math.abs(ahead) > 1 && (this.trustsWall || Math.abs(ahead) < SET_MS) ? ahead : 0;
    this.#anchor = steady;
  }
}

/** Longest delay a system timer takes; longer ones wake and wait again. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/** One timer that is moved about: `due` is called once for each moment set, never early and never twice. */
export class Alarm {
  readonly #clock: Clock;
  readonly #due: (now: number) => void;
  #at = Infinity;
  #timer: NodeJS.Timeout | null = null;
  /** When the armed timer wakes; a later `at` lets it wake and wait again rather than be replaced. */
  #wakesAt = Infinity;

  constructor(clock: Clock, due: (now: number) => void) {
    this.#clock = clock;
    this.#due = due;
  }

  /** Calls `due` at `at` (milliseconds since the epoch) instead of what was set before; Infinity sets nothing. */
  setAt(at: number): void {
    if (at === this.#at) return;
    this.#at = at;
    if (at < this.#wakesAt) this.#arm();
    else if (at === Infinity) this.stop();
  }

  /** Forgets the moment that was set and lets the process end. */
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
