/**
 * Measures how long a bot has been silent. Only beats with which its kernel has advanced count, and time counts only while the watchdog
 * itself runs: after a pause of the machine both begin where they were.
 */
import type { Beat } from './beat.ts';

/** Most that one look adds. */
const LOOK_MOST_MS = 1_000;

export class Silence {
  #last: Beat | null = null;
  #ms = 0;
  #uncountedMs = 0;

  /** Milliseconds since the kernel last advanced. */
  get ms(): number {
    return this.#ms;
  }

  /** Milliseconds since then that do not count, because the watchdog itself did not run. */
  get uncountedMs(): number {
    return this.#uncountedMs;
  }

  /** The newest beat; null before the first. */
  get last(): Beat | null {
    return this.#last;
  }

  /** True if the kernel has advanced since the beat before. Before a bot knows its epoch it has no kernel: starts that fail are silence. */
  heard(beat: Beat): boolean {
    const last = this.#last;
    const isOther = beat.pid !== last?.pid || beat.epoch !== last.epoch || beat.phase !== last.phase;
    const isNew = beat.epoch > 0 && (isOther || beat.turns > last.turns);
    this.#last = beat;
    if (isNew) this.reset();
    return isNew;
  }

  /** The watchdog has run for so many milliseconds since it looked last. */
  passed(ms: number): void {
    const counted = Math.min(Math.max(0, ms), LOOK_MOST_MS);
    this.#ms += counted;
    this.#uncountedMs += Math.max(0, ms - counted);
  }

  /** The count begins again. */
  reset(): void {
    this.#ms = 0;
    this.#uncountedMs = 0;
  }
}
