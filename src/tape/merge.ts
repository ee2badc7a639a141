/**
 * Rows of all streams in one order: by recorded time, then stream, then row. It hands out runs, so that the reader's loop works on one
 * stream's columns until another stream's turn comes. @hot
 */
import type { TapeStream } from './stream.ts';

/** A run is at most this long, so that one call of a block function stays short. */
const RUN_ROWS = 8192;

/** A stream, the next of its rows and that row's time. */
class Cursor {
  readonly stream: TapeStream;
  readonly index: number;
  row = 0;
  // A double from the start, which it then stays.
  time = Number.NaN;
  /** Rows and times of the stream's block. */
  length = 0;
  order: Float64Array;

  constructor(stream: TapeStream, index: number) {
    this.stream = stream;
    this.index = index;
    this.order = stream.order;
  }

  /** Goes to `row` of the block, and where that is its end to the next block; false when there is none. */
  goTo(row: number): boolean {
    if (row === this.length) return this.load();
    this.row = row;
    this.time = this.order[row]!;
    return true;
  }

  /** The first row of the stream's next block. */
  load(): boolean {
    const { stream } = this; // hot-ok: a pattern, nothing is made
    if (!stream.next()) return false;
    this.length = stream.length;
    this.order = stream.order;
    this.row = 0;
    this.time = stream.order[0]!;
    return true;
  }

  isBefore(other: Cursor): boolean {
    return this.time < other.time || (this.time === other.time && this.index < other.index);
  }
}

export class TapeMerge {
  /** The current run: rows `from` up to, not including, `to` of `stream`'s current block. */
  stream: TapeStream;
  from = 0;
  to = 0;

  /** In the order that decides ties. */
  readonly streams: readonly TapeStream[];
  readonly #cursors: readonly Cursor[];
  /** Whose row comes first; what is here after the last row of all does not matter. */
  #top: Cursor;
  /** The others that have rows left: the first `#size` are a binary heap by time of the next row, then stream. */
  readonly #others: Cursor[];
  #size = 0;
  #isFresh = true;

  /** At least one stream; they are rewound by the first `next`. */
  constructor(streams: readonly TapeStream[]) {
    const first = streams[0];
    if (first === undefined) throw new RangeError('a merge needs at least one stream'); // hot-ok: construction
    this.stream = first;
    this.streams = streams;
    this.#cursors = streams.map((stream, index) => new Cursor(stream, index)); // hot-ok: construction
    this.#others = this.#cursors.slice();
    this.#top = this.#others[0]!;
  }

  /** Moves to the next run; false after the last row of the last stream. @throws TapeError as TapeStream.next */
  next(): boolean {
    if (!(this.#isFresh ? this.#start() : this.#advance())) return false;
    const top = this.#top;
    const from = top.row;
    const limit = Math.min(top.length, from + RUN_ROWS);
    this.stream = top.stream;
    this.from = from;
    this.to = this.#size === 0 ? limit : runEnd(top.order, from, limit, this.#others[0]!, top.index);
    return true;
  }

  /** Back to the first row of every stream. */
  rewind(): void {
    this.#isFresh = true;
  }

  #start(): boolean {
    this.#isFresh = false;
    this.#size = 0;
    for (const cursor of this.#cursors) {
      cursor.stream.rewind();
      if (cursor.load()) this.#others[this.#size++] = cursor;
    }
    for (let at = (this.#size >> 1) - 1; at >= 0; at--) this.#sink(at);
    return this.#pop();
  }

  /** Passes over the current run, only now taking the stream's next block: until here its columns were in use. */
  #advance(): boolean {
    const top = this.#top;
    if (!top.goTo(this.to)) return this.#pop();
    if (this.#size === 0 || top.isBefore(this.#others[0]!)) return true;
    this.#top = this.#others[0]!;
    this.#others[0] = top;
    if (this.#size > 1) this.#sink(0);
    return true;
  }

  /** The first of the others comes next; false when there is none. */
  #pop(): boolean {
    if (this.#size === 0) return false;
    this.#top = this.#others[0]!;
    this.#others[0] = this.#others[--this.#size]!;
    if (this.#size > 1) this.#sink(0);
    return true;
  }

  #sink(start: number): void {
    const heap = this.#others;
    const size = this.#size;
    const moved = heap[start]!;
    let at = start;
    for (let child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && heap[child + 1]!.isBefore(heap[child]!)) child++;
      if (!heap[child]!.isBefore(moved)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = moved;
  }
}

/**
 * Where the run of stream `index` from row `from` ends, `limit` at the latest, for the sake of the runner-up. The row `from` is the
 * smallest of all and always belongs to the run.
 */
function runEnd(time: Float64Array, from: number, limit: number, rival: Cursor, index: number): number {
  const until = rival.time;
  let row = from + 1;
  if (index < rival.index) while (row < limit && time[row]! <= until) row++;
  else while (row < limit && time[row]! < until) row++;
  return row;
}
