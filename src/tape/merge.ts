/**
 * Rows of all streams in one order: by recorded time, then stream, then row. It hands out runs of rows of one stream, and decides many of
 * them at once: the two streams that are ahead take turns until a third comes before both. @hot
 */
import type { TapeStream } from './stream.ts';

/** A stretch has at most so many rows of a stream, so that one call of a block function stays short, and at most so many turns. */
const RUN_ROWS = 8192;
const TURNS = 1024;

/** One stream: its rows that are handed out, and when the row after them comes. */
class Run {
  declare readonly stream: TapeStream;
  /** Place of the stream in the order that decides ties. */
  declare readonly index: number;
  /** Its rows of the current stretch: `from` up to, not including, `to` of the stream's current block. */
  from = 0;
  to = 0;
  /** By what row `to` is ordered; Infinity after the last. Of no meaning at the end of a block. */
  time = Infinity;
  /** Wanted rows of all blocks up to the current one. */
  rows = 0;
  /** End of the block's wanted rows, and by what its rows are ordered. */
  length = 0;
  declare order: Float64Array;
  #hasEnded: boolean;

  constructor(stream: TapeStream, index: number, hasEnded = false) {
    this.stream = stream;
    this.index = index;
    this.order = stream.order;
    this.#hasEnded = hasEnded;
  }

  /** The first row that is not handed out before the stretch is over. */
  get limit(): number {
    return Math.min(this.length, this.to + RUN_ROWS);
  }

  /** The rows up to `to` are handed out. */
  pass(to: number): void {
    this.from = this.to;
    this.to = to;
    if (to < this.length) this.time = this.order[to]!;
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
      this.from = row;
      this.to = row;
      this.length = end;
      this.rows += end - row;
      this.time = stream.order[row]!;
      return;
    }
    this.#hasEnded = true;
    this.from = this.length;
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
  /** The current stretch: so many turns, of the first stream and of the second in turn; `ends` are the rows before which they end. */
  declare first: Run;
  declare second: Run;
  turns = 0;
  readonly ends = new Int32Array(TURNS);
  /** Turns that `next` has handed out. */
  #taken = 0;
  /** Rows before `since` and from `until` on are left out. */
  declare readonly since: number;
  declare readonly until: number;
  /** In the order that decides ties. */
  declare readonly streams: readonly TapeStream[];
  declare private readonly runs: readonly Run[];
  /** All but the first, as a binary heap by time of the next row, then stream. */
  declare private readonly others: Run[];
  /** A stream that never has a row: the other where there is one alone, the third where there are two. */
  declare private readonly none: Run;
  #isFresh = true;

  /** At least one stream; they are rewound by the first `next` or `stretch`. */
  constructor(streams: readonly TapeStream[], since = -Infinity, until = Infinity) {
    const opening = streams[0];
    if (opening === undefined) throw new RangeError('a merge needs at least one stream'); // hot-ok: construction
    this.streams = streams;
    this.stream = opening;
    this.runs = streams.map((stream, index) => new Run(stream, index)); // hot-ok: construction
    this.none = new Run(opening, streams.length, true); // hot-ok: construction
    this.others = this.runs.slice(1);
    if (this.others.length === 0) this.others.push(this.none);
    this.first = this.runs[0]!;
    this.second = this.others[0]!;
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
    if ((this.#isFresh || this.#taken === this.turns) && !this.stretch()) return false;
    const run = this.#taken % 2 === 0 ? this.first : this.second;
    this.stream = run.stream;
    this.from = run.from;
    this.to = this.ends[this.#taken]!;
    run.from = this.to;
    this.#taken++;
    return true;
  }

  /** Decides the next turns, whether or not the last ones were taken by `next`; false after the last row. @throws as `next` */
  stretch(): boolean {
    const others = this.others;
    let first = this.first;
    if (this.#isFresh) first = this.#start();
    // Only now are the next blocks taken: until here the columns were in use.
    if (first.to === first.length) first.load(this.since, this.until);
    if (others[0]!.to === others[0]!.length) others[0]!.load(this.since, this.until);
    this.#sink();
    const rival = others[0]!;
    if (rival.isBefore(first)) {
      others[0] = first;
      first = rival;
      this.#sink();
    }
    this.first = first;
    this.second = others[0]!;
    this.turns = first.time === Infinity ? 0 : this.#alternate(first, this.second, this.#third());
    this.#taken = 0;
    return this.turns > 0;
  }

  /** Back to the first row of every stream. */
  rewind(): void {
    this.#isFresh = true;
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

  /** Turns of `first`, which is before the others, and `second`, until a block is at its end or `third` comes before both. */
  #alternate(first: Run, second: Run, third: Run): number {
    const ends = this.ends;
    const firstOrder = first.order;
    const secondOrder = second.order;
    const firstLimit = first.limit;
    const secondLimit = second.limit;
    const firstUntil = before(first, third);
    const secondUntil = before(second, third);
    // Of one time, the rows of the one with the lower number come first.
    const firstLead = first.index < second.index ? 1 : 0;
    const secondLead = 1 - firstLead;
    let a = first.to;
    let b = second.to;
    let firstTime = first.time;
    let secondTime = second.time;
    let turns = 0;
    while (turns < TURNS) {
      const firstEnd = secondTime + firstLead < firstUntil ? secondTime + firstLead : firstUntil;
      if (firstEnd === Infinity) a = firstLimit;
      else for (a++; a < firstLimit && (firstTime = firstOrder[a]!) < firstEnd;) a++;
      ends[turns++] = a;
      if (a === firstLimit || !(secondTime < secondUntil)) break;
      const secondEnd = firstTime + secondLead < secondUntil ? firstTime + secondLead : secondUntil;
      for (b++; b < secondLimit && (secondTime = secondOrder[b]!) < secondEnd;) b++;
      ends[turns++] = b;
      if (b === secondLimit || !(firstTime < firstUntil)) break;
    }
    first.pass(a);
    second.pass(b);
    return turns;
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
