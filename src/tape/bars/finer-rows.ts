/** Rows of a finer tape inside the bars of another one. */
import type { TapeStream } from '../file/stream.ts';

/** What is finer of a bar: nothing; all of it; the same, and nothing trades until the next bar; a part; another market. */
export const Cover = { none: 0, bar: 1, onward: 2, part: 3, other: 4 } as const;

/** Rows that are asked for span by span, each after the one before. */
export interface FinerRows {
  /** Gives a stream the columns of the next rows from `from` on and before `until`, and how many they are; 0 if there are no more. */
  within(stream: TapeStream, from: number, until: number): number;
  /** Back to the first row. */
  rewind(): void;
  close(): void;
}

/** The trades or the quotes of a tape as they were recorded. */
export class FinerStream implements FinerRows {
  readonly #inner: TapeStream;
  /** First row of the block that was not handed out yet. */
  #row = 0;

  /** `inner` is at its start. */
  constructor(inner: TapeStream) {
    this.#inner = inner;
  }

  within(stream: TapeStream, from: number, until: number): number {
    const inner = this.#inner;
    for (;;) {
      const { time, length } = inner;
      let row = this.#row;
      while (row < length && time[row]! < from) row++;
      let end = row;
      while (end < length && time[end]! < until) end++;
      this.#row = end;
      if (end > row) return this.#hand(stream, row, end);
      if (row < length || !inner.next()) return 0;
      this.#row = 0;
    }
  }

  rewind(): void {
    this.#inner.rewind();
    this.#row = 0;
  }

  close(): void {
    this.#inner.close();
  }

  #hand(stream: TapeStream, from: number, end: number): number {
    const inner = this.#inner;
    stream.time = inner.time.subarray(from, end);
    if (inner.kind === 'trades') {
      stream.price = inner.price.subarray(from, end);
      stream.size = inner.size.subarray(from, end);
      stream.side = inner.side.subarray(from, end);
    } else {
      stream.bid = inner.bid.subarray(from, end);
      stream.bidSize = inner.bidSize.subarray(from, end);
      stream.ask = inner.ask.subarray(from, end);
      stream.askSize = inner.askSize.subarray(from, end);
    }
    return end - from;
  }
}
