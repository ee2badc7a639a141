/**
 * Decides when signed requests may leave while the venue refuses the key: one at a time, as a probe, after pauses that double. While an
 * order or a position is open, no pause is longer than two seconds. Commands and reads have turns of their own, so none keeps the other
 * from finding out that the key works; a key that may read but not trade shuts commands alone. @hot
 */

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
const LONGEST_OPEN_MS = 2_000;
/** A probe without a result by then counts as lost. */
const LOST_MS = 5_000;
/** A throttle that waits for its turn looks again at least this often. */
const LOOK_MS = 250;

/** The turns of commands, or of reads. */
export class KeyTurns {
  /** True while the key is refused. */
  isShut = false;
  /** Turns that go first: these wait for half a pause after each of those. */
  private readonly first: KeyTurns | null;
  private isProbing = false;
  private triedAt = -Infinity;
  private pauseMs = FIRST_MS;
  private readonly hasOpen: () => boolean;

  constructor(hasOpen: () => boolean, first: KeyTurns | null) {
    this.hasOpen = hasOpen;
    this.first = first;
  }

  /** True if a signed request may leave at `now`. Call `tries` with it. */
  mayTry(now: number): boolean {
    if (!this.isShut) return true;
    if (this.isProbing && now < this.triedAt + LOST_MS) return false;
    return now >= this.#nextAt();
  }

  /** A signed request leaves at `now`. */
  tries(now: number): void {
    if (!this.isShut) return;
    this.isProbing = true;
    this.triedAt = now;
  }

  /** When a throttle with waiting requests should look again. */
  lookAt(now: number): number {
    if (this.mayTry(now)) return now;
    return Math.min(now + LOOK_MS, this.isProbing ? this.triedAt + LOST_MS : this.#nextAt());
  }

  /** The venue refuses the key. */
  shut(now: number): void {
    if (this.isShut) return;
    this.isShut = true;
    this.isProbing = false;
    this.triedAt = now;
    this.pauseMs = FIRST_MS;
  }

  /** A signed request ended without showing that the key works. */
  ended(): void {
    if (!this.isProbing) return;
    this.isProbing = false;
    this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_MS);
  }

  /** The key works. */
  open(): void {
    this.isShut = false;
    this.isProbing = false;
  }

  #nextAt(): number {
    const pause = this.hasOpen() ? Math.min(this.pauseMs, LONGEST_OPEN_MS) : this.pauseMs;
    const { first } = this;
    const next = this.triedAt + pause;
    return first === null || !first.isShut ? next : Math.max(next, first.triedAt + pause / 2);
  }
}

export class KeyGate {
  readonly commands: KeyTurns;
  readonly reads: KeyTurns;
  #hasOpen: () => boolean = NOTHING_OPEN;

  constructor() {
    const hasOpen = (): boolean => this.#hasOpen();
    this.commands = new KeyTurns(hasOpen, null);
    this.reads = new KeyTurns(hasOpen, this.commands);
  }

  /** Sets how to find out whether an order or a position is open. */
  attach(hasOpen: () => boolean): void {
    this.#hasOpen = hasOpen;
  }
}

function NOTHING_OPEN(): boolean {
  return false;
}
