/** The bars of a tape, and where another tape has shorter ones of them, those. */
import type { BarReader, ReadBar } from './bar-reader.ts';
import { Cover } from './finer-rows.ts';

/** What gives one bar after the other. */
export interface BarSource {
  /** The present one; reused by the next. */
  readonly bar: ReadBar;
  next(): boolean;
}

export class FinerBars implements BarSource {
  bar: ReadBar;
  readonly #coarse: BarReader;
  readonly #finer: BarReader;
  readonly #covers: Uint8Array;
  #isFinerRead = false;
  #hasFiner = false;
  /** End of the coarse bar whose shorter ones are read. */
  #until = -Infinity;

  constructor(coarse: BarReader, finer: BarReader, covers: Uint8Array) {
    this.bar = coarse.bar;
    this.#coarse = coarse;
    this.#finer = finer;
    this.#covers = covers;
  }

  next(): boolean {
    for (;;) {
      if (this.#isFiner()) return true;
      if (!this.#coarse.next()) return false;
      const { bar, rows } = this.#coarse;
      const cover = this.#covers[rows - 1] ?? Cover.none;
      if (cover !== Cover.bar && cover !== Cover.onward) {
        this.bar = bar;
        return true;
      }
      this.#until = bar.end;
      if (!this.#isFinerRead) this.#hasFiner = this.#finer.next();
      while (this.#hasFiner && this.#finer.bar.start < bar.start) this.#hasFiner = this.#finer.next();
      this.#isFinerRead = true;
    }
  }

  /** Moves to the next shorter bar of the coarse one. */
  #isFiner(): boolean {
    if (this.#until === -Infinity) return false;
    const finer = this.#finer;
    if (this.bar === finer.bar && this.#hasFiner) this.#hasFiner = finer.next();
    if (this.#hasFiner && finer.bar.start < this.#until) {
      this.bar = finer.bar;
      return true;
    }
    this.#until = -Infinity;
    this.bar = this.#coarse.bar;
    return false;
  }
}
