/**
 * Rows of all streams in one order: by recorded time, then stream, then row. It hands out runs, so that the reader's loop works on one
 * stream's columns until another stream's turn comes. @hot
 */
import type { TapeStream } from './stream.ts';

/** A run is at most this long, so that one call of a block function stays short. */
const RUN_ROWS = 8192;

export class TapeMerge {
  /** The current run: rows `from` up to, not including, `to` of `stream`'s current block. */
  stream: TapeStream;
  from = 0;
  to = 0;

  readonly #streams: readonly TapeStream[];
  /** Numbers of the streams that have rows left, as a binary heap by (time of the next row, stream). */
  readonly #heap: Int32Array;
  /** Per stream: its next row within its block, and that row's time. */
  readonly #row: Int32Array;
  readonly #time: Float64Array;
  #size = 0;
  #fresh = true;

  /** Streams in the order that decides ties, at least one; they are rewound by the first `next`. */
  constructor(streams: readonly TapeStream[]) {
    const first = streams[0];
    if (first === undefined) throw new RangeError('a merge needs at least one stream'); // hot-ok: construction
    this.stream = first;
    this.#streams = streams;
    this.#heap = new Int32Array(streams.length); // hot-ok: construction
    this.#row = new Int32Array(streams.length); // hot-ok: construction
    this.#time = new Float64Array(streams.length); // hot-ok: construction
  }

  /** Moves to the next run; false after the last row of the last stream. @throws TapeError as TapeStream.next */
  next(): boolean {
    if (this.#fresh) this.#start();
    else this.#advance();
    if (this.#size === 0) return false;
    const top = this.#heap[0]!;
    const stream = this.#streams[top]!;
    const from = this.#row[top]!;
    const limit = Math.min(stream.length, from + RUN_ROWS);
    this.stream = stream;
    this.from = from;
    this.to = this.#size === 1 ? limit : this.#runEnd(stream.order, top, from, limit);
    return true;
  }

  /** Back to the first row of every stream. */
  rewind(): void {
    this.#fresh = true;
  }

  /** Where the run from row `from` ends for the runner-up's sake. The first row is the smallest of all and always belongs to it. */
  #runEnd(time: Float64Array, top: number, from: number, limit: number): number {
    let rival = this.#heap[1]!;
    if (this.#size > 2 && this.#before(this.#heap[2]!, rival)) rival = this.#heap[2]!;
    const until = this.#time[rival]!;
    let row = from + 1;
    if (top < rival) while (row < limit && time[row]! <= until) row++;
    else while (row < limit && time[row]! < until) row++;
    return row;
  }

  #start(): void {
    this.#fresh = false;
    this.#size = 0;
    for (let i = 0; i < this.#streams.length; i++) {
      const stream = this.#streams[i]!;
      stream.rewind();
      if (!stream.next()) continue;
      this.#row[i] = 0;
      this.#time[i] = stream.order[0]!;
      this.#heap[this.#size++] = i;
    }
    for (let at = (this.#size >> 1) - 1; at >= 0; at--) this.#sink(at);
  }

  /** Passes over the current run, only now taking the stream's next block: until here its columns were in use. */
  #advance(): void {
    if (this.#size === 0) return;
    const top = this.#heap[0]!;
    const stream = this.#streams[top]!;
    let row = this.to;
    if (row === stream.length) {
      row = 0;
      if (!stream.next()) {
        this.#size--;
        this.#heap[0] = this.#heap[this.#size]!;
        this.#sink(0);
        return;
      }
    }
    this.#row[top] = row;
    this.#time[top] = stream.order[row]!;
    this.#sink(0);
  }

  #before(a: number, b: number): boolean {
    const timeA = this.#time[a]!;
    const timeB = this.#time[b]!;
    return timeA < timeB || (timeA === timeB && a < b);
  }

  #sink(start: number): void {
    const heap = this.#heap;
    const size = this.#size;
    if (start >= size) return;
    const moved = heap[start]!;
    let at = start;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && this.#before(heap[child + 1]!, heap[child]!)) child++;
      if (!this.#before(heap[child]!, moved)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = moved;
  }
}
