/**
 * Rows of all streams in one order: by recorded time, then stream, then row. It hands out runs, so that the reader's loop works on one
 * stream's columns until another stream's turn comes. @hot
 */
import type { TapeStream } from './stream.ts';

/** A run is at most this long, so that one call of a block function stays short. */
const RUN_ROWS = 8192;

/** One stream: the run of its rows that was handed out last, and when the row after it comes. */
export class Run {
  declare readonly stream: TapeStream;
  /** Place of the stream in the order that decides ties. */
  declare readonly index: number;
  /** The run: rows `from` up to, not including, `to` of the stream's current block. */
  from = 0;
  to = 0;
  /** By what row `to` is ordered; Infinity after the last. Of no meaning at the end of a block. */
  time = Infinity;
  /** Wanted rows of all blocks up to the current one. */
  rows = 0;
  /** End of the block's wanted rows, and by what its rows are ordered. */
  length = 0;
  declare order: Float64Array;
  #hasEnded = false;

  constructor(stream: TapeStream, index: number) {
    this.stream = stream;
    this.index = index;
    this.order = stream.order;
  }

  /** Takes the rows that come before a rival's at `until`; those at `until` itself belong to the run when it `isFirst` of the two. */
  extend(until: number, isFirst: boolean): void {
    const { order, length } = this; // hot-ok: a pattern, nothing is made
    const from = this.to;
    const limit = length - from > RUN_ROWS ? from + RUN_ROWS : length;
    let row = from + 1;
    let time = until;
    if (until === Infinity) row = limit;
    else if (isFirst) while (row < limit && (time = order[row]!) <= until) row++;
    else while (row < limit && (time = order[row]!) < until) row++;
    this.from = from;
    this.to = row;
    this.time = row === limit && row < length ? order[row]! : time;
  }

  /** Goes to the stream's next rows whose time is at least `since` and below `until`. */
  load(since: number, until: number): void {
    const stream = this.stream;
    while (!this.#hasEnded) {
      if (!stream.next()) break;
      const { time, length } = stream; // hot-ok: a pattern, nothing is made
      let row = 0;
      let end = length;
      while (end > 0 && time[end - 1]! >= until) end--;
      while (row < end && time[row]! < since) row++;
      this.#hasEnded = end < length;
      if (row === end) continue;
      this.order = stream.order;
      this.to = row;
      this.length = end;
      this.rows += end - row;
      this.time = stream.order[row]!;
      return;
    }
    this.#hasEnded = true;
    this.to = this.length;
    this.time = Infinity;
  }

  rewind(): void {
    this.stream.rewind();
    this.#hasEnded = false;
    this.rows = 0;
  }

  isBefore(other: Run): boolean {
    return this.time < other.time || (this.time === other.time && this.index < other.index);
  }
}

export class TapeMerge {
  /** The current run. */
  declare run: Run;
  /** Rows before `since` and from `until` on are left out. */
  declare readonly since: number;
  declare readonly until: number;
  /** In the order that decides ties. */
  declare readonly streams: readonly TapeStream[];
  declare private readonly runs: readonly Run[];
  /** All but the current one, as a binary heap by time of the next row, then stream. */
  declare private readonly others: Run[];
  #isFresh = true;

  /** At least one stream; they are rewound by the first `next`. */
  constructor(streams: readonly TapeStream[], since = -Infinity, until = Infinity) {
    if (streams.length === 0) throw new RangeError('a merge needs at least one stream'); // hot-ok: construction
    this.streams = streams;
    this.runs = streams.map((stream, index) => new Run(stream, index)); // hot-ok: construction
    this.others = this.runs.slice(1);
    // Where there is one stream alone, its rival is one that never has a row.
    if (this.others.length === 0) this.others.push(new Run(streams[0]!, streams.length)); // hot-ok: construction
    this.run = this.runs[0]!;
    this.since = since;
    this.until = until;
  }

  get stream(): TapeStream {
    return this.run.stream;
  }
  get from(): number {
    return this.run.from;
  }
  get to(): number {
    return this.run.to;
  }

  /** How many rows there were; complete once `next` is false. */
  get rows(): number {
    let sum = 0;
    for (const run of this.runs) sum += run.rows;
    return sum;
  }

  /** Moves to the next run; false after the last row of the last stream. @throws TapeError as TapeStream.next */
  next(): boolean {
    if (this.#isFresh) this.#start();
    let run = this.run;
    // Only now is the next block taken: until here the columns were in use.
    if (run.to === run.length) run.load(this.since, this.until);
    const others = this.others;
    let rival = others[0]!;
    if (rival.isBefore(run)) {
      others[0] = run;
      this.run = rival;
      run = rival;
      if (others.length > 1) this.#sink(0);
      rival = others[0]!;
    }
    if (run.time === Infinity) return false;
    run.extend(rival.time, run.index < rival.index);
    return true;
  }

  /** Back to the first row of every stream. */
  rewind(): void {
    this.#isFresh = true;
  }

  #start(): void {
    this.#isFresh = false;
    for (const run of this.runs) {
      run.rewind();
      run.load(this.since, this.until);
    }
    for (let at = (this.others.length >> 1) - 1; at >= 0; at--) this.#sink(at);
  }

  #sink(start: number): void {
    const heap = this.others;
    const size = heap.length;
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
