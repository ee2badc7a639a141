/**
 * Rows of all streams in one order: by recorded time, then stream, then row. It hands out runs of rows of one stream; in a stretch the
 * two streams that are ahead take turns, until a third comes before both or a block is at its end. @hot
 */
import type { TapeStream } from './file/stream.ts';

/** A stretch has at most so many rows of a stream, so that one call of a block function stays short. */
const RUN_ROWS = 8192;

/** One stream: its rows that are handed out, and when the row after them comes. */
class Run {
  declare readonly stream: TapeStream;
  /** Place of the stream in the order that decides ties. */
  declare readonly index: number;
  /** The first row that was not handed out yet. */
  to = 0;
  /** The first wanted row of the block. */
  start = 0;
  /** By what row `to` is ordered; Infinity after the last. Of no meaning at the end of a block. */
  time = Infinity;
  /** Wanted rows of all blocks up to the current one. */
  rows = 0;
  /** End of the block's wanted rows, and by what its rows are ordered. */
  length = 0;
  declare order: Float64Array;
  /** In a stretch: where it ends at the latest, what its rows must be below, and how far they may be above the other's next. */
  limit = 0;
  until = Infinity;
  lead = 0;
  #hasEnded: boolean;

  constructor(stream: TapeStream, index: number, hasEnded = false) {
    this.stream = stream;
    this.index = index;
    this.order = stream.order;
    this.#hasEnded = hasEnded;
  }

  /** Begins a stretch with `other`, until `third` comes before both. */
  begin(other: Run, third: Run): void {
    this.limit = Math.min(this.length, this.to + RUN_ROWS);
    this.until = before(this, third);
    this.lead = this.index < other.index ? 1 : 0;
  }

  /** Takes its turn: its next row comes before all others, and so may those after it. Gives the row before which they end. */
  take(other: Run): number {
    const order = this.order;
    const limit = this.limit;
    const until = other.time + this.lead < this.until ? other.time + this.lead : this.until;
    let row = this.to + 1;
    if (until === Infinity) row = limit;
    else while (row < limit && (this.time = order[row]!) < until) row++;
    this.to = row;
    return row;
  }

  /** After its turn: whether the next is not the other's. */
  isLast(other: Run): boolean {
    return this.to === this.limit || other.time >= other.until;
  }

  /** After a stretch: the time of its next row, in a new block where it was through with one. */
  goOn(since: number, until: number): void {
    if (this.to === this.length) this.load(since, until);
    else this.time = this.order[this.to]!;
  }

  /** Goes to the stream's next rows whose time is at least `since` and below `until`. */
  load(since: number, until: number): void {
    const stream = this.stream;
    while (!this.#hasEnded) {
      if (!stream.next()) break;
      const time = stream.time;
      const length = stream.length;
      let row = 0;
      let end = length;
      while (end > 0 && time[end - 1]! >= until) end--;
      while (row < end && time[row]! < since) row++;
      this.#hasEnded = end < length;
      if (row === end) continue;
      this.order = stream.order;
      this.to = row;
      this.start = row;
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
    return this.time < before(this, other);
  }
}

/** What the time of a row of `run` must be below to come before the next row of `other`: times are whole milliseconds. */
function before(run: Run, other: Run): number {
  return run.index < other.index ? other.time + 1 : other.time;
}

export class TapeMerge {
  /** The run of rows that `next` moved to. */
  declare stream: TapeStream;
  from = 0;
  to = 0;
  /** The two that take turns in a stretch; at first it is the turn of `first`. */
  declare first: Run;
  declare second: Run;
  /** True if `next` has handed out the last turn of the stretch. */
  #isOver = true;
  /** Rows before `since` and from `until` on are left out. */
  declare readonly since: number;
  declare readonly until: number;
  /** In the order that decides ties. */
  declare readonly streams: readonly TapeStream[];
  /** By stream. */
  declare readonly runs: readonly Run[];
  /** All but the first, as a binary heap by time of the next row, then stream. */
  declare private readonly others: Run[];
  /** A stream that never has a row: the other where there is one alone, the third where there are two. */
  declare private readonly none: Run;
  #isFresh = true;
  #run: Run;

