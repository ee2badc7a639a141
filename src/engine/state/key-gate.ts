/**
 * When signed requests may leave while the venue refuses the key: one at a time, as a probe, after pauses that double. While an order or a
 * position is open, cancels and closes are probes too, and no pause is longer than two seconds. Both lanes share one gate. @hot
 */

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
const LONGEST_OPEN_MS = 2_000;
/** A probe without a result by then counts as lost. */
const LOST_MS = 5_000;
/** A lane that waits for its turn looks again at least this often. */
const LOOK_MS = 250;

export class KeyGate {
  /** True while the key is refused. */
  isShut = false;
  #isProbing = false;
  #triedAt = -Infinity;
  #pauseMs = FIRST_MS;
  #hasOpen: () => boolean = NOTHING_OPEN;

  /** Sets how to find out whether an order or a position is open. */
  attach(hasOpen: () => boolean): void {
    this.#hasOpen = hasOpen;
  }

  /** True if a signed request may leave at `now`. Call `tries` with it. */
  mayTry(now: number): boolean {
    if (!this.isShut) return true;
    if (this.#isProbing && now < this.#triedAt + LOST_MS) return false;
    return now >= this.#nextAt();
  }

  /** A signed request leaves at `now`. */
  tries(now: number): void {
    if (!this.isShut) return;
    this.#isProbing = true;
    this.#triedAt = now;
  }

  /** When a lane with waiting requests should look again. */
  lookAt(now: number): number {
    if (this.mayTry(now)) return now;
    return Math.min(now + LOOK_MS, this.#isProbing ? this.#triedAt + LOST_MS : this.#nextAt());
  }

  /** The venue refuses the key. */
  shut(now: number): void {
    this.isShut = true;
    this.#isProbing = false;
    this.#triedAt = now;
    this.#pauseMs = FIRST_MS;
  }

  /** A signed request ended without showing that the key works. */
  ended(): void {
    if (!this.#isProbing) return;
    this.#isProbing = false;
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_MS);
  }

  /** The key works. */
  open(): void {
    this.isShut = false;
    this.#isProbing = false;
  }

  #nextAt(): number {
    return this.#triedAt + (this.#hasOpen() ? Math.min(this.#pauseMs, LONGEST_OPEN_MS) : this.#pauseMs);
  }
}

function NOTHING_OPEN(): boolean {
  return false;
}
