/** The newest lines of the log in memory, for `tickwright tail --since`. */

interface Kept {
  readonly time: number;
  readonly line: string;
}

export class KeptLines {
  readonly #most: number;
  #lines: Kept[] = [];
  /** Number of the first line that is kept, counted from the start. */
  #first = 0;
  #length = 0;

  /** Keeps at most `most` characters. */
  constructor(most: number) {
    this.#most = most;
  }

  add(time: number, line: string): void {
    this.#lines.push({ time, line });
    this.#length += line.length;
    if (this.#length <= this.#most) return;
    // Drops the oldest quarter at once, so that lines are rarely moved.
    let dropped = 0;
    while (this.#length > 0.75 * this.#most) this.#length -= this.#lines[dropped++]!.line.length;
    this.#lines = this.#lines.slice(dropped);
    this.#first += dropped;
  }

  /** Time of the oldest line if older ones were dropped; −Infinity if all are kept. */
  get from(): number {
    return this.#first === 0 ? -Infinity : this.#lines[0]!.time;
  }

  /** The lines from `since` on, oldest first. Lines that are added meanwhile follow. */
  *since(since: number): Generator<string> {
    const found = this.#lines.findIndex(({ time }) => time >= since);
    let next = found < 0 ? this.#first + this.#lines.length : this.#first + found;
    while (next < this.#first + this.#lines.length) {
      next = Math.max(next, this.#first);
      yield this.#lines[next++ - this.#first]!.line;
    }
  }
}