  /** At least one stream; they are rewound by the first `next` or `stretch`. */
  constructor(streams: readonly TapeStream[], since = -Infinity, until = Infinity) {
    const opening = streams[0];
    if (opening === undefined) throw new RangeError('a merge needs at least one stream');
    this.streams = streams;
    this.stream = opening;
    this.runs = streams.map((stream, index) => new Run(stream, index));
    this.none = new Run(opening, streams.length, true);
    this.others = this.runs.slice(1);
    if (this.others.length === 0) this.others.push(this.none);
    this.first = this.runs[0]!;
    this.second = this.others[0]!;
    this.#run = this.first;
    this.since = since;
    this.until = until;
  }

  /** How many rows there were; complete once `next` is false. */
  get rows(): number {
    let sum = 0;
    for (const run of this.runs) sum += run.rows;
    return sum;
  }

  /** Moves to the next run; false after the last row of the last stream. @throws TapeError as TapeStream.next */
  next(): boolean {
    if (this.#isOver && !this.stretch()) return false;
    const run = this.#run;
    const other = run === this.first ? this.second : this.first;
    this.stream = run.stream;
    this.from = run.to;
    this.to = run.take(other);
    this.#isOver = run.isLast(other);
    this.#run = other;
    return true;
  }

  /** Begins the next stretch, whose turns the caller or `next` takes to its end; false after the last row. @throws as `next` */
  stretch(): boolean {
    const others = this.others;
    let first = this.first;
    if (this.#isFresh) first = this.#start();
    // Only now are the next blocks taken: until here the columns were in use.
    first.goOn(this.since, this.until);
    others[0]!.goOn(this.since, this.until);
    this.#sink();
    const rival = others[0]!;
    if (rival.isBefore(first)) {
      others[0] = first;
      first = rival;
      this.#sink();
    }
    const second = others[0]!;
    const third = this.#third();
    first.begin(second, third);
    second.begin(first, third);
    this.first = first;
    this.second = second;
    this.#run = first;
    this.#isOver = first.time === Infinity;
    return !this.#isOver;
  }

  /** Loads the next block of each run that is at the end of one. */
  settle(): void {
    const runs = this.runs;
    for (let k = 0; k < runs.length; k++) if (runs[k]!.to === runs[k]!.length) runs[k]!.load(this.since, this.until);
  }

  /** Goes on after rows that the caller took itself, by moving `to` of runs. */
  skip(): void {
    const runs = this.runs;
    const others = this.others;
    let first = runs[0]!;
    first.goOn(this.since, this.until);
    for (let k = 1; k < runs.length; k++) {
      const run = runs[k]!;
      run.goOn(this.since, this.until);
      if (run.isBefore(first)) {
        others[k - 1] = first;
        first = run;
      } else others[k - 1] = run;
    }
    this.first = first;
    for (let at = (runs.length - 1) >> 1; at >= 0; at--) if (at < others.length) this.#sink(at);
    this.#isOver = true;
  }

  /** Back to the first row of every stream. */
  rewind(): void {
    this.#isFresh = true;
    this.#isOver = true;
  }

  #start(): Run {
    this.#isFresh = false;
    for (const run of this.runs) {
      run.rewind();
      run.load(this.since, this.until);
    }
    for (let at = (this.others.length >> 1) - 1; at > 0; at--) this.#sink(at);
    return this.first;
  }

  /** The next of all but two streams. */
  #third(): Run {
    const others = this.others;
    if (others.length < 2) return this.none;
    return others.length > 2 && others[2]!.isBefore(others[1]!) ? others[2]! : others[1]!;
  }

  /** Brings the one at `start` of the heap to its place. */
  #sink(start = 0): void {
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
