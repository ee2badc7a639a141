/** The only clock on the wall: milliseconds that never go back, and one timer for "the next thing due". */
import type { Clock } from '../../ports/clock.ts';

export interface LiveClockSources {
  /** The system's idea of now; it may jump. */
  readonly wall: () => number;
  /** Milliseconds since some fixed moment; it never jumps. */
  readonly steady: () => number;
}

const SYSTEM: LiveClockSources = { wall: () => Date.now(), steady: () => performance.now() };
/** How often the wall is looked at. */
const LOOK_EVERY_MS = 1_000;
/** A look that took longer was interrupted between its two clocks, and says nothing about either. */
const LOOK_WITHIN_MS = 1;

/**
 * Counts on the steady source and follows the wall: a wall that is ahead (a suspended machine) is adopted at once, one that
 * was set back is approached at half speed for as long as that takes, so that `now()` grows all the while.
 */
export class LiveClock implements Clock {
  readonly #sources: LiveClockSources;
  #base: number;
  #anchor: number;
  /** For so many milliseconds after the anchor the clock runs at half speed. */
  #slowMs = 0;
  #jumps = 0;

  constructor(sources: LiveClockSources = SYSTEM) {
    this.#sources = sources;
    this.#base = sources.wall();
    this.#anchor = sources.steady();
  }

  /** Whole milliseconds since the Unix epoch. */
  now(): number {
    const steady = this.#sources.steady();
    if (steady - this.#anchor >= LOOK_EVERY_MS) this.#look(steady);
    return Math.floor(this.#at(steady));
  }

  /** How often the wall was found more than a second away. */
  get jumps(): number {
    return this.#jumps;
  }

  #at(steady: number): number {
    const elapsed = steady - this.#anchor;
    return this.#base + elapsed - Math.min(elapsed, this.#slowMs) / 2;
  }

  #look(steady: number): void {
    const wall = this.#sources.wall();
    if (this.#sources.steady() - steady > LOOK_WITHIN_MS) return;
    const reached = this.#at(steady);
    const ahead = reached - wall;
    if (Math.abs(ahead) > 1_000 && steady - this.#anchor >= this.#slowMs) this.#jumps++;
    this.#base = Math.max(reached, wall);
    // The wall tells whole milliseconds: less than one of them is no difference.
    this.#slowMs = ahead > 1 ? 2 * ahead : 0;
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
