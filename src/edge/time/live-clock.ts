/** The only clock on the wall: milliseconds that never go back, and one timer for "the next thing due". */
import type { Clock } from '../../ports/clock.ts';

export interface LiveClockSources {
  /** The system's idea of now; it may jump. */
  readonly wall: () => number;
  /** Milliseconds since some fixed moment; it never jumps. */
  readonly steady: () => number;
}

const SYSTEM: LiveClockSources = { wall: () => Date.now(), steady: () => performance.now() };
/** How often the wall is looked at, and how much of a backward correction is absorbed: half speed until they agree. */
const LOOK_EVERY_MS = 1_000;

/**
 * Counts on the steady source and follows the wall: a wall that is ahead (a suspended machine) is adopted at once, one that
 * was set back is approached at half speed, so that `now()` grows all the while.
 */
export class LiveClock implements Clock {
  readonly #sources: LiveClockSources;
  #base: number;
  #anchor: number;
  #rate = 1;
  #jumps = 0;

  constructor(sources: LiveClockSources = SYSTEM) {
    this.#sources = sources;
    this.#base = sources.wall();
    this.#anchor = sources.steady();
  }

  /** Whole milliseconds since the Unix epoch. */
  now(): number {
    const elapsed = this.#sources.steady() - this.#anchor;
    if (elapsed >= LOOK_EVERY_MS) return this.#look(elapsed);
    return Math.floor(this.#base + elapsed * this.#rate);
  }

  /** How often the wall was found more than a second away. */
  get jumps(): number {
    return this.#jumps;
  }

  #look(elapsed: number): number {
    const reached = this.#base + elapsed * this.#rate;
    const wall = this.#sources.wall();
    if (Math.abs(wall - reached) > 1_000 && this.#rate === 1) this.#jumps++;
    this.#base = Math.max(reached, wall);
    this.#rate = wall < reached - 1 ? 0.5 : 1;
    this.#anchor += elapsed;
    return Math.floor(this.#base);
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
