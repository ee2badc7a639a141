/** Finds the silences of a stream while its rows go by, keeping the longest. */
import type { Gaps, Silence } from './manifest.ts';

const KEPT = 20;

export class GapFinder {
  /** A silence longer than this many ms counts. */
  readonly over: number;
  #count = 0;
  #totalMs = 0;
  #longest: Silence[] = [];

  constructor(over: number) {
    this.over = over;
  }

  /** Notes that nothing was heard between the rows at `from` and `to`. */
  add(from: number, to: number): void {
    this.#count++;
    this.#totalMs += to - from;
    this.#longest.push({ from, to });
    if (this.#longest.length > 2 * KEPT) this.#longest = this.#kept();
  }

  summary(): Gaps {
    return { over: this.over, count: this.#count, totalMs: this.#totalMs, longest: this.#kept() };
  }

  #kept(): Silence[] {
    return this.#longest.toSorted((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from).slice(0, KEPT);
  }
}
