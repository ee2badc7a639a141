/** Finds the silences of a stream while its rows go by, keeping the longest. */
import type { Gaps, Silence, TapeKind } from './manifest.ts';

const KEPT = 20;
/** A longer silence is a gap; of bars, one that is missing. */
export const SILENCE_MS: Readonly<Record<TapeKind, number>> = {
  trades: 5000,
  quotes: 5000,
  bars: 60_000,
  marks: 120_000,
  funding: 36_000_000,
};

export class GapFinder {
  /** A silence longer than this many ms counts. */
  readonly over: number;
  #count = 0;
  #totalMs = 0;
  #longest: Silence[] = [];

  /** `before`: what was found earlier in the stream. */
  constructor(over: number, before?: Gaps) {
    this.over = over;
    if (before === undefined) return;
    this.#count = before.count;
    this.#totalMs = before.totalMs;
    this.#longest = [...before.longest];
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
